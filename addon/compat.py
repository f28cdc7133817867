"""The one file that knows Blender versions.

Where an object's F-curves live: in the action itself up to 4.3, and from 4.4 on in a channel
bag, one for each slot of the action (`action.fcurves` is a proxy in 4.4 and 4.5, on which new
curves move nothing, and gone in 5.0).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

HAS_ACTION_SLOTS = bpy.app.version >= (4, 4, 0)


class AnimationChannels:
    """The F-curves of one object, wherever this version keeps them."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner  # an Action, or a channel bag: both have fcurves and groups

    def remove(self, data_path: str, index: int) -> None:
        """Remove an F-curve if it is there."""
        curve = self._owner.fcurves.find(data_path, index=index)
        if curve is not None:
            self._owner.fcurves.remove(curve)

    def new(self, data_path: str, index: int, group: str) -> bpy.types.FCurve:
        """A new F-curve in the group of that name; a muted group would mute it."""
        curve = self._owner.fcurves.new(data_path, index=index)
        # through 4.3 a group outlives its curves, and may be an old and muted one
        curve.group = self._owner.groups.get(group) or self._owner.groups.new(group)
        curve.group.mute = False
        return curve

    def __iter__(self) -> Iterator[bpy.types.FCurve]:
        return iter(self._owner.fcurves)

    def find(self, data_path: str, index: int) -> bpy.types.FCurve | None:
        """The F-curve of a channel, None where there is none."""
        return self._owner.fcurves.find(data_path, index=index)


def existing_channels(obj: bpy.types.Object) -> AnimationChannels | None:
    """The F-curves of the object's own animation; None where it has none."""
    animation = obj.animation_data
    if animation is None or animation.action is None:
        return None
    if not HAS_ACTION_SLOTS:
        return AnimationChannels(animation.action)
    for layer in animation.action.layers:
        for strip in layer.strips:
            keyed: Any = strip
            bag = keyed.channelbag(animation.action_slot) if animation.action_slot else None
            if bag is not None:
                return AnimationChannels(bag)
    return None


def curves_of(action: Any) -> Iterator[bpy.types.FCurve]:
    """All F-curves of an action, of whichever slot."""
    if not HAS_ACTION_SLOTS:
        yield from action.fcurves
        return
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                yield from bag.fcurves


def writable_channels(obj: bpy.types.Object, name: str) -> AnimationChannels:
    """The F-curves of the object's own animation, with an action called `name` if it has none.

    An action (or slot) that other objects use too is copied first, so that they keep their
    motion; so is one from a library, whose changes Blender would not save.
    """
    animation = obj.animation_data or obj.animation_data_create()
    if animation.action is None:
        animation.action = bpy.data.actions.new(name)
    elif _is_foreign(animation):
        slot = animation.action_slot.identifier if HAS_ACTION_SLOTS else None
        animation.action = animation.action.copy()
        if slot is not None:
            animation.action_slot = animation.action.slots[slot]
    if not HAS_ACTION_SLOTS:
        return AnimationChannels(animation.action)
    return AnimationChannels(_channel_bag(obj, animation))


def _is_foreign(animation: bpy.types.AnimData) -> bool:
    """Whether others use the action or slot too, or another file owns it."""
    action: Any = animation.action
    if action.library is not None or action.override_library is not None:
        return True
    if not HAS_ACTION_SLOTS:
        return bool(action.users - int(action.use_fake_user) > 1)
    return animation.action_slot is not None and len(animation.action_slot.users()) > 1


def _channel_bag(obj: bpy.types.Object, animation: Any) -> Any:
    action = animation.action
    if animation.action_slot is None:
        fitting = animation.action_suitable_slots
        animation.action_slot = (
            fitting[0] if fitting else action.slots.new(id_type="OBJECT", name=obj.name)
        )
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(animation.action_slot, ensure=True)


def set_file_format(settings: bpy.types.ImageFormatSettings, file_format: str) -> None:
    """Choose what a render writes: 'FFMPEG' for a film, or a format of single pictures.

    From 5.0 on the formats to choose from depend on the kind of media.
    """
    if bpy.app.version >= (5, 0, 0):
        settings.media_type = "VIDEO" if file_format == "FFMPEG" else "IMAGE"
    settings.file_format = file_format  # type: ignore[assignment]
