"""What carries the shapes of a mechanism: one empty for each link, with keys of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import Model
from ...compat import writable_channels
from ..attach import place
from ..channels import EULER, LOCATION, QUATERNION
from ..keyframes import fill_curve
from ..labels import label
from .link_motion import LinkMotion

AXES = 0.08  # length of an empty's axes, of the mechanism's size


class Carrier(Protocol):
    """Something that moves as the links do, and takes shapes along."""

    def hang(self, obj: bpy.types.Object, link: str, link_from_object: FloatArray) -> None:
        """Let an object follow a link."""


class LinkObjects:
    """An empty for each link that moves; what does not move hangs on nothing."""

    def __init__(
        self, collection: bpy.types.Collection, model: Model, motion: LinkMotion, size: float
    ) -> None:
        """Make the empties and their keys.

        Args:
            collection: where they are linked.
            model: whose links.
            motion: of all links.
            size: a typical length of the mechanism, m.
        """
        self.objects: dict[str, bpy.types.Object] = {}
        self._still: Mapping[str, FloatArray] = {
            name: motion.poses[0, index]
            for index, name in enumerate(model.link_names)
            if model.link_frame[index] == 0
        }
        for index, name in enumerate(model.link_names):
            if name not in self._still:
                obj = bpy.data.objects.new(label(f"{name} link"), None)
                obj.empty_display_size = AXES * size
                collection.objects.link(obj)
                key_object(obj, motion, index)
                self.objects[name] = obj

    def hang(self, obj: bpy.types.Object, link: str, link_from_object: FloatArray) -> None:
        """Parent an object to the link's empty, or place it where a still link is."""
        if link in self._still:
            place(obj, self._still[link] @ link_from_object)
            return
        obj.parent = self.objects[link]
        place(obj, link_from_object)


def key_object(obj: bpy.types.Object, motion: LinkMotion, link: int) -> int:
    """Keys of location and rotation for one link; returns how many F-curves there are."""
    turns, slopes = motion.turns[:, link], motion.turn_slopes[:, link]
    if turns.shape[1] == 1:
        obj.rotation_mode = "XYZ"
        paths = [(EULER, 2)]
    else:
        obj.rotation_mode = "QUATERNION"
        paths = [(QUATERNION, component) for component in range(4)]
    paths = [*((LOCATION, axis) for axis in range(3)), *paths]
    values = np.concatenate((motion.positions[:, link], turns), axis=1)
    rates = np.concatenate((motion.position_slopes[:, link], slopes), axis=1)
    channels = writable_channels(obj, f"{obj.name} motion")
    for column, (path, index) in enumerate(paths):
        curve = channels.new(path, index, path)
        fill_curve(curve, motion.frames, values[:, column], rates[:, column], "BEZIER")
        getattr(obj, path)[index] = values[0, column]
    return len(paths)
