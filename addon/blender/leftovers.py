"""Which data-blocks came into the file since a moment, and their removal.

Importers leave empties, cameras, lights, actions and collections behind; a failed import must
leave nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

# everything that an importer, a rig or a bake can make
KINDS = (
    "objects",
    "meshes",
    "armatures",
    "collections",
    "materials",
    "images",
    "textures",
    "actions",
    "node_groups",
    "cameras",
    "lights",
    "curves",
    "pointclouds",
    "texts",
    "scenes",
    "worlds",
)


@dataclass(frozen=True)
class DataSnapshot:
    """The data-blocks that existed at one moment, by the number that each gets in a session.

    Blender counts them up, and a new one never gets the number of one that is gone. To read them
    takes half the time of a set of the blocks.
    """

    newest: int

    @classmethod
    def take(cls) -> DataSnapshot:
        """Remember what exists now."""
        return cls(max(int(numbers.max(initial=0)) for _, numbers in _numbers()))

    @classmethod
    def with_last(cls, block: bpy.types.ID) -> DataSnapshot:
        """What existed when a data-block had just come, that one included; costs nothing."""
        return cls(block.session_uid % 2**32)

    def added(self) -> list[bpy.types.ID]:
        """The data-blocks that have come since, in the order of KINDS."""
        return [
            block
            for blocks, numbers in _numbers()
            if (numbers > self.newest).any()
            for block, new in zip(blocks[:], numbers > self.newest, strict=True)
            if new
        ]

    def remove_added(self, keep: Iterable[bpy.types.ID] = ()) -> None:
        """Remove what has come since, but for `keep`."""
        kept = set(keep)
        remove_blocks(block for block in self.added() if block not in kept)


def remove_blocks(blocks: Iterable[bpy.types.ID]) -> None:
    """Remove data-blocks in one pass over the file, whatever still uses them."""
    doomed = list(blocks)
    # a scene may be the one in a window: its own remove() finds another one to show
    for scene in [block for block in doomed if isinstance(block, bpy.types.Scene)]:
        bpy.data.scenes.remove(scene)
    rest = [block for block in doomed if not isinstance(block, bpy.types.Scene)]
    if rest:
        bpy.data.batch_remove(rest)


def _numbers() -> Iterator[tuple[Any, NDArray[np.uint32]]]:
    """All data-blocks, by kinds, and the number of each, (n,)."""
    for kind in KINDS:
        blocks = getattr(bpy.data, kind)
        numbers = np.zeros(len(blocks), np.int32)
        if len(blocks):
            blocks.foreach_get("session_uid", numbers)
        yield blocks, numbers.view(np.uint32)
