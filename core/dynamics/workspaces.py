"""Memory for evaluations: kept from one evaluation to the next, never shared by two at a time.

Buffers past the memory allocator's mmap threshold cost more to get than to fill, and views into
them more to make than to use. An evaluation takes a workspace out of a pool, or makes one where
there is none, and puts it back at its end; so threads and nested calls never meet in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Generic, TypeVar

import numpy as np

from ..arrays import frozen
from .aligned import LINE
from .level_poses import LevelPoses
from .many_states import ManyStates
from .model import Model
from .one_state import OneState

# A chunk of a batch has about so many pairs of a state and a degree of freedom, or a frame where
# only poses are computed: few enough to stay in the second-level cache, and enough for the
# numbers to cost more than the numpy calls.
PAIRS, POSES = 2048, 8192
FEWEST, MOST = 16, 512  # states in a chunk
KEPT_SIZES = 2  # of chunks: batches of a third size take the place of all
ITEMS = LINE // 8  # numbers in a cache line

Workspace = TypeVar("Workspace", LevelPoses, ManyStates)


class ChunkPool(Generic[Workspace]):
    """Workspaces for chunks of about `limit` states; `make` makes one for a number of states."""

    def __init__(self, make: Callable[[int], Workspace], limit: int) -> None:
        self._make: Callable[[int], Workspace] = make
        self._limit = min(max(limit, FEWEST), MOST)
        self._free: dict[int, list[Workspace]] = {}

    def chunks(self, states: int) -> Iterator[tuple[slice, Workspace]]:
        """The parts of a batch, one after the other, each with a workspace of its size.

        All parts are of one size; the last one may overlap the one before. A workspace may be
        for more states than there are.
        """
        if states == 0:
            return
        parts = -(-states // self._limit)
        # rows of whole cache lines; where there is a choice an odd number of them, so that
        # components do not all fall on the same lines of the cache
        lines = -(-states // (parts * ITEMS))
        size = ITEMS * (lines if parts == 1 else lines | 1)
        workspace = self._take(size)
        for start in range(0, states, size):
            first = max(min(start, states - size), 0)
            yield slice(first, first + size), workspace
        self._free.setdefault(size, []).append(workspace)

    def _take(self, size: int) -> Workspace:
        free = self._free.get(size)
        if free is None and len(self._free) >= KEPT_SIZES:
            self._free = {}
        try:
            return free.pop() if free else self._make(size)
        except IndexError:  # another thread was faster
            return self._make(size)


class Workspaces:
    """The pools of a model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.no_force = frozen(np.zeros(model.nv))
        self._one: list[OneState] = []
        self.many = ChunkPool(partial(ManyStates, model), PAIRS // max(len(model.dof_frame), 1))
        self.poses = ChunkPool(partial(LevelPoses, model), POSES // len(model.parents))

    def take_one(self) -> OneState:
        """A workspace for one state."""
        try:
            return self._one.pop()
        except IndexError:
            return OneState(self._model)

    def give_one(self, workspace: OneState) -> None:
        """Put a workspace back."""
        self._one.append(workspace)
