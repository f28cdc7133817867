"""Where two edges of polytopes cross: their nearest points.

With edges p + s e and q + t g, and r = q - p,

    [ e.e  -e.g ] [s]   [ e.r ]
    [ e.g  -g.g ] [t] = [ g.r ]
"""

from __future__ import annotations

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .contacts import EDGES, KIND, NUMBER, Contacts
from .packing import Packed
from .separation import EdgeAxis, Placed, dot

BEYOND = 1e-9  # of an edge: nearest points this little past an end belong to it


def edge_contacts(
    a: Packed, b: Packed, at: Placed, rows: IntArray, axis: EdgeAxis, chosen: IntArray
) -> tuple[Contacts, BoolArray]:
    """The point between the best two edges of some pairs, in A.

    Args:
        a, b, at: the pairs.
        rows: (n,), those of `axis`.
        axis: the best edges.
        chosen: (r,), entries of `rows`; the points' `pair` are these numbers.

    Returns:
        r points, and whether (r,) the nearest points of the lines lie on the edges.
    """
    row = rows[chosen]
    first, second = axis.first[chosen], axis.second[chosen]
    ends_a, ends_b = a.edges[row, first], b.edges[row, second]
    p, q = a.points[row, ends_a[:, 0]], at.vertices[row, ends_b[:, 0]]
    e, g = a.points[row, ends_a[:, 1]] - p, at.vertices[row, ends_b[:, 1]] - q
    s, t = line_parameters(e, g, q - p)
    on_edges = np.maximum(abs(s - 0.5), abs(t - 0.5)) <= 0.5 + BEYOND
    s, t = np.clip(s, 0.0, 1.0), np.clip(t, 0.0, 1.0)
    point = 0.5 * (p + s[:, None] * e + q + t[:, None] * g)
    feature = EDGES * KIND + first * NUMBER + second
    gap = axis.separation[chosen]
    return Contacts(chosen, point, -axis.normal[chosen], gap, feature), on_edges


def line_parameters(e: FloatArray, g: FloatArray, r: FloatArray) -> tuple[FloatArray, FloatArray]:
    """s and t (n,) of the nearest points s e and r + t g of lines that are not parallel."""
    ee, gg, eg, er, gr = dot(e, e), dot(g, g), dot(e, g), dot(e, r), dot(g, r)
    square = ee * gg - eg * eg
    square = np.where(square > 0.0, square, np.inf)
    return (gg * er - eg * gr) / square, (eg * er - ee * gr) / square
