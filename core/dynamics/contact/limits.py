"""Joints at their limits as gaps: phi = x - lower, and phi = upper - x."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import FloatArray
from ...errors import ModelError
from ..kinematics import coordinates
from ..model import Model
from .contact import JointLimit
from .rest import RestAtLimit


class LimitGaps:
    """The gaps of joint limits.

    Attributes:
        names: (n).
        given: (n), whose each is.
        rows: (n), what holds each at 0, as a constraint.
        pushes: (n), the sign that makes a multiplier of such a row a push.
        jacobian: (n, nv), which is constant.
        slopes: (n, nq), of the gaps by the coordinates, constant too.

    Raises:
        ModelError: for an unknown joint, or one without limits.
    """

    def __init__(self, model: Model, limits: Sequence[JointLimit]) -> None:
        self._model = model
        self.names: list[str] = []
        self.given: list[JointLimit] = []
        self.rows: list[RestAtLimit] = []
        signs: list[float] = []
        bounds: list[float] = []
        self._scalars: list[int] = []
        for own in limits:
            scalar, ends = _limits_of(model, own)
            for sign, bound in ends:
                name = f"{own.name}, {'lower' if sign > 0.0 else 'upper'}"
                self.names.append(name)
                self.given.append(own)
                self.rows.append(
                    RestAtLimit(
                        name=name, active=False, coefficients={own.joint: 1.0}, offset=bound
                    )
                )
                signs.append(sign)
                bounds.append(bound)
                self._scalars.append(scalar)
        self._signs, self._bounds = np.array(signs), np.array(bounds)
        self.pushes = [-sign for sign in signs]
        self.jacobian = self._jacobian()
        given = model.coordinate_from_q
        from_q = np.eye(model.nq) if given is None else given
        self.slopes = self._signs[:, None] * from_q[self._scalars]

    def gap(self, q: FloatArray) -> FloatArray:
        """(…, n) at q (…, nq)."""
        if not self._scalars:
            return np.zeros((*q.shape[:-1], 0))
        x = coordinates(self._model, q)[..., self._scalars]
        out: FloatArray = self._signs * (x - self._bounds)
        return out

    def _jacobian(self) -> FloatArray:
        model = self._model
        out = np.zeros((len(self._scalars), model.nv))
        for row, (sign, scalar) in enumerate(zip(self._signs, self._scalars, strict=True)):
            if model.dof_from_v is None:
                out[row, model.scalar_velocity[scalar]] = sign
            else:
                out[row] = sign * model.dof_from_v[model.scalar_dof[scalar]]
        return out


def _limits_of(model: Model, own: JointLimit) -> tuple[int, list[tuple[float, float]]]:
    """The scalar coordinate, and (sign, bound) of the limits it has."""
    scalars = [
        index
        for index, dof in enumerate(model.scalar_dof)
        if model.dof_joint[int(dof)] == own.joint
    ]
    bounds = []
    if len(scalars) == 1:
        ends = ((1.0, model.lower[scalars[0]]), (-1.0, model.upper[scalars[0]]))
        bounds = [(sign, float(bound)) for sign, bound in ends if np.isfinite(bound)]
    if not bounds:
        raise ModelError(
            f"{model.name}: {own.label}: wanted a joint of one coordinate that has limits"
        )
    return scalars[0], bounds
