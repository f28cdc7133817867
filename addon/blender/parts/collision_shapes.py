"""How collision shapes look: wires that no picture shows."""

from __future__ import annotations

from collections.abc import Iterable

import bpy


def show_as_wires(objects: Iterable[bpy.types.Object]) -> None:
    """Let objects show through what is seen of a robot, and keep them out of renders."""
    for obj in objects:
        obj.display_type = "WIRE"
        obj.hide_render = True
