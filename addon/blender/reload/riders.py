"""Objects of the user's that hang from bones whose place, length or very being changes."""

from __future__ import annotations

import bpy
from mathutils import Matrix, Vector

from ..loops import is_loop
from ..parts import tag_of
from ..rig_access import Rig


class Riders:
    """The objects that hang from the bones of a robot, before the bones change.

    Args:
        robot: its object.
        gone: names of the bones that will be gone.
    """

    def __init__(self, robot: bpy.types.Object, gone: tuple[str, ...]) -> None:
        armature = robot.data
        assert isinstance(armature, bpy.types.Armature)
        self._lengths = {bone.name: bone.length for bone in armature.bones}
        riding = [own for own in robot.children if own.parent_type == "BONE"]
        self._riding = [(own, own.parent_bone) for own in riding]
        self._freed = [
            (own, own.matrix_world.copy())
            for own in riding
            if own.parent_bone in gone and tag_of(own) is None and not is_loop(own)
        ]

    def settle(self, rig: Rig) -> list[str]:
        """Keep objects where they are on their bones; free those whose bones are gone."""
        armature = rig.object.data
        assert isinstance(armature, bpy.types.Armature)
        for obj, name in self._riding:
            bone = armature.bones.get(name)
            longer = 0.0 if bone is None else bone.length - self._lengths[name]
            if longer:
                # objects hang from a bone's tail
                back = Matrix.Translation(Vector((0.0, -longer, 0.0)))
                obj.matrix_parent_inverse = back @ obj.matrix_parent_inverse
        notes = []
        for obj, world in self._freed:
            obj.parent = None
            obj.matrix_world = world
            notes.append(f"object '{obj.name}' hung from a bone that is gone, and is free")
        return notes
