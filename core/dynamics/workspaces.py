"""Memory for evaluations: kept from one evaluation to the next, never shared by two at a time.

Buffers past the memory allocator's mmap threshold cost more to get than to fill, and views into
them more to make than to use. An evaluation takes a workspace out of the pool, or makes one where
there is none, and puts it back at its end; so threads and nested calls never meet in one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .many_states import ManyStates
from .model import Model
from .one_state import OneState

# One chunk of a batch has about so many (state, degree of freedom) pairs: few enough to stay in
# the second-level cache, and enough for the numbers to cost more than the numpy calls.
PAIRS = 2048
FEWEST, MOST = 16, 512  # states in a chunk
LINE = 8  # numbers in a cache line
KEPT_SIZES = 2  # of chunks: batches of a third size take the place of all


class Workspaces:
    """The pool of a model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._one: list[OneState] = []
        self._many: dict[int, list[ManyStates]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        # copies and pickles of a model start with an empty pool
        return Workspaces, (self._model,)

    def take_one(self) -> OneState:
        """A workspace for one state."""
        try:
            return self._one.pop()
        except IndexError:
            return OneState(self._model)

    def give_one(self, workspace: OneState) -> None:
        """Put a workspace back."""
        self._one.append(workspace)

    def chunks(self, states: int) -> Iterator[tuple[slice, ManyStates]]:
        """The parts of a batch, one after the other, each with a workspace of its size.

        All parts are of one size; the last one may overlap the one before. A workspace may be
        for more states than there are.
        """
        if states == 0:
            return
        limit = min(max(PAIRS // max(len(self._model.dof_frame), 1), FEWEST), MOST)
        parts = -(-states // limit)
        # rows of whole cache lines, an odd number of them: else all components fall on few lines
        lines = -(-states // (parts * LINE)) | 1
        size = LINE * lines
        workspace = self._take_many(size)
        for start in range(0, states, size):
            first = max(min(start, states - size), 0)
            yield slice(first, first + size), workspace
        self._many.setdefault(size, []).append(workspace)

    def _take_many(self, size: int) -> ManyStates:
        pool = self._many.get(size)
        if pool:
            try:
                return pool.pop()
            except IndexError:  # another thread was faster
                pass
        if size not in self._many and len(self._many) >= KEPT_SIZES:
            self._many = {}
        return ManyStates(self._model, size)
