"""A ready mechanism into the scene: built, simulated, and set there as an armature with keys.

In three parts, as a bake: `plan_preset` builds it, `simulate_preset` works on plain values in
small pieces, `enter_preset` writes. None of them but the last touches Blender's data.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import bpy
from mathutils import Matrix

from ...core.errors import ArgumentError
from ...core.keyframes import KeyTable, joint_keys
from ...core.mechanism.compiled import Compiled
from ...core.mechanism.picture import Picture, picture
from ...core.mechanism.presets import PRESETS, Preset
from ...core.mechanism.world import World
from ...core.simulate import Simulation
from ...core.trajectory import Trajectory
from ..messages import one_line
from ..single_thread import single_thread
from .bake.settings import BakeSettings
from .contact.report import shortened
from .labels import label
from .leftovers import DataSnapshot
from .mechanism.armature import build_armature
from .mechanism.drawing import Drawing
from .mechanism.extent import line_lengths
from .mechanism.joint_motion import bone_keys
from .mechanism.stage import studio_axes

# each impact makes errors of the steps before it some ten times larger
TOLERANCE = 1e-13
# rad or m: how far curves may be from the motion, so that nothing leaves its box between frames
KEY_TOLERANCE = 3e-5


@dataclass(frozen=True, eq=False)
class PresetPlan:
    """A mechanism ready to be simulated.

    Attributes:
        preset: what it is; compiled: its model and system.
        settings: frames, rate and interpolation.
        use_impact_keys: whether there are keys at impacts and between frames.
    """

    preset: Preset
    compiled: Compiled
    settings: BakeSettings
    use_impact_keys: bool


@dataclass(frozen=True, eq=False)
class PresetResult:
    """What was added: the armature object, in its collection, and its motion and keys."""

    title: str
    object: bpy.types.Object
    collection: bpy.types.Collection
    trajectory: Trajectory
    table: KeyTable
    seconds: float

    def summary(self) -> str:
        """One line for the user."""
        motion, keys = self.trajectory, self.table
        hits, frames = len(motion.impacts), keys.keys[0].frames
        told = [
            f"{self.title}: {hits} impact{'s' * (hits != 1)} in "
            f"{motion.times[-1] - motion.times[0]:.4g} s, energy balance kept to "
            f"{motion.energy_drift:.1g} J",
            f"{keys.count} keys over {math.floor(frames[-1] - frames[0]) + 1} frames, at most "
            f"{keys.deviation:.2g} rad or m from the motion between them, in {self.seconds:.2f} s",
            *shortened(motion.remarks),
        ]
        return one_line("; ".join(told))


def plan_preset(
    name: str, parameters: Mapping[str, Any], settings: BakeSettings, use_impact_keys: bool
) -> PresetPlan:
    """Build a mechanism.

    Args:
        name: of the preset; parameters: of its function.
        settings: frames, rate and interpolation.
        use_impact_keys: whether there are keys at impacts and between frames.

    Raises:
        ArgumentError: for parameters that do not fit, naming them.
        RigError: for frames that do not.
    """
    settings.check()
    preset = next((own for own in PRESETS if own.name == name), None)
    if preset is None:
        names = ", ".join(own.name for own in PRESETS)
        raise ArgumentError(f"preset: wanted one of {names}, got {name!r}")
    return PresetPlan(preset, preset.make(**parameters).compile(), settings, use_impact_keys)


def simulate_preset(plan: PresetPlan) -> Generator[float, None, Trajectory]:
    """Simulate, yielding the part that is done (0 to 1)."""
    times, compiled = plan.settings.times(), plan.compiled
    steps = Simulation(compiled.system, times, compiled.q, compiled.v, tolerance=TOLERANCE).steps()
    while True:
        try:
            reached = next(steps)
        except StopIteration as finished:
            trajectory: Trajectory = finished.value
            return trajectory
        yield (reached - times[0]) / (times[-1] - times[0])


@single_thread()
def enter_preset(
    context: bpy.types.Context,
    plan: PresetPlan,
    trajectory: Trajectory,
    location: tuple[float, float, float],
    started: float,
) -> PresetResult:
    """Put an armature with shapes and keys into a collection of its own; on failure, nothing.

    Args:
        context: whose scene.
        plan: what was simulated; trajectory: its motion.
        location: of the mechanism's origin in the scene, m.
        started: time.perf_counter() at the beginning, for the report.
    """
    settings, compiled = plan.settings, plan.compiled
    table = joint_keys(
        trajectory,
        settings.fps,
        settings.frame_start,
        settings.frame_end,
        interpolation=settings.interpolation,
        tolerance=KEY_TOLERANCE if plan.use_impact_keys else None,
        keys_at_jumps=plan.use_impact_keys,
    )
    own = {keys.joint: keys for keys in table.keys}
    motion = bone_keys(compiled.tree, trajectory.model, own, table.keys[0].frames)
    before = DataSnapshot.take()
    try:
        collection = bpy.data.collections.new(label(plan.preset.title))
        carrier = build_armature(context, collection, compiled.tree, motion, settings.interpolation)
        shown, poses = _shown(compiled), trajectory.link_poses(trajectory.times)
        Drawing(collection, carrier).draw(
            shown, line_lengths(shown, trajectory.model.link_names, poses)
        )
        obj = carrier.armature
        obj.name = obj.data.name = label(plan.preset.title)
        obj.animation_data.action.name = label(f"{plan.preset.title} motion")
        upright = studio_axes(shown.planar, trajectory.model.gravity).T
        obj.matrix_world = Matrix.Translation(location) @ Matrix(upright.tolist()).to_4x4()
        context.scene.collection.children.link(collection)
    except BaseException:
        before.remove_added()
        raise
    context.view_layer.update()
    return PresetResult(
        plan.preset.title, obj, collection, trajectory, table, time.perf_counter() - started
    )


def _shown(compiled: Compiled) -> Picture:
    """What is drawn of a mechanism, without a box at the world's origin that nothing hangs on."""
    whole = picture(compiled)
    places = zip(compiled.model.link_names, compiled.model.link_frame, strict=True)
    still = {link for link, frame in places if frame == 0}
    held = [solid for solid in whole.solids if solid.link in still]
    worlds = {own.name for own in compiled.assembly.components if isinstance(own, World)}
    reached = {link for line in whole.lines for link, _ in (line.start, line.end)}
    if reached & still or not {solid.component for solid in held} <= worlds:
        return whole
    return replace(whole, solids=tuple(own for own in whole.solids if own not in held))
