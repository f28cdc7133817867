"""What is wrong with a start, and what is done about it.

Bodies of one robot that are in each other are drawn so: they would push against each other and
against the joints that hold them there, for ever. So they do not collide. Of a body that floats by
itself, and is a little in another, only the place is not exact: it is pushed out.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Model
from ..dynamics.collision.collisions import Collisions
from ..dynamics.friction import CollisionSystem
from ..dynamics.friction.system import Pair
from ..dynamics.model import IntArray
from ..errors import SimulationError
from .settings import OVERLAP, SLOP, TOLD_DEPTH


def starting_collisions(
    system: CollisionSystem, poses: FloatArray
) -> tuple[Collisions, tuple[str, ...]]:
    """What finds contacts without bodies that are in each other, and what is to be told.

    Args:
        poses: (nf, 4, 4), world_from_frame, of the start.

    Raises:
        SimulationError: for what is so deep in a closed mesh that nothing would hold it.
    """
    collisions = system.collisions
    deep = set(collisions.overlapping(poses, OVERLAP))
    held = _Hold(system.model, collisions)
    never = [
        pair for pair in collisions.overlapping(poses, SLOP) if pair in deep or held.together(pair)
    ]
    told = []
    if never:
        pairs = ", ".join(f"'{a}' and '{b}'" for a, b in never)
        told.append(f"overlap at the start and do not collide: {pairs}")
        collisions = system.collisions_without(never)
    for name, mesh in collisions.swallowed(poses):
        raise SimulationError(
            f"{system.model.name}: collider '{name}' starts inside the solid of mesh '{mesh}', too "
            "deep to be pushed out; wanted a start in front of its triangles, or at most half "
            "behind them; if the two are not to touch, name them in `ignored`"
        )
    return collisions, (*told, *_depths(collisions, poses))


class _Hold:
    """Knows which colliders joints hold near each other."""

    def __init__(self, model: Model, collisions: Collisions) -> None:
        names = [own.name for own in collisions.colliders]
        self._frame = dict(zip(names, (own.frame for own in collisions.solids), strict=True))
        self._trunk = _trunks(model)
        floating = model.free_frames[model.floating_rows]
        self._floating = set(floating[model.parents[floating] == 0].tolist())

    def together(self, pair: Pair) -> bool:
        """Whether both hang on one joint of the world, or neither floats by itself."""
        one, other = (int(self._trunk[self._frame[name]]) for name in pair)
        return one == other or not {one, other} & self._floating


def _trunks(model: Model) -> IntArray:
    """(nf,): the frame on the world that each frame hangs on; parents come first."""
    out = np.arange(len(model.parents))
    for frame, parent in enumerate(model.parents):
        if frame and parent:
            out[frame] = out[parent]
    return out


def _depths(collisions: Collisions, poses: FloatArray) -> list[str]:
    """Tell which colliders start inside others and are pushed out."""
    found = collisions.find(poses, 0.0)
    deepest: dict[tuple[int, int], float] = {}
    for first, second, gap in zip(found.first, found.second, found.gap, strict=True):
        if gap < -TOLD_DEPTH:
            pair = int(first), int(second)
            deepest[pair] = min(deepest.get(pair, 0.0), float(gap))
    told = []
    for (first, second), gap in deepest.items():
        # the one that moves is pushed
        own = (first, second) if collisions.solids[first].frame else (second, first)
        names = [collisions.colliders[index].name for index in own]
        told.append(f"'{names[0]}' starts {-gap:.3g} m inside '{names[1]}' and is pushed out")
    return told
