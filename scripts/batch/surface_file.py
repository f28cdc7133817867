"""What links have of their own in contact, from a file, put on their bones as a user would."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
from dynarig.addon import contact_properties
from dynarig.addon.blender.contact.link_overrides import PROPERTY, LinkContact
from dynarig.addon.blender.rig_access import Rig
from dynarig.addon.blender.table_values import Entry
from dynarig.core.errors import DynarigError

from .loop_file import once

ENTRIES = ("friction", "restitution", "collides", "limit", "limit_restitution")


class SurfaceFileError(DynarigError):
    """A file of surfaces that does not fit; the message names the file and the entry."""


@dataclass(frozen=True)
class Surfaces:
    """What a file says of links, by their names."""

    path: Path
    links: Mapping[str, LinkContact]


def read_surface_file(path: Path) -> Surfaces:
    """What a JSON file says of links: an object with an entry for each that differs.

        {"FL_FOOT": {"friction": 0.9, "restitution": 0.2}, "base_link": {"collides": false},
         "FL_LOWER_LEG": {"limit": true, "limit_restitution": 0.3}}

    All entries may be left out. The last two are of the joint that moves the link.

    Raises:
        SurfaceFileError: naming the file and the entry.
    """
    try:
        # editors of some systems begin a file with a byte order mark
        values = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=once)
    except (OSError, ValueError, RecursionError) as error:
        raise SurfaceFileError(f"{path}: cannot be read as JSON: {error}") from error
    try:
        if not isinstance(values, dict):
            raise ValueError('wanted an object of links, {"LINK": {"friction": 0.9}, …}')
        links = {name: _link(Entry(value, name)) for name, value in values.items()}
    except ValueError as error:
        raise SurfaceFileError(f"{path}: {error}") from error
    return Surfaces(path, links)


def put_on_bones(rig: Rig, surfaces: Surfaces) -> None:
    """Set what a file says on the bones of a robot, where the add-on finds it, also later.

    Raises:
        SurfaceFileError: for a link that is not there or does not move, and for links on one bone
            of which different things are said.
    """
    _register_settings()
    said: dict[str, tuple[str, LinkContact]] = {}
    for name, own in surfaces.links.items():
        link = rig.table.links.get(name)
        if link is None:
            known = ", ".join(rig.table.links)
            raise SurfaceFileError(f"{surfaces.path}: no link '{name}'; there are: {known}")
        if not link.bone:
            raise SurfaceFileError(f"{surfaces.path}: link '{name}' is held and touches nothing")
        first, before = said.setdefault(link.bone, (name, own))
        if before != own:
            raise SurfaceFileError(
                f"{surfaces.path}: links '{first}' and '{name}' are welded and share their "
                "surface; wanted the same of both, or of one alone"
            )
        _set(rig.pose_bones[link.bone].bone, own)


def _register_settings() -> None:
    """Let bones have the settings of links, where the add-on is not enabled."""
    if not hasattr(bpy.types.Bone, PROPERTY):
        bpy.utils.register_class(contact_properties.DynarigGroundObject)
        bpy.utils.register_class(contact_properties.DynarigLinkSettings)
        contact_properties.register()


def _set(bone: bpy.types.Bone, own: LinkContact) -> None:
    settings: Any = getattr(bone, PROPERTY)
    settings.collides = own.collides
    for name, value in (("restitution", own.restitution), ("friction", own.friction)):
        if value is not None:
            setattr(settings, f"use_{name}", True)
            setattr(settings, name, value)
    settings.use_limit, settings.limit_restitution = own.use_limit, own.limit_restitution


def _link(entry: Entry) -> LinkContact:
    for key in entry:
        if key not in ENTRIES:
            raise ValueError(f"{entry.name_of(key)}: is unknown; wanted {', '.join(ENTRIES)}")
    numbers = {
        key: _number(entry, key, most) if key in entry else None
        for key, most in (("friction", None), ("restitution", 1.0), ("limit_restitution", 1.0))
    }
    return LinkContact(
        collides=entry.flag("collides") if "collides" in entry else True,
        restitution=numbers["restitution"],
        friction=numbers["friction"],
        use_limit=entry.flag("limit") if "limit" in entry else True,
        limit_restitution=numbers["limit_restitution"] or 0.0,
    )


def _number(entry: Entry, key: str, most: float | None) -> float:
    value: Any = entry.get(key)
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    if not fits or not 0.0 <= value < float("inf") or (most is not None and value > most):
        wanted = "a number of at least 0" if most is None else f"a number from 0 to {most:g}"
        raise entry.wrong(key, wanted)
    return float(value)
