"""A temporary scene to run operators in, out of the user's sight.

An operator in a scene with thousands of objects costs a hundred times what it costs in an empty
one, and it changes selection, mode and active object. In here it meets an empty scene instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

import bpy


@dataclass(frozen=True)
class Workspace:
    """An empty scene and its view layer, alive inside `temporary_scene`."""

    context: bpy.types.Context
    scene: bpy.types.Scene
    view_layer: bpy.types.ViewLayer

    def override(self, active: bpy.types.Object | None = None) -> AbstractContextManager[Any]:
        """The context in which operators see this scene only.

        Scene and view layer are not enough: `context.active_object` and `context.edit_object`
        come from the window, so without naming them here `object.mode_set` would change the
        user's object.

        Args:
            active: an object of this scene to work on; it becomes active and selected.
        """
        self.view_layer.objects.active = active
        selected = [] if active is None else [active]
        if active is not None:
            active.select_set(True, view_layer=self.view_layer)
        editing = active is not None and active.mode == "EDIT"
        return self.context.temp_override(
            scene=self.scene,
            view_layer=self.view_layer,
            active_object=active,
            object=active,
            edit_object=active if editing else None,
            selected_objects=selected,
            selected_editable_objects=selected,
        )


@contextmanager
def temporary_scene(context: bpy.types.Context) -> Iterator[Workspace]:
    """A new scene for the length of the block; removed at its end, also on error.

    Only the scene goes: what was linked in it belongs to the caller, and is selected nowhere. An
    object still in edit mode at the end is taken out of it first.
    """
    scene = bpy.data.scenes.new("Dynarig temporary")
    workspace = Workspace(context, scene, scene.view_layers[0])
    try:
        yield workspace
    finally:
        try:
            _leave_modes(workspace)
            _deselect(workspace)
        finally:
            bpy.data.scenes.remove(scene)


def _leave_modes(workspace: Workspace) -> None:
    for obj in workspace.scene.objects:
        if obj.mode != "OBJECT":
            with workspace.override(obj):
                bpy.ops.object.mode_set(mode="OBJECT")


def _deselect(workspace: Workspace) -> None:
    """What is selected here would be selected in the next view layer that takes it in."""
    for obj in workspace.scene.objects:
        obj.select_set(False, view_layer=workspace.view_layer)
