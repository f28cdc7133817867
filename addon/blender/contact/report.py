"""What the contacts of a simulation did, in a few words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ....core.dynamics.contact import ContactSystem, TriangleMesh
from ....core.trajectory import Trajectory
from ....core.trajectory.touches import Touches
from ..bake.settings import UNIFORM
from .settings import SCHEME_NAMES

TOO_DEEP = 1e-3  # m in the scene: more is seen
MOST_TOLD = 3  # of remarks of one kind
RESTS = "' comes to rest at t = "  # in the remarks of a simulation, behind a contact's name
BETWEEN_PAIRS = re.compile(r"(?<='), (?=')")  # in "'a' and 'b', 'c' and 'd'"


def told_contacts(trajectory: Trajectory, scale: float) -> tuple[str, ...]:
    """A line for each thing to tell of a simulated motion; nothing of one without contacts.

    Args:
        scale: metres of the scene to one of the trajectory.
    """
    if isinstance(trajectory.equations.system, ContactSystem):
        return _told_impacts(trajectory)
    if trajectory.touches is not None and trajectory.touches.colliders:
        return _told_touches(trajectory.touches, scale)
    return ()


def contact_warnings(trajectory: Trajectory, scale: float) -> tuple[str, ...]:
    """What of contacts with friction the user must know: overlaps, depths, impulses that are off.

    Args:
        scale: metres of the scene to one of the trajectory.
    """
    if trajectory.touches is None:
        return ()
    deep = told_depths(trajectory, scale)
    if not trajectory.remarks:
        return tuple(deep)
    told = shortened([with_few_pairs(remark) for remark in trajectory.remarks])
    if abs(scale - 1.0) > UNIFORM:
        told.append(f"(lengths are the robot's own, which is scaled by {scale:.6g})")
    return (*told, *deep)


def told_depths(trajectory: Trajectory, scale: float) -> list[str]:
    """A line for each of the deepest pairs of colliders that were in each other by too much.

    One that was still deep when it was last met has gone through: of a mesh the faces may look
    the other way.

    Args:
        scale: metres of the scene to one of the trajectory.
    """
    touches, system = trajectory.touches, trajectory.equations.system
    if touches is None:
        return []
    meshes = {
        own.name for own in getattr(system, "colliders", ()) if isinstance(own.shape, TriangleMesh)
    }
    depth = -scale * touches.gap
    pairs = np.stack((touches.first, touches.second), axis=1)
    found = []
    for pair in np.unique(pairs[depth > TOO_DEEP], axis=0):
        own = (pairs == pair).all(axis=1)
        # the mesh is told second, as what the other is in
        names = sorted((touches.colliders[index] for index in pair), key=meshes.__contains__)
        line = f"'{names[0]}' was up to {depth[own].max():.2g} m inside '{names[1]}'"
        last = own & (touches.kick == touches.kick[own].max())
        if names[1] in meshes and depth[last].max() > TOO_DEEP:
            line += ", and did not come out: its faces may look the other way (flip its normals)"
        found.append((depth[own].max(), line))
    return shortened([line for _, line in sorted(found, reverse=True)])


def with_few_pairs(remark: str) -> str:
    """A remark that lists pairs of names, with the first of them."""
    head, colon, pairs = remark.partition(": ")
    few = shortened(BETWEEN_PAIRS.split(pairs))
    return f"{head}{colon}{', '.join(few)}"


def told_rests(trajectory: Trajectory) -> list[str]:
    """What comes to rest, each contact once, first those that have hit; and how many more."""
    found: dict[str, list[str]] = {}
    for remark in trajectory.remarks:
        name, rests, when = remark.partition(RESTS)
        if rests:
            found.setdefault(name, []).append(when)
    lines = []
    for name, times in found.items():
        line, again = f"{name}{RESTS}{times[0]}", len(times) - 1
        if again:
            last = times[-1].partition(" s")[0]
            line += f", and again at {last} s" if again == 1 else f" and {again} times more"
        lines.append((" after " not in times[0], line))
    first = [line for _, line in sorted(lines, key=lambda own: own[0])]
    if len(first) <= MOST_TOLD:
        return first
    return [*first[:MOST_TOLD], f"and {len(first) - MOST_TOLD} more contacts come to rest"]


def shortened(remarks: Sequence[str]) -> list[str]:
    """The first remarks, and how many more there are."""
    if len(remarks) <= MOST_TOLD:
        return list(remarks)
    return [*remarks[:MOST_TOLD], f"and {len(remarks) - MOST_TOLD} more"]


def _told_impacts(trajectory: Trajectory) -> tuple[str, ...]:
    count = len(trajectory.impacts)
    rests = told_rests(trajectory)
    if not count and not rests:
        return ()
    lines = [f"{SCHEME_NAMES['EXACT']}: {count} impact{'s' * (count != 1)}"]
    return (*lines, *rests)


def _told_touches(touches: Touches, scale: float) -> tuple[str, ...]:
    name = SCHEME_NAMES["FRICTION"]
    if not len(touches):
        return (f"{name}: nothing touched",)
    return (f"{name}: at most {touches.deepest * scale:.2g} m deep in each other",)
