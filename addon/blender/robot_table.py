"""The robot table: what a rig knows about its robot, as JSON in the armature's own data.

It holds the whole URDF text, so a .blend is complete without the file; exact names, which
Blender would cut; for each bone its joint and sign; for each link the bone that carries it
and the constant bone_from_link. Bones are known by a custom property, not by their names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import bpy

from ...core.arrays import FloatArray
from ..errors import RigError
from .bone_plan import Kind
from .import_options import ImportOptions
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
class LinkRecord:
    """A link: the bone that carries it (None: the armature itself) and its pose there (4, 4)."""

    bone: str | None
    bone_from_link: FloatArray


@dataclass(frozen=True, eq=False)
class RobotTable:
    """Everything a rig keeps about its robot; names are exact."""

    name: str
    source: str
    text: str
    options: ImportOptions
    bones: tuple[BoneRecord, ...]
    links: Mapping[str, LinkRecord]

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
    }
    armature[TABLE_KEY] = json.dumps(document, ensure_ascii=True)


def has_table(armature: bpy.types.ID | None) -> bool:
    """Whether this armature data was made by dynarig."""
    return armature is not None and armature.get(TABLE_KEY) is not None


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
    ids = [bone.id for bone in bones]
    for which, names in (("id", ids), ("joint", [bone.joint for bone in bones])):
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"bones: {which} '{twice}' stands twice")
    linked = document.entry("links")
    links = {name: _link(linked.entry(name)) for name in linked}
    for bone in bones:
        if bone.link not in links or links[bone.link].bone != bone.id:
            raise ValueError(f"links: '{bone.link}' is not tied to its bone '{bone.id}'")
    for name, link in links.items():
        if link.bone is not None and link.bone not in ids:
            raise ValueError(f"links.{name}.bone: there is no bone '{link.bone}'")
    return RobotTable(
        name=document.text("name"),
        source=document.text("source"),
        text=document.text("text"),
        options=ImportOptions.from_json(document.mapping("options")),
        bones=bones,
        links=links,
    )


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


def _link(entry: Entry) -> LinkRecord:
    return LinkRecord(entry.optional_text("bone"), entry.pose("bone_from_link"))
