"""Components in space whose frames stand still: in the world, or against each other."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...errors import ArgumentError
from ...frames import rotation_from_axis_angle, rotation_from_quaternion, transform
from ..arguments import array, direction, number, sequence
from ..component import Space
from ..orientations import as_state
from ..rigid import FixedPart, RigidPart


class Fixed(FixedPart):
    """A frame fixed in the world.

    Args:
        name: of the component.
        r: origin of frame_b (3,), m, in the world.
        n, angle: its orientation as a turn by angle, rad, about an axis n (3,); or R (3, 3) local
            to world; or Q, a quaternion; or phi, the Euler angles of a sequence.
        sequence: 'XYZ' or (1, 2, 3), or another of the twelve.
    """

    space: ClassVar[Space] = "spatial"

    def __init__(
        self,
        name: str,
        *,
        r: ArrayLike = (0.0, 0.0, 0.0),
        n: ArrayLike | None = None,
        angle: float | None = None,
        R: ArrayLike | None = None,  # noqa: N803
        Q: ArrayLike | None = None,  # noqa: N803
        phi: ArrayLike | None = None,
        sequence: str | ArrayLike = "XYZ",
    ) -> None:
        owner = f"Fixed '{name}'"
        self.r = array(owner, "r", r, (3,))
        rotation = _rotation(owner, n, angle, R, Q, phi, sequence)
        super().__init__(name, transform(rotation, self.r))


class FixedTranslation(RigidPart):
    """A rod without mass: frame_b at r in frame_a, turned as frame_a is.

    Args:
        name: of the component.
        r: (3,), m, in frame_a.
    """

    space: ClassVar[Space] = "spatial"

    def __init__(self, name: str, *, r: ArrayLike) -> None:
        self.r = array(f"FixedTranslation '{name}'", "r", r, (3,))
        super().__init__(name, transform(np.eye(3), self.r))


class FixedRotation(RigidPart):
    """A fixed turn, and where it is given a shift: frame_b at r in frame_a, turned.

    Args:
        name: of the component.
        n, angle, R, Q, phi, sequence: the turn from frame_a to frame_b, one way as for `Fixed`.
        r: (3,), m, in frame_a.
    """

    space: ClassVar[Space] = "spatial"

    def __init__(
        self,
        name: str,
        *,
        n: ArrayLike | None = None,
        angle: float | None = None,
        R: ArrayLike | None = None,  # noqa: N803
        Q: ArrayLike | None = None,  # noqa: N803
        phi: ArrayLike | None = None,
        sequence: str | ArrayLike = "XYZ",
        r: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        owner = f"FixedRotation '{name}'"
        self.r = array(owner, "r", r, (3,))
        rotation = _rotation(owner, n, angle, R, Q, phi, sequence)
        super().__init__(name, transform(rotation, self.r))


def _rotation(
    owner: str,
    n: ArrayLike | None,
    angle: float | None,
    R: ArrayLike | None,  # noqa: N803
    Q: ArrayLike | None,  # noqa: N803
    phi: ArrayLike | None,
    label: str | ArrayLike,
) -> FloatArray:
    """a_from_b_rot (3, 3) of whichever way it was given; the identity where none was."""
    state = as_state(owner, False, sequence(owner, label), ("phi", phi), ("R", R), ("Q", Q))
    if n is None and angle is None:
        return np.eye(3) if state is None else rotation_from_quaternion(state)
    if state is not None:
        raise ArgumentError(f"{owner}: wanted n and angle, or one of phi, R, Q; got both")
    if n is None or angle is None:
        raise ArgumentError(f"{owner}: n and angle: wanted both, got one of them")
    return rotation_from_axis_angle(direction(owner, "n", n, 3), number(owner, "angle", angle))
