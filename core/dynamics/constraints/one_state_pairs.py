"""The rows of pairs of frames at one state, in as few numpy calls as can be.

The same rows as `pair_terms`, with 4x4 matrices all through. A row's weights moved into the world,
W = X_A c' X_B^T, and what one pass over the tree has told of each degree of freedom, S and K
(`evaluation.OneMotion`), give with one product and the path between the frames

    J_k = W . S_k path_k,    g'' = sum_k W . K_k path_k - 2 V_A^T W . sum_k S_k v_k path_k

for a = 0; where all frames a are the world's, the last term and X_A are left out. Rows without a
denominator come out of the tree's own pass, wherever their ports are (`probes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import FloatArray
from ..evaluation import OneMotion
from ..model import IntArray, Model
from ..one_state_buffers import Probes
from .pair_terms import Place
from .pairs import Relation

# the trace of the first three columns of a flat matrix
TRACE = np.diag([1.0, 1.0, 1.0, 0.0]).reshape(16)


class Entry(NamedTuple):
    """A row: its ports' frames with frame_from_port, and what it says of their poses."""

    a: Place
    b: Place
    relation: Relation


class OneStatePairs:
    """Rows N / D of entries, of which those with a denominator come last."""

    def __init__(self, model: Model, entries: Sequence[Entry]) -> None:
        below = [own.relation.denominator for own in entries]
        first = sum(weight is None for weight in below)
        numerators = [own.relation.numerator for own in entries]
        denominators = [weight for weight in below if weight is not None]
        self._count, self._first = len(entries), first
        every = [*entries, *entries[first:]]
        weights = np.zeros((len(every), 4, 4))
        constants = []
        for row, (own, c) in enumerate(zip(every, numerators + denominators, strict=True)):
            (_, from_a), (_, from_b) = own.a, own.b
            weights[row, :3] = from_a[:3, :3] @ c @ from_b.T
            constants.append(-(c[:, 3] @ from_a[:3, :3].T @ from_a[:3, 3]))
        self._constants = np.array(constants)
        self._constants[self._count :] += 1.0
        self._a: IntArray = np.array([own.a[0] for own in every], dtype=np.intp)
        self._b: IntArray = np.array([own.b[0] for own in every], dtype=np.intp)
        # of one frame they are one factor
        self._only_b = int(self._b[0]) if (self._b == self._b[0]).all() else None
        self._on_world, self._is_rational = not self._a.any(), bool(denominators)
        self._is_linear = not self._is_rational and model.dof_from_v is None
        self._is_plain = self._on_world and self._is_linear
        paths = model.path[self._b] - model.path[self._a]
        self._dofs, self._dof_from_v = paths.shape[1], model.dof_from_v
        # of W: S and K; of V_A^T W: S only
        self._mask = np.concatenate((paths, paths), axis=1)
        if not self._on_world:
            half = np.concatenate((paths, np.zeros_like(paths)), axis=1)
            self._mask = np.concatenate((self._mask, half))
        self._is_masked = not (self._mask == 1.0).all()
        self._weights = weights
        if self._on_world and self._only_b is not None:
            self._weights = weights.reshape(-1, 4)
        self._minus = np.repeat([0.0, -1.0], self._dofs)

    def __len__(self) -> int:
        return self._count

    @property
    def are_between_links(self) -> bool:
        """Whether no port is on the world, so that it does not matter where the whole stands."""
        return bool(self._a.all() and self._b.all())

    @property
    def probes(self) -> Probes | None:
        """The rows as probes of the tree's own pass; None where they are more than that."""
        weights = self._weights.reshape(-1, 4, 4)
        return Probes(self._a, self._b, weights) if self._is_linear else None

    def rows(
        self,
        one: OneMotion,
        v: FloatArray,
        jacobian: FloatArray,
        gamma: FloatArray,
        residual: FloatArray | None = None,
    ) -> None:
        """Write Jacobian (n, nv) and gamma (n,) of a state with velocities v (nv,).

        The residual (n,) is written too, where it is wanted.
        """
        w, n = self._weights, len(self._mask)
        if not self._on_world:
            n //= 2
            w = one.poses.take(self._a, 0) @ w
        if self._only_b is None:
            w = w @ one.poses.take(self._b, 0).swapaxes(1, 2)
        else:
            w = w.reshape(-1, 4) if w.ndim == 3 else w
            w = w.dot(one.poses[self._only_b].T)
        flat = w.reshape(-1, 16)
        if self._on_world:
            products = flat.dot(one.gains.T)
        else:
            hats = one.speeds.reshape(-1, 4, 4).take(self._a, 0).swapaxes(1, 2)
            crossed = (hats @ w.reshape(-1, 4, 4)).reshape(-1, 16)
            products = np.concatenate((flat, crossed)).dot(one.gains.T)
        if self._is_masked:
            products *= self._mask
        if residual is not None:
            values = self._values(one, flat)
            residual[:] = values[: self._count]
            residual[self._first :] /= values[self._count :]
        if self._is_plain:
            jacobian[:] = products[:, : self._dofs]
            products.dot(self._minus, gamma)
            return
        slopes, left = products[:n, : self._dofs], products[:n].dot(self._minus)
        rates = v if self._dof_from_v is None else self._dof_from_v @ v
        if not self._on_world:
            left += 2.0 * products[n:, : self._dofs].dot(rates)
        if self._is_rational:
            slopes, left = self._divided(one, rates, flat, slopes, left)
        jacobian[:] = slopes if self._dof_from_v is None else slopes @ self._dof_from_v
        gamma[:] = left

    def _divided(
        self,
        one: OneMotion,
        rates: FloatArray,
        flat: FloatArray,
        jacobian: FloatArray,
        gamma: FloatArray,
    ) -> tuple[FloatArray, FloatArray]:
        """With g = N / D:  g' = (N' - g D') / D,  g'' = (N'' - g D'' - 2 g' D') / D."""
        n, first = self._count, self._first
        value = self._values(one, flat, first)
        over = 1.0 / value[n - first :]
        ratio = value[: n - first] * over
        rational = slice(first, n)
        below = jacobian[n:]
        jacobian[rational] = (jacobian[rational] - ratio[:, None] * below) * over[:, None]
        moving = 2.0 * jacobian[rational].dot(rates) * below.dot(rates)
        gamma[rational] = (gamma[rational] - ratio * gamma[n:] + moving) * over
        return jacobian[:n], gamma[:n]

    def _values(self, one: OneMotion, flat: FloatArray, first: int = 0) -> FloatArray:
        """N and D, from a row on."""
        value: FloatArray = flat[first:].dot(TRACE) + self._constants[first:]
        if not self._on_world:
            places = one.poses.take(self._a[first:], 0)[:, :3, 3]
            value -= (flat[first:].reshape(-1, 4, 4)[:, :3, 3] * places).sum(axis=1)
        return value
