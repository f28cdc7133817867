"""Where in a skin each visual is, kept on its mesh, so that one of them can be told from others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from zlib import crc32

import bpy
import numpy as np
from numpy.typing import NDArray

from ..geometry.mesh_arrays import read_array
from ..geometry.visuals import VisualObject
from .part_record import fingerprint, look_of
from .part_tags import PartTag

PIECES_KEY = "dynarig_pieces"  # on the mesh data of a skin


@dataclass(frozen=True)
class SkinPiece:
    """A visual in a skin; pieces follow one another in each of its arrays.

    Attributes:
        link, index: which visual.
        vertices, edges, corners, faces: how many of each.
        looks: a text that two pieces share if faces, places at rest and materials are the same.
    """

    link: str
    index: int
    vertices: int
    edges: int
    corners: int
    faces: int
    looks: str

    @property
    def tag(self) -> PartTag:
        """The tag that the visual would have as an object of its own."""
        return PartTag("visual", self.link, self.index)

    @property
    def faces_look(self) -> list[str]:
        """The part of the looks that is of vertices and faces, where they are in the visual."""
        return self.looks.split(" ")[:-3]

    @property
    def colours_look(self) -> list[str]:
        """The part of the looks that is of materials, the mesh's and the object's."""
        return self.looks.split(" ")[-3:-1]


def remember_pieces(mesh: bpy.types.Mesh, visuals: Sequence[VisualObject]) -> None:
    """Keep on the mesh of a skin which visuals it was joined of."""
    positions = read_array(mesh.vertices, "co", np.float32, 3)
    pieces = []
    start = 0
    for visual in visuals:
        data = visual.object.data
        assert isinstance(data, bpy.types.Mesh), "visuals are meshes"
        end = start + len(data.vertices)
        looks = repr([look_of(slot.material) for slot in visual.object.material_slots]).encode()
        pieces.append(
            SkinPiece(
                visual.link,
                visual.part.index,
                len(data.vertices),
                len(data.edges),
                len(data.loops),
                len(data.polygons),
                f"{fingerprint(data)} {crc32(looks):08x} {_places(positions[start:end])}",
            )
        )
        start = end
    record_pieces(mesh, pieces)


def moved_looks(looks: str, positions: NDArray[np.float32]) -> str:
    """The looks of a piece whose vertices are at other places (n, 3) now."""
    return f"{looks.rpartition(' ')[0]} {_places(positions)}"


def _places(positions: NDArray[np.float32]) -> str:
    return f"{crc32(positions.tobytes()):08x}"


def record_pieces(mesh: bpy.types.Mesh, pieces: Sequence[SkinPiece]) -> None:
    """Keep pieces on the mesh that was joined of them."""
    mesh[PIECES_KEY] = json.dumps([asdict(piece) for piece in pieces])


def recorded_pieces(mesh: bpy.types.Mesh) -> tuple[SkinPiece, ...]:
    """The pieces of the mesh of a skin; none where they are not known, or it has other faces."""
    text = mesh.get(PIECES_KEY)
    try:
        entries = json.loads(text if isinstance(text, str) else "[]")
        pieces = tuple(SkinPiece(**entry) for entry in entries)
    except (ValueError, TypeError, RecursionError):
        return ()
    counts = [
        sum(getattr(piece, what) for piece in pieces)
        for what in ("vertices", "edges", "corners", "faces")
    ]
    have = [len(mesh.vertices), len(mesh.edges), len(mesh.loops), len(mesh.polygons)]
    return pieces if counts == have else ()
