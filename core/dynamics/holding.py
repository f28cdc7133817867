"""Servos that hold a pose, with gains out of the inertia that each joint moves there.

    k = I w^2,   d = 2 zeta I w,   w = 2 pi frequency

I is the larger of the inertias about the joint's axis on its two sides, each rigid as it stands
in the pose: of all that follows the joint (M_kk, rotors included), and, where the robot floats, of
all the rest of it. A leg that stands moves the body and not its foot, so that gains by the leg
alone would let a robot sink to the ground.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray
from ..errors import ArgumentError, ModelError
from .door import as_state
from .evaluation import evaluate, mass_at
from .model import Model
from .servo import LISTED, Servo, driven_joints

HOLD_FREQUENCY = 5.0  # Hz: holds within some degrees under the robot's own weight
HOLD_DAMPING_RATIO = 1.0  # returns as fast as it can without swinging
LARGEST = 1e6  # Hz, and as a ratio: what is stiffer moves no further in double precision


def hold_pose(
    model: Model,
    q: ArrayLike,
    *,
    frequency: float = HOLD_FREQUENCY,
    damping_ratio: float = HOLD_DAMPING_RATIO,
    stiffness: float | None = None,
    damping: float | None = None,
    effort: float | None = None,
    joints: Iterable[str] | None = None,
) -> tuple[Servo, ...]:
    """Servos that hold the joints at their values in q.

    Args:
        model: the compiled tree.
        q: (nq,), rad and m.
        frequency: Hz, of a joint that swings alone about its place; damping_ratio: zeta, 1 for
            critical damping. See above for the gains that follow.
        stiffness: N m/rad and N/m; damping: N m s/rad and N s/m: the gains of all joints instead.
        effort: the largest force of each, N m or N; the limits of the joints if none.
        joints: the names of those to hold; all of one coordinate if none, but followers, which
            move as their leaders do.

    Returns:
        The servos, in the order of the joints in the model.

    Raises:
        ArgumentError: for numbers that are no gains.
        ModelError: for joints that are not there, or have not one coordinate.
    """
    state = as_state(model, q)
    if state.shape != (model.nq,) or not np.isfinite(state).all():
        raise ModelError(f"q: wanted finite numbers of shape ({model.nq},), got {q!r}")
    chosen = _chosen(model, joints)
    _check("frequency", frequency)
    _check("damping_ratio", damping_ratio)
    rate = 2.0 * np.pi * frequency
    sizes = _moved_inertias(model, state)
    servos = []
    for joint in chosen:
        inertia = float(sizes[model.v_index(joint).start])
        servos.append(
            Servo(
                joint,
                inertia * rate**2 if stiffness is None else stiffness,
                2.0 * damping_ratio * inertia * rate if damping is None else damping,
                position=float(state[model.q_index(joint).start]),
                effort=effort,
            )
        )
    return tuple(servos)


def _moved_inertias(model: Model, q: FloatArray) -> FloatArray:
    """I of each velocity (nv,), kg m^2 or kg: of joints of one coordinate; see above."""
    outer: FloatArray = np.diagonal(mass_at(model, q)).copy()
    if not len(model.floating_rows):
        return outer
    at = evaluate(model, q)
    # spatial inertias of all that each degree of freedom moves
    carried = (model.path.T @ at.inertias.reshape(-1, 36)).reshape(-1, 6, 6)
    floating = np.isin(model.dof_frame, model.free_frames[model.floating_rows])
    inner = np.zeros(len(model.dof_frame))
    for dof in np.flatnonzero(~floating):
        before = np.flatnonzero(floating & (model.path[model.dof_frame[dof]] > 0.0))
        if len(before):
            rest = carried[before[0]] - carried[dof]
            inner[dof] = at.twists[dof] @ rest @ at.twists[dof]
    own = np.flatnonzero(model.scalar_velocity >= 0)
    places = model.scalar_velocity[own]
    outer[places] = np.maximum(outer[places], inner[model.scalar_dof[own]])
    return outer


def _chosen(model: Model, joints: Iterable[str] | None) -> tuple[str, ...]:
    """The joints to hold, in the order of the model."""
    allowed = driven_joints(model)
    if joints is None:
        return allowed
    if isinstance(joints, str):
        raise ArgumentError(f"joints: wanted a list of names, got {joints!r}")
    wanted = tuple(joints)
    for name in wanted:
        if name not in allowed:
            model.q_index(name)  # refuses followers and unknown joints
            more = f", … ({len(allowed)} in all)" if len(allowed) > LISTED else ""
            raise ModelError(
                f"{model.name}: joints: wanted joints of one coordinate, got '{name}', which is "
                f"{model.joint_type(name)}; there are: {', '.join(allowed[:LISTED])}{more}"
            )
    return tuple(name for name in allowed if name in wanted)


def _check(name: str, value: Any) -> None:
    fits = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not fits or not 0.0 <= value <= LARGEST:
        raise ArgumentError(
            f"hold_pose: {name}: wanted a number from 0 to {LARGEST:g}, got {value!r}"
        )
