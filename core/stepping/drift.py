"""How coordinates move between two kicks, and what that does to velocities in turning axes.

    q <- q moved by h v,   and the momentum of what floats freely stays as it is in the world

A floating joint of the world moves its origin along a straight line; its linear velocity, which is
told in its own axes, is turned back by as much as these turn. So no such term is among the forces:
they are asked for with that velocity taken as 0 (`still`), which changes nothing else, because
uniform motion has no forces of inertia.

A body that floats alone does so about its centre of mass c, and turns as a free body:

    I (w' - w) + h w_m x I w_m = 0,   w_m = (w + w') / 2,   R' = R cay(h w_m)

keeps its energy and its angular momentum in the world to rounding, however fast it spins. Where
contact moves the body by another displacement than h w, w_m changes by as much.

Source: the implicit midpoint rule keeps all quadratic invariants, E. Hairer, C. Lubich, G. Wanner,
Geometric Numerical Integration, 2nd ed., theorem IV.2.1; that it keeps the momentum in the world
with Cayley's map follows from I w' = cay(-h w_m) I w.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Model, integrate_q
from ..dynamics.model import IntArray
from ..dynamics.orientation_states import free_rotations, turn_orientations
from ..frames.kernels import product_of, rotation_of

LARGEST_TURN = 0.2  # rad: a free body that turns further in a step does so in several parts
MOST_PARTS = 1000
NEWTON_STEPS = 4  # from h w = 0.2 they reach rounding
ROUND = 1e-12  # of the moments of inertia: bodies whose moments differ less turn as balls do


class Drift:
    """The motion of coordinates over a step.

    Attributes:
        floating: whether joints of the world float.
        alone: (n,), the rows of those among the floating joints that carry one body alone.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        frames = model.free_frames[model.floating_rows]
        of_world = model.parents[frames] == 0
        self.floating = bool(of_world.any())
        self._others = bool((~of_world).any()) or len(model.free_frames) > len(frames)
        rows = np.flatnonzero(of_world)
        self._frames = frames[rows]
        self._q = model.floating_q[rows]
        self._linear = model.floating_v[rows]
        self._angular = model.free_angular_v[model.floating_rows[rows]]
        free_row = model.floating_rows[rows]
        quaternions = {int(row): own for own, row in enumerate(model.quaternion_rows)}
        places = [quaternions.get(int(row), -1) for row in free_row]
        self._euler = any(place < 0 for place in places) or bool(len(model.euler_rows))
        self._quaternion = np.zeros((len(rows), 4), dtype=np.intp)
        if not self._euler and len(rows):
            self._quaternion = model.quaternion_q[places]
        self._free_rows = free_row
        self.alone = self._rows_alone()
        self._center = np.zeros((len(rows), 3))
        self._inertia = np.zeros((len(self.alone), 3, 3))
        self._set_bodies()
        self._off = bool(self._center.any())
        moments = np.linalg.eigvalsh(self._inertia) if len(self.alone) else np.zeros((0, 3))
        self._uneven = moments[:, 2] - moments[:, 0] > ROUND * moments[:, 2]

    def _rows_alone(self) -> IntArray:
        """The floating joints of the world whose frames carry no others."""
        children = np.bincount(self._model.parents, minlength=len(self._model.parents))
        return np.flatnonzero(children[self._frames] == 0)

    def _set_bodies(self) -> None:
        """Centres of mass and moments of inertia about them, of bodies alone, in their frames."""
        pseudo = self._model.frame_pseudo_inertia[self._frames[self.alone]]
        mass = pseudo[:, 3, 3]
        safe = np.where(mass > 0.0, mass, 1.0)
        center = pseudo[:, :3, 3] / safe[:, None]
        self._center[self.alone] = center
        second = pseudo[:, :3, :3] - mass[:, None, None] * center[:, :, None] * center[:, None, :]
        trace = np.trace(second, axis1=1, axis2=2)
        self._inertia = trace[:, None, None] * np.eye(3) - second

    def still(self, v: FloatArray) -> FloatArray:
        """v (nv,) as the forces of inertia are to see it: without what the drift keeps."""
        if not self.floating:
            return v
        out = v.copy()
        out[self._linear] = 0.0
        out[self._angular[self.alone]] = 0.0
        return out

    def out_of(self, v: FloatArray, poses: FloatArray) -> FloatArray:
        """v (nv,) with what floats told in the world's axes; poses (nf, 4, 4), world_from_frame."""
        return self._turning(v, poses[self._frames, :3, :3])

    def into(self, v: FloatArray, poses: FloatArray) -> FloatArray:
        """The same back into its own axes."""
        return self._turning(v, poses[self._frames, :3, :3].swapaxes(1, 2))

    def _turning(self, v: FloatArray, turns: FloatArray) -> FloatArray:
        if not self.floating:
            return v
        out = v.copy()
        for own in (self._linear, self._angular):
            out[own] = _times(turns, v[own])
        return out

    def __call__(
        self, q: FloatArray, v: FloatArray, moving: FloatArray, h: float
    ) -> tuple[FloatArray, FloatArray]:
        """Coordinates and velocities at the end of a step.

        Args:
            q: (nq,); v: (nv,), the velocity that goes on; moving: (nv,), that of the displacement,
                `v` itself where no contact needs another one; h: s.

        Returns:
            q (nq,), v (nv,).
        """
        model = self._model
        if not self.floating and not self._others:
            return q + h * moving, v
        if self._others or self._euler:
            out = integrate_q(model, q, moving, h)
        else:
            out = q.copy()
            out[model.plain_q] += h * moving[model.plain_v]
        if not self.floating:
            return out, v
        v = v.copy()
        omega, turning = v[self._angular], moving[self._angular]
        after, step = self._turned(omega, turning, h)
        if self._euler:
            start, turn = free_rotations(model, q)[self._free_rows], rotation_of(step)
            turns = h * moving[model.free_angular_v]
            turns[self._free_rows] = _vector(step)
            turn_orientations(model, q, turns, out)
        else:
            before = q[self._quaternion]
            start, turn = rotation_of(np.stack((before, step)))
            out[self._quaternion] = product_of(before, step)
        # the centre moves along a straight line
        shift, own = h * moving[self._linear], v[self._linear]
        if self._off:
            c = self._center
            shift += h * _cross(turning, c) + c - _times(turn, c)
            own += _cross(omega, c)
        out[self._q] = q[self._q] + _times(start, shift)
        own = (own[:, None] @ turn)[:, 0]
        v[self._linear] = own - _cross(after, c) if self._off else own
        v[self._angular] = after
        return out, v

    def _turned(
        self, omega: FloatArray, turning: FloatArray, h: float
    ) -> tuple[FloatArray, FloatArray]:
        """Angular velocities (n, 3) behind the step, and the turns as quaternions (n, 4)."""
        bodies = self.alone[self._uneven]
        if not len(bodies) or not omega[bodies].any():
            return omega, _exponential(h * turning)
        fastest = float(np.abs(omega[bodies]).max())
        parts = int(min(max(np.ceil(h * fastest / LARGEST_TURN), 1.0), MOST_PARTS))
        inertia, after = self._inertia[self._uneven], omega.copy()
        extra = (turning - omega)[bodies]
        step, own = _exponential(h * turning), None
        for _ in range(parts):
            before = after[bodies]
            then = _free_turn(inertia, before, h / parts)
            after[bodies] = then
            turn = _cayley((h / parts) * (0.5 * (before + then) + extra))
            own = turn if own is None else product_of(own, turn)
        step[bodies] = own
        return after, step


