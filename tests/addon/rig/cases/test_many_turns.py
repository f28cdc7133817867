"""Case 13: a wheel that turns more than half a turn a frame, baked from tables."""

import re

import bpy
import numpy as np
import pytest
from dynarig.addon import compat

FILE = "spinner.urdf"
KEYS = 1e-5  # rad, m: what 7 digits leave of 110 rad


@pytest.fixture
def spinner(cases):
    """The robot with the motion of traj.csv, as straight lines between its frames."""
    numbers, scene = cases.expected("13"), bpy.context.scene
    scene.render.fps, scene.frame_start = numbers["fps"], numbers["start_frame"]
    robot = cases.load("13", FILE)
    table = str(cases.folder("13") / "traj.csv")
    done = bpy.ops.dynarig.bake_simulation(trajectory=table, interpolation="LINEAR")
    assert done == {"FINISHED"}
    return robot


def keys(robot):
    """The keys (n, 2) of every channel, frame and value."""
    curves = compat.existing_channels(robot.object)
    return [np.array([point.co for point in curve.keyframe_points]) for curve in curves]


def go(frame):
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)


def test_whole_frames(cases, spinner):
    numbers = cases.expected("13")
    for text, wanted in numbers["frames"].items():
        frame = int(text)
        assert (frame - numbers["start_frame"]) / numbers["fps"] == pytest.approx(wanted["t"])
        go(frame)
        for joint in ("spin", "feather"):
            assert spinner.value(joint) == pytest.approx(wanted[joint], abs=KEYS), text
        blade = spinner.links()["blade"]
        assert blade[:3, 3] == pytest.approx(wanted["blade_xyz"], abs=KEYS), text


def test_between_frames(cases, spinner):
    for text, wanted in cases.expected("13")["subframes(linear keys)"].items():
        go(float(text))
        assert spinner.value("spin") == pytest.approx(wanted["spin_linear_between_keys"], abs=KEYS)
        blade = spinner.links()["blade"]
        assert blade[:3, 3] == pytest.approx(wanted["blade_xyz"], abs=KEYS), text


def test_keys_are_one_a_frame_and_never_wrapped(cases, spinner):
    numbers = cases.expected("13")
    frames = np.arange(numbers["start_frame"], numbers["last_frame"] + 1)
    channels = keys(spinner)
    assert len(channels) == 2
    for channel in channels:
        assert channel[:, 0] == pytest.approx(frames)
    step = max(np.abs(np.diff(channel[:, 1])).max() for channel in channels)
    assert step == pytest.approx(numbers["max_step_rad_per_frame"], abs=KEYS)


def test_a_second_bake_leaves_no_key_of_the_first(cases, spinner):
    (rule,) = (rule for rule in cases.expected("13")["rules"] if "traj_short.csv" in rule)
    last, spin = re.search(r"after frame (\d+) .* spin == ([\d.]+)", rule).groups()
    bpy.ops.dynarig.bake_simulation(trajectory=str(cases.folder("13") / "traj_short.csv"))
    for channel in keys(spinner):
        assert channel[:, 0] == pytest.approx(np.arange(1, int(last) + 1))
    for frame in (int(last), int(last) + 30):
        go(frame)
        assert spinner.value("spin") == pytest.approx(float(spin), abs=KEYS)
