"""A temporary scene to run operators in, out of the user's sight.

An operator in a scene with thousands of objects costs a hundred times what it costs in an empty
one, and it changes selection, mode and active object. In here it meets an empty scene instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import bpy

from .leftovers import DataSnapshot


class Workspace:
    """An empty scene and its view layer, alive inside `temporary_scene`.

    It is made when it is first asked for: to remove it costs passes through the file, 11 ms
    beside 5,000 objects.
    """

    def __init__(self, context: bpy.types.Context) -> None:
        self.context = context
        self._scene: bpy.types.Scene | None = None

    @property
    def is_made(self) -> bool:
        """Whether the scene is there."""
        return self._scene is not None

    @property
    def scene(self) -> bpy.types.Scene:
        """The scene."""
        if self._scene is None:
            self._scene = bpy.data.scenes.new("Dynarig temporary")
        return self._scene

    @property
    def view_layer(self) -> bpy.types.ViewLayer:
        """Its view layer."""
        return self.scene.view_layers[0]

    @property
    def before(self) -> DataSnapshot | None:
        """What existed when the scene was made, with the scene; None before."""
        return None if self._scene is None else DataSnapshot.with_last(self._scene)

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
    """A new scene where the block asks for it; removed at the block's end, also on error.

    Only the scene goes: what was linked in it belongs to the caller, and is selected nowhere. An
    object still in edit mode at the end is taken out of it first.
    """
    workspace = Workspace(context)
    try:
        yield workspace
    finally:
        if workspace.is_made:
            try:
                _leave_modes(workspace)
                _deselect(workspace)
            finally:
                bpy.data.scenes.remove(workspace.scene)


def _leave_modes(workspace: Workspace) -> None:
    for obj in workspace.scene.objects:
        if obj.mode != "OBJECT":
            with workspace.override(obj):
                bpy.ops.object.mode_set(mode="OBJECT")


def _deselect(workspace: Workspace) -> None:
    """What is selected here would be selected in the next view layer that takes it in."""
    for obj in workspace.scene.objects:
        obj.select_set(False, view_layer=workspace.view_layer)
