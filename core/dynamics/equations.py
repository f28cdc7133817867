"""The equations of motion M(q) a + b(q, v) = tau.

How they are evaluated, in a number of numpy calls that does not grow with the number of links but
for the rounds of pointer jumping: `one_state` and, for each chunk of a batch, `many_states`.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from .door import as_state, check_lead
from .evaluation import Tableau, accelerations_at, bias_at, evaluate, frame_poses, mass_at
from .model import Model
from .passive import passive_forces
from .solve import check_inertia, solve_mass

__all__ = [
    "Tableau",
    "bias_forces",
    "bias_of",
    "check_inertia",
    "evaluate",
    "forward_dynamics",
    "kinetic_energy",
    "mass_matrix",
    "mass_of",
    "potential_energy",
    "solve_mass",
]


def mass_of(model: Model, at: Tableau) -> FloatArray:
    """M (…, nv, nv) at an evaluated pose."""
    return mass_at(model, at.q)


def bias_of(model: Model, at: Tableau, v: FloatArray) -> FloatArray:
    """b (…, nv) at an evaluated pose."""
    return bias_at(model, at.q, v)


def mass_matrix(model: Model, q: ArrayLike) -> FloatArray:
    """The joint-space inertia M(q).

    Args:
        q: (…, nq).

    Returns:
        (…, nv, nv), symmetric; kg m^2 and kg.

    Source: R. Featherstone (2008), section 6.2, as products over the tree.
    """
    return mass_at(model, as_state(model, q))


def bias_forces(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """b(q, v) = C(q, v) v + g(q): the joint forces that hold a = 0.

    Args:
        q: (…, nq); v: (…, nv).

    Returns:
        (…, nv), N m and N.
    """
    return bias_at(model, as_state(model, q), as_floats(v, (model.nv,), "v"))


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
    state, rate = as_state(model, q), as_floats(v, (model.nv,), "v")
    force = None if tau is None else as_floats(tau, (model.nv,), "tau")
    if passive:
        check_lead(q=state, v=rate, **({} if force is None else {"tau": force}))
        own = passive_forces(model, state, rate).force
        force = own if force is None else own + force
    return accelerations_at(model, state, rate, force)


def kinetic_energy(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """T = 1/2 v . M v, in J; shape (…)."""
    state, rate = as_state(model, q), as_floats(v, (model.nv,), "v")
    check_lead(q=state, v=rate)
    momentum = (mass_at(model, state) @ rate[..., None])[..., 0]
    energy: FloatArray = 0.5 * (rate * momentum).sum(axis=-1)
    return energy


def potential_energy(model: Model, q: ArrayLike) -> FloatArray:
    """U = -sum m g . c over all moving bodies, in J, zero at the world origin; shape (…)."""
    poses = frame_poses(model, as_state(model, q))
    first_moments = (poses[..., 1:, :3, :] @ model.frame_pseudo_inertia[1:, :, 3:])[..., 0]
    energy: FloatArray = -(first_moments.sum(axis=-2) @ model.gravity)
    return energy
