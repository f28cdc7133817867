"""A robot in the scene brought up to date with its file, in place.

What is likely to fail is done first, beside the robot: the file is read and compiled, a whole new
rig is made of it in a scene of its own, and the armature is edited as a copy. Then the robot takes
over what is different; should that fail, it is as before. What it does not need any more is removed
at the very end.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

import bpy

from ....core.dynamics import Model, compile_robot
from ....core.urdf import load_urdf
from ....core.urdf.document import Joint, Robot
from ...messages import one_line
from ..action_copy import kept_action
from ..channels import JointChannels
from ..geometry.mesh_settings import Progress
from ..importing.report import ReportText, grouped
from ..importing.result import REPORT_NAME, count
from ..leftovers import DataSnapshot, remove_blocks
from ..matrices import from_blender
from ..parts import create_parts
from ..rig import build_rig
from ..rig_access import Rig, open_rig
from ..robot_table import BoneRecord, write_table
from ..workspace import Workspace, temporary_scene
from .bone_matching import Matching, Record, match_bones, rename_bones
from .changes import ReloadChanges, described_changes
from .checks import check_reloadable, file_of
from .joint_update import update_joints, update_keys
from .loop_update import LoopPlaces
from .new_table import updated_table
from .part_exchange import PartExchange
from .rest_update import is_at_rest, is_same_rest, updated_armature
from .riders import Riders
from .unchanged import unchanged_on_failure
from .unshown import UNSHOWN, is_described_otherwise, unshown_lines


@dataclass(frozen=True)
class ReloadResult:
    """What changed.

    Attributes:
        name: of the robot's object.
        changes: how much of what.
        details: a line for each change, with what was and what is.
        notes: what is to be told besides.
        warnings: of reading the file and its meshes.
    """

    name: str
    changes: tuple[str, ...]
    details: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]

    def summary(self) -> str:
        """One line for the user."""
        text = f"{self.name}: {', '.join(self.changes) or 'nothing changed'}"
        if self.notes:
            more = len(self.notes) - 1
            text += f"; {self.notes[0]}" + (
                f' (and {more} more in the text "{REPORT_NAME}")' if more else ""
            )
        return one_line(text)


def reload_robot(
    context: bpy.types.Context,
    armature_object: bpy.types.Object,
    filepath: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> ReloadResult:
    """Read the file of a robot again and bring the robot up to date.

    Animation, names of bones, bones and constraints of the user's, objects that hang from bones,
    and what was edited by hand stay, where the file still has what they belong to. Where the file
    fails, nothing changes.

    A joint is the same one if its name is; a bone also stays where another joint, or none, moves
    its link now (`match_bones`). Edited limits and numbers stay until the file says something
    else of them. Parts that the user deleted or unparented are not made again until the file
    changes their faces, colour or place in the link. Vertex groups, UV maps, colours and shape
    keys of the user's stay on faces that are as many as before. What is replaced or lost is told.

    Args:
        context: scene and view layer.
        armature_object: the robot.
        filepath: the file, where it is not the one in the table any more.
        progress: see `create_parts`.

    Returns:
        What changed.

    Raises:
        RigError: for an object that is no robot, or is linked, in edit mode or shares its
            armature data; for a file that is gone.
        UrdfError, ModelError: as an import.
    """
    check_reloadable(armature_object)
    old = open_rig(armature_object, rest_edited=True)
    options = old.table.options
    path = file_of(armature_object, filepath)
    robot = load_urdf(path, options.package_dirs, dict(options.xacro_args))
    model = compile_robot(robot, options.floating_base)
    warnings = list(robot.warnings)
    report = ReportText.remember()
    with kept_action(armature_object):
        before = DataSnapshot.take()
        try:
            with unchanged_on_failure(armature_object), temporary_scene(context) as workspace:
                reload = _Reload(context, workspace, old, robot, model)
                result = reload.run(warnings, progress)
                _write_report(report, result, robot)
        except BaseException:
            before.remove_added()
            report.restore()
            raise
        reload.remove_old()
        _remove_unused(before)
    return result


@dataclass(frozen=True)
class _Change:
    """What of the old rig is needed once its bones are others."""

    records: Mapping[str, Record]
    joints: Mapping[str, Joint]
    channels: Mapping[str, JointChannels]
    loops: LoopPlaces
    riders: Riders


class _Reload:
    """One reload: what is there, what is new, and how one becomes the other."""

    def __init__(
        self,
        context: bpy.types.Context,
        workspace: Workspace,
        old: Rig,
        robot: Robot,
        model: Model,
    ) -> None:
        self._context = context
        self._workspace = workspace
        self._old = old
        self._robot = robot
        self._model = model
        self._taken: tuple[PartExchange, bpy.types.Armature] | None = None

    def run(self, warnings: list[str], progress: Progress | None) -> ReloadResult:
        old, options = self._old, self._old.table.options
        made, notes = build_rig(self._workspace, self._robot, self._model, options)
        warnings += notes
        matching = match_bones(old, made)
        rename_bones(made, matching.labels)
        new = open_rig(made.object)
        collection = bpy.data.collections.new("Dynarig temporary")
        try:
            collection.objects.link(new.object)
            parts = create_parts(self._robot, new, collection, options, warnings, progress)
            exchange = PartExchange(old, new, parts, matching.labels)
            changes = described_changes(old.robot, new.robot)
            exchange.tell(changes)
            unshown = unshown_lines(old.robot, new.robot, options.shown)
            otherwise = is_described_otherwise(old.robot, new.robot)
            told: list[str] = []
            same = is_at_rest(old, new, matching)
            told += _edited_at_rest(old)
            if changes.phrases() or not same or exchange.is_broken:
                told += self._take_over(new, matching, exchange, changes)
            else:
                self._remember_text(new)
            told += exchange.notes
        finally:
            remove_blocks([*(own for own in collection.all_objects), collection])
        phrases = changes.phrases()
        if unshown or (otherwise and not phrases):
            phrases.append(UNSHOWN)
        return ReloadResult(
            old.object.name,
            tuple(phrases),
            (*changes.details(), *unshown),
            tuple(told),
            tuple(warnings),
        )

    def _take_over(
        self, new: Rig, matching: Matching, exchange: PartExchange, changes: ReloadChanges
    ) -> list[str]:
        """Make the robot what the new rig is; returns what is to be told."""
        old = self._old
        armature = updated_armature(self._workspace, old, new, matching)
        write_table(armature, updated_table(new.table, matching, armature))
        gone = {old.pose_bones[own.id].name: _bone_owner(own) for own in matching.vanished}
        change = _Change(
            records={record.id: record for record in matching.old.values()},
            joints={joint.name: joint for joint in old.robot.joints},
            channels=dict(old.channels),
            loops=LoopPlaces(old),
            riders=Riders(old.object, tuple(gone)),
        )
        self._taken = exchange, _armature_of(old.object)
        # bones of the same name keep their poses, constraints and properties
        old.object.data = armature
        rig = open_rig(old.object)
        removed, notes = update_keys(rig, change.records, change.channels, gone)
        changes.add_count("removed_curves", removed)
        notes += update_joints(rig, self._model, change.records, change.joints)
        notes += change.riders.settle(rig)
        exchange.apply(rig)
        self._context.view_layer.update()
        notes += change.loops.settle(rig)
        return notes

    def remove_old(self) -> None:
        """Remove what the robot does not need any more, which cannot be taken back."""
        if self._taken is None:
            return
        exchange, old = self._taken
        exchange.remove_gone()
        armature = _armature_of(self._old.object)
        name, fake = old.name, old.use_fake_user
        old.user_remap(armature)
        bpy.data.armatures.remove(old)
        armature.name, armature.use_fake_user = name, fake

    def _remember_text(self, new: Rig) -> None:
        """Keep a text that says the same in other words, or that is in another place."""
        table, armature = self._old.table, self._old.object.data
        assert armature is not None
        said = {key: getattr(new.table, key) for key in ("name", "source", "text")}
        if any(getattr(table, key) != value for key, value in said.items()):
            write_table(armature, replace(table, **said))


def _edited_at_rest(rig: Rig) -> list[str]:
    """Tells which bones stand elsewhere at rest than a table says; a reload puts them back."""
    names = [
        f"'{rig.pose_bones[record.id].name}'"
        for record in rig.table.all_bones
        if not is_same_rest(
            from_blender(rig.pose_bones[record.id].bone.matrix_local), record.armature_from_bone
        )
    ]
    if not names:
        return []
    return [f"bones edited at rest are back where the file has them: {', '.join(names)}"]


def _bone_owner(record: Record) -> str:
    """What a bone that goes is called in a note on its keys."""
    if isinstance(record, BoneRecord):
        return f"joint '{record.joint}' (it is gone)"
    return f"link '{record.link}' (its bone is gone)"


def _armature_of(obj: bpy.types.Object) -> bpy.types.Armature:
    assert isinstance(obj.data, bpy.types.Armature)
    return obj.data


def _remove_unused(before: DataSnapshot) -> None:
    """Remove what was made and is used by nothing, until nothing is left of it."""
    while unused := [
        block
        for block in before.added()
        if not block.users and not isinstance(block, bpy.types.Text | bpy.types.Scene)
    ]:
        remove_blocks(unused)


def _write_report(report: ReportText, result: ReloadResult, robot: Robot) -> None:
    """Add to the report in the file what changed and what there is to tell."""
    lines = [f"Reload of {result.summary()}", f"  file: {one_line(robot.source or '')}"]
    if result.details:
        lines += ["  changes:", *(f"    * {one_line(line)}" for line in result.details)]
    if result.notes:
        lines += ["  to note:", *(f"    * {one_line(note)}" for note in result.notes)]
    if result.warnings:
        lines.append(f"  {count(len(result.warnings), 'warning')}:")
        lines += [f"    {line}" for line in grouped(result.warnings)]
    report.add("\n".join(lines) + "\n\n")
