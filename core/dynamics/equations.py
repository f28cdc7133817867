"""The equations of motion M(q) a + b(q, v) = tau, in products over the whole tree.

Twists and wrenches are taken at the world origin in world axes (docs/conventions.md), so the
recursions of rigid-body dynamics become products with the constant path matrix, and the number
of numpy calls does not grow with the number of links.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from ..errors import ModelError
from .kinematics import frame_poses, joint_twists
from .model import Model
from .passive import passive_forces
from .spatial import INERTIA_FROM_PSEUDO, motion_cross


@dataclass(frozen=True)
class Tableau:
    """One evaluation of the tree: world_from_frame, unit twists, inertias at the world origin."""

    poses: FloatArray  # (…, nf, 4, 4)
    twists: FloatArray  # (…, nd, 6)
    inertias: FloatArray  # (…, nf, 6, 6)


def evaluate(model: Model, q: FloatArray) -> Tableau:
    """Poses, unit twists and spatial inertias of all frames at q (…, nq)."""
    poses = frame_poses(model, q)
    # J_world = X J X^T, then the linear map to the 6x6 inertia
    pseudo = poses @ model.frame_pseudo_inertia @ poses.swapaxes(-1, -2)
    inertias = pseudo.reshape(*pseudo.shape[:-2], 16) @ INERTIA_FROM_PSEUDO
    return Tableau(poses, joint_twists(model, poses), inertias.reshape(*pseudo.shape[:-2], 6, 6))


def mass_of(model: Model, at: Tableau) -> FloatArray:
    """M (…, nv, nv): F_k = Ic_k s_k with the composite inertia Ic, M_jk = s_j . F_k."""
    nf, nd = model.path.shape
    flat = at.inertias.reshape(*at.inertias.shape[:-3], nf, 36)
    composite = (model.path.T @ flat).reshape(*flat.shape[:-2], nd, 6, 6)
    forces = (composite @ at.twists[..., None])[..., 0]
    # row k, column j: valid where j moves the frame of k; mirrored across frames only
    products = forces @ at.twists.swapaxes(-1, -2)
    full: FloatArray = products * model.path_lower
    full = full + (products * model.path_strict).swapaxes(-1, -2)
    if model.armature is not None:
        full = full + np.diag(model.armature)
    if model.dof_from_v is not None:
        full = model.dof_from_v.T @ full @ model.dof_from_v
    return full


def bias_of(model: Model, at: Tableau, v: FloatArray) -> FloatArray:
    """b (…, nv) = C v + g:  b_k = s_k . sum over moved frames of (I A0 + V x* I V)."""
    rates = v if model.dof_from_v is None else v @ model.dof_from_v.T
    moves = at.twists * rates[..., None]
    velocity = model.path @ moves  # (…, nf, 6)
    cross = motion_cross(velocity)
    # accelerations with a = 0; gravity enters as an upward acceleration of the world
    turning = (cross[..., model.dof_frame, :, :] @ moves[..., None])[..., 0]
    acceleration = model.path @ turning
    acceleration[..., 3:] -= model.gravity
    momentum = at.inertias @ velocity[..., None]
    wrench = at.inertias @ acceleration[..., None] - cross.swapaxes(-1, -2) @ momentum
    bias: FloatArray = (at.twists * (model.path.T @ wrench[..., 0])).sum(axis=-1)
    return bias if model.dof_from_v is None else bias @ model.dof_from_v


def mass_matrix(model: Model, q: ArrayLike) -> FloatArray:
    """The joint-space inertia M(q).

    Args:
        q: (…, nq).

    Returns:
        (…, nv, nv), symmetric; kg m^2 and kg.

    Source: R. Featherstone (2008), section 6.2, as products over the tree.
    """
    return mass_of(model, evaluate(model, as_floats(q, (model.nq,), "q")))


def bias_forces(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """b(q, v) = C(q, v) v + g(q): the joint forces that hold a = 0.

    Args:
        q: (…, nq); v: (…, nv).

    Returns:
        (…, nv), N m and N.
    """
    at = evaluate(model, as_floats(q, (model.nq,), "q"))
    return bias_of(model, at, as_floats(v, (model.nv,), "v"))


def forward_dynamics(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike | None = None,
    passive: bool = False,
) -> FloatArray:
    """Accelerations: a = M^-1 (tau - b).

    Args:
        q: (…, nq); v: (…, nv); tau: (…, nv), N m and N, none for zero.
        passive: whether the damping and friction of the description act too.

    Returns:
        (…, nv), rad/s^2 and m/s^2; of a floating joint (d omega/dt, d velocity/dt) in its child
        frame.

    Raises:
        ModelError: where a joint moves no inertia, or the mass matrix is singular.
    """
    check_inertia(model)
    state, rate = as_floats(q, (model.nq,), "q"), as_floats(v, (model.nv,), "v")
    at = evaluate(model, state)
    force = -bias_of(model, at, rate)
    if tau is not None:
        force = force + as_floats(tau, (model.nv,), "tau")
    if passive:
        force = force + passive_forces(model, state, rate).force
    return solve_mass(model, mass_of(model, at), force)


def check_inertia(model: Model) -> None:
    """Raise a ModelError that names the joints which move no inertia, if there are any."""
    if model.massless:
        raise ModelError(
            f"{model.name}: no inertia is moved by joint {', '.join(map(repr, model.massless))}; "
            "give a link beyond it an <inertial> with mass and inertia, or make it fixed"
        )


def solve_mass(model: Model, mass: FloatArray, force: FloatArray) -> FloatArray:
    """M^-1 force, with a clear error for a singular M."""
    try:
        solved = np.linalg.solve(mass, force[..., None])[..., 0]
        return np.asarray(solved, dtype=np.float64)
    except np.linalg.LinAlgError as error:
        raise ModelError(
            f"{model.name}: the mass matrix is singular in this pose; "
            "links beyond moving joints need mass and inertia"
        ) from error


def kinetic_energy(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """T = 1/2 v . M v, in J; shape (…)."""
    rate = as_floats(v, (model.nv,), "v")
    momentum = (mass_matrix(model, q) @ rate[..., None])[..., 0]
    energy: FloatArray = 0.5 * (rate * momentum).sum(axis=-1)
    return energy


def potential_energy(model: Model, q: ArrayLike) -> FloatArray:
    """U = -sum m g . c over all moving bodies, in J, zero at the world origin; shape (…)."""
    poses = frame_poses(model, as_floats(q, (model.nq,), "q"))
    first_moments = (poses[..., 1:, :3, :] @ model.frame_pseudo_inertia[1:, :, 3:])[..., 0]
    energy: FloatArray = -(first_moments.sum(axis=-2) @ model.gravity)
    return energy
