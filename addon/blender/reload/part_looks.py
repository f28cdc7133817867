"""Mesh data and materials of parts, where the new file has others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy

from ....core.urdf.document import Collision, Material, Visual
from ..geometry.materials import original_name, principled
from ..labels import label
from ..parts import PartTag

Shapes = Mapping[PartTag, Visual | Collision]


class PartLooks:
    """Which parts have another material than before, and how they get it.

    A Blender material whose every user gets the same new colour is changed itself, and keeps all
    else that the user gave it; otherwise the part gets a new one.
    """

    def __init__(
        self,
        there: Mapping[PartTag, list[bpy.types.Object]],
        made: Mapping[PartTag, bpy.types.Object],
        before: Shapes,
        after: Shapes,
    ) -> None:
        self._made = made
        self._wanted: dict[Any, set[Material | None]] = {}
        self.changed: set[PartTag] = set()
        for tag, obj in made.items():
            if tag not in there or tag.role != "visual":
                continue
            old, new = (getattr(shapes.get(tag), "material", None) for shapes in (before, after))
            if old != new and _own_slot(obj) is not None:
                self.changed.add(tag)
            for own in there[tag]:
                slot = _own_slot(own)
                if slot is not None and slot.material is not None:
                    self._wanted.setdefault(slot.material, set()).add(new)

    @property
    def count(self) -> int:
        """How many different materials the parts get."""
        slots = [_own_slot(self._made[tag]) for tag in self.changed]
        return len({slot.material for slot in slots if slot is not None})

    def give_mesh(self, tag: PartTag, obj: bpy.types.Object) -> None:
        """Give an object the new mesh data; materials of the user's stay where they can."""
        made = self._made[tag]
        before = [(slot.link, slot.material) for slot in obj.material_slots]
        obj.data = made.data
        for index, slot in enumerate(made.material_slots):
            own = obj.material_slots[index]
            own.link = slot.link
            was_own = index < len(before) and before[index][0] == "OBJECT"
            if slot.link == "OBJECT":
                own.material = before[index][1] if was_own else slot.material
        if tag in self.changed:
            self.give_materials(tag, obj)

    def give_materials(self, tag: PartTag, obj: bpy.types.Object) -> None:
        """Give an object the new colour."""
        made = _own_slot(self._made[tag])
        slot = _own_slot(obj)
        if made is None or made.material is None or slot is None:
            return
        own = slot.material
        if (
            own is not None
            and len(self._wanted.get(own, ())) == 1
            and _recolour(own, made.material)
        ):
            return
        for other in obj.material_slots:
            if other.link == "OBJECT" and other.material == own:
                other.material = made.material


def _own_slot(obj: bpy.types.Object) -> Any:
    """The first slot with a material of the object's own, which is the description's."""
    return next((slot for slot in obj.material_slots if slot.link == "OBJECT"), None)


def _recolour(material: Any, wanted: Any) -> bool:
    """Give a material the colour of another one; False where one of them has more than a colour."""
    if material.library is not None:
        return False
    shader, other = principled(material), principled(wanted)
    if shader is None or other is None:
        return False
    if shader.inputs["Base Color"].is_linked or other.inputs["Base Color"].is_linked:
        return False
    for name in ("Base Color", "Alpha"):
        shader.inputs[name].default_value = other.inputs[name].default_value
    material.diffuse_color = wanted.diffuse_color
    material.surface_render_method = wanted.surface_render_method
    name = original_name(wanted)
    if original_name(material) != name:
        material.name = label(name)
    return True
