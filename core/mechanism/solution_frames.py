"""Frames of a solution at any time, by the names that users of solutions know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from ..arrays import FloatArray
from ..errors import ArgumentError
from .frame import Frame

if TYPE_CHECKING:
    from .solution import MechanismSolution


def get_trans(sol: MechanismSolution, frame: Frame, t: ArrayLike) -> FloatArray:
    """The origin of a frame in the world, m.

    Args:
        sol: of `Mechanism.simulate`.
        frame: such as rod.frame_b.
        t: (…), s.

    Returns:
        (…, 2) of a planar frame, else (…, 3).

    Raises:
        ArgumentError: for anything but a frame of the mechanism, and times outside.
    """
    return _checked("get_trans", sol).translation(frame, t)


def get_frame(sol: MechanismSolution, frame: Frame, t: ArrayLike) -> FloatArray:
    """world_from_frame (…, 4, 4), of planar frames too; arguments and errors as `get_trans`."""
    return _checked("get_frame", sol).pose(frame, t).copy()


def _checked(function: str, sol: object) -> MechanismSolution:
    from .solution import MechanismSolution  # `dynamics` imports this package

    if not isinstance(sol, MechanismSolution):
        raise ArgumentError(
            f"{function}: wanted the solution of a mechanism first, then one of its frames, and "
            f"times; got {sol!r}"
        )
    return sol
