"""What users add to a mesh, carried over to the mesh that a reload puts in its place.

Vertex groups, UV maps, colours and other attributes, and shape keys hang on vertices, corners,
edges and faces: they can be kept where the new mesh has as many as the old one, and in a skin for
each visual by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ..geometry.mesh_arrays import read_array
from ..parts.made_layers import attribute_names, made_layers, shape_keys

# property and width of the values of each type of attribute that can be copied
VALUES: Mapping[str, tuple[str, int, Any]] = {
    "FLOAT": ("value", 1, np.float32),
    "INT": ("value", 1, np.int32),
    "INT8": ("value", 1, np.int32),
    "BOOLEAN": ("value", 1, np.bool_),
    "FLOAT2": ("vector", 2, np.float32),
    "FLOAT_VECTOR": ("vector", 3, np.float32),
    "FLOAT_COLOR": ("color", 4, np.float32),
    "BYTE_COLOR": ("color", 4, np.float32),
    "QUATERNION": ("value", 4, np.float32),
}


@dataclass(frozen=True)
class Span:
    """A run of elements that old and new mesh share.

    Attributes:
        old, new: where it starts in either, by domain.
        counts: how many elements it has, by domain.
    """

    old: Mapping[str, int]
    new: Mapping[str, int]
    counts: Mapping[str, int]


def element_counts(mesh: bpy.types.Mesh) -> dict[str, int]:
    """How many elements a mesh has, by domain."""
    return {
        "POINT": len(mesh.vertices),
        "EDGE": len(mesh.edges),
        "CORNER": len(mesh.loops),
        "FACE": len(mesh.polygons),
    }


def whole_span(old: bpy.types.Mesh, new: bpy.types.Mesh) -> list[Span]:
    """All of two meshes, if they have as many elements of each kind; else none."""
    counts = element_counts(old)
    nowhere = dict.fromkeys(counts, 0)
    return [Span(nowhere, nowhere, counts)] if counts == element_counts(new) else []


def are_weights_edited(obj: bpy.types.Object, bones: Iterable[str]) -> bool:
    """Whether a vertex of a skin is not wholly of one bone, as an import makes all of them."""
    assert isinstance(obj.data, bpy.types.Mesh)
    names = set(bones)
    own = {group.index for group in obj.vertex_groups if group.name in names}
    return any(
        [item.weight for item in vertex.groups if item.group in own] != [1.0]
        for vertex in obj.data.vertices
    )


class UserLayers:
    """What the user has added to the mesh of an object, before the object gets another one.

    Args:
        obj: the object.
        own_groups: names of vertex groups that are not the user's.
        new: the mesh that it will get.
    """

    def __init__(
        self, obj: bpy.types.Object, own_groups: Iterable[str], new: bpy.types.Mesh
    ) -> None:
        assert isinstance(obj.data, bpy.types.Mesh)
        self._old = obj.data
        own = set(own_groups)
        self._groups = {
            group.index: group.name for group in obj.vertex_groups if group.name not in own
        }
        file_s = made_layers(self._old) | made_layers(new)
        self._attributes = [name for name in attribute_names(self._old) if name not in file_s]
        self._keys = [name for name in shape_keys(self._old) if name not in file_s]

    def names(self) -> list[str]:
        """All that the user has added, each as a user knows it."""
        return [
            *(f"vertex group '{name}'" for name in self._groups.values()),
            *(_told(self._old, name) for name in self._attributes),
            *(f"shape key '{name}'" for name in self._keys),
        ]

    def give(self, obj: bpy.types.Object, spans: Sequence[Span]) -> list[str]:
        """Give an object that has its new mesh what can be kept; returns what is lost."""
        mesh = obj.data
        assert isinstance(mesh, bpy.types.Mesh)
        kept = sum(span.counts["POINT"] for span in spans)
        names = self.names()
        if not names:
            return []
        if not kept:
            return names
        lost = [] if kept == len(self._old.vertices) else [f"{name} in part" for name in names]
        self._give_groups(obj, spans)
        lost += [
            _told(self._old, name)
            for name in self._attributes
            if not _copy_attribute(self._old, mesh, name, spans)
        ]
        self._give_keys(obj, mesh, spans)
        if self._old.shape_keys is not None and self._old.shape_keys.animation_data is not None:
            lost.append("the animation of its shape keys")
        return lost

    def _give_groups(self, obj: bpy.types.Object, spans: Sequence[Span]) -> None:
        """Weights of the user's groups, vertex by vertex: Blender has no way in bulk."""
        groups = {
            index: obj.vertex_groups.get(name) or obj.vertex_groups.new(name=name)
            for index, name in self._groups.items()
        }
        if not groups:
            return
        for span in spans:
            start, shift = span.old["POINT"], span.new["POINT"] - span.old["POINT"]
            for vertex in self._old.vertices[start : start + span.counts["POINT"]]:
                for item in vertex.groups:
                    if item.group in groups:
                        groups[item.group].add([vertex.index + shift], item.weight, "REPLACE")

    def _give_keys(
        self, obj: bpy.types.Object, mesh: bpy.types.Mesh, spans: Sequence[Span]
    ) -> None:
        """The same offsets from the new mesh, p_key' = p' + (p_key - p)."""
        old_keys: Any = self._old.shape_keys
        if not self._keys:
            return
        if mesh.shape_keys is None:
            obj.shape_key_add(name=old_keys.reference_key.name, from_mix=False)
        before = read_array(old_keys.reference_key.data, "co", np.float32, 3)
        base = read_array(mesh.vertices, "co", np.float32, 3)
        for name in self._keys:
            source = old_keys.key_blocks[name]
            shape = base.copy()
            offsets = read_array(source.data, "co", np.float32, 3) - before
            for span in spans:
                here, there, count = span.new["POINT"], span.old["POINT"], span.counts["POINT"]
                shape[here : here + count] += offsets[there : there + count]
            key: Any = obj.shape_key_add(name=name, from_mix=False)
            key.data.foreach_set("co", shape.ravel())
            key.slider_min, key.slider_max = source.slider_min, source.slider_max
            key.value, key.mute = source.value, source.mute
            key.vertex_group = source.vertex_group


def _copy_attribute(
    old: bpy.types.Mesh, new: bpy.types.Mesh, name: str, spans: Sequence[Span]
) -> bool:
    """Copy an attribute; False for one of a type that cannot be copied."""
    source: Any = old.attributes[name]
    if source.data_type not in VALUES or source.domain not in spans[0].counts:
        return False
    what, width, dtype = VALUES[source.data_type]
    target: Any = new.attributes.get(name)
    if target is None:
        target = new.attributes.new(name, source.data_type, source.domain)
    # a new attribute moves others in memory
    source = old.attributes[name]
    values = read_array(source.data, what, dtype, width)
    made = read_array(target.data, what, dtype, width)
    for span in spans:
        here, there = span.new[source.domain], span.old[source.domain]
        count = span.counts[source.domain]
        made[here : here + count] = values[there : there + count]
    target.data.foreach_set(what, np.ascontiguousarray(made).ravel())
    return True


def _told(mesh: bpy.types.Mesh, name: str) -> str:
    attribute = mesh.attributes[name]
    if name in mesh.uv_layers:
        return f"UV map '{name}'"
    colour = attribute.data_type in ("FLOAT_COLOR", "BYTE_COLOR")
    return f"colours '{name}'" if colour else f"attribute '{name}'"
