"""The skin of a robot, where visuals of it cannot be read again or hang from other bones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import bmesh
import bpy
import numpy as np

from ..geometry.mesh_arrays import read_array
from ..leftovers import remove_blocks
from ..parts import PartTag
from ..parts.joined_mesh import Piece, joined_mesh
from ..parts.made_layers import LAYERS_KEY
from ..parts.robot_size import rest_poses
from ..parts.skin_pieces import SkinPiece, moved_looks, record_pieces, recorded_pieces
from ..rig_access import Rig
from .kept_layers import Span

DOMAINS = {"POINT": "vertices", "EDGE": "edges", "CORNER": "corners", "FACE": "faces"}


@dataclass(frozen=True)
class SkinPieces:
    """The visuals in a skin as it is, and in the one that was made of the new file.

    Attributes:
        old, new: of either.
        lost: of the old ones, those that the new file still has and that could not be read.
    """

    old: tuple[SkinPiece, ...]
    new: tuple[SkinPiece, ...]
    lost: tuple[SkinPiece, ...]

    @classmethod
    def of(
        cls, there: bpy.types.Object, made: bpy.types.Object, described: Mapping[PartTag, Any]
    ) -> SkinPieces:
        """Those of two skins.

        Args:
            described: the visuals of the new file.
        """
        assert isinstance(there.data, bpy.types.Mesh) and isinstance(made.data, bpy.types.Mesh)
        old, new = recorded_pieces(there.data), recorded_pieces(made.data)
        read = {piece.tag for piece in new}
        lost = tuple(own for own in old if own.tag not in read and own.tag in described)
        return cls(old, new, lost)

    def are_as_before(self, old: Rig, new: Rig) -> bool:
        """Whether all that could be read has the faces, places and bones that it had."""
        rests = rest_poses(old), rest_poses(new)
        for piece in self.old:
            if piece.link not in rests[1] or _bone(old, piece.link) != _bone(new, piece.link):
                return False
            one, other = (rest[piece.link] for rest in rests)
            if piece in self.lost and not np.array_equal(one, other):
                return False
        return self.new == tuple(own for own in self.old if own not in self.lost)

    def spans(self) -> list[Span]:
        """What old and new skin share: visuals with as many elements as they had."""
        starts = dict(_starts(self.old)), dict(_starts(self.new))
        before = {piece.tag: piece for piece in self.old}
        return [
            Span(starts[0][piece.tag], starts[1][piece.tag], _counts(piece))
            for piece in self.new
            if piece.tag in before and _counts(before[piece.tag]) == _counts(piece)
        ]


def take_in_lost(
    pieces: SkinPieces, there: bpy.types.Object, made: bpy.types.Object, old: Rig, new: Rig
) -> SkinPieces:
    """Add to a new skin the faces that the old one has of visuals that cannot be read again.

    They stand where their links are at rest now, on the bones that carry them.

    Returns:
        The pieces, with those of the new skin as it is then.
    """
    first, before = made.data, there.data
    assert isinstance(first, bpy.types.Mesh) and isinstance(before, bpy.types.Mesh)
    rests = rest_poses(old), rest_poses(new)
    starts = dict(_starts(pieces.old))
    joined = [Piece(first, np.eye(4), tuple(first.materials))]
    for own in pieces.lost:
        cut = _cut_out(before, starts[own.tag]["POINT"], own.vertices)
        one, other = (rest[own.link] for rest in rests)
        move = np.eye(4) if np.array_equal(one, other) else other @ np.linalg.inv(one)
        joined.append(Piece(cut, move, tuple(before.materials)))
    name, layers = first.name, first.get(LAYERS_KEY)
    mesh = joined_mesh(name, joined)
    if layers is not None:
        mesh[LAYERS_KEY] = layers
    made.data = mesh
    remove_blocks(piece.mesh for piece in joined)
    mesh.name = name
    both = (*pieces.new, *_placed_anew(pieces, mesh))
    record_pieces(mesh, both)
    for piece, start in zip(both, (own["POINT"] for _, own in _starts(both)), strict=True):
        bone = _bone(new, piece.link)
        group = made.vertex_groups.get(bone) or made.vertex_groups.new(name=bone)
        group.add(list(range(start, start + piece.vertices)), 1.0, "REPLACE")
    return replace(pieces, new=both)


def _placed_anew(pieces: SkinPieces, mesh: bpy.types.Mesh) -> Iterator[SkinPiece]:
    """The lost pieces, which come last in a mesh, as they look there."""
    positions = read_array(mesh.vertices, "co", np.float32, 3)
    start = sum(piece.vertices for piece in pieces.new)
    for piece in pieces.lost:
        end = start + piece.vertices
        yield replace(piece, looks=moved_looks(piece.looks, positions[start:end]))
        start = end


def _cut_out(mesh: bpy.types.Mesh, start: int, count: int) -> bpy.types.Mesh:
    """New mesh data with a run of the vertices of a mesh, and their faces."""
    cut = bpy.data.meshes.new(mesh.name)
    work = bmesh.new()
    try:
        work.from_mesh(mesh)
        others = [
            vertex for index, vertex in enumerate(work.verts) if not start <= index < start + count
        ]
        bmesh.ops.delete(work, geom=others, context="VERTS")
        work.to_mesh(cut)
    finally:
        work.free()
    return cut


def _starts(pieces: Sequence[SkinPiece]) -> Iterator[tuple[PartTag, dict[str, int]]]:
    """Where each piece starts, by domain."""
    at = dict.fromkeys(DOMAINS, 0)
    for piece in pieces:
        yield piece.tag, dict(at)
        at = {domain: at[domain] + count for domain, count in _counts(piece).items()}


def _counts(piece: SkinPiece) -> dict[str, int]:
    return {domain: getattr(piece, what) for domain, what in DOMAINS.items()}


def _bone(rig: Rig, link: str) -> str:
    bone, _ = rig.hanging(link)
    assert bone is not None, "a rig for a skin has a bone for the root link"
    return bone.name
