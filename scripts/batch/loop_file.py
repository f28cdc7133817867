"""Closed loops from a file: joints between two links, which a URDF tree cannot have."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from dynarig.addon.blender.loops import KINDS, LoopKind, add_loop
from dynarig.addon.blender.loops.ends import end_choice
from dynarig.addon.blender.loops.finding import read_loop
from dynarig.addon.blender.loops.new_place import usual_axis
from dynarig.addon.blender.loops.placing import Posed, frame_along
from dynarig.addon.blender.matrices import from_blender
from dynarig.addon.blender.pose import get_configuration, set_configuration
from dynarig.addon.blender.rig_access import Rig
from dynarig.addon.blender.table_values import Entry
from dynarig.addon.errors import RigError
from dynarig.core.arrays import FloatArray
from dynarig.core.dynamics import Model, link_poses
from dynarig.core.errors import DynarigError
from dynarig.core.frames import minimal_rotation, rotation_from_rpy, transform

LOOP_ENTRIES = ("kind", "a", "b", "name", "length", "lead")
END_ENTRIES = ("link", "xyz", "axis", "rpy")
Z = (0.0, 0.0, 1.0)
FURTHEST = 1e6  # m: Blender's 7 digits are worth 0.1 m there
LARGEST_ANGLE = 1e4  # rad: what is larger is no angle that was meant


class LoopFileError(DynarigError):
    """A file of loops that does not fit; the message names the file and the entry."""


@dataclass(frozen=True, eq=False)
class GivenEnd:
    """Where a loop joint takes hold of a link: place (3,), m, and rotation (3, 3), if given."""

    link: str | None
    place: FloatArray
    rotation: FloatArray | None


@dataclass(frozen=True, eq=False)
class GivenLoop:
    """A loop joint as a file describes it; label is the file and the entry."""

    label: str
    kind: LoopKind
    a: GivenEnd
    b: GivenEnd
    name: str | None
    number: float | None


def read_loop_file(path: Path) -> tuple[GivenLoop, ...]:
    """The loop joints in a JSON file, which is a list.

        [{"kind": "hinge", "a": {"link": "base", "xyz": [0.4, 0, 0], "axis": [0, 1, 0]},
          "b": {"link": "rocker", "xyz": [0.2, 0, 0]}, "name": "pivot"}, …]

    xyz (m, the link's origin if none) and axis are in the link's own coordinates; null as the link
    is the world. Welds and universal joints take rpy (rad) for all three axes. Axes that one end
    does not name are as the other has them where the robot starts; if neither does, the axis is
    that of the joint of b, or of a's if b does not move (for a weld, a's own axes). Rods have a
    length, the present distance if none, and screws a lead (m in a turn).

    Raises:
        LoopFileError: naming the file and the entry.
    """
    try:
        # editors of some systems begin a file with a byte order mark
        values = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=once)
    except (OSError, ValueError, RecursionError) as error:
        raise LoopFileError(f"{path}: cannot be read as JSON: {error}") from error
    if not isinstance(values, list):
        raise LoopFileError(f"{path}: wanted a list of loops, [{{…}}, …]")
    try:
        return tuple(
            _loop(Entry(value, f"loop {i}"), f"{path}: loop {i}")
            for i, value in enumerate(values, start=1)
        )
    except ValueError as error:
        raise LoopFileError(f"{path}: {error}") from error


def add_loops(rig: Rig, model: Model, q: FloatArray, loops: Sequence[GivenLoop]) -> list[str]:
    """Pose a robot at q (nq,), where it starts, and add loop joints to it.

    Returns:
        What was taken for axes and lengths that are not in the file.

    Raises:
        LoopFileError: for a link that the robot does not have, and ends that cannot be joined.
    """
    set_configuration(rig, model, q)
    # as Blender keeps it, in single precision
    poses = link_poses(model, get_configuration(rig, model))
    world_from_armature = from_blender(rig.object.matrix_world)

    def world_from(link: str | None, label: str) -> FloatArray:
        if link is None:
            return world_from_armature
        if link not in model.link_names:
            names = ", ".join(model.link_names)
            raise LoopFileError(f"{label}: no link '{link}'; there are: {names}")
        pose: FloatArray = world_from_armature @ poses[model.link_names.index(link)]
        return pose

    notes = []
    for loop in loops:
        base_a, base_b = (world_from(end.link, loop.label) for end in (loop.a, loop.b))
        a = base_a @ _pose(loop.a)
        b = base_b @ _pose(loop.b)
        if loop.kind.has_axis and loop.a.rotation is None:
            if loop.b.rotation is None:
                axis, told = _usual_axis(rig, loop)
                b[:3, :3] = frame_along(axis, np.zeros(3))[:3, :3]
                notes.append(f"{loop.label}: no axis is given, it takes {told}")
            a[:3, :3] = b[:3, :3]
        elif loop.b.rotation is None:
            b[:3, :3] = a[:3, :3]
        try:
            obj = add_loop(
                *(rig.object, loop.kind.id, loop.a.link, loop.b.link, a),
                world_from_second=b,
                number=loop.number,
                name=loop.name,
            )
        except RigError as error:
            raise LoopFileError(f"{loop.label}: {error}") from error
        if loop.kind.number == "length" and loop.number is None:
            length = read_loop(obj, rig.object).number
            notes.append(
                f"{loop.label}: no length is given, it takes the distance in the start pose, "
                f"{length:.6g} m"
            )
    return notes


def _usual_axis(rig: Rig, loop: GivenLoop) -> tuple[FloatArray, str]:
    """(3,), in the scene, and in words: the axis of a loop joint whose file names none."""
    posed = Posed.of(rig)
    ends = [end_choice(rig.table, end.link, loop.label) for end in (loop.a, loop.b)]
    axis, told = usual_axis(posed, ends)
    return posed.world_from_armature[:3, :3] @ axis, told


def _loop(entry: Entry, label: str) -> GivenLoop:
    _refuse_others(entry, LOOP_ENTRIES)
    kind = KINDS.get(entry.text("kind").upper().replace(" ", "_"))
    if kind is None:
        raise entry.wrong("kind", f"one of {', '.join(KINDS).lower()}")
    for number_name in ("length", "lead"):
        if number_name in entry and number_name != kind.number:
            raise entry.wrong(number_name, f"none for a {kind.label.lower()}")
    number = None
    if kind.number is not None and kind.number in entry:
        number = float(_numbers(entry, kind.number, ()))
    a, b = (_end(entry.entry(name)) for name in ("a", "b"))
    called = entry.text("name") if "name" in entry else None
    return GivenLoop(label, kind, a, b, called, number)


def _end(entry: Entry) -> GivenEnd:
    _refuse_others(entry, END_ENTRIES)
    place = _numbers(entry, "xyz", (3,)) if "xyz" in entry else np.zeros(3)
    if not np.abs(place).max() <= FURTHEST:
        raise entry.wrong("xyz", f"lengths up to {FURTHEST:g} m")
    rotation = None
    if "axis" in entry:
        axis = _numbers(entry, "axis", (3,))
        if "rpy" in entry:
            raise entry.wrong("rpy", "none beside an axis")
        if not axis.any():
            raise entry.wrong("axis", "a direction")
        axis = axis / np.abs(axis).max()  # squares of what is very large or small are no numbers
        rotation = minimal_rotation(Z, axis / np.linalg.norm(axis))
    elif "rpy" in entry:
        rpy = _numbers(entry, "rpy", (3,))
        if not np.abs(rpy).max() <= LARGEST_ANGLE:
            raise entry.wrong("rpy", f"angles up to {LARGEST_ANGLE:g} rad")
        rotation = rotation_from_rpy(rpy)
    return GivenEnd(entry.optional_text("link"), place, rotation)


def _pose(end: GivenEnd) -> FloatArray:
    """link_from_loop (4, 4); axes that are not said are the link's own."""
    return transform(np.eye(3) if end.rotation is None else end.rotation, end.place)


def _numbers(entry: Entry, key: str, shape: tuple[int, ...]) -> FloatArray:
    value: Any = entry.get(key)
    try:
        numbers = np.array(value)
    except ValueError:
        numbers = np.zeros(0)
    if numbers.shape != shape or numbers.dtype.kind not in "if" or not np.isfinite(numbers).all():
        raise entry.wrong(key, f"{shape[0]} finite numbers" if shape else "a finite number")
    return np.asarray(numbers, dtype=np.float64)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, none of whose entries is there twice."""
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise ValueError(f"'{key}' is there twice in one object; wanted each entry once")
        values[key] = value
    return values


def _refuse_others(entry: Entry, known: Sequence[str]) -> None:
    for key in entry:
        if key not in known:
            raise ValueError(f"{entry.name_of(key)}: is unknown; wanted {', '.join(known)}")
