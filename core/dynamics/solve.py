"""M a = f, with errors that say what is wrong with M."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..errors import ModelError
from .model import Model


def check_inertia(model: Model) -> None:
    """Raise a ModelError that names the joints which move no inertia, if there are any."""
    if model.massless:
        raise ModelError(
            f"{model.name}: no inertia is moved by joint {', '.join(map(repr, model.massless))}; "
            "give a link beyond it an <inertial> with mass and inertia, or make it fixed"
        )


def solve_mass(model: Model, mass: FloatArray, force: FloatArray) -> FloatArray:
    """M^-1 force (…, nv), with a clear error for a singular M (…, nv, nv)."""
    try:
        if force.ndim == 1:
            return np.asarray(np.linalg.solve(mass, force), dtype=np.float64)
        solved = np.linalg.solve(mass, force[..., None])[..., 0]
        return np.asarray(solved, dtype=np.float64)
    except np.linalg.LinAlgError as error:
        raise ModelError(
            f"{model.name}: the mass matrix is singular in this pose; "
            "links beyond moving joints need mass and inertia"
        ) from error
