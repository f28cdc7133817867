"""The robot table: what a rig knows about its robot, as JSON in the armature's own data.

It holds the whole URDF text, so a .blend is complete without the file; exact names, which
Blender would cut; for each bone its joint and sign; for each link the bone that carries it
and the constant bone_from_link. Bones are known by a custom property, not by their names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ..errors import RigError
from .bone_plan import Kind

VERSION = 1
TABLE_KEY = "dynarig_robot"  # on the armature data
BONE_KEY = "dynarig_bone"  # on each bone of the rig: its id


@dataclass(frozen=True, eq=False)
class BoneRecord:
    """A bone: its id, joint and link, sign, and its rest pose armature_from_bone (4, 4)."""

    id: str
    joint: str
    kind: Kind
    link: str
    sign: int
    armature_from_bone: FloatArray


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
    floating_base: bool
    package_dirs: tuple[str, ...]
    bones: tuple[BoneRecord, ...]
    links: Mapping[str, LinkRecord]


def write_table(armature: bpy.types.ID, table: RobotTable) -> None:
    """Store the table in the armature data."""
    document = {
        "version": VERSION,
        "name": table.name,
        "source": table.source,
        "text": table.text,
        "floating_base": table.floating_base,
        "package_dirs": list(table.package_dirs),
        "bones": [
            {
                "id": bone.id,
                "joint": bone.joint,
                "kind": bone.kind,
                "link": bone.link,
                "sign": bone.sign,
                "armature_from_bone": bone.armature_from_bone.tolist(),
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
        RigError: if there is none, or a newer dynarig wrote it, or it was damaged.
    """
    if not has_table(armature):
        raise RigError(
            f"armature '{armature.name}' is no robot; import a URDF file with "
            "File > Import > URDF Robot"
        )
    try:
        document = json.loads(armature[TABLE_KEY])
        version = document["version"]
        if version == VERSION:
            return _from_document(document)
    except (ValueError, KeyError, TypeError) as error:
        raise RigError(
            f"the robot table of armature '{armature.name}' is damaged ({error}); "
            "import the robot again"
        ) from error
    raise RigError(
        f"armature '{armature.name}' has a robot table of version {version}, and this dynarig "
        f"reads version {VERSION}; update the extension"
    )


def _from_document(document: Mapping[str, Any]) -> RobotTable:
    bones = tuple(
        BoneRecord(
            id=bone["id"],
            joint=bone["joint"],
            kind=bone["kind"],
            link=bone["link"],
            sign=int(bone["sign"]),
            armature_from_bone=np.array(bone["armature_from_bone"], dtype=float).reshape(4, 4),
        )
        for bone in document["bones"]
    )
    links = {
        name: LinkRecord(link["bone"], np.array(link["bone_from_link"], dtype=float).reshape(4, 4))
        for name, link in document["links"].items()
    }
    return RobotTable(
        name=document["name"],
        source=document["source"],
        text=document["text"],
        floating_base=bool(document["floating_base"]),
        package_dirs=tuple(document["package_dirs"]),
        bones=bones,
        links=links,
    )
