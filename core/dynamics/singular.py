"""Where the mass matrix fails, and which joints are to blame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import FloatArray
from ..errors import ModelError
from .evaluation import mass_at
from .model import Model

SINGULAR = 1e-13  # smallest eigenvalue of the scaled mass matrix, taken for none
SHARE = 0.5  # of the largest component: joints with less are not named


def check_mass(model: Model, q: FloatArray) -> None:
    """Raise unless M(q) is that of real bodies that each joint can move; q is (nq,).

    Raises:
        ModelError: naming the joints, for a mass matrix that is singular or not positive.
    """
    if not model.nv:
        return
    mass = mass_at(model, q)
    if not np.isfinite(mass).all():
        joint = joint_of_velocity(model, int(np.argmax(~np.isfinite(mass).all(axis=0))))
        raise ModelError(
            f"{model.name}: the inertia that joint '{joint}' moves is beyond what numbers can "
            "hold; check mass, inertia and origins of the links beyond it"
        )
    smallest, joints = weakest_direction(model, mass)
    if smallest > SINGULAR:
        return
    names = ", ".join(map(repr, joints))
    if smallest < -SINGULAR:
        raise ModelError(
            f"{model.name}: the inertia moved by joint {names} is not that of real bodies (the "
            "mass matrix is not positive); check mass and inertia of the links beyond it"
        )
    links = massless_links(model, joints)
    advice = "give the links between them inertia, or start elsewhere"
    if links:
        has = "link {} has" if len(links) == 1 else "links {} have"
        advice = f"{has.format(', '.join(map(repr, links)))} no mass; give mass and inertia"
    raise ModelError(
        f"{model.name}: in this pose the joints {names} move no inertia against each other (the "
        f"mass matrix is singular); {advice}"
    )


def massless_links(model: Model, joints: Sequence[str]) -> list[str]:
    """The links right beyond the joints, with all that is welded to them, that have no mass."""
    frames = {
        int(frame)
        for frame, joint in zip(model.dof_frame, model.dof_joint, strict=True)
        if joint in joints and not model.frame_pseudo_inertia[frame].any()
    }
    return [
        link
        for link, frame in zip(model.link_names, model.link_frame, strict=True)
        if int(frame) in frames
    ]


def weakest_direction(model: Model, mass: FloatArray) -> tuple[float, list[str]]:
    """The smallest eigenvalue of D^-1/2 M D^-1/2, D = |diag M|, and the joints along it.

    Args:
        mass: M (nv, nv), finite.
    """
    size = np.sqrt(np.abs(np.diagonal(mass)))
    size = np.where(size > 0.0, size, 1.0)
    values, vectors = np.linalg.eigh(mass / np.outer(size, size))
    part = np.abs(vectors[:, 0])
    named = [joint_of_velocity(model, int(v)) for v in np.flatnonzero(part > SHARE * part.max())]
    return float(values[0]), list(dict.fromkeys(named))


def joint_of_velocity(model: Model, index: int) -> str:
    """The joint that the entry v[index] belongs to."""
    return next(name for name, at in model.v_slices.items() if at.start <= index < at.stop)
