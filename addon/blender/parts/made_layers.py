"""Which layers of a mesh are of its file: all others are the user's.

Layers are UV maps, colours and other attributes, and shape keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import bpy

LAYERS_KEY = "dynarig_layers"  # on mesh data
# what every mesh may have
PLAIN = {"position", "material_index", "sharp_edge", "sharp_face", "custom_normal"}


def remember_layers(objects: Iterable[bpy.types.Object]) -> None:
    """Keep on the meshes of objects what layers they have as they are made."""
    for mesh in {obj.data for obj in objects if isinstance(obj.data, bpy.types.Mesh)}:
        names = [*attribute_names(mesh), *shape_keys(mesh)]
        if names:
            mesh[LAYERS_KEY] = json.dumps(names)


def made_layers(mesh: bpy.types.Mesh) -> set[str]:
    """The names that a mesh had as it was made."""
    text = mesh.get(LAYERS_KEY)
    try:
        return set(map(str, json.loads(text if isinstance(text, str) else "[]")))
    except (ValueError, TypeError, RecursionError):
        return set()


def attribute_names(mesh: bpy.types.Mesh) -> list[str]:
    """The attributes of a mesh that hold more than its faces and their shading."""
    attributes: Any = mesh.attributes
    return [
        own.name for own in attributes if own.name not in PLAIN and not own.name.startswith(".")
    ]


def shape_keys(mesh: bpy.types.Mesh) -> list[str]:
    """The shape keys of a mesh but for the first, which is the mesh itself."""
    return [] if mesh.shape_keys is None else [key.name for key in mesh.shape_keys.key_blocks[1:]]
