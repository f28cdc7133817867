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
from typing import Any

import bpy
import numpy as np

from ...core.arrays import FloatArray, frozen
from ..errors import RigError
from .bone_plan import Kind

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
        RigError: if there is none, or a newer dynarig wrote it, or it was damaged.
    """
    if not has_table(armature):
        raise RigError(
            f"armature '{armature.name}' is no robot; import a URDF file with "
            "File > Import > URDF Robot"
        )
    try:
        return _parse(armature[TABLE_KEY])
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise RigError(
            f"the robot table of armature '{armature.name}' is damaged ({error}); "
            "import the robot again"
        ) from error


@lru_cache(maxsize=CACHED)
def _parse(text: str) -> RobotTable:
    document = json.loads(text)
    if document["version"] != VERSION:
        raise RigError(
            f"the robot has a table of version {document['version']}, and this dynarig reads "
            f"version {VERSION}; update the extension"
        )
    bones = tuple(
        BoneRecord(
            id=bone["id"],
            joint=bone["joint"],
            kind=bone["kind"],
            link=bone["link"],
            sign=int(bone["sign"]),
            armature_from_bone=_matrix(bone["armature_from_bone"]),
            lower=bone["limits"][0],
            upper=bone["limits"][1],
        )
        for bone in document["bones"]
    )
    links = {
        name: LinkRecord(link["bone"], _matrix(link["bone_from_link"]))
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


def _matrix(rows: Any) -> FloatArray:
    return frozen(np.array(rows, dtype=float).reshape(4, 4))
