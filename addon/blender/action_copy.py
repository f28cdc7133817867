"""The action of an object, put back as it was should a change to it fail half-way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ..compat import HAS_ACTION_SLOTS
from .leftovers import remove_blocks


@contextmanager
def kept_action(obj: bpy.types.Object) -> Iterator[None]:
    """Give an object the action that it has, with its content, if the block raises.

    An action that may have been changed is replaced by a copy of itself then, so that old
    references to it are invalid. Actions that the block has made are removed.
    """
    existing = set(bpy.data.actions)
    had_animation = obj.animation_data is not None
    action, slot = _action_and_slot(obj)
    # a linked action is never written to
    kept = action.copy() if action is not None and action.library is None else None
    try:
        yield
    except BaseException:
        _restore_action(obj, action, kept, slot)
        remove_blocks(set(bpy.data.actions) - existing - {kept})
        if not had_animation:
            obj.animation_data_clear()
        raise
    if kept is not None:
        bpy.data.actions.remove(kept)


def _action_and_slot(obj: bpy.types.Object) -> tuple[bpy.types.Action | None, str | None]:
    animation = obj.animation_data
    if animation is None or animation.action is None:
        return None, None
    slot = animation.action_slot if HAS_ACTION_SLOTS else None
    return animation.action, None if slot is None else slot.identifier


def _restore_action(
    obj: bpy.types.Object,
    action: bpy.types.Action | None,
    kept: bpy.types.Action | None,
    slot: str | None,
) -> None:
    """Let the object have the action that it had, with the content that it had."""
    animation: Any = obj.animation_data
    if animation is None:
        return
    if action is not None and kept is not None:
        name, fake = action.name, action.use_fake_user
        action.user_remap(kept)
        bpy.data.actions.remove(action)
        kept.name, kept.use_fake_user = name, fake
        action = kept
    animation.action = action
    if slot is not None:
        animation.action_slot = animation.action.slots[slot]
