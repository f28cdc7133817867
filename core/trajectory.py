"""The answer: states over time, at the sampled times and at any time between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray, as_floats, frozen
from .dynamics import Model, link_poses, v_from_q_derivative
from .errors import TrajectoryError
from .frames import continuous_quaternions
from .integrate import DenseOutput

if TYPE_CHECKING:
    from .motion import Motion

STILL = 1e-9  # rad or m
LEVEL = 1e-9  # rad by which a link may tilt and still count as moving in the world's xy plane


@dataclass(frozen=True, eq=False)
class LinkFrame:
    """The frame of a link along a motion, as `get_rot`, `ori` and `ori_2d` take it.

    link is its name; world_from_frame (…, 4, 4) its pose, with the leading axes of the times.
    """

    link: str
    world_from_frame: FloatArray

    @property
    def phi(self) -> FloatArray:
        """The angle (…), rad, in [-pi, pi], of a link that moves in the world's xy plane.

        Raises:
            TrajectoryError: for a link that does not, whose orientation is no single angle.
        """
        pose = self.world_from_frame
        tilt = np.hypot(pose[..., 0, 2], pose[..., 1, 2])
        if (tilt > LEVEL).any() or (pose[..., 2, 2] < 0.0).any():
            raise TrajectoryError(
                f"link '{self.link}': wanted a motion in the world's xy plane, where phi is; its "
                f"z axis leaves the world's by up to {np.arctan2(tilt, pose[..., 2, 2]).max():.3g} "
                "rad"
            )
        angle: FloatArray = np.arctan2(pose[..., 1, 0], pose[..., 0, 0])
        return angle


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """A motion of a model.

    times (n,), s; q (n, nq) and v (n, nv) at those times; energy (n,), kinetic plus potential,
    J; work (n,), what the joint forces have taken out since the start, J (None where the motion
    was given and not simulated). method names the scheme, steps and evaluations count its work.
    """

    model: Model
    times: FloatArray
    q: FloatArray
    v: FloatArray
    method: str
    dense: DenseOutput
    energy: FloatArray | None = None
    work: FloatArray | None = None
    steps: int = 0
    evaluations: int = 0

    @classmethod
    def from_simulation(
        cls, motion: Motion, times: FloatArray, dense: DenseOutput, method: str, evaluations: int
    ) -> Trajectory:
        """Of the dense output of a scheme, sampled at the output times."""
        q, v, work = (frozen(part.copy()) for part in motion.unpack(dense(times)))
        return cls(
            model=motion.model,
            times=frozen(times.copy()),
            q=q,
            v=v,
            method=method,
            dense=dense,
            energy=frozen(motion.energy(q, v)),
            work=work,
            steps=len(dense.powers),
            evaluations=evaluations,
        )

    @classmethod
    def from_table(cls, model: Model, times: ArrayLike, q: ArrayLike) -> Trajectory:
        """Of joint values q (n, nq) at times (n,), with straight lines between them.

        Quaternions are made unit, with continuous sign.
        """
        when, states = as_floats(times, (), "times"), as_floats(q, (model.nq,), "q")
        if when.ndim != 1 or states.shape != (len(when), model.nq) or len(when) < 2:
            raise TrajectoryError(
                f"wanted at least two times (n,) and q (n, {model.nq}); "
                f"got {when.shape} and {states.shape}"
            )
        if not (np.isfinite(when).all() and (np.diff(when) > 0.0).all()):
            raise TrajectoryError("times must be finite and increasing")
        if not np.isfinite(states).all():
            raise TrajectoryError("joint values must be finite")
        states = states.copy()
        for where in model.quaternion_q:
            lengths = np.linalg.norm(states[:, where], axis=1, keepdims=True)
            if (lengths == 0.0).any():
                raise TrajectoryError("a quaternion (qw, qx, qy, qz) must not be zero")
            states[:, where] = continuous_quaternions(states[:, where] / lengths)
        v = v_from_q_derivative(model, states, np.gradient(states, when, axis=0))
        dense = DenseOutput.linear(when, np.concatenate((states, v), axis=1))
        return cls(model, frozen(when.copy()), frozen(states), frozen(v), "table", dense)

    def __repr__(self) -> str:
        start, end = self.times[0], self.times[-1]
        return (
            f"<Trajectory of {self.model.name!r}: {len(self.times)} times from {start:g} s to "
            f"{end:g} s, by {self.method}>"
        )

    @property
    def energy_drift(self) -> float | None:
        """max |E + work - (E + work at the start)|, J; None where the motion was given."""
        if self.energy is None or self.work is None:
            return None
        total = self.energy + self.work
        return float(np.abs(total - total[0]).max())

    @property
    def is_still(self) -> bool:
        """Whether nothing moves: all coordinates stay within STILL of where they start."""
        return bool(np.abs(self.q - self.q[0]).max(initial=0.0) < STILL)

    def sample(self, t: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """q (…, nq) and v (…, nv) at any times t (…), s, held constant outside the motion."""
        y = self.dense(t)
        return y[..., : self.model.nq], y[..., self.model.nq : self.model.nq + self.model.nv]

    def link_poses(self, t: ArrayLike) -> FloatArray:
        """world_from_link (…, n_links, 4, 4) at times t (…), s, in the order of link_names."""
        return link_poses(self.model, self.sample(t)[0])

    def frame(self, link: str, t: ArrayLike) -> LinkFrame:
        """The frame of one link at times t (…), s: `get_rot(motion.frame("tip", 1.0))`.

        Raises:
            TrajectoryError: for an unknown link, listing those that exist.
        """
        names = self.model.link_names
        if link not in names:
            raise TrajectoryError(
                f"{self.model.name}: no link '{link}'; there are: {', '.join(names)}"
            )
        pose = self.link_poses(t)[..., names.index(link), :, :].copy()
        return LinkFrame(link, frozen(pose))
