"""Arguments that belong together in one array, with their leading axes broadcast."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from ..errors import ArgumentError


def packed_axis_angle(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """Axis (…, 3) and angle (…) as one array (…, 4).

    Raises:
        ArgumentError: for a wrong shape, and for leading axes that do not fit together.
    """
    axes = as_floats(axis, (3,), "axis", ArgumentError)
    angles = as_floats(angle, (), "angle", ArgumentError)
    packed = np.empty((*common_lead(axis=axes.shape[:-1], angle=angles.shape), 4))
    packed[..., :3], packed[..., 3] = axes, angles
    return packed


def common_lead(**leads: tuple[int, ...]) -> tuple[int, ...]:
    """The leading axes to which those of all named arguments broadcast.

    Raises:
        ArgumentError: where they do not fit together.
    """
    try:
        return np.broadcast_shapes(*leads.values())
    except ValueError as reason:
        given = ", ".join(f"{lead} of {name}" for name, lead in leads.items())
        raise ArgumentError(f"wanted leading axes that broadcast, got {given}") from reason
