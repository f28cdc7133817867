"""Evaluations of a tree for one state or for many: each computed in the way that is faster.

Inputs are float64 arrays that have been checked, (…, nq) and (…, nv). Their leading axes are
broadcast against each other. The results are new arrays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray
from .door import lead_of
from .model import Model
from .spatial import INERTIA_FROM_PSEUDO, TWIST_ENTRIES


@dataclass(frozen=True)
class Tableau:
    """The kinematics of one pose or of many: world_from_frame, and unit twists s_k."""

    model: Model
    q: FloatArray  # (…, nq)
    poses: FloatArray  # (…, nf, 4, 4)
    twists: FloatArray  # (…, nd, 6), at the world origin in world axes

    @property
    def inertias(self) -> FloatArray:
        """Spatial inertias (…, nf, 6, 6) of all frames, at the world origin in world axes."""
        inertia = self.poses @ self.model.frame_pseudo_inertia @ self.poses.swapaxes(-1, -2)
        flat = inertia.reshape(*inertia.shape[:-2], 16) @ INERTIA_FROM_PSEUDO
        return flat.reshape(*inertia.shape[:-2], 6, 6)


class OneMotion(NamedTuple):
    """One state, all in one pass; matrices as rows of 16, at the world origin in world axes.

    poses (nf, 4, 4), world_from_frame. gains (2 nd, 16): unit twists S of the degrees of freedom,
    then K, what each adds to X'' X^-1 of a frame that it moves, with a = 0. speeds (nf, 16): V of
    the frames. mass M (nv, nv), bias b (nv,). Of probes, where there are some, the
    slopes W . S (p, nd) and bends W . sum K (p,), and whose they are.
    """

    poses: FloatArray
    gains: FloatArray
    speeds: FloatArray
    mass: FloatArray
    bias: FloatArray
    slopes: FloatArray | None = None
    bends: FloatArray | None = None
    owner: object = None

    @property
    def velocities(self) -> FloatArray:
        """The twists of the frames (nf, 6)."""
        return self.speeds.take(TWIST_ENTRIES, 1)

    @property
    def twists(self) -> FloatArray:
        """The unit twists of the degrees of freedom (nd, 6)."""
        return self.gains[: len(self.gains) // 2].take(TWIST_ENTRIES, 1)


def frame_poses(model: Model, q: FloatArray) -> FloatArray:
    """world_from_frame (…, nf, 4, 4); frame 0 is the world itself."""
    (poses,) = _evaluated(model, "frame_poses", ((len(model.parents), 4, 4),), q)
    return poses


def link_poses_at(model: Model, q: FloatArray) -> FloatArray:
    """world_from_link (…, n_links, 4, 4)."""
    (poses,) = _evaluated(model, "link_poses", ((len(model.link_names), 4, 4),), q)
    return poses


def evaluate(model: Model, q: FloatArray) -> Tableau:
    """Poses and unit twists of all frames at q (…, nq)."""
    tails = ((len(model.parents), 4, 4), (len(model.dof_frame), 6))
    return Tableau(model, q, *_evaluated(model, "tableau", tails, q))


def mass_at(model: Model, q: FloatArray) -> FloatArray:
    """M (…, nv, nv)."""
    (mass,) = _evaluated(model, "mass", ((model.nv, model.nv),), q)
    return mass


def bias_at(model: Model, q: FloatArray, v: FloatArray) -> FloatArray:
    """b (…, nv) = C v + g."""
    (bias,) = _evaluated(model, "bias", ((model.nv,),), q, v)
    return bias


def mass_and_bias_at(model: Model, q: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """M (…, nv, nv) and b (…, nv), for little more than one of them."""
    mass, bias = _evaluated(model, "mass_and_bias", ((model.nv, model.nv), (model.nv,)), q, v)
    return mass, bias


def one_motion(model: Model, q: FloatArray, v: FloatArray) -> OneMotion:
    """All that rows and equations of motion need of one state, q (nq,) and v (nv,)."""
    return OneMotion(*_evaluated(model, "motion", (), q, v))


def forces_at(model: Model, q: FloatArray, v: FloatArray, a: FloatArray) -> FloatArray:
    """tau = M a + b (…, nv)."""
    (forces,) = _evaluated(model, "forces", ((model.nv,),), q, v, a)
    return forces


def accelerations_at(
    model: Model, q: FloatArray, v: FloatArray, force: FloatArray | None = None
) -> FloatArray:
    """a (…, nv) of M a + b = force, zero if none.

    Raises:
        ModelError: for a singular mass matrix.
    """
    if force is None:
        force = model.workspaces.no_force
    (a,) = _evaluated(model, "accelerations", ((model.nv,),), q, v, force)
    return a


def _evaluated(
    model: Model, method: str, tails: tuple[tuple[int, ...], ...], *values: FloatArray
) -> tuple[FloatArray, ...]:
    """What a method of `OneState` and `ManyStates` computes: arrays (…, *tail)."""
    for value in values:
        if value.ndim != 1:
            return _batch(model, method, tails, *values)
    one = model.workspaces.take_one()
    result: tuple[FloatArray, ...] = getattr(one, method)(*values)
    model.workspaces.give_one(one)
    return result


def _batch(
    model: Model, method: str, tails: tuple[tuple[int, ...], ...], *values: FloatArray
) -> tuple[FloatArray, ...]:
    """The same for many states: their leading axes as one, in chunks."""
    names = ("q", "v", "tau" if method == "accelerations" else "a")
    lead = lead_of(**dict(zip(names, values, strict=False)))
    count = math.prod(lead)
    states = [
        np.broadcast_to(value, (*lead, value.shape[-1])).reshape(count, value.shape[-1])
        for value in values
    ]
    if count == 1:
        outs = list(_evaluated(model, method, tails, *(state[0] for state in states)))
        return tuple(out.reshape(lead + tail) for out, tail in zip(outs, tails, strict=True))
    outs = [np.empty((count, *tail)) for tail in tails]
    pools = model.workspaces
    pool = pools.poses if method in ("frame_poses", "link_poses") else pools.many
    for part, many in pool.chunks(count):
        if many.count > count:
            # the last state stands in for those that are missing
            most = np.minimum(np.arange(many.count), count - 1)
            rooms = [np.empty((many.count, *tail)) for tail in tails]
            getattr(many, method)(*(state[most] for state in states), *rooms)
            outs = [room[:count] for room in rooms]
        else:
            getattr(many, method)(*(array[part] for array in (*states, *outs)))
    return tuple(out.reshape(lead + tail) for out, tail in zip(outs, tails, strict=True))
