"""What the mass matrix at one pose tells: joints that move nothing, and stops' inertias."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import FloatArray, frozen
from ..errors import ModelError
from .equations import evaluate, mass_of
from .model import Model
from .origin import movable_origin

RANK = 1e-10  # of the largest: what is less is rounding
INVERTIBLE = 1e13  # condition: below, the pseudo-inverse would leave nothing out
MASSLESS = 1e-13  # of what its inertia could be about any axis, taken for none


def with_inertia_facts(
    model: Model, q: FloatArray | None = None, rows: FloatArray | None = None
) -> Model:
    """The model with `massless` and `stop_inertia` as they are at q (nq,).

    Without q that is the neutral pose inside the limits. rows (m, nv) are the Jacobian of
    constraints there, through which a stop feels what moves with its joint.

    Raises:
        ModelError: for inertias beyond what numbers can hold.
    """
    if model.nv == 0:
        return model
    with np.errstate(all="ignore"):
        place = model.clamped(model.neutral()) if q is None else q
        origin = movable_origin(model)
        at = evaluate(model, place if origin is None else origin.near(place))
        mass = mass_of(model, at)
    if not np.isfinite(mass).all():
        raise ModelError(
            f"{model.name}: masses, inertias or lengths are beyond what numbers can hold; "
            "wanted those of a real robot"
        )
    diagonal = np.diagonal(mass)
    empty = np.abs(diagonal) <= MASSLESS * _largest_inertia(model, at.twists, at.inertias)
    massless = tuple(joint for joint, where in model.v_slices.items() if bool(empty[where].any()))
    if massless:
        return replace(model, massless=massless)
    # a stop pushes against 1 / (M^-1)_kk; unphysical inertias may make that negative
    inverse = _inverse(mass)
    felt = _felt(inverse, np.abs(diagonal))
    if rows is not None:
        answer = rows @ inverse
        inverse = inverse - answer.T @ np.linalg.pinv(answer @ rows.T, RANK, True) @ answer
        # a joint that cannot move needs no stop
        loose = np.diagonal(inverse) > RANK / felt
        felt = np.where(loose, _felt(inverse, felt), felt)
    return replace(model, massless=(), stop_inertia=frozen(_for_scalars(model, felt)))


def _inverse(mass: FloatArray) -> FloatArray:
    """M^-1 (nv, nv), and the pseudo-inverse where M is singular or close to it.

    With 1000 velocities the inverse takes a tenth of the time of the other.
    """
    try:
        inverse = np.linalg.inv(mass)
    except np.linalg.LinAlgError:
        return np.linalg.pinv(mass, hermitian=True)
    condition = np.linalg.norm(mass, 1) * np.linalg.norm(inverse, 1)
    return inverse if condition < INVERTIBLE else np.linalg.pinv(mass, hermitian=True)


def _felt(inverse: FloatArray, otherwise: FloatArray) -> FloatArray:
    """1 / (M^-1)_kk (nv,); otherwise where that is no inertia."""
    with np.errstate(divide="ignore"):
        felt = 1.0 / np.diagonal(inverse)
    return np.where(felt > 0.0, felt, otherwise)


def _largest_inertia(model: Model, twists: FloatArray, inertias: FloatArray) -> FloatArray:
    """|s_k|^T |Ic_k| |s_k| by entries for each velocity (nv,): what M_kk is rounded against."""
    composite = np.abs(model.path.T @ inertias.reshape(-1, 36)).reshape(-1, 6, 6)
    sizes: FloatArray = np.einsum("ki,kij,kj->k", *(np.abs(twists), composite, np.abs(twists)))
    if model.dof_from_v is None:
        return sizes
    return sizes @ (model.dof_from_v * model.dof_from_v)


def _for_scalars(model: Model, felt: FloatArray) -> FloatArray:
    """Each scalar frame's share of what its velocity feels: divided by its multiplier squared."""
    if model.dof_from_v is None:
        return felt[model.scalar_velocity]
    rows = model.dof_from_v[model.scalar_dof]
    squares = (rows * rows).sum(axis=1)
    moved = squares > 0.0
    out = np.zeros(len(rows))
    out[moved] = (rows[moved] != 0.0) @ felt / squares[moved]
    return out
