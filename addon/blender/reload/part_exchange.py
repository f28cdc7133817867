"""Objects of a robot brought up to date with those that the new file makes.

Objects that are there stay, with all that the user gave them: names, modifiers, children,
animation, places that were changed by hand. They get new mesh data where the file of it changed,
the colour where the description changed it, and the place where that changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....core.urdf.document import Collision, Robot, Visual
from ..parts import PART_KEY, PartTag, hide_collisions, tag_of
from ..parts.part_record import fingerprint, record_parts, recorded_parts
from ..parts.sub_collections import find_sub_collection, sub_collection
from ..rig_access import Rig, is_deleted
from .part_looks import PartLooks

# How far a link's place in its bone may differ by rounding alone, relative to 1 m.
SAME_PLACE = 1e-6
NUMBER = re.compile(r"\.\d{3,}$")


@dataclass
class ExchangedParts:
    """How many were exchanged, and what to tell."""

    meshes: int = 0
    new: int = 0
    removed: int = 0
    placed: int = 0
    materials: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def any(self) -> bool:
        """Whether something was, or is to be, exchanged."""
        return bool(self.meshes or self.new or self.removed or self.placed or self.materials)


class PartExchange:
    """What is to be exchanged: found first, done later.

    Args:
        old: the rig as it is, whatever was edited; new: the one made of the new file.
        old_robot, new_robot: their descriptions, files not looked for.
        made: the objects that were made on the new rig.
    """

    def __init__(
        self, old: Rig, new: Rig, made: tuple[bpy.types.Object, ...], labels: Mapping[str, str]
    ) -> None:
        self._old, self._new = old, new
        self._labels = labels
        self._record = recorded_parts(old.object)
        self._made = {tag: obj for obj in made if (tag := tag_of(obj)) is not None}
        self._there: dict[PartTag, list[bpy.types.Object]] = {}
        for obj in sorted(old.object.children_recursive, key=lambda child: child.name):
            tag = tag_of(obj)
            if tag is not None and not is_deleted(obj):
                self._there.setdefault(tag, []).append(obj)
        self.found = ExchangedParts()
        self._old_data: dict[Any, Any] = {}  # and the new data in its place
        self._prints = {tag: fingerprint(obj.data) for tag, obj in self._made.items()}
        self._shapes = (_shapes(old.robot), _shapes(new.robot))
        self._looks = PartLooks(self._there, self._made, *self._shapes)
        self._meshes = self._changed_meshes()
        self._placed = {tag for tag in self._both() if self._is_placed_anew(tag)}
        self._gone = [tag for tag in self._there if self._is_gone(tag)]
        self._count()

    def apply(self, rig: Rig) -> None:
        """Exchange them, once the old rig has the new one's bones; nothing is removed yet.

        Args:
            rig: the old rig, updated.
        """
        for tag in self._both():
            for obj in self._there[tag]:
                if tag in self._meshes:
                    self._old_data[obj.data] = self._made[tag].data
                    self._looks.give_mesh(tag, obj)
                elif tag in self._looks.changed:
                    self._looks.give_materials(tag, obj)
            # copies stay where the user put them
            if tag in self._placed:
                self._place(rig, self._there[tag][0], self._made[tag])
        for tag, obj in self._made.items():
            if tag not in self._there:
                self._take_in(rig, obj, tag)
        for tag in self._gone:
            self._free_children(tag)
        kept = {tag: text for tag, text in self._record.items() if tag in self._there}
        for tag in self._gone:
            kept.pop(tag, None)
        record_parts(rig.object, {**kept, **self._prints})

    def remove_gone(self) -> None:
        """Remove the objects of parts that are gone, and mesh data that nothing uses any more.

        This cannot be taken back.
        """
        for tag in self._gone:
            for obj in self._there[tag]:
                bpy.data.objects.remove(obj)
        _drop_meshes(self._old_data)

    def _both(self) -> list[PartTag]:
        return [tag for tag in self._made if tag in self._there]

    def _changed_meshes(self) -> set[PartTag]:
        """Parts whose file or shape is another than when they were made."""
        changed = set()
        for tag in self._both():
            before = self._record.get(tag) or fingerprint(self._there[tag][0].data)
            if before != self._prints[tag]:
                changed.add(tag)
        return changed

    def _is_placed_anew(self, tag: PartTag) -> bool:
        if tag.role == "skin":
            return False
        if tag.link not in self._old.table.links:
            return True
        bone, pose = self._old.hanging(tag.link)
        new_bone, new_pose = self._new.hanging(tag.link)
        names = (bone and bone.name, new_bone and new_bone.name)
        if names[0] != names[1] or np.abs(pose - new_pose).max() > SAME_PLACE * max(
            1.0, float(np.abs(pose).max())
        ):
            return True
        if tag.role == "inertia":
            return (
                self._old.robot.link(tag.link).inertial != self._new.robot.link(tag.link).inertial
            )
        shapes = [own.get(tag) for own in self._shapes]
        places = [
            None if own is None else (own.origin, getattr(own.geometry, "scale", None))
            for own in shapes
        ]
        return places[0] != places[1]

    def _is_gone(self, tag: PartTag) -> bool:
        """Whether the new description has no such part; one whose file is missing stays."""
        if tag in self._made:
            return False
        if tag.role in ("visual", "collision"):
            return tag not in self._shapes[1]
        return tag.role != "skin" and tag in self._record

    def _count(self) -> None:
        found = self.found
        shown = ("visual", "collision", "skin")
        data = {self._made[tag].data for tag in self._meshes if tag.role in shown}
        found.meshes = len(data)
        found.new = sum(tag not in self._there for tag in self._made)
        found.removed = len(self._gone)
        found.placed = sum(tag.role in shown for tag in self._placed)
        found.materials = self._looks.count
        lost = [tag for tag in self._there if tag not in self._made and tag not in self._gone]
        found.notes += [
            f"{tag.role} {tag.index + 1} of link '{tag.link}' cannot be read again and stays"
            for tag in lost
            if tag.role in ("visual", "collision")
        ]

    def _place(self, rig: Rig, obj: bpy.types.Object, made: bpy.types.Object) -> None:
        """Hang an object where the new rig has it."""
        obj.parent = rig.object
        obj.parent_type, obj.parent_bone = made.parent_type, made.parent_bone
        inverse = Matrix.Identity(4)
        if made.parent_type == "BONE":
            bone = rig.object.data.bones[made.parent_bone]
            inverse = Matrix.Translation(Vector((0.0, -bone.length, 0.0)))
        obj.matrix_parent_inverse = inverse
        obj.rotation_mode = made.rotation_mode
        obj.matrix_basis = made.matrix_basis

    def _take_in(self, rig: Rig, obj: bpy.types.Object, tag: PartTag) -> None:
        """Make an object of the new rig one of the old rig's."""
        self._place(rig, obj, obj)
        for modifier in obj.modifiers:
            target: Any = modifier
            if getattr(target, "object", None) == self._new.object:
                target.object = rig.object
        for collection in obj.users_collection[:]:
            collection.objects.unlink(obj)
        own = _own_collection(rig.object)
        if tag.role in ("visual", "skin"):
            own.objects.link(obj)
            return
        was_there = find_sub_collection(own, tag.role) is not None
        sub_collection(own, tag.role).objects.link(obj)
        if tag.role == "collision" and not was_there:
            hide_collisions(own)

    def _free_children(self, tag: PartTag) -> None:
        """Let what hangs from a part that goes stay where it is."""
        for obj in self._there[tag]:
            for child in obj.children[:]:
                world = child.matrix_world.copy()
                child.parent = None
                child.matrix_world = world
                self.found.notes.append(
                    f"object '{child.name}' hung from what is gone, and is free"
                )