def _free_turn(inertia: FloatArray, omega: FloatArray, h: float) -> FloatArray:
    """w' (n, 3) of I (w' - w) + h w_m x I w_m = 0, by Newton's iteration."""
    momentum = _times(inertia, omega)
    out = omega
    for _ in range(NEWTON_STEPS):
        mean = 0.5 * (omega + out)
        turned = _times(inertia, mean)
        miss = 2.0 * (turned - momentum) + h * _cross(mean, turned)
        slope = inertia + 0.5 * h * (_hat(mean) @ inertia - _hat(turned))
        out = out - np.linalg.solve(slope, miss[..., None])[..., 0]
    return out


def _exponential(turn: FloatArray) -> FloatArray:
    """Unit quaternions (n, 4) of rotation vectors (n, 3)."""
    half = 0.5 * np.sqrt((turn * turn).sum(axis=-1))
    out = np.empty((len(turn), 4))
    np.cos(half, out[:, 0])
    out[:, 1:] = turn * (0.5 * np.sinc(half / np.pi))[:, None]
    return out


def _cayley(turn: FloatArray) -> FloatArray:
    """Unit quaternions (n, 4) of cay(turn) = (1 - [turn]/2)^-1 (1 + [turn]/2)."""
    out = np.empty((len(turn), 4))
    out[:, 0] = 1.0
    out[:, 1:] = 0.5 * turn
    unit: FloatArray = out / np.sqrt((out * out).sum(axis=-1))[:, None]
    return unit


def _vector(quaternions: FloatArray) -> FloatArray:
    """Rotation vectors (n, 3) of unit quaternions (n, 4) of less than half a turn."""
    sine = np.sqrt((quaternions[:, 1:] ** 2).sum(axis=-1))
    angle = 2.0 * np.arctan2(sine, quaternions[:, 0])
    factor = np.where(sine > 0.0, angle / np.where(sine > 0.0, sine, 1.0), 2.0)
    out: FloatArray = factor[:, None] * quaternions[:, 1:]
    return out


def _hat(a: FloatArray) -> FloatArray:
    """[a]x (n, 3, 3)."""
    out = np.zeros((len(a), 3, 3))
    out[:, 0, 1], out[:, 0, 2], out[:, 1, 2] = -a[:, 2], a[:, 1], -a[:, 0]
    out[:, 1, 0], out[:, 2, 0], out[:, 2, 1] = a[:, 2], -a[:, 1], a[:, 0]
    return out


def _times(matrices: FloatArray, vectors: FloatArray) -> FloatArray:
    out: FloatArray = (matrices @ vectors[..., None])[..., 0]
    return out


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    out: FloatArray = a[:, (1, 2, 0)] * b[:, (2, 0, 1)] - a[:, (2, 0, 1)] * b[:, (1, 2, 0)]
    return out
