"""The figures of a run: how well the scene shows the motion, printed and for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from dynarig.addon.blender.pose import evaluated_link_poses
from dynarig.addon.blender.rig_access import Rig, open_rig
from dynarig.addon.compat import existing_channels
from dynarig.addon.messages import one_line
from dynarig.core.arrays import FloatArray
from dynarig.core.dynamics import Model, link_poses
from dynarig.core.trajectory import Trajectory

# key in the report: what the table says, unit
ROWS: Mapping[str, tuple[str, str]] = {
    "links": ("links", ""),
    "joints": ("joints", ""),
    "bones": ("bones", ""),
    "meshes": ("meshes", ""),
    "frames": ("frames", ""),
    "keys": ("keys", ""),
    "pose_difference": ("largest pose difference, Blender - core, at frames", "m"),
    "pose_difference_between": ("largest pose difference, Blender - core, between", "m"),
    "deviation": ("keys from simulation, between frames", "rad, m"),
    "loop_gap": ("loops open between frames by at most", "m"),
    "energy_drift": ("drift of energy plus dissipated work", "J"),
    "dissipated": ("dissipated work", "J"),
    "scheme": ("contact", ""),
    "impacts": ("impacts", ""),
    "penetration": ("deepest penetration", "m"),
    "residual": ("worst residual of contacts", "m/s"),
    "unconverged": ("steps that did not converge", ""),
    "seconds_import": ("import", "s"),
    "seconds_simulation": ("simulation", "s"),
    "real_time_factor": ("times as fast as real time", ""),
    "seconds_bake": ("bake", "s"),
    "seconds_render": ("render", "s"),
}
LABEL_WIDTH = max(len(label) for label, _ in ROWS.values())
# What a pose may be off at frames (rad or m), and that for each rad or m of the joint values.
PROMISED, PROMISED_PER_VALUE = 1e-5, 1.2e-7


@dataclass
class Figures:
    """The table, printed row by row as figures become known, and the report."""

    say: Callable[[str], None]
    report: dict[str, Any] = field(default_factory=dict)

    def title(self, name: str) -> None:
        """Begin the table of a robot."""
        self.report["robot"] = name
        self.say(one_line(name))

    def note(self, lines: Iterable[str]) -> None:
        """Take and print remarks, such as the warnings of an import."""
        for line in map(one_line, lines):
            self.report.setdefault("notes", []).append(line)
            self.say(f"  note: {line}")

    def add(self, **figures: float | str) -> None:
        """Take figures by the keys of ROWS, and print their rows."""
        for key, value in figures.items():
            label, unit = ROWS[key]
            self.report[key] = value
            self.say(f"  {label:<{LABEL_WIDTH}}  {shown(value, unit)} {unit}".rstrip())

    def written(self, files: Iterable[Path]) -> None:
        """Print the files that were written."""
        for path in files:
            self.say(f"  written: {one_line(str(path))}")


def broken_promise(difference: float, trajectory: Trajectory) -> str:
    """A remark where Blender's poses are further off than promised, else nothing."""
    largest = float(np.abs(trajectory.q).max(initial=0.0))
    promised = PROMISED + PROMISED_PER_VALUE * largest
    if difference <= promised:
        return ""
    return (
        f"poses in Blender are {difference:.1e} off, more than {promised:.1e}: values or distances "
        "are too large for its 7 digits, or something else moves the bones"
    )


def shown(value: float | str, unit: str) -> str:
    """Counts in full, seconds to a hundredth, other quantities with two digits if small."""
    if isinstance(value, str):
        return f"{value:>9}"
    if isinstance(value, int):
        return f"{value:>9d}"
    # what is nothing is not small
    small = 0.0 < abs(value) < 0.1 and unit != "s"
    return f"{value:>9.1e}" if small else f"{value:>9.2f}"


def difference_at_frames(
    context: bpy.types.Context,
    robot: bpy.types.Object,
    trajectory: Trajectory,
    frames: Sequence[int],
    fps: float,
) -> float:
    """Largest entry of |armature_from_link in Blender - in the core| at whole frames.

    The core's poses are those of the trajectory itself, not of joint values read back.
    """
    times = trajectory.times[0] + (np.array(frames) - frames[0]) / fps
    expected = trajectory.link_poses(times)
    return _largest(context, robot, trajectory.model, np.array(frames, dtype=float), expected)


def difference_between(
    context: bpy.types.Context, robot: bpy.types.Object, model: Model, frames: Sequence[int]
) -> float:
    """The same half-way between frames, for the joint values that the F-curves have there."""
    halves = np.array(frames[:-1]) + 0.5
    expected = link_poses(model, channel_values(open_rig(robot), model, halves))
    return _largest(context, robot, model, halves, expected)


def channel_values(rig: Rig, model: Model, frames: FloatArray) -> FloatArray:
    """q (n, nq) of the F-curves at frames (n,)."""
    curves = existing_channels(rig.object)
    assert curves is not None, "a baked robot has F-curves"
    q = np.tile(model.neutral(), (len(frames), 1))
    for joint in model.joint_names:
        channels, bone = rig.channels[joint], rig.pose_bone(joint)
        values = np.zeros((len(frames), len(channels.paths)))
        for column, (path, index) in enumerate(channels.paths):
            curve = curves.find(bone.path_from_id(path), index)
            assert curve is not None, f"joint '{joint}' has F-curves"
            values[:, column] = [curve.evaluate(frame) for frame in frames]
        q[:, model.q_index(joint)] = channels.to_coordinates(values)
    return q


def _largest(
    context: bpy.types.Context,
    robot: bpy.types.Object,
    model: Model,
    frames: FloatArray,
    expected: FloatArray,
) -> float:
    worst = 0.0
    start = context.scene.frame_current
    for frame, poses in zip(frames, expected, strict=True):
        context.scene.frame_set(int(frame), subframe=float(frame % 1.0))
        found = evaluated_link_poses(context, robot)
        actual = np.array([found[name] for name in model.link_names])
        worst = max(worst, float(np.abs(actual - poses).max()))
    context.scene.frame_set(start)
    return worst
