"""What the tests of the cases compare in the same way."""

import numpy as np
import pytest

NINE_DIGITS = 1e-6  # what Blender's 7 digits leave of the files' 9, at these robots' sizes


def check_frames(found, frames):
    """Each link's pose against its "xyz" and "R", and no other links."""
    assert set(found) == set(frames)
    for link, frame in frames.items():
        assert found[link][:3, 3] == pytest.approx(frame["xyz"], abs=NINE_DIGITS), link
        assert np.abs(found[link][:3, :3] - frame["R"]).max() < NINE_DIGITS, link


def check_positions(found, positions):
    """Where each link is."""
    assert set(found) == set(positions)
    for link, xyz in positions.items():
        assert found[link][:3, 3] == pytest.approx(xyz, abs=NINE_DIGITS), link


def check_bounds(robot, role, boxes):
    """The least and the greatest corner of each link's one part in the world."""
    parts = robot.parts(role)
    assert set(boxes) <= set(parts)
    for link, box in boxes.items():
        found = robot.bounds(parts[link])
        assert np.abs(found - np.array(box)).max() < NINE_DIGITS, link
