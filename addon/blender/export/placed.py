"""Which objects hang from a robot, from which of its links, and where there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....core.arrays import FloatArray
from ....core.urdf.attributes import LARGEST_LENGTH
from ...errors import RigError
from ..matrices import from_blender
from ..parts import PartTag, Role, tag_of
from ..rig_access import Rig, find_robot, is_deleted
from ..robot_table import BONE_KEY, BoneRecord, FixedBone

SHOWN: tuple[Role, ...] = ("visual", "collision")  # what a URDF says where it is
# kinds of objects that show something and have no faces of their own, with what a person calls them
NOT_MESHES = {
    "CURVE": "a curve",
    "CURVES": "hair",
    "FONT": "a text",
    "GPENCIL": "a drawing",
    "GREASEPENCIL": "a drawing",
    "META": "a metaball",
    "POINTCLOUD": "a point cloud",
    "SURFACE": "a surface",
    "VOLUME": "a volume",
}


@dataclass(frozen=True)
class Placed:
    """A mesh object on a link: link_from_object (4, 4) with its scale, as it is at rest.

    A part that a URDF does not place, such as a skin, has an empty link and no place.
    """

    object: bpy.types.Object
    tag: PartTag | None
    link: str
    link_from_object: FloatArray


def placed_objects(rig: Rig, notes: list[str]) -> Iterator[Placed]:
    """All mesh objects that hang from a robot, directly or from each other, by name.

    Args:
        rig: opened with rest_edited.
        notes: takes a line for each object that shows something and belongs to no link, or has
            no faces of its own. Those of other robots that hang from this one are theirs.

    Raises:
        RigError: for an object whose place or scale is no finite number, or beyond LARGEST_LENGTH.
    """
    links = _links_of_bones(rig)
    for obj in sorted(rig.object.children_recursive, key=lambda child: child.name):
        if is_deleted(obj):
            continue
        if find_robot(obj) != rig.object or obj.type != "MESH":
            notes += _other(rig, obj)
            continue
        tag = tag_of(obj)
        if obj.mode == "EDIT":
            obj.update_from_editmode()
        if tag is not None and tag.role not in SHOWN:
            yield Placed(obj, tag, "", np.eye(4))
            continue
        found = _in_bone(rig, obj)
        if found is None:
            notes.append(f"object '{obj.name}' is left out: {_astray(rig, obj)}")
            continue
        bone, bone_from_object = found
        link = _link(rig, bone, tag, links)
        if link is None:
            notes.append(
                f"object '{obj.name}' is left out: it hangs from the armature, and no link does; "
                "parent it to a bone"
            )
            continue
        _, bone_from_link = rig.hanging(link)
        link_from_object = np.linalg.inv(bone_from_link) @ bone_from_object
        # not a number fails this too
        if not (np.abs(link_from_object) <= LARGEST_LENGTH).all():
            raise RigError(
                f"object '{obj.name}': its location, rotation or scale, or that of what it hangs "
                f"from, is no finite number up to {LARGEST_LENGTH:g}, as a URDF needs; set it anew"
            )
        yield Placed(obj, tag, link, link_from_object)


def _other(rig: Rig, obj: bpy.types.Object) -> Iterator[str]:
    """What to tell of an object that is no mesh of the robot, if it shows something."""
    owner = find_robot(obj)
    if owner == obj:
        yield f"robot '{obj.name}' hangs from this one; it is not written: export it by itself"
    elif owner == rig.object and obj.type in NOT_MESHES:
        yield (
            f"object '{obj.name}' is {NOT_MESHES[obj.type]}, which is not written; convert it to a "
            "mesh (Object > Convert)"
        )
    elif owner == rig.object and obj.type == "EMPTY" and obj.instance_type == "COLLECTION":
        yield (
            f"object '{obj.name}' shows a collection, which is not written; make its objects real "
            "(Object > Apply > Make Instances Real)"
        )


def _astray(rig: Rig, obj: bpy.types.Object) -> str:
    """Why an object hangs from no bone of the robot."""
    parent = obj.parent
    assert parent is not None, "it is a child of the robot"
    if parent != rig.object and obj.parent_type == "OBJECT":
        return _astray(rig, parent)
    if obj.parent_type == "BONE" and obj.parent_bone not in getattr(parent.data, "bones", ()):
        return f"the parent of '{obj.name}' is bone '{obj.parent_bone}', which does not exist"
    if obj.parent_type == "BONE":
        return f"the parent of '{obj.name}' is a bone of '{parent.name}', not of the robot"
    return f"'{obj.name}' is parented by {obj.parent_type}; parent it to a bone or an object"


def _links_of_bones(rig: Rig) -> dict[str, str]:
    """The link of every bone of the rig, by the bone's name."""
    records: tuple[BoneRecord | FixedBone, ...] = (*rig.table.bones, *rig.table.fixed_bones)
    return {rig.pose_bones[record.id].name: record.link for record in records}


def _link(rig: Rig, bone: str | None, tag: PartTag | None, links: dict[str, str]) -> str | None:
    """The link on a bone: the one of the object's tag where that is there, else the bone's own."""
    if tag is not None and tag.link in rig.table.links:
        own, _ = rig.hanging(tag.link)
        if (None if own is None else own.name) == bone:
            return tag.link
    if bone is not None:
        return links[bone]
    root = rig.robot.root
    return root if rig.hanging(root)[0] is None else None


def _in_bone(rig: Rig, obj: bpy.types.Object) -> tuple[str | None, FloatArray] | None:
    """The bone of the rig that an object hangs from (None: the armature), and its pose there."""
    local = from_blender(obj.matrix_parent_inverse) @ from_blender(obj.matrix_basis)
    parent = obj.parent
    if parent is None or obj.parent_type not in ("OBJECT", "ARMATURE", "BONE"):
        return None
    if parent != rig.object:
        found = _in_bone(rig, parent) if obj.parent_type == "OBJECT" else None
        return None if found is None else (found[0], found[1] @ local)
    if obj.parent_type != "BONE":
        return None, local
    bone = parent.data.bones.get(obj.parent_bone)
    if bone is None:
        return None
    # Blender hangs objects from a bone's tail
    pose = from_blender(Matrix.Translation(Vector((0.0, bone.length, 0.0)))) @ local
    # a bone of the user's rides on one of the rig
    armature_from_object = from_blender(bone.matrix_local) @ pose
    if not _is_of_rig(rig, bone):
        while bone is not None and not _is_of_rig(rig, bone):
            bone = bone.parent
        if bone is None:
            return None, armature_from_object
        pose = np.linalg.inv(from_blender(bone.matrix_local)) @ armature_from_object
    return bone.name, pose


def _is_of_rig(rig: Rig, bone: bpy.types.Bone) -> bool:
    own = rig.pose_bones.get(bone.get(BONE_KEY, ""))
    return own is not None and own.name == bone.name
