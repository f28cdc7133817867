"""A simulation in slices of time, as behind the progress bar: Esc is heard within a frame."""

import bpy
import numpy as np
from dynarig.addon import compat
from dynarig.addon.blender.bake.bake import bake_robot, prepare_bake, simulate_bake
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.joint_limits import MUTED_KEY
from dynarig.addon.blender.pose import set_joint_values
from dynarig.addon.job import Run


def one_frame():
    """A second in a single frame: a step of the solver is much shorter."""
    return BakeSettings(frame_start=1, frame_end=2, fps=1.0)


def test_a_slice_ends_after_a_step_and_not_only_after_a_frame(lab):
    plan = prepare_bake(bpy.context, lab.load("panda").object, one_frame())
    run = Run(simulate_bake(plan))
    seen = []
    while not run.finished:
        run.advance(0.0)
        seen.append(run.progress)
    assert all(isinstance(part, float) and 0.0 <= part <= 1.0 for part in seen)
    assert seen == sorted(seen)
    assert len(seen) > 20
    assert np.diff([0.0, *seen]).max() < 0.25
    assert seen[-1] == 1.0
    # in slices or at once, the motion is the same
    whole = Run(simulate_bake(plan))
    whole.advance(float("inf"))
    assert np.array_equal(whole.answer.q, run.answer.q)
    assert run.answer.steps == whole.answer.steps


def test_a_run_that_is_stopped_leaves_everything_untouched(lab, inventory):
    result = lab.load("panda")
    obj = result.object
    # an earlier bake, a pose of one's own, and a limit that the bake had to mute
    bake_robot(bpy.context, obj, BakeSettings(frame_end=25, use_limits=False))
    rig, _ = lab.open(result)
    set_joint_values(rig, {"panda_joint2": 0.3})
    rig.pose_bone("panda_joint3").rotation_mode = "XYZ"
    assert any(MUTED_KEY in bone.keys() for bone in obj.pose.bones)  # noqa: SIM118
    before, blocks, dirty = state(obj), inventory(), bpy.data.is_dirty
    run = Run(simulate_bake(prepare_bake(bpy.context, obj, BakeSettings(frame_end=2400))))
    for _ in range(30):
        run.advance(0.0)
    run.stop()
    assert not run.finished
    assert run.answer is None
    assert 0.0 < run.progress < 1.0
    assert state(obj) == before
    assert inventory() == blocks
    assert bpy.data.is_dirty == dirty
    # and it does not go on
    run.advance(0.0)
    assert run.answer is None


def state(obj):
    """All of a robot that a bake writes to, as text."""
    action = obj.animation_data.action
    found = [action.name, bpy.context.scene.frame_current]
    for bone in obj.pose.bones:
        found += [bone.name, bone.rotation_mode, dict(bone.items())]
        found += [tuple(getattr(bone, name)) for name in ("location", "rotation_euler", "scale")]
        found += [tuple(getattr(bone, name)) for name in ("lock_location", "lock_rotation")]
        found += [(item.name, item.mute) for item in bone.constraints]
    found += [(curve.data_path, curve.driver.expression) for curve in obj.animation_data.drivers]
    return str(found), keys(obj)


def keys(obj):
    return [
        (curve.data_path, curve.array_index, [tuple(point.co) for point in curve.keyframe_points])
        for curve in compat.existing_channels(obj)
    ]
