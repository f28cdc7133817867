"""All that is seen of a robot as one mesh that its bones move, as game engines want it.

Each vertex belongs to one bone, wholly: an Armature modifier moves it from where it is at rest,

    p = armature_from_bone(q) armature_from_bone(rest)^-1 p_rest,

which for a rigid part is where it would stand if it hung from the bone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ..attach import hang_from
from ..geometry.visuals import VisualObject
from ..labels import unique_label
from ..leftovers import remove_blocks
from ..rig_access import Rig
from .joined_mesh import Piece, joined_mesh
from .part_tags import PartTag, set_tag
from .robot_size import rest_poses
from .skin_pieces import remember_pieces


def create_skin(
    rig: Rig, collection: bpy.types.Collection, visuals: Sequence[VisualObject]
) -> bpy.types.Object | None:
    """Make one object of the visuals, which takes their place; None for no visuals.

    Args:
        rig: which has a bone for every link, if only a fixed one of the root link.
        collection: where the object is linked.
        visuals: without a parent; they are removed, and their meshes that nothing else uses.
    """
    if not visuals:
        return None
    rest = rest_poses(rig)
    name = unique_label(f"{rig.table.name or 'Robot'} skin", set(bpy.data.objects.keys()))
    mesh = joined_mesh(
        name,
        [
            Piece(
                _mesh(visual),
                rest[visual.link] @ visual.link_from_visual,
                tuple(slot.material for slot in visual.object.material_slots),
            )
            for visual in visuals
        ],
    )
    obj = bpy.data.objects.new(name, mesh)
    collection.objects.link(obj)
    _fill_groups(rig, obj, visuals)
    remember_pieces(mesh, visuals)
    hang_from(rig.object, None, obj, np.eye(4))
    modifier: Any = obj.modifiers.new("Armature", "ARMATURE")
    modifier.object = rig.object
    modifier.use_vertex_groups, modifier.use_bone_envelopes = True, False
    set_tag(obj, PartTag("skin", ""))
    _remove(visuals)
    return obj


def _fill_groups(rig: Rig, obj: bpy.types.Object, visuals: Sequence[VisualObject]) -> None:
    """A vertex group for each bone that moves vertices, called as the bone."""
    groups: dict[str, list[int]] = {}
    start = 0
    for visual in visuals:
        bone, _ = rig.hanging(visual.link)
        assert bone is not None, "a rig for a skin has a bone for the root link"
        end = start + len(_mesh(visual).vertices)
        groups.setdefault(bone.name, []).extend(range(start, end))
        start = end
    for name, vertices in groups.items():
        obj.vertex_groups.new(name=name).add(vertices, 1.0, "REPLACE")


def _remove(visuals: Sequence[VisualObject]) -> None:
    meshes = {_mesh(visual) for visual in visuals}
    remove_blocks(visual.object for visual in visuals)
    remove_blocks(mesh for mesh in meshes if not mesh.users)


def _mesh(visual: VisualObject) -> bpy.types.Mesh:
    mesh = visual.object.data
    assert isinstance(mesh, bpy.types.Mesh), "visuals are meshes"
    return mesh
