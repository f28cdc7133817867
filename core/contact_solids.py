"""What can be behind what, and bodies that have got into each other, which must not happen.

Of a thin wall there is another side, a corner may be below the level of a face beyond its ends,
and edges that cross elsewhere are apart whatever their gap. But of a plane with solid ground, of
two balls, and of a joint at its limit a negative gap has one meaning: too deep.
"""

from __future__ import annotations

import numpy as np

from .arrays import BoolArray
from .dynamics.contact import Gaps, JointLimit, Wall
from .dynamics.contact.features import Apart, Feature, OnPlane
from .dynamics.contact.gaps import GapState
from .errors import SimulationError

LOST = 1e-6  # of the scene's size: what is so deep in another body has not been stopped by it


class Solids:
    """The gaps of one model.

    Attributes:
        endless: (n,), gaps that have no other side.
    """

    def __init__(self, gaps: Gaps) -> None:
        self._gaps = gaps
        limits = len(gaps) - len(gaps.features)
        self.endless: BoolArray = np.array(
            [*map(_is_endless, gaps.features), *[True] * limits], dtype=bool
        )
        # what comes from behind passes through a wall of one side
        self._stops: BoolArray = np.array(
            [*(not _is_one_sided(own) for own in gaps.features), *[True] * limits], dtype=bool
        )

    def refuse_deep(self, t: float, state: GapState, size: float, ignored: BoolArray) -> None:
        """Raise where bodies are deep in each other, or joints beyond their limits.

        Args:
            t: s; state: of the gaps then; size: m, of the scene.
            ignored: (n,), gaps that nothing could keep closed.

        Raises:
            SimulationError: naming the contact, the gap and the depth.
        """
        low = (state.gap < -LOST * size) & self._stops & ~ignored
        if low.any():
            low &= ~self._gaps.apart(state.gap, LOST * size)
        if not low.any():
            return
        depth = np.where(low, self._gaps.depth(state), 0.0)
        worst = int(np.argmax(depth))
        if not depth[worst] > LOST * size:
            return
        model, own, name = self._gaps.model, self._gaps.contacts[worst], self._gaps.names[worst]
        label, unit = own.label, "m"
        if isinstance(own, JointLimit) and model.joint_type(own.joint) != "prismatic":
            unit = "rad"
        raise SimulationError(
            f"{model.name}: at t = {t:.6g} s {label} has let through what it should "
            f"stop: '{name}' is {depth[worst]:.6g} {unit} deep; wanted bodies that "
            "stay outside of each other; try a smaller tolerance or max_step, or "
            "method='time-stepping' of a CollisionSystem"
        )


def _is_endless(own: Feature) -> bool:
    if isinstance(own, OnPlane):
        return not np.isfinite(own.behind)
    return isinstance(own, Apart) and not own.outward


def _is_one_sided(own: Feature) -> bool:
    shapes = own.contact.a, own.contact.b
    return any(isinstance(shape, Wall) and not shape.double_sided for shape in shapes)
