"""Objects of a robot brought up to date with those that the new file makes.

Objects that are there stay, with all that the user gave them: names, modifiers, children,
animation, places that were changed by hand. They get new mesh data where the file of it changed,
the colour where the description changed it, and the place where that changed.

What the user deleted or unparented stays away as long as the file says of it what it said when it
was made, which the robot's record of its parts tells; it is made anew once the file changes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np

from ....core.urdf.document import Collision, Robot, Visual
from ..parts import PartTag, tag_of
from ..parts.part_record import fingerprint, record_parts, recorded_parts, same_shape
from ..rig_access import Rig, is_deleted
from .changes import ReloadChanges
from .kept_layers import UserLayers, are_weights_edited, whole_span
from .part_hanging import is_moved, is_off_bones, mend_bone, place_part, take_in
from .part_lines import told_geometry, told_material, told_part, told_place
from .part_looks import PartLooks
from .skin_exchange import SkinPieces, take_in_lost
from .skin_lines import tell_skin

# How far a link's place in its bone may differ by rounding alone, relative to 1 m.
SAME_PLACE = 1e-6
NUMBER = re.compile(r"\.\d{3,}$")


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
        self._old, self._new_rig = old, new
        self._labels = labels
        self._record = recorded_parts(old.object)
        self._made = {tag: obj for obj in made if (tag := tag_of(obj)) is not None}
        self._there: dict[PartTag, list[bpy.types.Object]] = {}
        for obj in sorted(old.object.children_recursive, key=lambda child: child.name):
            tag = tag_of(obj)
            if tag is not None and not is_deleted(obj):
                self._there.setdefault(tag, []).append(obj)
        self.notes: list[str] = []
        self._old_data: dict[Any, Any] = {}  # and the new data in its place
        self._prints = {tag: fingerprint(obj.data) for tag, obj in self._made.items()}
        self._shapes = (_shapes(old.robot), _shapes(new.robot))
        self._old_bones = {bone.name for bone in old.pose_bones.values()}
        self._skin = self._compare_skins()
        self._looks = PartLooks(self._there, self._made, *self._shapes)
        self._meshes = self._changed_meshes()
        self._placed = {tag for tag in self._both() if self._is_placed_anew(tag)}
        self._tell_moved()
        self._gone = [tag for tag in self._there if self._is_gone(tag)]
        self._new = self._new_parts()
        self._broken = [
            obj for parts in self._there.values() for obj in parts if is_off_bones(old.object, obj)
        ]
        self._note()

    @property
    def is_broken(self) -> bool:
        """Whether a part hangs from a bone that is not there."""
        return bool(self._broken)

    def tell(self, changes: ReloadChanges) -> None:
        """Add what is to be exchanged to what the descriptions say."""
        before, after = self._shapes
        shown = ("visual", "collision")
        seen = set()
        for tag in sorted(self._meshes, key=repr):
            if tag.role not in shown:
                continue
            line = f"{told_part(tag)}: {told_geometry(before.get(tag), after.get(tag))}"
            data = self._made[tag].data
            changes.add("meshes", line, count=int(data not in seen))
            seen.add(data)
        for tag in self._new:
            changes.add("new_shapes", f"{told_part(tag)}: new")
        for tag in self._gone:
            changes.add("removed_shapes", f"{told_part(tag)}: removed")
        for tag in sorted(self._placed, key=repr):
            if tag.role in shown:
                line = f"{told_part(tag)}: {told_place(before.get(tag), after.get(tag))}"
                changes.add("placed", line)
        for tag in sorted(self._looks.changed, key=repr):
            line = f"{told_part(tag)}: {told_material(before.get(tag), after.get(tag))}"
            changes.add("materials", line, count=0)
        changes.add_count("materials", self._looks.count)
        if PartTag("skin", "") in self._meshes:
            tell_skin(changes, self._skin, before, after)

    def apply(self, rig: Rig) -> None:
        """Exchange them, once the old rig has the new one's bones; nothing is removed yet.

        Args:
            rig: the old rig, updated.
        """
        for tag in self._both():
            for obj in self._there[tag]:
                if tag in self._meshes:
                    self._give_mesh(tag, obj)
                elif tag in self._looks.changed:
                    self._looks.give_materials(tag, obj)
            # copies stay where the user put them
            if tag in self._placed:
                place_part(rig, self._there[tag][0], self._made[tag])
        for tag in self._new:
            take_in(rig, self._made[tag], tag, self._new_rig.object)
        for tag in self._gone:
            self._free_children(tag)
        for tag in self._there.keys() - {*self._gone}:
            mend_bone(rig, tag.link, self._there[tag])
        known = {*self._there, *self._shapes[1]} - {*self._gone}
        kept = {tag: text for tag, text in self._record.items() if tag in known}
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

    def _compare_skins(self) -> SkinPieces | None:
        """What the skins are of; the new one gets what cannot be read again."""
        tag = PartTag("skin", "")
        if tag not in self._both():
            return None
        there, made = self._there[tag][0], self._made[tag]
        pieces = SkinPieces.of(there, made, self._shapes[1])
        if not pieces.old or not pieces.new:
            return None
        self.notes += [
            f"{told_part(own.tag)} cannot be read again and stays in the skin as it was"
            for own in pieces.lost
        ]
        if pieces.are_as_before(self._old, self._new_rig):
            self._prints[tag] = self._record.get(tag, self._prints[tag])
            return pieces
        if pieces.lost:
            pieces = take_in_lost(pieces, there, made, self._old, self._new_rig)
            self._prints[tag] = fingerprint(made.data)
        return pieces

    def _changed_meshes(self) -> set[PartTag]:
        """Parts whose file or shape is another than when they were made."""
        changed = set()
        for tag in self._both():
            if tag.role == "skin" and self._skin is not None:
                if not self._skin.are_as_before(self._old, self._new_rig):
                    changed.add(tag)
                continue
            before = self._record.get(tag) or fingerprint(self._there[tag][0].data)
            if before != self._prints[tag]:
                changed.add(tag)
        return changed

    def _new_parts(self) -> list[PartTag]:
        """Parts to take in: those the user removed or unparented only if the file changed them."""
        new = [tag for tag in self._made if tag not in self._there]
        back = [tag for tag in new if tag in self._record]
        stay = {tag for tag in back if self._is_as_recorded(tag)}
        self.notes += [
            f"{told_part(tag)} was removed by hand and is back: the file changed it"
            for tag in back
            if tag not in stay
        ]
        return [tag for tag in new if tag not in stay]

    def _is_as_recorded(self, tag: PartTag) -> bool:
        """Whether the new file has a part as the one that was made last."""
        if self._record[tag] != self._prints[tag]:
            return False
        if tag.role == "inertia":
            return self._inertial(self._old, tag) == self._inertial(self._new_rig, tag)
        shapes = [own.get(tag) for own in self._shapes]
        return shapes[0] == shapes[1]

    def _inertial(self, rig: Rig, tag: PartTag) -> Any:
        return next((own.inertial for own in rig.robot.links if own.name == tag.link), None)

    def _give_mesh(self, tag: PartTag, obj: bpy.types.Object) -> None:
        """Give an object the new mesh data, with what the user added to the old one."""
        old, new = obj.data, self._made[tag].data
        assert isinstance(old, bpy.types.Mesh) and isinstance(new, bpy.types.Mesh)
        record = self._record.get(tag, "")
        if record and not same_shape(record, fingerprint(old)):
            self.notes.append(
                f"your edits of the faces of object '{obj.name}' were replaced, the file changed "
                "them too"
            )
        if tag.role == "skin" and are_weights_edited(obj, self._old_bones):
            self.notes.append(
                f"weights of bones on the skin '{obj.name}' were edited, and are those of an "
                "import again: the file changed the skin"
            )
        layers = UserLayers(obj, self._old_bones if tag.role == "skin" else (), new)
        is_first = old not in self._old_data and new not in self._old_data.values()
        self._old_data[old] = new
        self._looks.give_mesh(tag, obj)
        if tag.role != "skin":
            spans = whole_span(old, new)
        else:
            spans = self._skin.spans() if self._skin is not None else []
        # new data that several objects share takes what the first of them had
        lost = layers.give(obj, spans) if is_first else layers.names()
        if lost and (is_first or self._old_data[old] != new):
            self.notes.append(f"object '{obj.name}' has new faces and lost {', '.join(lost)}")

    def _is_placed_anew(self, tag: PartTag) -> bool:
        if tag.role == "skin":
            return False
        if tag.link not in self._old.table.links:
            return True
        bone, pose = self._old.hanging(tag.link)
        new_bone, new_pose = self._new_rig.hanging(tag.link)
        names = (bone and bone.name, new_bone and new_bone.name)
        if names[0] != names[1] or np.abs(pose - new_pose).max() > SAME_PLACE * max(
            1.0, float(np.abs(pose).max())
        ):
            return True
        if tag.role == "inertia":
            return (
                self._old.robot.link(tag.link).inertial
                != self._new_rig.robot.link(tag.link).inertial
            )
        shapes = [own.get(tag) for own in self._shapes]
        places = [
            None if own is None else (own.origin, getattr(own.geometry, "scale", None))
            for own in shapes
        ]
        return places[0] != places[1]

    def _tell_moved(self) -> None:
        """Tell the parts that stand where the user put them and are put where the file has them."""
        for tag in sorted(self._placed, key=repr):
            obj, shape = self._there[tag][0], self._shapes[0].get(tag)
            if shape is None or tag.link not in self._old.table.links:
                continue
            _, bone_from_link = self._old.hanging(tag.link)
            if obj.parent == self._old.object and is_moved(obj, bone_from_link, shape):
                self.notes.append(
                    f"object '{obj.name}' was moved by hand and is put where the file has it: the "
                    "file moved it too"
                )

    def _is_gone(self, tag: PartTag) -> bool:
        """Whether the new description has no such part; one whose file is missing stays."""
        if tag in self._made:
            return False
        if tag.role == "skin":
            return not any(own.role == "visual" for own in self._shapes[1])
        if tag.role in ("visual", "collision"):
            return tag not in self._shapes[1]
        return tag in self._record

    def _note(self) -> None:
        lost = [tag for tag in self._there if tag not in self._made and tag not in self._gone]
        self.notes += [
            f"{told_part(tag)} cannot be read again and stays as it was"
            for tag in lost
            if tag.role in ("visual", "collision", "skin")
        ]
        if PartTag("skin", "") in self._gone:
            self.notes.append("the skin is removed: the file has no visuals any more")
        self.notes += [
            f"object '{obj.name}' hung from bone '{obj.parent_bone}', which is not there, and "
            "hangs from the bone of its link again"
            for obj in self._broken
        ]

    def _free_children(self, tag: PartTag) -> None:
        """Let what hangs from a part that goes stay where it is."""
        for obj in self._there[tag]:
            for child in obj.children[:]:
                world = child.matrix_world.copy()
                child.parent = None
                child.matrix_world = world
                self.notes.append(f"object '{child.name}' hung from what is gone, and is free")


def _shapes(robot: Robot) -> dict[PartTag, Visual | Collision]:
    shapes: dict[PartTag, Visual | Collision] = {}
    for link in robot.links:
        for index, visual in enumerate(link.visuals):
            shapes[PartTag("visual", link.name, index)] = visual
        for index, collision in enumerate(link.collisions):
            shapes[PartTag("collision", link.name, index)] = collision
    return shapes


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
