"""Whether an object may move or change its shape along the scene's time.

A simulation takes the ground, and the place of the robot itself, as they stand at one frame. To
go through all frames would disturb the scene, so that it is found by what could move an object.
"""

from __future__ import annotations

from typing import Any

import bpy

from ... import compat

TRANSFORMS = ("location", "rotation", "scale", "delta_")  # how paths of an object's own begin
# modifiers that change a shape from frame to frame by themselves
MOVING_MODIFIERS = {
    "BUILD",
    "CLOTH",
    "DYNAMIC_PAINT",
    "EXPLODE",
    "FLUID",
    "MESH_CACHE",
    "MESH_SEQUENCE_CACHE",
    "SOFT_BODY",
    "WAVE",
}


def may_change(obj: bpy.types.Object) -> bool:
    """Whether keys, drivers, constraints, modifiers or physics may move or bend an object.

    Those of what it hangs from, and of what its constraints and modifiers look at, count too.
    """
    return _may_change(obj, set())


def is_carried(robot: bpy.types.Object) -> bool:
    """Whether a robot's armature object may move as a whole; its bones do not count."""
    if _has_physics(robot) or _own_curves_move(robot):
        return True
    seen = {robot.name_full}
    above = [robot.parent, *_looked_at(robot.constraints)]
    return any(_may_change(other, seen) for other in above if other is not None)


def carried_warnings(robot: bpy.types.Object) -> list[str]:
    """That a simulation does not know how the armature object moves, where it does."""
    if not is_carried(robot):
        return []
    return [
        f"the armature object '{robot.name}' is animated: the robot is simulated as it stands at "
        "this frame, and the motion of the object is not felt"
    ]


def _may_change(obj: bpy.types.Object, seen: set[str]) -> bool:
    if obj.name_full in seen:
        return False
    seen.add(obj.name_full)
    keys = getattr(obj.data, "shape_keys", None)
    if any(_is_animated(owner) for owner in (obj, obj.data, keys)) or _has_physics(obj):
        return True
    modifiers = [own for own in getattr(obj, "modifiers", ()) if own.show_viewport]
    if any(own.type in MOVING_MODIFIERS for own in modifiers):
        return True
    others = [obj.parent, *_looked_at(obj.constraints), *_pointed_at(modifiers)]
    return any(_may_change(other, seen) for other in others if other is not None)


def _is_animated(owner: Any) -> bool:
    """Whether an object or its data has keys or drivers of its own, or strips."""
    animation = getattr(owner, "animation_data", None)
    if animation is None:
        return False
    return bool(animation.action or len(animation.drivers) or _strips(animation))


def _strips(animation: bpy.types.AnimData | None) -> list[bpy.types.NlaStrip]:
    """The strips that act."""
    if animation is None or not animation.use_nla:
        return []
    tracks = [track for track in animation.nla_tracks if not track.mute]
    return [strip for track in tracks for strip in track.strips if not strip.mute]


def _own_curves_move(robot: bpy.types.Object) -> bool:
    """Whether keys, drivers or strips act on the object itself and not on bones."""
    if robot.animation_data is None:
        return False
    curves = [*(compat.existing_channels(robot) or ()), *robot.animation_data.drivers]
    for strip in _strips(robot.animation_data):
        if strip.action is not None:
            curves += compat.curves_of(strip.action)
    return any(own.data_path.startswith(TRANSFORMS) and not own.mute for own in curves)


def _has_physics(obj: bpy.types.Object) -> bool:
    return obj.rigid_body is not None and obj.rigid_body.type == "ACTIVE"


def _looked_at(constraints: Any) -> list[bpy.types.Object | None]:
    """The targets of constraints that act."""
    acting = [own for own in constraints if not own.mute and own.influence > 0.0]
    several = [target.target for own in acting for target in getattr(own, "targets", ())]
    return [*(getattr(own, "target", None) for own in acting), *several]


def _pointed_at(modifiers: Any) -> list[bpy.types.Object | None]:
    """The objects that modifiers refer to."""
    return [
        getattr(own, prop.identifier)
        for own in modifiers
        for prop in own.bl_rna.properties
        if prop.type == "POINTER" and prop.fixed_type.identifier == "Object"
    ]
