"""What a reload changes on a robot and on what hangs from it, put back should it fail half-way.

Blender has no way to give a pose back as a whole, so that constraints and drivers are taken from a
copy of the robot's object. The action is not among it, see `kept_action`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy
from mathutils import Matrix

from ..geometry.materials import principled
from ..loops.finding import loop_objects
from ..parts.part_record import RECORD_KEY
from ..robot_table import TABLE_KEY
from .unchanged_bones import give_back_bones

# the order counts: a parent before what belongs to it, the mode before the angles
PLACE = (
    "data",
    "parent",
    "parent_type",
    "parent_bone",
    "matrix_parent_inverse",
    "rotation_mode",
    "location",
    "rotation_euler",
    "rotation_quaternion",
    "rotation_axis_angle",
    "scale",
)
OWN_KEYS = "dynarig_"  # how custom properties of this extension begin
LOOK = ("name", "diffuse_color", "surface_render_method")
INPUTS = ("Base Color", "Alpha")  # of the Principled BSDF


@contextmanager
def unchanged_on_failure(robot: bpy.types.Object) -> Iterator[None]:
    """Put a robot and all that hangs from it back if the block raises.

    Nothing of it may be removed in the block. What the block makes is the caller's to remove.
    """
    data, backup = robot.data, robot.copy()
    assert data is not None
    if backup.animation_data is not None:
        # an action of two objects is copied before it is changed
        backup.animation_data.action = None
    table, record = data[TABLE_KEY], robot.get(RECORD_KEY)
    hanging = dict.fromkeys((*robot.children_recursive, *loop_objects(robot)))
    places = [_Place(obj) for obj in hanging if obj.library is None]
    looks = [_Look(material) for material in _materials(hanging)]
    try:
        yield
    except BaseException:
        if robot.data != data:
            robot.data = data
        if data[TABLE_KEY] != table:
            data[TABLE_KEY] = table
        _give_back_property(robot, RECORD_KEY, record)
        for place in places:
            place.restore()
        for look in looks:
            look.restore()
        give_back_bones(robot, backup)
        raise
    finally:
        bpy.data.objects.remove(backup)


class _Place:
    """What an object shows, where it hangs, and what this extension wrote on it."""

    def __init__(self, obj: bpy.types.Object) -> None:
        self._object: Any = obj
        self._values = {name: _value(obj, name) for name in PLACE}
        self._slots = [(slot.link, slot.material) for slot in obj.material_slots]
        self._properties = self._own_properties()

    def restore(self) -> None:
        obj = self._object
        for name, value in self._values.items():
            if _value(obj, name) != value:
                setattr(obj, name, Matrix(value) if name.startswith("matrix") else value)
        for slot, (link, material) in zip(obj.material_slots, self._slots, strict=True):
            if slot.link != link:
                slot.link = link
            if slot.material != material:
                slot.material = material
        for key in {*self._properties, *self._own_properties()}:
            _give_back_property(obj, key, self._properties.get(key))

    def _own_properties(self) -> dict[str, Any]:
        items = self._object.items()
        return {key: value for key, value in items if key.startswith(OWN_KEYS)}


class _Look:
    """Name and colour of a material."""

    def __init__(self, material: Any) -> None:
        self._material = material
        self._values = {name: _value(material, name) for name in LOOK}
        shader = principled(material)
        self._inputs = {} if shader is None else {name: _input(shader, name) for name in INPUTS}

    def restore(self) -> None:
        for name, value in self._values.items():
            if _value(self._material, name) != value:
                setattr(self._material, name, value)
        shader = principled(self._material)
        for name, value in self._inputs.items():
            if _input(shader, name) != value:
                shader.inputs[name].default_value = value


def _materials(objects: Any) -> set[Any]:
    slots = (slot for obj in objects for slot in obj.material_slots)
    return {slot.material for slot in slots if slot.material and slot.material.library is None}


def _value(owner: Any, name: str) -> Any:
    """A property as a value of its own; arrays as tuples: Blender's own compare roughly."""
    value = getattr(owner, name)
    if name.startswith("matrix"):
        return tuple(tuple(row) for row in value)
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value


def _input(shader: Any, name: str) -> Any:
    return _value(shader.inputs[name], "default_value")


def _give_back_property(obj: Any, key: str, value: Any) -> None:
    """A custom property as it was; None is a property that was not there."""
    if value is None:
        if obj.get(key) is not None:
            del obj[key]
    elif obj.get(key) != value:
        obj[key] = value
