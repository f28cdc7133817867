"""Pose bones as another object has them: values, properties, constraints and drivers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import bpy

# follow from others, or are not to be written
DERIVED = ("rna_type", "name", "matrix", "matrix_basis")
COLOUR = ("normal", "select", "active")


def give_back_bones(robot: bpy.types.Object, backup: bpy.types.Object) -> None:
    """Let the bones and the drivers of a robot be those of a copy that was made of it before.

    Args:
        robot: with the armature data that it had then.
        backup: the copy, whose references to itself become the robot's.
    """
    for source in backup.pose.bones:
        bone = robot.pose.bones[source.name]
        _give_values(bone, source, robot)
        _give_properties(bone, source)
        for constraint in list(bone.constraints):
            bone.constraints.remove(constraint)
        for constraint in source.constraints:
            bone.constraints.copy(constraint)
    _give_drivers(robot, backup)
    # constraints and drivers that name the robot itself name the copy by now
    backup.user_remap(robot)


def _give_values(bone: Any, source: Any, robot: bpy.types.Object) -> None:
    """All values that can be written, the rotation mode first: it would turn the others."""
    for name in ("rotation_mode", *_written(source)):
        value = getattr(source, name)
        if isinstance(value, bpy.types.PoseBone):
            value = robot.pose.bones[value.name]
        setattr(bone, name, value)
    bone.color.palette = source.color.palette
    if source.color.palette == "CUSTOM":
        for name in COLOUR:
            setattr(bone.color.custom, name, getattr(source.color.custom, name))


def _written(bone: Any) -> Iterator[str]:
    for prop in bone.bl_rna.properties:
        if not prop.is_readonly and prop.identifier not in DERIVED:
            yield prop.identifier


def _give_properties(bone: Any, source: Any) -> None:
    """Custom properties, with their descriptions and limits where they are new."""
    before, after = dict(source.items()), dict(bone.items())
    for key in after.keys() - before.keys():
        del bone[key]
    for key, value in before.items():
        if key in after and after[key] == value:
            continue
        bone[key] = value.to_dict() if hasattr(value, "to_dict") else value
        # some kinds have no description
        with suppress(TypeError):
            bone.id_properties_ui(key).update_from(source.id_properties_ui(key))


def _give_drivers(robot: bpy.types.Object, backup: bpy.types.Object) -> None:
    """The drivers of the copy in the place of the robot's own."""
    wanted = list(backup.animation_data.drivers) if backup.animation_data else []
    own: Any = robot.animation_data
    if own is None and not wanted:
        return
    own = own or robot.animation_data_create()
    for driver in list(own.drivers):
        own.drivers.remove(driver)
    for driver in wanted:
        own.drivers.from_existing(src_driver=driver)
