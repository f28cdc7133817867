"""The initial state of the model, out of the initial values of joints and roots."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray, frozen
from .places import Places
from .reversal import mirrored_state


def start(places: Places) -> tuple[FloatArray, FloatArray]:
    """q (nq,) and v (nv,).

    Joints without initial values start at 0 and at rest, inside their limits; free ones with
    their frames together.
    """
    model = places.model
    q, v = model.clamped(model.neutral()), np.zeros(model.nv)
    for edge, place in places.joints.items():
        if edge.joint.name in model.followers:
            continue  # a follower starts where its leader has it
        own_q = edge.q if edge.q is not None else place.state(q, v, v)[0]
        own_v = edge.v if edge.v is not None else np.zeros(edge.joint.nv)
        if place.mirrored:
            own_q, own_v, _ = mirrored_state(edge.joint, own_q, own_v, np.zeros_like(own_v))
        if edge.q is not None:
            q[list(place.q)] = own_q
        if edge.v is not None:
            v[list(place.v)] = own_v
    return frozen(q), frozen(v)
