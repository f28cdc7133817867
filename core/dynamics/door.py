"""Checks of states at the public door: leading axes that fit, quaternions that are some."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from ..errors import ModelError
from .model import Model


def as_state(model: Model, q: ArrayLike) -> FloatArray:
    """q (…, nq) as `as_floats` gives it, without quaternions of norm zero.

    Raises:
        ModelError: for a wrong shape, and for a quaternion of norm 0, naming its joint.
    """
    state = as_floats(q, (model.nq,), "q")
    # a first component other than zero is all that most need to show
    places = model.quaternion_q
    if len(places) == 1 and state.ndim == 1:
        only = state.item(places.item(0))
        if only * only == 0.0:
            _refuse_zero(model, state)
    elif len(places):
        first = state.take(places[:, 0], -1)
        np.multiply(first, first, first)
        if np.count_nonzero(first) != first.size:
            _refuse_zero(model, state)
    return state


def lead_of(**arrays: FloatArray) -> tuple[int, ...]:
    """What the leading axes of arrays (…, n) are together.

    Raises:
        ModelError: where they do not fit, naming the arrays and their shapes.
    """
    try:
        return np.broadcast_shapes(*(array.shape[:-1] for array in arrays.values()))
    except ValueError:
        raise misfit({name: array.shape for name, array in arrays.items()}) from None


def check_lead(**arrays: FloatArray) -> None:
    """Raise the error of `lead_of`, where any of the arrays has leading axes."""
    for array in arrays.values():
        if array.ndim != 1:
            lead_of(**arrays)
            return


def misfit(shapes: dict[str, tuple[int, ...]]) -> ModelError:
    """The error for arguments whose leading axes cannot be broadcast."""
    given = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
    return ModelError(
        f"leading axes do not fit: {given}; wanted the same for all, or ones that numpy "
        "broadcasts against each other"
    )


def _refuse_zero(model: Model, q: FloatArray) -> None:
    parts = q.take(model.quaternion_q, -1)
    zero = (parts * parts).sum(axis=-1) == 0.0
    if zero.any():
        row = int(np.argmax(zero.reshape(-1, zero.shape[-1]).any(axis=0)))
        frame = model.free_frames[model.quaternion_rows[row]]
        joint = model.dof_joint[int(np.argmax(model.dof_frame == frame))]
        raise ModelError(
            f"{model.name}: the quaternion of joint '{joint}' in q is zero and no orientation; "
            "wanted (w, x, y, z) of any other norm, (1, 0, 0, 0) for none turned"
        )
