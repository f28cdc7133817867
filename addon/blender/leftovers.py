"""Which data-blocks came into the file since a moment, and their removal.

Importers leave empties, cameras, lights, actions and collections behind; a failed import must
leave nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import bpy

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
    """The data-blocks that existed at one moment, held only as long as none of them is removed."""

    existing: frozenset[bpy.types.ID]

    @classmethod
    def take(cls) -> DataSnapshot:
        """Remember what exists now."""
        return cls(frozenset(_all_blocks()))

    def added(self) -> list[bpy.types.ID]:
        """The data-blocks that have come since, in the order of KINDS."""
        return [block for block in _all_blocks() if block not in self.existing]

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


def _all_blocks() -> Iterable[bpy.types.ID]:
    for kind in KINDS:
        yield from getattr(bpy.data, kind)
