"""How a mechanism answers forces while its constraints hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray
from ...errors import ModelError, SimulationError
from ..model import IntArray
from .rows import ConstraintRows
from .solve import solve, threshold

if TYPE_CHECKING:
    from ..system import Moment

CONTRADICTION = 1e-6  # of the accelerations: what redundant rows may differ by


def reaction(
    rows: ConstraintRows,
    at: Moment,
    mass: FloatArray,
    force: FloatArray,
    given: tuple[IntArray, FloatArray] | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """a and lambda of M a + J^T lambda = f with J a = gamma.

    Args:
        rows: the constraints.
        at: the state.
        mass: M (…, nv, nv); force: f (…, nv), without b.
        given: the velocities that are free (k,), and a (…, nv) with the accelerations of all
            others, whose own equations then do not count.

    Returns:
        a (…, nv), lambda (…, m) and -J^T lambda (…, nv), the forces of the constraints.

    Raises:
        ModelError: for a singular mass matrix.
        SimulationError: for constraints that contradict each other, naming them.
    """
    positions = rows.at(at)
    jacobian, gamma, slack = positions.jacobian, rows.gamma(at, positions), rows.slack(positions)
    try:
        if given is None:
            solution = solve(mass, force, jacobian, gamma, slack)
            a = solution.a
        else:
            free, a = given
            rest = (force - (mass @ a[..., None])[..., 0])[..., free]
            left = gamma - (jacobian @ a[..., None])[..., 0]
            block = mass[..., free[:, None], free]
            solution = solve(block, rest, jacobian[..., free], left, slack)
            a = a.copy()
            a[..., free] = solution.a
    except np.linalg.LinAlgError as error:
        raise ModelError(
            f"{rows.model.name}: the mass matrix is singular in this pose; links beyond moving "
            "joints need mass and inertia"
        ) from error
    if solution.gap is not None:
        _refuse_contradiction(rows, at, solution.gap, a, jacobian, gamma, slack)
    pull = -(jacobian.swapaxes(-1, -2) @ solution.multipliers[..., None])[..., 0]
    return a, solution.multipliers, pull


def _refuse_contradiction(
    rows: ConstraintRows,
    at: Moment,
    gap: FloatArray,
    a: FloatArray,
    jacobian: FloatArray,
    gamma: FloatArray,
    slack: FloatArray,
) -> None:
    """Raise where rows that depend on each other ask for different accelerations."""
    size = np.abs(gamma).max(axis=-1) + np.abs(jacobian).max(axis=(-2, -1)) * np.abs(a).max(axis=-1)
    allowed = (CONTRADICTION + 10.0 * threshold(slack)) * (1.0 + size)
    if (np.abs(gap) > allowed[..., None]).any():
        off = np.abs(gap).reshape(-1, gap.shape[-1]).max(axis=0)
        time = f"at t = {float(at.t):.6g} s " if not np.ndim(at.t) else ""
        raise SimulationError(
            f"{rows.model.name}: {time}the constraints contradict each other: no accelerations "
            f"satisfy {rows.blame(off)} at once"
        )
