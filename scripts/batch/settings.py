"""The add-on's settings, as the command line says."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from dynarig.addon.blender.bake.settings import BakeSettings, whole_frames
from dynarig.addon.blender.contact.settings import LET_OFF, OTHER_SCHEME, ContactSettings
from dynarig.addon.blender.importing.options import ImportOptions
from dynarig.addon.errors import RigError

from .contact_options import FLOOR, FRICTION_ONLY, ContactOptions
from .ground import Ground
from .options import Options

FRAME_START = 1
# what the panel's ways out are called here
WAYS_OUT = {
    OTHER_SCHEME: FRICTION_ONLY,
    LET_OFF: 'let the link not collide ("collides": false in --surfaces)',
}


def import_options(options: Options) -> ImportOptions:
    """How to import; folders are taken from the current one."""
    imports = options.imports
    chosen = {field.name: getattr(imports, field.name) for field in fields(imports)}
    chosen["package_dirs"] = tuple(str(folder.absolute()) for folder in imports.package_dirs)
    return ImportOptions(floating_base=options.floating_base, **chosen)


def bake_settings(options: Options, ground: Ground, duration: float) -> BakeSettings:
    """How to bake a motion of a duration (s)."""
    return BakeSettings(
        frame_start=FRAME_START,
        frame_end=FRAME_START + whole_frames(duration, options.fps),
        fps=options.fps,
        gravity=options.gravity,
        damping=options.damping,
        use_limits=options.limits,
        interpolation=options.interpolation,
        tolerance=options.tolerance,
        loop_tolerance=options.loop_tolerance,
        contact=contact_settings(options.contact, ground),
    )


def contact_settings(options: ContactOptions, ground: Ground) -> ContactSettings:
    """How bodies touch, and what holds the joints; what was not asked for is the add-on's own."""
    settings = ContactSettings(
        scheme="EXACT" if options.scheme == "exact" else "FRICTION",
        ground="FLOOR" if options.ground == (FLOOR,) else "NONE",
        friction=options.friction,
        step=options.contact_step,
        use_self_collision=options.self_collision,
        geometry="COLLISION" if options.geometry == "collision" else "VISUAL",
        motors="HOLD" if options.hold else "NONE",
        use_impact_keys=options.impact_keys,
    )
    if ground.objects:
        settings = replace(settings, ground="OBJECTS", objects=ground.objects)
    given: dict[str, Any] = {
        "restitution": options.restitution,
        "motor_frequency": options.hold_frequency,
        "motor_damping": options.hold_damping,
    }
    return replace(settings, **{key: own for key, own in given.items() if own is not None})


def in_these_words(error: RigError) -> RigError:
    """An error of the add-on, with the options' names instead of the panel's."""
    text = str(error)
    for there, here in WAYS_OUT.items():
        text = text.replace(there, here)
    return RigError(text)
