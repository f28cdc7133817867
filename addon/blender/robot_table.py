"""The robot table: what a rig knows about its robot, as JSON in the armature's own data.

It holds the whole URDF text, so a .blend is complete without the file; exact names, which
Blender would cut; for each bone its joint and sign; for each link the bone that carries it
and the constant bone_from_link; and the bones of links that nothing moves. Bones are known by a
custom property, not by their names.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import bpy

from ...core.arrays import FloatArray
from ..errors import RigError
from .bone_plan import Kind
from .importing.options import ImportOptions
from .table_values import Entry

VERSION = 1
TABLE_KEY = "dynarig_robot"  # on the armature data
BONE_KEY = "dynarig_bone"  # on each bone of the rig: its id
CACHED = 8  # tables that are kept as read, since a panel asks at every redraw


@dataclass(frozen=True, eq=False)
class BoneRecord:
    """A bone: its id, joint and link, sign, and its rest pose armature_from_bone (4, 4).

    lower, upper are the joint's limits in the file (rad or m), None where there is none: Blender
    cannot hold all of them as constraints.
    """

    id: str
    joint: str
    kind: Kind
    link: str
    sign: int
    armature_from_bone: FloatArray
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True, eq=False)
class FixedBone:
    """A bone that stays where it is in its parent: its id, link and rest pose (4, 4)."""

    id: str
    link: str
    armature_from_bone: FloatArray


@dataclass(frozen=True, eq=False)
class LinkRecord:
    """A link: the moving bone that carries it (None: the armature) and its pose there (4, 4)."""

    bone: str | None
    bone_from_link: FloatArray


@dataclass(frozen=True, eq=False)
class RobotTable:
    """Everything a rig keeps about its robot; names are exact.

    bones are those that joints move; fixed_bones those of links held by fixed joints and of a
    root link that does not move, where the options ask for them.
    """

    name: str
    source: str
    text: str
    options: ImportOptions
    bones: tuple[BoneRecord, ...]
    links: Mapping[str, LinkRecord]
    fixed_bones: tuple[FixedBone, ...] = ()

    @property
    def all_bones(self) -> tuple[BoneRecord | FixedBone, ...]:
        """Those that joints move, and then those that stay."""
        return (*self.bones, *self.fixed_bones)

    @property
    def floating_base(self) -> bool:
        """Whether the root link moves freely."""
        return self.options.floating_base

    @property
    def package_dirs(self) -> tuple[str, ...]:
        """Folders that the user named for mesh files."""
        return self.options.package_dirs


def write_table(armature: bpy.types.ID, table: RobotTable) -> None:
    """Store the table in the armature data."""
    document = {
        "version": VERSION,
        "name": table.name,
        "source": table.source,
        "text": table.text,
        "options": table.options.to_json(),
        "bones": [
            {
                "id": bone.id,
                "joint": bone.joint,
                "kind": bone.kind,
                "link": bone.link,
                "sign": bone.sign,
                "armature_from_bone": bone.armature_from_bone.tolist(),
                "limits": [bone.lower, bone.upper],
            }
            for bone in table.bones
        ],
        "links": {
            name: {"bone": link.bone, "bone_from_link": link.bone_from_link.tolist()}
            for name, link in table.links.items()
        },
        "fixed_bones": [
            {
                "id": bone.id,
                "link": bone.link,
                "armature_from_bone": bone.armature_from_bone.tolist(),
            }
            for bone in table.fixed_bones
        ],
    }
    armature[TABLE_KEY] = json.dumps(document, ensure_ascii=True)


def has_table(armature: bpy.types.ID | None) -> bool:
    """Whether this armature data was made by dynarig."""
    # not its value: the text of a large robot takes a while to copy, and panels ask often
    properties: Any = armature
    return armature is not None and TABLE_KEY in properties


def read_table(armature: bpy.types.ID) -> RobotTable:
    """The table of an armature.

    Raises:
        RigError: if there is none, or a newer dynarig wrote it, or it was damaged: the message
            says which entry is wrong.
    """
    if not has_table(armature):
        raise RigError(
            f"armature '{armature.name}' is no robot; import a URDF file with "
            "File > Import > URDF Robot"
        )
    text = armature[TABLE_KEY]
    try:
        if not isinstance(text, str):
            raise ValueError(f"wanted a text, got {type(text).__name__}")
        return _parse(text)
    # RecursionError: JSON that is nested without end
    except (ValueError, RecursionError) as error:
        raise RigError(
            f"the robot table of armature '{armature.name}' is damaged ({error}); "
            "import the robot again"
        ) from error


@lru_cache(maxsize=CACHED)
def _parse(text: str) -> RobotTable:
    document = Entry(json.loads(text))
    if document.get("version") != VERSION:
        raise RigError(
            f"the robot has a table of version {document.get('version')}, and this dynarig reads "
            f"version {VERSION}; update the extension"
        )
    bones = tuple(map(_bone, document.entries("bones")))
    fixed_bones = tuple(map(_fixed_bone, document.entries("fixed_bones")))
    linked = document.entry("links")
    links = {name: _link(linked.entry(name)) for name in linked}
    _check_bones(bones, fixed_bones)
    _check_links(links, bones, fixed_bones)
    return RobotTable(
        name=document.text("name"),
        source=document.text("source"),
        text=document.text("text"),
        options=ImportOptions.from_json(document.mapping("options")),
        bones=bones,
        links=links,
        fixed_bones=fixed_bones,
    )


def _check_bones(bones: tuple[BoneRecord, ...], fixed_bones: tuple[FixedBone, ...]) -> None:
    """Refuse two bones that claim to be one thing."""
    claims = (
        ("bones: id", [*(bone.id for bone in bones), *(bone.id for bone in fixed_bones)]),
        ("bones: joint", [bone.joint for bone in bones]),
        ("fixed_bones: link", [bone.link for bone in fixed_bones]),
    )
    for which, names in claims:
        twice = next((name for name, number in Counter(names).items() if number > 1), None)
        if twice is not None:
            raise ValueError(f"{which} '{twice}' stands twice")


def _check_links(
    links: Mapping[str, LinkRecord],
    bones: tuple[BoneRecord, ...],
    fixed_bones: tuple[FixedBone, ...],
) -> None:
    """Refuse links and bones that are not tied to each other."""
    moved = {bone.link: bone.id for bone in bones}
    for link, bone in moved.items():
        if link not in links or links[link].bone != bone:
            raise ValueError(f"links: '{link}' is not tied to its bone '{bone}'")
    carriers = set(moved.values())
    for name, record in links.items():
        if record.bone is not None and record.bone not in carriers:
            raise ValueError(f"links.{name}.bone: there is no bone '{record.bone}'")
    for fixed in fixed_bones:
        if fixed.link not in links:
            raise ValueError(f"fixed_bones: there is no link '{fixed.link}'")
        if fixed.link in moved:
            raise ValueError(f"fixed_bones: link '{fixed.link}' has a bone that a joint moves")


def _bone(entry: Entry) -> BoneRecord:
    lower, upper = entry.limits("limits")
    return BoneRecord(
        id=entry.text("id"),
        joint=entry.text("joint"),
        kind=entry.kind("kind"),
        link=entry.text("link"),
        sign=entry.sign("sign"),
        armature_from_bone=entry.pose("armature_from_bone"),
        lower=lower,
        upper=upper,
    )


def _fixed_bone(entry: Entry) -> FixedBone:
    return FixedBone(entry.text("id"), entry.text("link"), entry.pose("armature_from_bone"))


def _link(entry: Entry) -> LinkRecord:
    return LinkRecord(entry.optional_text("bone"), entry.pose("bone_from_link"))