def _shapes(robot: Robot) -> dict[PartTag, Visual | Collision]:
    shapes: dict[PartTag, Visual | Collision] = {}
    for link in robot.links:
        for index, visual in enumerate(link.visuals):
            shapes[PartTag("visual", link.name, index)] = visual
        for index, collision in enumerate(link.collisions):
            shapes[PartTag("collision", link.name, index)] = collision
    return shapes


def _own_collection(robot: bpy.types.Object) -> bpy.types.Collection:
    """The collection that a robot is in: the one with its sub-collections, else the first."""
    collections = robot.users_collection
    for collection in collections:
        if any(child.get(PART_KEY) for child in collection.children):
            return collection
    return collections[0]


def _drop_meshes(replaced: Mapping[Any, Any]) -> None:
    """Remove mesh data that nothing uses any more; what replaces it takes its name.

    Names of other files, and those that differ for another reason than Blender's numbers, stay.
    """
    unused = {old: new for old, new in replaced.items() if not old.users}
    names = {new: old.name for old, new in unused.items() if _unnumbered(old) == _unnumbered(new)}
    bpy.data.batch_remove(set(unused))
    for new, name in names.items():
        new.name = name


def _unnumbered(data: Any) -> str:
    """The name without what Blender adds to names that are taken."""
    return NUMBER.sub("", data.name)
