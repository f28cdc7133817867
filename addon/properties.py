"""What the user sets in the panel, kept in the scene; the bake operator has the same by name."""

from typing import Any

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty

from .blender.bake.settings import LAST_FRAME
from .contact_properties import ContactProperties


def frame_property(name: str, description: str, default: int) -> Any:
    """A frame number.

    Values that Blender does not have are told by the bake and not cut here: an operator would
    bake something else than it was asked for.
    """
    return IntProperty(
        name=name,
        description=description,
        default=default,
        soft_min=-LAST_FRAME,
        soft_max=LAST_FRAME,
    )


def range_property() -> Any:
    """Which frames: the scene's, some, or as many as fit into a time."""
    return EnumProperty(
        name="Range",
        description="Which frames are simulated",
        items=(
            ("SCENE", "Scene", "The frame range of the scene"),
            ("FRAMES", "Frames", "From one frame to another"),
            ("DURATION", "Time", "Whole frames in a time, from the first frame of the scene"),
        ),
        default="SCENE",
    )


def duration_property(default: float) -> Any:
    """The length of a simulation."""
    return FloatProperty(
        name="Duration",
        description="Length of the simulation (s)",
        default=default,
        soft_min=0.001,
        unit="TIME_ABSOLUTE",
    )


def interpolation_property() -> Any:
    """How keys are joined."""
    return EnumProperty(
        name="Interpolation",
        description="How the keys are joined",
        items=(
            ("BEZIER", "Bezier", "Curves with the exact velocity at every key"),
            ("LINEAR", "Linear", "Straight lines"),
        ),
        default="BEZIER",
    )


class BakeProperties(ContactProperties):
    """The options of a bake, for the scene and for the operator alike."""

    range: range_property()
    frame_start: frame_property("Start", "The frame of the current pose", 1)
    frame_end: frame_property("End", "The last frame", 250)
    duration: duration_property(5.0)
    use_scene_gravity: BoolProperty(
        name="Scene Gravity", description="Take the gravity that the scene has", default=True
    )
    gravity: FloatVectorProperty(
        name="Gravity",
        description="Acceleration of free fall in the world (m/s²)",
        default=(0.0, 0.0, -9.81),
        subtype="ACCELERATION",
        size=3,
    )
    damping: FloatProperty(
        name="Damping",
        description="Resistance added to every joint but floating ones, on top of what the robot "
        "file says (N m s/rad for turning joints, N s/m for sliding ones)",
        default=0.0,
        soft_min=0.0,
        soft_max=10.0,
    )
    use_limits: BoolProperty(
        name="Joint Limits",
        description="Joints stop at the limits of the robot file; a bone may switch its own off",
        default=True,
    )
    interpolation: interpolation_property()
    use_tolerance: BoolProperty(
        name="Subframe Keys",
        description="Add keys between whole frames wherever the motion would be off by more than "
        "the tolerance",
        default=False,
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Largest distance from the simulation between keys (rad or m)",
        default=1e-3,
        soft_min=1e-6,
        soft_max=0.1,
        precision=4,
    )
    loop_tolerance: FloatProperty(
        name="Loop Gap",
        description="How far closed loops may open between keys; keys are added between whole "
        "frames wherever they would open further",
        default=1e-4,
        soft_min=1e-7,
        soft_max=0.01,
        precision=5,
        unit="LENGTH",
    )


class DynarigSceneSettings(bpy.types.PropertyGroup, BakeProperties):
    """The panel's settings of one scene."""


def option(scene: bpy.types.Scene, operator: Any, name: str) -> Any:
    """An option as the operator was told, else as the panel says."""
    if operator is not None and operator.properties.is_property_set(name):
        return getattr(operator, name)
    return getattr(scene.dynarig, name)  # type: ignore[attr-defined]


def as_typed(value: float) -> float:
    """The decimal that the user gave, of which Blender keeps 7 digits: 0.7, not 0.69999999."""
    return float(str(np.float32(value)))


def register() -> None:
    """Hang the settings on the scene."""
    bpy.types.Scene.dynarig = bpy.props.PointerProperty(type=DynarigSceneSettings)  # type: ignore


def unregister() -> None:
    """Undo register()."""
    del bpy.types.Scene.dynarig  # type: ignore[attr-defined]
