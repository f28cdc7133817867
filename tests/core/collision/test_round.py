"""Round bodies where directions are hard to tell, and the lines they lie along."""

import numpy as np
import pytest

from ...close import assert_close
from .scenes import collisions, world_poses
from .solids_in_space import pose

ALONG_X = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # turns z to x
ALONG_Y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # turns z to y


def capsules(*poses, radius=0.1, length=0.6):
    from dynarig.core.dynamics.contact import Capsule

    make = [lambda port: Capsule(port, radius, length)] * 2
    return collisions(*make).find(world_poses(*poses), 0.05)


def on_box(at, kind="capsule", half=(0.5, 0.5, 0.5), margin=0.01):
    """A round body against a box about the origin, whose body does not move."""
    from dynarig.core.dynamics.contact import Box, Capsule, Sphere

    body = {
        "capsule": lambda port: Capsule(port, 0.1, 0.6),
        "sphere": lambda port: Sphere(port, 0.1),
    }[kind]
    found = collisions(body, lambda port: Box(port, half))
    return found.find(world_poses(at, np.eye(4)), margin)


def test_balls_about_one_point_are_parted_somehow():
    from dynarig.core.dynamics.contact import Sphere

    own = collisions(lambda port: Sphere(port, 0.1), lambda port: Sphere(port, 0.2))
    touching = own.find(world_poses(np.eye(4), np.eye(4)), 0.0)
    assert_close(touching.gap, [-0.3], 1e-15)
    assert_close(np.linalg.norm(touching.normal, axis=1), 1.0, 1e-15)


def test_capsules_whose_axes_cross_are_parted_across_both():
    touching = capsules(pose(turn=ALONG_X), pose(turn=ALONG_Y))
    assert_close(touching.gap, [-0.2], 1e-15)
    assert_close(np.abs(touching.normal), [[0.0, 0.0, 1.0]], 1e-15)


@pytest.mark.parametrize("slack", [0.0, 1e-12, 1e-6])
def test_capsules_side_by_side_touch_at_both_ends_of_what_they_share(slack):
    turn = np.array([[1.0, slack, 0.0], [-slack, 1.0, 0.0], [0.0, 0.0, 1.0]]) @ ALONG_X
    touching = capsules(pose((0.2, 0.0, 0.19), turn), pose(turn=ALONG_X))
    assert touching.feature.tolist() == [0, 1]
    order = np.argsort(touching.point[:, 0])
    assert_close(touching.point[order, 0], [-0.1, 0.3], 1e-6)
    assert_close(touching.gap, -0.01, 1e-7)


def test_capsules_end_to_end_touch_once():
    touching = capsules(pose((0.79, 0.0, 0.0), ALONG_X), pose(turn=ALONG_X))
    assert_close(touching.gap, [-0.01], 1e-14)
    assert_close(touching.normal, [[1.0, 0.0, 0.0]], 1e-14)


def test_a_capsule_lies_on_a_box_with_both_ends():
    touching = on_box(pose((0.0, 0.0, 0.6), ALONG_X))
    assert_close(touching.gap, 0.0, 1e-15)
    order = np.argsort(touching.point[:, 0])
    assert_close(touching.point[order], [[-0.3, 0.0, 0.5], [0.3, 0.0, 0.5]], 1e-14)


def test_a_capsule_over_the_rim_of_a_box_touches_as_far_as_the_box_goes():
    touching = on_box(pose((0.4, 0.0, 0.599), ALONG_X))
    order = np.argsort(touching.point[:, 0])
    assert_close(touching.point[order, 0], [0.1, 0.5], 1e-14)
    assert_close(touching.gap, -0.001, 1e-14)


def test_a_capsule_across_a_rim_touches_it_once():
    lean = np.array(
        [[np.sqrt(0.5), 0.0, np.sqrt(0.5)], [0, 1, 0], [-np.sqrt(0.5), 0, np.sqrt(0.5)]]
    )
    # at 45 degrees to both faces beside the rim, which is 0.1 below its axis
    at = (0.5 + 0.1 * np.sqrt(0.5), 0.0, 0.5 + 0.1 * np.sqrt(0.5))
    touching = on_box(pose(at, lean @ ALONG_X))
    assert_close(touching.gap, [0.0], 1e-14)
    assert_close(touching.point, [[0.5, 0.0, 0.5]], 1e-14)
    assert_close(touching.normal, [[np.sqrt(0.5), 0.0, np.sqrt(0.5)]], 1e-14)


@pytest.mark.parametrize(
    ("at", "gap", "normal"),
    [
        ((0.0, 0.0, 0.59), -0.01, (0.0, 0.0, 1.0)),
        ((0.56, 0.58, 0.0), 0.0, (0.6, 0.8, 0.0)),
        ((0.5 + 0.2 / 3, 0.5 + 0.1 / 3, 0.5 + 0.2 / 3), 0.0, (2 / 3, 1 / 3, 2 / 3)),
        ((0.0, 0.5, 0.0), -0.1, (0.0, 1.0, 0.0)),
        ((0.1, 0.0, -0.45), -0.15, (0.0, 0.0, -1.0)),
    ],
)
def test_a_ball_meets_faces_edges_and_corners_and_leaves_by_the_nearest_face(at, gap, normal):
    touching = on_box(pose(at), "sphere")
    assert_close(touching.gap, [gap], 1e-14)
    assert_close(touching.normal, [normal], 1e-12)


def test_a_capsule_through_a_plate_leaves_it_along_its_axis_or_sideways():
    from dynarig.core.dynamics.contact import Capsule, Hull

    square = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
    own = collisions(lambda port: Capsule(port, 0.1, 0.6), lambda port: Hull(port, square))
    for at, gap, normal in (
        ((0.0, 0.0, 0.1), -0.3, (0.0, 0.0, 1.0)),
        ((0.9, 0.0, 0.0), -0.2, (1.0, 0.0, 0.0)),
        ((1.1, 0.2, 0.0), 0.0, (1.0, 0.0, 0.0)),
    ):
        touching = own.find(world_poses(pose(at), np.eye(4)), 0.01)
        least = touching.gap.argmin()
        assert_close(touching.gap[least], gap, 1e-14)
        assert_close(touching.normal[least], normal, 1e-12)
