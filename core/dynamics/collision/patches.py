"""The flat patches between the nearest faces of polytopes, and a few points that stand for each."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .clipping import Overlap, overlap
from .contacts import CROSSING, KIND, NUMBER, OF_FIRST, OF_SECOND, Contacts
from .manifold import spread
from .packing import Packed
from .separation import FaceAxis, Placed


class Patches(NamedTuple):
    """For n pairs the faces that lie over each other.

    Attributes:
        of_b: (n,), whether the reference face belongs to B.
        loops_a, loops_b: (n, k), vertices around the two faces.
        origin, frame: (n, 3) and (n, 3, 3), of the reference face, in A.
        over: the corners of the patch.
        least: (n,), m, the least gap of a corner, inf without any.
        sizes: (n,), m, of the bodies.
    """

    of_b: BoolArray
    loops_a: IntArray
    loops_b: IntArray
    origin: FloatArray
    frame: FloatArray
    over: Overlap
    least: FloatArray
    sizes: FloatArray

    @property
    def outward(self) -> FloatArray:
        """(n, 3), normals of the patches out of A, in A."""
        sign: FloatArray = np.where(self.of_b, -1.0, 1.0)
        return self.frame[:, :, 2] * sign[:, None]


def patches(
    a: Packed,
    b: Packed,
    at: Placed,
    rows: IntArray,
    axes: tuple[FaceAxis, FaceAxis],
    of_b: BoolArray,
    sizes: FloatArray,
) -> Patches:
    """The patches of some pairs.

    A reference face has the deepest vertex of the other polytope below it; the incident face is
    the one at that vertex that faces it most.

    Args:
        a, b, at: the pairs.
        rows: (n,), some of them.
        axes: the best faces of A and of B in these rows.
        of_b: (n,), whose face is the reference.
        sizes: (n,), m, of the bodies.
    """
    best_a, best_b = axes
    one = np.arange(len(rows))
    normals_a, normals_b = a.normals[rows], at.normals[rows]
    up = np.where(of_b[:, None], normals_b[one, best_b.face], normals_a[one, best_a.face])
    facing_a = _facing(normals_a, up, a.touching[rows, best_b.support])
    facing_b = _facing(normals_b, up, b.touching[rows, best_a.support])
    face_a = np.where(of_b, facing_a, best_a.face)
    face_b = np.where(of_b, best_b.face, facing_b)
    loops_a, loops_b = a.loops[rows, face_a], b.loops[rows, face_b]
    across = rows[:, None]
    polygon_a, polygon_b = a.points[across, loops_a], at.vertices[across, loops_b]
    frame_a, frame_b = a.frames[rows, face_a], at.rotation[rows] @ b.frames[rows, face_b]
    swap = of_b[:, None, None]
    reference = np.where(swap, polygon_b, polygon_a)
    incident = np.where(swap, polygon_a, polygon_b)
    frame = np.where(swap, frame_b, frame_a)
    other = np.where(of_b[:, None], frame_a[:, :, 2], frame_b[:, :, 2])
    origin = reference[:, 0]
    over = overlap(
        (reference - origin[:, None]) @ frame,
        (incident - origin[:, None]) @ frame,
        (other[:, None] @ frame)[:, 0],
        sizes,
    )
    least = np.where(over.there, over.z, np.inf).min(axis=1)
    return Patches(of_b, loops_a, loops_b, origin, frame, over, least, sizes)


def patch_contacts(own: Patches, rows: IntArray, margin: float) -> Contacts:
    """A few points of each of some patches with gaps of at most `margin`, in A.

    Args:
        own: all patches.
        rows: (r,), those that count; the points' `pair` are these numbers.
        margin: m.
    """
    over = own.over
    x, y, z, there = over.x[rows], over.y[rows], over.z[rows], over.there[rows]
    table = _candidates(own.loops_a.shape[1])
    picks, kept = spread(x, y, z, there & (z <= margin), table[0], own.sizes[rows])
    of, column = np.nonzero(kept)
    slot = picks[of, column]
    pair = rows[of]
    gap = z[of, slot]
    flat = np.stack((x[of, slot], y[of, slot], 0.5 * gap), axis=1)
    point = own.origin[pair] + (own.frame[pair] @ flat[:, :, None])[:, :, 0]
    # the numbers of the vertices of A and of B that make the point
    kind, reference, incident = (column[slot] for column in table)
    of_b = own.of_b[pair]
    vertex_a = own.loops_a[pair, np.where(of_b, incident, reference)]
    vertex_b = own.loops_b[pair, np.where(of_b, reference, incident)]
    of_first = (kind == 1) ^ of_b
    single = np.where(of_first, OF_FIRST * KIND + vertex_a, OF_SECOND * KIND + vertex_b)
    crossed = CROSSING * KIND + vertex_a * NUMBER + vertex_b
    feature = np.where(kind == 2, crossed, single)
    return Contacts(pair, point, -own.outward[pair], gap, feature)


def _facing(normals: FloatArray, up: FloatArray, touching: BoolArray) -> IntArray:
    """The face (n,) that is most against `up`, of those at a vertex."""
    along = (normals @ up[:, :, None])[:, :, 0]
    out: IntArray = np.where(touching, along, np.inf).argmin(axis=1)
    return out


@cache
def _candidates(k: int) -> tuple[IntArray, IntArray, IntArray]:
    """What the 2 k + k^2 candidates of an overlap are.

    Returns:
        Their kind (0 vertex of the incident face, 1 of the reference face, 2 crossing), and their
        places around the reference and around the incident face.
    """
    around, zero = np.arange(k), np.zeros(k, dtype=np.intp)
    kind = np.repeat([0, 1, 2], [k, k, k * k])
    reference = np.concatenate((zero, around, np.repeat(around, k)))
    incident = np.concatenate((around, zero, np.tile(around, k)))
    return kind, reference, incident
