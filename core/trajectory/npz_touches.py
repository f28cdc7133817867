"""What a .npz file holds of contacts with friction; nothing of motions by other schemes.

touch_colliders                 (c,), names
touch_edges                     (m + 1,), s; touch_push (m, nv)
touch_kick, touch_pair          (n,) and (n, 2), indices
touch_points                    (n, 10): point, normal, gap, impulse
touch_figures                   (3,): worst residual, steps not converged, energy lifted
touch_times                     (n,), s
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import FloatArray, frozen
from ..dynamics import Model
from ..dynamics.model import IntArray
from .npz_content import Content
from .touches import Touches


def touch_arrays(touches: Touches | None) -> dict[str, Any]:
    """The entries of contacts, by name."""
    if touches is None:
        return {}
    parts = (touches.point, touches.normal, touches.gap[:, None], touches.impulse)
    return {
        "touch_colliders": list(touches.colliders),
        "touch_edges": touches.edges,
        "touch_push": touches.push,
        "touch_times": touches.times,
        "touch_kick": touches.kick,
        "touch_pair": np.stack((touches.first, touches.second), axis=1),
        "touch_points": np.concatenate(parts, axis=1),
        "touch_figures": [touches.residual, float(touches.unconverged), touches.lifted],
    }


def read_touches(content: Content, model: Model) -> Touches | None:
    """The contacts of a file; None where there is nothing of them."""
    if "touch_edges" not in content.arrays:
        return None
    edges = content.numbers("touch_edges", (None,))
    push = content.numbers("touch_push", (max(len(edges) - 1, 0), model.nv))
    points = content.numbers("touch_points", (None, 10))
    count, names = len(points), content.texts("touch_colliders")
    kick = _indices(content, "touch_kick", (count,), len(push))
    pair = _indices(content, "touch_pair", (count, 2), len(names))
    residual, unconverged, lifted = content.numbers("touch_figures", (3,))

    def part(columns: slice | int) -> FloatArray:
        return frozen(points[:, columns].copy())

    return Touches(
        tuple(names),
        edges,
        kick,
        content.numbers("touch_times", (count,)),
        pair[:, 0],
        pair[:, 1],
        part(slice(0, 3)),
        part(slice(3, 6)),
        part(6),
        part(slice(7, 10)),
        push,
        float(residual),
        int(unconverged),
        float(lifted),
    )


def _indices(content: Content, name: str, shape: tuple[int, ...], most: int) -> IntArray:
    """Whole numbers from 0 on, below `most`."""
    values = content.numbers(name, shape)
    if (values != np.round(values)).any() or (values < 0.0).any() or (values >= most).any():
        raise content.error(f"'{name}': wanted whole numbers from 0 to {most - 1}")
    out: IntArray = values.astype(np.intp)
    return out
