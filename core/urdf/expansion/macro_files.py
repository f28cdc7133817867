"""Refuse a file that only defines macros: another one includes it, and is the robot."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from xml.dom import minidom

from ...errors import UrdfError
from ..report import listed
from .place import described


def refuse_macros_alone(expanded: minidom.Document, macros: Collection[str]) -> None:
    """Raise UrdfError where macros of these names were defined, and no call has made a link."""
    robot: Any = expanded.documentElement
    if robot.tagName == "robot" and macros and not robot.getElementsByTagName("link"):
        raise UrdfError(
            f"{robot.place}: {described(robot)}: has no <link>; the file only defines macros "
            f"({listed(macros)}): import the file that includes it and calls them"
        )
