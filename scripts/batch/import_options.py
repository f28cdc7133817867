"""The options of the import: what the dialog offers, for a command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from .values import bone_length, detail, one_of, scale, xacro_argument


@dataclass(frozen=True)
class ImportChoices:
    """What was asked about the import, each by its name in the add-on. Numbers are in range."""

    package_dirs: tuple[Path, ...] = ()
    xacro_args: tuple[tuple[str, str], ...] = ()
    shown: Literal["VISUAL", "COLLISION", "BOTH"] = "VISUAL"
    collada_up: Literal["IGNORE", "APPLY"] = "IGNORE"
    gltf_up: Literal["AUTO", "Y", "Z"] = "AUTO"
    scale: float = 1.0
    collection: str = ""
    mesh_parent: Literal["BONES", "SKIN"] = "BONES"
    decimation: float = 1.0
    inertia: bool = False
    fixed_links: Literal["MERGE", "KEEP"] = "MERGE"
    fixed_frames: bool = False
    bone_length: float = 0.0  # m


def split_imports(given: Mapping[str, Any]) -> tuple[ImportChoices, dict[str, Any]]:
    """The options of the import out of all that argparse has read, and the others."""
    own = {field.name for field in fields(ImportChoices)}
    imports: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in given.items()
        if name in own
    }
    return ImportChoices(**imports), {k: v for k, v in given.items() if k not in own}


def add_import(top: argparse.ArgumentParser) -> None:
    """How the description is read, and what comes in."""
    group = top.add_argument_group("import")
    group.add_argument(
        "--package-dir",
        dest="package_dirs",
        type=Path,
        metavar="DIR",
        nargs="+",
        action="extend",
        default=[],
        help="folders that are a ROS package or contain packages, for package:// paths of meshes "
        "and $(find …) of xacro files",
    )
    group.add_argument(
        "--xacro-arg",
        dest="xacro_args",
        type=xacro_argument,
        metavar="NAME:=VALUE",
        nargs="+",
        action="extend",
        default=[],
        help="values for the arguments that a .xacro file declares (<xacro:arg>)",
    )
    group.add_argument(
        "--scale",
        type=scale,
        metavar="S",
        default=1.0,
        help="size of the robot in the scene; its own numbers stay in metres (default: 1)",
    )
    group.add_argument(
        "--collection",
        metavar="NAME",
        default="",
        help="name of the robot's collection (default: the robot's name)",
    )
    add_shapes(group)
    add_bones(group)
    add_axes(group)


def add_shapes(group: argparse._ArgumentGroup) -> None:
    """Which objects a robot has."""
    group.add_argument(
        "--shown",
        type=one_of("visual", "collision", "both"),
        metavar="visual|collision|both",
        default="VISUAL",
        help="the shapes of links that come in: what is seen, what is touched, or both; films show "
        "what is touched only where nothing else is there (default: visual)",
    )
    group.add_argument(
        "--skin",
        dest="mesh_parent",
        action="store_const",
        const="SKIN",
        default="BONES",
        help="one mesh of all visuals with a vertex group for each bone, as game engines take it; "
        "else an object for each visual, parented to its bone",
    )
    group.add_argument(
        "--collision-detail",
        dest="decimation",
        type=detail,
        metavar="PART",
        default=1.0,
        help="part of the triangles of collision meshes that is kept, above 0 to 1 (default: 1)",
    )
    group.add_argument(
        "--inertia",
        action="store_true",
        help="show the inertia of each link as the ellipsoid of equal mass and inertia",
    )
    group.add_argument(
        "--frame-empties",
        dest="fixed_frames",
        action="store_true",
        help="an empty for each link that is held by a fixed joint, such as the point of a tool",
    )


def add_bones(group: argparse._ArgumentGroup) -> None:
    """Which bones, and how long."""
    group.add_argument(
        "--keep-fixed-links",
        dest="fixed_links",
        action="store_const",
        const="KEEP",
        default="MERGE",
        help="a bone for each link that is held by a fixed joint; else it rides on the bone of "
        "the link that carries it",
    )
    group.add_argument(
        "--bone-length",
        type=bone_length,
        metavar="M",
        default=0.0,
        help="length of every bone in m; 0 chooses a pleasant one for each (default: 0)",
    )


def add_axes(group: argparse._ArgumentGroup) -> None:
    """Which way up meshes are."""
    group.add_argument(
        "--collada-up",
        type=one_of("ignore", "apply"),
        metavar="ignore|apply",
        default="IGNORE",
        help="whether the up axis that Collada files name turns their meshes (default: ignore)",
    )
    group.add_argument(
        "--gltf-up",
        type=one_of("auto", "y", "z"),
        metavar="auto|y|z",
        default="AUTO",
        help="the axis that points up in glTF files; auto compares with the collision shapes "
        "(default: auto)",
    )
