"""One rule for a duration, the operator's and the script's: whole frames, rounded down."""

import bpy
import pytest
from batch.ground import Ground
from batch.options import read_options
from batch.settings import bake_settings
from dynarig.addon.blender.bake.settings import whole_frames
from dynarig.addon.errors import RigError
from dynarig.addon.operators.bake_simulation import settings_of_scene

# seconds, frames over a base, whole frames
DURATIONS = [
    (2.0, 24, 1.0, 48),
    (0.16, 24, 1.0, 3),  # 3.84
    (0.7, 10, 1.0, 7),  # 6.999999999999999 in float64, 6.9999999 in Blender's float32
    (2.3, 10, 1.0, 23),
    (0.1, 10, 1.0, 1),
    (10.01, 30, 1.001, 300),  # 29.97 frames a second
    (1.1, 60, 1.0, 66),
]


@pytest.mark.parametrize(("seconds", "fps", "base", "frames"), DURATIONS)
def test_operator_and_script_take_the_same_frames(seconds, fps, base, frames):
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base, scene.frame_start = fps, base, 5
    scene.dynarig.range, scene.dynarig.duration = "DURATION", seconds
    found = settings_of_scene(scene)
    assert (found.frame_start, found.frame_end) == (5, 5 + frames)
    options = read_options(["arm.urdf", "--csv", "arm.csv", "--fps", repr(fps / base)])
    found = bake_settings(options, Ground(), seconds)
    assert found.frame_end - found.frame_start == frames
    assert whole_frames(seconds, fps / base) == frames


def test_the_slack_is_for_rounding_only():
    assert whole_frames(1.0 - 0.9e-9, 1.0) == 1
    assert whole_frames(3.0 - 0.9e-9, 1.0) == 3
    assert whole_frames(3.0 - 1e-8, 1.0) == 2


@pytest.mark.parametrize("seconds", [0.04, 0.0, -1.0])
def test_less_than_a_frame_is_one_clear_error(lab, seconds):
    with pytest.raises(RigError, match="wanted 1 at least"):
        whole_frames(seconds, 24.0)
    lab.load("ur5")
    with pytest.raises(RuntimeError, match="wanted 1 at least"):
        bpy.ops.dynarig.bake_simulation(duration=max(seconds, 0.001))
    assert not len(bpy.data.actions)
