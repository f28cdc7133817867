"""Random poses of a robot, and how far two sets of link poses are from each other."""

from typing import Any

import numpy as np

POSES = 3
SEED = 7
TURN = np.pi  # rad: how far a joint turns at most from its least value
SLIDE = 1.0  # m: how far it slides at most


def random_poses(model: Any) -> list[Any]:
    """POSES configurations q (nq,) of a model inside its limits; free joints are anywhere."""
    rng = np.random.default_rng(SEED)
    return [random_pose(model, rng) for _ in range(POSES)]


def random_pose(model: Any, rng: np.random.Generator) -> Any:
    """One of them."""
    lower, upper = model.limits()
    q = model.neutral()
    for joint in model.joint_names:
        where = model.q_index(joint)
        room = SLIDE if model.joint_type(joint) == "prismatic" else TURN
        least = np.clip(0.0, lower[where], upper[where])
        low, high = np.maximum(lower[where], least - room), np.minimum(upper[where], least + room)
        q[where] = rng.uniform(low, high)
        if model.joint_type(joint) in ("floating", "spherical"):
            quaternion = rng.normal(size=4)
            q[where][-4:] = quaternion / np.linalg.norm(quaternion)
    return q


def difference(found: Any, wanted: Any) -> float:
    """The largest difference of any entry of poses (n, 4, 4); metres and parts of one."""
    return float(np.abs(np.asarray(found) - wanted).max(initial=0.0))


def excess(found: Any, wanted: Any, room: float, room_per_metre: float) -> float:
    """How much the largest difference is above the room that it has: at most 0 where it fits.

    The room of a link is room + room_per_metre * its distance from the origin, m.
    """
    away = np.abs(np.asarray(found) - wanted).max(axis=(-2, -1))
    distance = np.linalg.norm(wanted[..., :3, 3], axis=-1)
    return float((away - room - room_per_metre * distance).max(initial=-np.inf))
