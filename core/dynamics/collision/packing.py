"""Polytopes laid side by side in arrays of one size, for batches of pairs.

Shorter lists are filled up by repeating their first or last entry, and by edges of no length,
which changes nothing about what is nearest, deepest or overlapping.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .polytope import NONE, Polytope

POLYTOPES = 4096  # whose arrays are kept
SETS = 128  # laid side by side; ten hulls of 64 vertices take 400 kB


@dataclass(frozen=True, eq=False)
class Packed:
    """p polytopes with up to v vertices, f faces, e edges, and k vertices around a face.

    Attributes:
        points: (p, v + f, 3): the vertices, m, and behind them the outward normals.
        sizes: v, f, e, k.
        offsets: (p, f), m.
        sides: (p, 3 e, 3): for each edge its vector, and the normals on its left and its right.
        edge_lengths: (p, e), m, 1 for edges that fill up.
        outward: (p, e, 3), at right angles to the edge in the plane of its left face.
        edges: (p, e, 2), vertices.
        loops: (p, f, k), the vertices around each face.
        frames: (p, f, 3, 3), columns x, y along the face, and its normal.
        touching: (p, v, f), whether a vertex belongs to a face.
        middle: (p, 3), m, the mean of the vertices.
        reach, inner: (p,), m, its largest distance from a vertex, and its least from a face.
    """

    sizes: tuple[int, int, int, int]
    points: FloatArray
    offsets: FloatArray
    sides: FloatArray
    edge_lengths: FloatArray
    outward: FloatArray
    edges: IntArray
    loops: IntArray
    frames: FloatArray
    touching: BoolArray
    middle: FloatArray
    reach: FloatArray
    inner: FloatArray

    @property
    def vertices(self) -> FloatArray:
        """(p, v, 3), m."""
        return self.points[:, : self.sizes[0]]

    @property
    def normals(self) -> FloatArray:
        """(p, f, 3)."""
        return self.points[:, self.sizes[0] :]


@lru_cache(maxsize=SETS)
def packed(polytopes: tuple[Polytope, ...], around: int) -> Packed:
    """Polytopes in arrays of one size, with room for `around` vertices around each face."""
    singles = [_single(own) for own in polytopes]
    v, f, e = (max(len(own[key]) for own in singles) for key in ("vertices", "normals", "edges"))

    def laid(key: str, count: int) -> FloatArray:
        return np.stack([_filled(own[key], count) for own in singles])

    def empty_beyond(key: str) -> FloatArray:
        out = np.zeros((len(singles), e, 3))
        for row, own in enumerate(singles):
            out[row, : len(own[key])] = own[key]
        return out

    sides = [empty_beyond(key) for key in ("vectors", "left", "right")]
    lengths = np.linalg.norm(sides[0], axis=2)
    touching = np.zeros((len(singles), v, f), dtype=np.bool_)
    loops = np.zeros((len(singles), f, around), dtype=np.intp)
    for row, own in enumerate(singles):
        count, faces = own["touching"].shape
        touching[row, :count, :faces] = own["touching"]
        loops[row] = _filled(_filled(own["loops"].T, around, last=True).T, f)
    return Packed(
        sizes=(v, f, e, around),
        points=np.concatenate((laid("vertices", v), laid("normals", f)), axis=1),
        offsets=laid("offsets", f),
        sides=np.concatenate(sides, axis=1),
        edge_lengths=np.where(lengths > 0.0, lengths, 1.0),
        outward=empty_beyond("outward"),
        edges=laid("edges", e).astype(np.intp),
        loops=loops,
        frames=laid("frames", f),
        touching=touching,
        middle=np.array([own["middle"] for own in singles]),
        reach=np.array([float(own["reach"]) for own in singles]),
        inner=np.array([float(own["inner"]) for own in singles]),
    )


@lru_cache(maxsize=POLYTOPES)
def _single(polytope: Polytope) -> dict[str, FloatArray]:
    """The arrays of one polytope."""
    vertices, normals = polytope.vertices, polytope.normals
    middle = vertices.mean(axis=0)
    start, end = polytope.edges.T
    vectors = vertices[end] - vertices[start]
    left, right = normals[polytope.edge_faces.T]
    faces = polytope.faces
    count = (faces != NONE).sum(axis=1)
    last = faces[np.arange(len(faces)), count - 1]
    loops = np.where(faces == NONE, last[:, None], faces)
    x = vertices[loops[:, 1]] - vertices[loops[:, 0]]
    x /= np.linalg.norm(x, axis=1)[:, None]
    y = np.cross(normals, x)
    touching = np.zeros((len(vertices), len(normals)), dtype=np.bool_)
    touching[loops, np.arange(len(normals))[:, None]] = True
    return {
        "vertices": vertices,
        "normals": normals,
        "offsets": polytope.offsets,
        "edges": polytope.edges,
        "vectors": vectors,
        "left": left,
        "right": right,
        "outward": np.cross(vectors, left),
        "loops": loops,
        "frames": np.stack((x, y, normals), axis=-1),
        "touching": touching,
        "middle": middle,
        "reach": np.linalg.norm(vertices - middle, axis=1).max(),
        "inner": (polytope.offsets - normals @ middle).min(),
    }


def _filled(rows: FloatArray, count: int, last: bool = False) -> FloatArray:
    """`rows` and as many copies of the first or the last as make `count`."""
    if len(rows) == count:
        return rows
    extra = np.repeat(rows[-1:] if last else rows[:1], count - len(rows), axis=0)
    return np.concatenate((rows, extra))


def around_of(polytopes: Sequence[Polytope]) -> int:
    """The most vertices around a face."""
    return max(own.faces.shape[1] for own in polytopes)
