"""Collision shapes that are all there is of a robot: seen as solid, plain bodies."""

from __future__ import annotations

import bpy
from dynarig.addon.blender.importing.importer import ImportResult
from dynarig.addon.blender.parts import parts_of

PLAIN = (0.55, 0.6, 0.68, 1.0)  # linear; of bodies that no description gives a colour
SEEN = ("visual", "skin")


def show_bare_collisions(robot: ImportResult) -> None:
    """Let pictures show the collision shapes of a robot that has nothing else to show."""
    parts = list(parts_of(robot.object))
    if any(tag.role in SEEN for _, tag in parts):
        return
    shapes = [obj for obj, tag in parts if tag.role == "collision"]
    if not shapes:
        return
    material = bpy.data.materials.new("Collision")
    material.diffuse_color = PLAIN
    for obj in shapes:
        obj.display_type = "TEXTURED"
        obj.hide_render = False
        mesh = obj.data
        assert isinstance(mesh, bpy.types.Mesh), "collision shapes are meshes"
        # shapes share meshes
        if not mesh.materials:
            mesh.materials.append(material)
