"""A robot as it is in the scene -> a URDF file that loads to the same model."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import bpy
import numpy as np

from ....core.dynamics import compile_robot
from ....core.errors import ArgumentError, UrdfError
from ....core.urdf import parse_urdf, resolve_meshes, write_urdf
from ....core.urdf.attributes import LARGEST_NUMBER
from ....core.urdf.document import Joint, Robot
from ....core.urdf.report import listed
from ....core.urdf.scale import scaled_robot
from ....core.urdf.writing import References, named_files, with_references
from ...errors import RigError
from ...messages import one_line
from ..joint_properties import NUMBERS
from ..limit_edits import ends_of
from ..loops import is_enabled, loop_objects
from ..mimic_drivers import changed_mimics
from ..rig_access import Rig, open_rig
from ..seven_digits import rounded
from .new_files import checked_place, write_files
from .new_meshes import NewMeshes
from .rest_edits import with_edited_origins
from .shown_edits import with_edited_shapes

SUFFIX = ".urdf"
LINE = re.compile(r"^(:\d+|line \d+): ")  # how an error or a warning says where in a file
SHOWN_WARNINGS = 3  # of those that say why a text reads to something else
SAME_SCALE = 1e-5  # two factors are the same, up to float32 noise


@dataclass(frozen=True)
class ExportResult:
    """What was written.

    Attributes:
        path: of the robot file.
        links, joints: how many.
        meshes: new mesh files beside it.
        edits: what is other than in the source, each as a phrase.
        notes: what a URDF cannot say, and what was not found.
    """

    path: Path
    links: int
    joints: int
    meshes: tuple[Path, ...]
    edits: tuple[str, ...]
    notes: tuple[str, ...]

    def summary(self) -> str:
        """One line for the user."""
        text = f"{self.path.name}: {_count(self.links, 'link')}, {_count(self.joints, 'joint')}"
        text += f"; edited: {', '.join(self.edits)}" if self.edits else "; as in its source"
        if self.notes:
            text += f"; {self.notes[0]}"
            more = len(self.notes) - 1
            text += f" (and {_count(more, 'more note')})" if more else ""
        return one_line(text)


def export_robot(
    context: bpy.types.Context,
    armature_object: bpy.types.Object,
    path: str | os.PathLike[str],
    references: References = "AUTO",
) -> ExportResult:
    """Write a robot as it is in the scene as a URDF file.

    What was not edited keeps the numbers of the source exactly. The pose is not written, a URDF
    has none; bones' names neither: links and joints keep theirs. Files are written all or none.

    Args:
        context: whose scene objects with modifiers are evaluated in.
        armature_object: the robot; it is not changed.
        path: of the new file; one that is there is replaced.
        references: how mesh files are named; see `with_references`.

    Returns:
        What was written.

    Raises:
        ArgumentError: for a path without .urdf or an unknown way of references.
        RigError: for an object that is no robot, a scale that is not uniform, or a file that
            cannot be written.
        UrdfError: for a robot that no URDF can say.
    """
    target = _target(path)
    if references not in get_args(References):
        allowed = ", ".join(get_args(References))
        raise ArgumentError(f"references: wanted one of {allowed}, got {references!r}")
    depsgraph = context.evaluated_depsgraph_get()
    robot, files, edits, notes = robot_of_scene(armature_object, target, depsgraph)
    rig = open_rig(armature_object, rest_edited=True)
    dirs = rig.table.package_dirs
    new = {name for name, _ in named_files(robot)} - {name for name, _ in named_files(rig.robot)}
    named = with_references(robot, target.parent, references, dirs, new)
    text = write_urdf(named)
    _check(text, target)
    write_files({**files, target: text.encode("utf-8")})
    written = replace(parse_urdf(text, target), warnings=())
    missing = resolve_meshes(written, dirs).warnings
    return ExportResult(
        path=target,
        links=len(robot.links),
        joints=len(robot.joints),
        meshes=tuple(files),
        edits=tuple(edits),
        notes=(*notes, *missing),
    )


def robot_of_scene(
    armature_object: bpy.types.Object, target: Path, depsgraph: bpy.types.Depsgraph
) -> tuple[Robot, dict[Path, bytes], list[str], list[str]]:
    """The description of a robot as it is in the scene.

    Args:
        armature_object: the robot.
        target: where it shall be written; new mesh files go beside it.
        depsgraph: of the scene.

    Returns:
        The robot, whose new meshes are named by absolute paths; the content of these files; what
        was edited, each as a phrase; what a URDF cannot say.

    Raises:
        RigError: as `export_robot`.
    """
    rig = open_rig(armature_object, rest_edited=True)
    if rig.object.data.is_editmode:
        raise RigError(f"robot '{rig.object.name}' is in edit mode; leave it first (Tab)")
    factor = _scale(armature_object, rig.table.options.scale)
    edits: list[str] = []
    robot = resolve_meshes(rig.edited_robot, rig.table.package_dirs)
    now, before = robot.joints, rig.robot.joints
    numbers = _differing(map(_numbers, now), map(_numbers, before))
    edits += [f"numbers of {_count(numbers, 'joint')}"] if numbers else []
    limits = _differing(map(ends_of, now), map(ends_of, before))
    edits += [_count(limits, "limit")] if limits else []
    joints = tuple(map(_with_written_ends, now, before))
    robot, moved = with_edited_origins(rig, replace(robot, joints=joints))
    edits += [_count(len(moved), "joint origin")] if moved else []
    meshes = NewMeshes(target, robot, depsgraph)
    robot, shown = with_edited_shapes(rig, robot, meshes)
    for number, done in (
        (shown.edited, "edited"),
        (shown.added, "new"),
        (shown.removed, "removed"),
    ):
        edits += [f"{_count(number, 'shape')} {done}"] if number else []
    if factor != 1.0:
        robot = scaled_robot(robot, factor)
        edits.append(f"all lengths times {factor:g} (masses stay)")
    notes = [*_unread_notes(rig), *shown.notes, *_mimic_notes(rig), *_loop_notes(armature_object)]
    return robot, meshes.files, edits, notes


def _numbers(joint: Joint) -> list[float | None]:
    return [number.of(joint) for number in NUMBERS]


def _with_written_ends(joint: Joint, before: Joint) -> Joint:
    """A prismatic joint whose limit lost an end, with one past all: where none is written, it is 0.

    Args:
        joint: as edited; before: of the source, which stays as it is where it was not edited.
    """
    if joint.type != "prismatic" or joint.limit is None or ends_of(joint) == ends_of(before):
        return joint
    low, high = joint.limit.lower, joint.limit.upper
    low = -LARGEST_NUMBER if low is None else low
    high = LARGEST_NUMBER if high is None else high
    return replace(joint, limit=replace(joint.limit, lower=low, upper=high))


def _unread_notes(rig: Rig) -> list[str]:
    """What was left out of the source is in no robot, and so not in its export."""
    number = rig.robot.left_out
    if not number:
        return []
    verb = "is" if number == 1 else "are"
    return [
        f"{_count(number, 'part')} of the source could not be read and {verb} not written (see the "
        "import's warnings)"
    ]


def _mimic_notes(rig: Rig) -> list[str]:
    """A URDF has one linear relation for a follower, a driver may have anything."""
    changed = changed_mimics(rig, compile_robot(rig.robot, rig.table.floating_base))
    if not changed:
        return []
    return [
        f"drivers of mimic joints were changed ({listed(list(changed))}); the relations of the "
        "source are written"
    ]


def _target(path: str | os.PathLike[str]) -> Path:
    try:
        target = Path(os.path.abspath(path))
    except OSError as error:
        raise RigError(
            f"{os.fspath(path)}: the current folder does not exist any more; wanted a full path"
        ) from error
    if target.suffix.lower() != SUFFIX:
        raise ArgumentError(f"'{target.name}': wanted a file name that ends in {SUFFIX}")
    checked_place(target)
    return target


def _scale(obj: bpy.types.Object, imported: float) -> float:
    """How much larger the robot is than it came in.

    Raises:
        RigError: for a scale that is not the same in all axes, or is mirrored.
    """
    scale = obj.matrix_world.to_scale()[:]
    least, greatest = min(scale), max(scale)
    if not (np.isfinite(scale).all() and least > 0.0 and greatest - least <= SAME_SCALE * greatest):
        shown = ", ".join(f"{factor:g}" for factor in scale)
        raise RigError(
            f"robot '{obj.name}': its scale is ({shown}); a URDF can have it only if it is above 0 "
            "and the same in all axes"
        )
    factor = least / imported
    return 1.0 if abs(factor - 1.0) <= SAME_SCALE else rounded(factor)


def _check(text: str, target: Path) -> None:
    """Refuse a text that would not read to the robot.

    Raises:
        RigError: where it is refused, or reads to something else.
    """
    try:
        again = parse_urdf(text, target)
    except UrdfError as error:
        # the line is one of a file that is not written
        reason = LINE.sub("", str(error).removeprefix(str(target)))
        raise RigError(f"{target}: is not written, as it could not be read: {reason}") from error
    if write_urdf(again) != text:
        reason = "; ".join(LINE.sub("", warning) for warning in again.warnings[:SHOWN_WARNINGS])
        raise RigError(f"{target}: is not written, as it would not read back as it is: {reason}")


def _loop_notes(obj: bpy.types.Object) -> list[str]:
    loops = [own for own in loop_objects(obj) if is_enabled(own)]
    if not loops:
        return []
    return [f"{_count(len(loops), 'loop joint')} not written: a URDF is a tree"]


def _differing(now: Iterable[object], before: Iterable[object]) -> int:
    return sum(one != other for one, other in zip(now, before, strict=True))


def _count(number: int, what: str) -> str:
    return f"{number} {what if number == 1 else what + 's'}"
