"""What of the user's state an import may change, and how it comes back when the import fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ..leftovers import DataSnapshot


@contextmanager
def all_or_nothing(
    context: bpy.types.Context, on_failure: Callable[[], None] | None = None
) -> Iterator[None]:
    """When the block fails, remove what it has made, and select what was selected before.

    Args:
        on_failure: called then, after that.
    """
    before = DataSnapshot.take()
    view_layer: Any = context.view_layer
    # the active object first: asking for it lets the view layer drop what was removed
    active = view_layer.objects.active
    selected = view_layer.objects.selected[:]
    try:
        yield
    except BaseException:
        before.remove_added()
        for obj in selected:
            obj.select_set(True, view_layer=view_layer)
        view_layer.objects.active = active
        if on_failure is not None:
            on_failure()
        raise


def make_active(
    context: bpy.types.Context, obj: bpy.types.Object, collection: bpy.types.Collection
) -> str:
    """Select a new robot alone, as importers do, unless the user is at work in another mode.

    In the local view that the import was called from, the robot is shown too.

    Returns:
        Why the robot is not active, empty where it is.
    """
    view_layer: Any = context.view_layer
    _settle_view_layers()
    _show_in_local_view(context, collection)
    active = view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        obj.select_set(False, view_layer=view_layer)
        return f"'{active.name}' stays active, in {_mode_name(active)}"
    for other in view_layer.objects.selected[:]:
        other.select_set(False, view_layer=view_layer)
    if obj.name in view_layer.objects:
        obj.select_set(True, view_layer=view_layer)
        view_layer.objects.active = obj
    return ""


def _settle_view_layers() -> None:
    """Let every view layer take in what is new.

    It would do so when it is next looked at, and would then select what another has selected.
    """
    for scene in bpy.data.scenes:
        for view_layer in scene.view_layers:
            view_layer.objects.active  # noqa: B018


def _show_in_local_view(context: bpy.types.Context, collection: bpy.types.Collection) -> None:
    space: Any = context.space_data
    if isinstance(space, bpy.types.SpaceView3D) and space.local_view:
        for obj in collection.all_objects:
            obj.local_view_set(space, True)


def _mode_name(obj: bpy.types.Object) -> str:
    """The mode as Blender's menu calls it, such as "Edit Mode"."""
    modes: Any = bpy.types.Object.bl_rna.properties["mode"]
    return str(modes.enum_items[obj.mode].name)
