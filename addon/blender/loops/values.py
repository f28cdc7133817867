"""What a loop joint is: plain values, and the Empty's custom properties that hold them.

The properties of an Empty:

    dynarig_loop            JSON: version, kind, and for both ends bone id, link, link_from_loop
    dynarig_loop_a, …_b     pointers to the armature object of each end
    dynarig_loop_enabled    whether it acts
    dynarig_loop_length     of a rod, m
    dynarig_loop_lead       of a screw, m in a turn

Plain custom properties hold float64 and pointers in every version, Blender takes the pointers
along to copies and other files, and nothing is lost where the add-on is off. Lengths are those of
the robot's own coordinates, as in its file: a robot that is scaled takes them along.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import bpy

from ....core.arrays import FloatArray
from ..table_values import Entry
from .kinds import KINDS, LoopKind

VERSION = 1
LOOP_KEY = "dynarig_loop"
END_KEYS = ("dynarig_loop_a", "dynarig_loop_b")
ENABLED_KEY = "dynarig_loop_enabled"
NUMBER_KEYS = {"length": "dynarig_loop_length", "lead": "dynarig_loop_lead"}
NUMBER_TEXTS = {
    "length": "Distance between both ends in the robot's own lengths (m)",
    "lead": "Slide in a whole turn, in the robot's own lengths (m)",
}
ENDS = ("first", "second")
CACHED = 64  # descriptions that are kept as read, since a panel asks at every redraw


@dataclass(frozen=True, eq=False)
class LoopEnd:
    """One end: link, and link_from_loop (4, 4), where the joint sits there.

    link: exact; None for the armature's own coordinates, which the robot does not move in.
    bone: the id of the bone that carries the link; None where none does.
    """

    bone: str | None
    link: str | None
    link_from_loop: FloatArray


@dataclass(frozen=True, eq=False)
class LoopJoint:
    """A loop joint as plain values.

    Attributes:
        name: of its Empty, unique.
        kind: of `kinds.KINDS`.
        a, b: the first and the second end.
        number: length (m) of a rod or lead (m) of a screw; None for the others.
    """

    name: str
    kind: LoopKind
    a: LoopEnd
    b: LoopEnd
    number: float | None = None

    @property
    def ends(self) -> tuple[LoopEnd, LoopEnd]:
        """First and second."""
        return self.a, self.b


def write_loop(obj: bpy.types.Object, robot: bpy.types.Object, loop: LoopJoint) -> None:
    """Store a loop joint of a robot in an Empty; whether it is enabled stays as it is."""
    document = {
        "version": VERSION,
        "kind": loop.kind.id,
        "ends": [
            {
                "bone": end.bone,
                "link": end.link,
                "link_from_loop": end.link_from_loop.tolist(),
            }
            for end in loop.ends
        ],
    }
    obj[LOOP_KEY] = json.dumps(document, ensure_ascii=True)
    _let_override(obj, LOOP_KEY)
    point_to(obj, robot)
    if obj.get(ENABLED_KEY) is None:
        _write_value(obj, ENABLED_KEY, True, "Whether the joint acts")
    for number, key in NUMBER_KEYS.items():
        if loop.kind.number == number:
            _write_value(obj, key, loop.number, NUMBER_TEXTS[number])
        elif obj.get(key) is not None:
            del obj[key]


def point_to(obj: bpy.types.Object, robot: bpy.types.Object) -> None:
    """Let both ends of a loop joint be those of a robot."""
    for key in END_KEYS:
        obj[key] = robot
        _let_override(obj, key)


def is_enabled(obj: bpy.types.Object) -> bool:
    """Whether a loop joint acts."""
    return bool(obj.get(ENABLED_KEY, True))


def parse_loop(text: object) -> tuple[LoopKind, tuple[LoopEnd, LoopEnd]]:
    """Kind and ends of a description.

    Raises:
        ValueError: saying which entry is wrong.
    """
    if not isinstance(text, str):
        raise ValueError(f"wanted a text, got {type(text).__name__}")
    try:
        return _parse(text)
    # JSON that is nested without end
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


@lru_cache(maxsize=CACHED)
def _parse(text: str) -> tuple[LoopKind, tuple[LoopEnd, LoopEnd]]:
    document = Entry(json.loads(text))
    if document.get("version") != VERSION:
        raise ValueError(
            f"it has version {document.get('version')}, and this dynarig reads version {VERSION}; "
            "update the extension"
        )
    if document.text("kind") not in KINDS:
        raise document.wrong("kind", f"one of {', '.join(KINDS)}")
    ends = [
        LoopEnd(
            entry.optional_text("bone"), entry.optional_text("link"), entry.pose("link_from_loop")
        )
        for entry in document.entries("ends")
    ]
    if len(ends) != len(ENDS):
        raise ValueError(f"ends: wanted 2, got {len(ends)}")
    return KINDS[document.text("kind")], (ends[0], ends[1])


def _write_value(obj: bpy.types.Object, key: str, value: object, text: str) -> None:
    """A custom property that the user may edit, also in a library override."""
    obj[key] = value
    owner: Any = obj
    owner.id_properties_ui(key).update(description=text)
    _let_override(obj, key)


def _let_override(obj: bpy.types.Object, key: str) -> None:
    """Let a library override keep a custom property as it is there, when the file is saved."""
    obj.property_overridable_library_set(f'["{key}"]', True)
