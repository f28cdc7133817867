"""Where convex polytopes touch, for many pairs at once.

The best separating axis of each pair decides: a face, over which the other body's nearest face is
clipped, or two edges, which touch in a point. For bodies that are apart with neither a face nor
crossing edges nearest to each other the nearest points and the direction between them are taken,
so that no gap is larger than the distance.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import FloatArray
from .contacts import Contacts
from .edge_pairs import edge_contacts
from .nearest import nearest, nearest_contacts
from .packing import Packed, around_of, packed
from .patches import patch_contacts, patches
from .polytope import Polytope
from .separation import edge_axes, face_axes, placed

# a face is taken rather than an edge, and a face of A rather than one of B, unless the other is
# better by this part of the depth and of the sizes: what rests flat keeps its face
BIAS_OF_DEPTH = 5e-3
BIAS_OF_SIZE = 1e-5

EXACT = 1e-9  # of the sizes: a point this little above the least separation reaches it
SMALL = (8, 64)  # vertices: polytopes of one class are laid side by side, as filling up costs time


def polytope_contacts(
    a: Sequence[Polytope],
    world_from_a: FloatArray,
    b: Sequence[Polytope],
    world_from_b: FloatArray,
    margin: float,
) -> Contacts:
    """Points of p pairs of polytopes with a gap of at most `margin`.

    Args:
        a, b: p polytopes each; their arrays are kept from call to call.
        world_from_a, world_from_b: (p, 4, 4).
        margin: m.

    Returns:
        Up to 4 points for each pair of faces that lie flat on each other and a few more for others,
        1 for two edges, and 1 or 2 for bodies that are
        nearest at a vertex and an edge.
    """
    groups: dict[tuple[int, int], list[int]] = {}
    for row, (first, second) in enumerate(zip(a, b, strict=True)):
        groups.setdefault((_class(first), _class(second)), []).append(row)
    parts = []
    for chosen in groups.values():
        own, other = tuple(a[row] for row in chosen), tuple(b[row] for row in chosen)
        around = around_of(own + other)
        rows = np.array(chosen, dtype=np.intp)
        laid_a, laid_b = packed(own, around), packed(other, around)
        part = _contacts(laid_a, world_from_a[rows], laid_b, world_from_b[rows], margin)
        parts.append(part.of_pairs(rows))
    return Contacts.joined(parts)


def _class(polytope: Polytope) -> int:
    count = len(polytope.vertices)
    return 0 if count <= SMALL[0] else 1 if count <= SMALL[1] else 2


def _contacts(
    a: Packed, world_from_a: FloatArray, b: Packed, world_from_b: FloatArray, margin: float
) -> Contacts:
    """Points of pairs of polytopes that are laid side by side."""
    back = world_from_a[:, :3, :3].swapaxes(1, 2)
    shift = world_from_b[:, :3, 3] - world_from_a[:, :3, 3]
    at = placed(b, back @ world_from_b[:, :3, :3], (back @ shift[:, :, None])[:, :, 0])
    face_a, face_b = face_axes(a, b, at)
    rows = np.nonzero(np.maximum(face_a.separation, face_b.separation) <= margin)[0]
    if not len(rows):
        return Contacts.none()
    sizes = (a.reach + b.reach)[rows]
    face_a, face_b = face_a.rows(rows), face_b.rows(rows)
    of_b = face_b.separation > face_a.separation + _bias(face_a.separation, sizes)
    by_face = np.where(of_b, face_b.separation, face_a.separation)
    over = patches(a, b, at, rows, (face_a, face_b), of_b, sizes)
    # where the deepest vertex is over the face, and at it or above, no other axis does better
    is_patch = over.least <= by_face + EXACT * sizes
    is_patch &= by_face >= -BIAS_OF_SIZE * sizes
    parts = []
    if not is_patch.all():
        left = np.nonzero(~is_patch)[0]
        edge = edge_axes(a, b, at, rows[left])
        most = np.maximum(by_face[left], edge.separation)
        allowed = np.where(most > 0.0, EXACT * sizes[left], _bias(most, sizes[left]))
        is_patch[left] = np.maximum(most, over.least[left]) <= by_face[left] + allowed
        # two edges, or where these are not nearest either, a vertex and an edge
        other = ~is_patch[left]
        by_edge = other & (edge.separation >= by_face[left])
        crossed, on_edges = edge_contacts(a, b, at, rows[left], edge, np.nonzero(by_edge)[0])
        taken = (on_edges | (crossed.gap <= 0.0)) & (crossed.gap <= margin)
        parts.append(crossed.taken(taken).of_pairs(left))
        other[crossed.pair[on_edges | (crossed.gap <= 0.0)]] = False
        apart = np.nonzero(other & (most > 0.0) & (most <= margin))[0]
        if len(apart):
            better = edge.separation > by_face[left]
            outward = np.where(better[:, None], edge.normal, over.outward[left])[apart]
            found = nearest(a, b, at, rows[left[apart]], outward, margin)
            parts.append(nearest_contacts(found).of_pairs(left[apart]))
    parts.append(patch_contacts(over, np.nonzero(is_patch | (by_face > 0.0))[0], margin))
    return Contacts.joined(parts).of_pairs(rows).moved(world_from_a)


def _bias(separation: FloatArray, sizes: FloatArray) -> FloatArray:
    """By how much another axis has to be better, m."""
    return BIAS_OF_DEPTH * np.abs(separation) + BIAS_OF_SIZE * sizes
