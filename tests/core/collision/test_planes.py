"""Solids over planes: how deep they are, what they stand on, and how they roll."""

import numpy as np
import pytest

from ...close import assert_close
from .scenes import collisions, over_floor, random_shape, world_poses
from .solids_in_space import pose, random_turn

KINDS = ["point", "sphere", "capsule", "box", "cylinder", "hull", "plate"]


def lean(angle, axis=(1.0, 0.0, 0.0)):
    """A rotation (3, 3) about an axis."""
    from dynarig.core.frames import rotation_from_axis_angle

    return rotation_from_axis_angle(axis, angle)


def cylinder(radius=0.2, length=0.6):
    from dynarig.core.dynamics.contact import Cylinder

    return over_floor(lambda port: Cylinder(port, radius, length))


def around(center, points):
    """Whether a point (2,) is within the hull of points (n, 2): no line parts them."""
    angles = np.linspace(0.0, 2.0 * np.pi, 64)
    ways = np.array([np.cos(angles), np.sin(angles)])
    return bool((((points - center) @ ways).max(axis=0) >= 0.0).all())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_the_lowest_point_of_a_solid_is_found(kind, seed):
    rng = np.random.default_rng(seed)
    over = over_floor(random_shape(rng, kind))
    poses = world_poses(pose(rng.normal(size=3), random_turn(rng)))
    touching = over.find(poses, 10.0)
    solid, shape = over.solids[0], over.colliders[0].shape
    at = poses[1] @ solid.frame_from_port
    points = solid.points
    if kind == "cylinder":
        # the true rims, densely
        angle = np.linspace(0.0, 2.0 * np.pi, 20001)
        rim = shape.radius * np.array([np.cos(angle), np.sin(angle), 0.0 * angle]).T
        up = [0.0, 0.0, 0.5 * shape.length]
        points = np.concatenate((rim + up, rim - up))
    lowest = (points @ at[:3, :3].T + at[:3, 3])[:, 2].min() - solid.radius
    assert_close(touching.gap.min(), lowest, 1e-8)
    # midway between the ground and the surface
    assert_close(touching.point[:, 2], 0.5 * touching.gap, 1e-14)
    assert_close(touching.normal, np.tile([0.0, 0.0, 1.0], (len(touching), 1)), 1e-14)
    assert len(set(touching.feature.tolist())) == len(touching)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_found_above_the_margin(kind):
    rng = np.random.default_rng(5)
    over = over_floor(random_shape(rng, kind))
    poses = world_poses(pose((0.0, 0.0, 0.0), random_turn(rng)))
    poses[1, 2, 3] -= over.find(poses, 10.0).gap.min()  # it touches
    for height, count in ((0.011, 0), (0.009, 1)):
        raised = poses.copy()
        raised[1, 2, 3] += height
        assert min(len(over.find(raised, 0.01)), 1) == count


def test_gaps_over_a_tilted_plane_on_a_moving_body():
    from dynarig.core.dynamics.contact import Plane, Sphere

    own = collisions(lambda port: Sphere(port, 0.1), lambda port: Plane(port, (1.0, 2.0, 2.0)))
    rng = np.random.default_rng(6)
    at = pose(rng.normal(size=3), random_turn(rng))
    poses = world_poses(pose(rng.normal(size=3)), at)
    touching = own.find(poses, 10.0)
    up = at[:3, :3] @ np.array([1.0, 2.0, 2.0]) / 3.0
    assert_close(touching.gap, [up @ (poses[1, :3, 3] - at[:3, 3]) - 0.1], 1e-13)
    # from the plane, the second, to the ball
    assert_close(touching.normal, up[None], 1e-14)


def test_a_box_stands_on_four_corners():
    from dynarig.core.dynamics.contact import Box

    over = over_floor(lambda port: Box(port, (0.1, 0.2, 0.3)))
    touching = over.find(world_poses(pose((1.0, 2.0, 0.3), lean(0.7, (0.0, 0.0, 1.0)))), 1e-3)
    assert len(touching) == 4
    assert around(np.array([1.0, 2.0]), touching.point[:, :2])
    assert_close(touching.gap, 0.0, 1e-15)


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.2])
def test_a_hull_with_a_round_base_stands_on_few_corners_that_stay(turn):
    from dynarig.core.dynamics.collision.polytope import prism
    from dynarig.core.dynamics.contact import Hull

    corners = prism(0.2, 0.5, 40).vertices
    over = over_floor(lambda port: Hull(port, corners))
    about = lean(turn, (0.0, 0.0, 1.0))
    touching = over.find(world_poses(pose((0.0, 0.0, 0.25), about)), 1e-3)
    assert 3 <= len(touching) <= 5
    assert around(np.zeros(2), touching.point[:, :2] / 0.6)
    # leaning by less than matters, it keeps them
    leaning = over.find(world_poses(pose((0.0, 0.0, 0.25), lean(1e-8) @ about)), 1e-3)
    assert leaning.feature.tolist() == touching.feature.tolist()
    # and leaning more, its lowest corner is one of them
    touching = over.find(world_poses(pose((0.0, 0.0, 0.25), lean(0.01) @ about)), 1e-2)
    at = lean(0.01) @ about
    assert_close(touching.gap.min(), (corners @ at.T)[:, 2].min() + 0.25, 1e-13)


def test_a_cylinder_stands_on_its_face():
    touching = cylinder().find(world_poses(pose((1.0, 0.0, 0.3))), 1e-3)
    assert len(touching) >= 3
    assert_close(touching.gap, 0.0, 1e-15)
    assert_close(np.linalg.norm(touching.point[:, :2] - [1.0, 0.0], axis=1), 0.2, 1e-14)
    assert around(np.array([1.0, 0.0]), touching.point[:, :2])


def test_a_cylinder_that_stands_hardly_leaning_keeps_its_points():
    still = cylinder().find(world_poses(pose((1.0, 0.0, 0.3))), 1e-3)
    leaning = cylinder().find(world_poses(pose((1.0, 0.0, 0.3), lean(1e-9, (0.0, 1.0, 0.0)))), 1e-3)
    assert leaning.feature.tolist() == still.feature.tolist()
    assert_close(leaning.point, still.point, 1e-8)


@pytest.mark.parametrize("roll", [0.0, 0.4, 3.0])
def test_a_cylinder_lies_on_two_points_below_its_axis(roll):
    turn = lean(0.5 * np.pi) @ lean(roll, (0.0, 0.0, 1.0))
    touching = cylinder().find(world_poses(pose((0.0, 0.0, 0.2), turn)), 1e-3)
    assert len(touching) == 2
    order = np.argsort(touching.point[:, 1])
    assert_close(touching.point[order], [[0.0, -0.3, 0.0], [0.0, 0.3, 0.0]], 1e-14)
    assert_close(touching.gap, 0.0, 1e-14)


def test_a_cylinder_rolls_as_a_circle_does():
    turns = np.linspace(0.0, 2.0 * np.pi, 100)
    heights = []
    for roll in turns:
        turn = lean(0.5 * np.pi + 0.2) @ lean(roll, (0.0, 0.0, 1.0))
        touching = cylinder().find(world_poses(pose((0.0, 0.0, 0.3), turn)), 0.1)
        assert len(touching) == 1
        heights.append(touching.gap[0])
    # the centre of the lower rim is 0.3 sin 0.2 below, the rim 0.2 cos 0.2 lower
    assert_close(heights, 0.3 - 0.3 * np.sin(0.2) - 0.2 * np.cos(0.2), 1e-14)


def test_a_disc_on_its_edge_touches_below_its_centre_and_a_little_ahead():
    """A coin that rolls and leans: the point moves smoothly with the lean."""
    coin = cylinder(0.2, 0.01)
    last = None
    for tilt in np.linspace(1.2, 1.5, 50):
        touching = coin.find(world_poses(pose((0.0, 0.0, 0.2), lean(tilt))), 0.1)
        lowest = touching.point[touching.gap.argmin()]
        if last is not None:
            assert np.linalg.norm(lowest - last) < 0.01
        last = lowest


def test_a_capsule_lies_on_two_points():
    from dynarig.core.dynamics.contact import Capsule

    over = over_floor(lambda port: Capsule(port, 0.1, 0.6))
    touching = over.find(world_poses(pose((0.0, 0.0, 0.1), lean(0.5 * np.pi))), 1e-3)
    assert_close(np.sort(touching.point[:, 1]), [-0.3, 0.3], 1e-14)
    assert_close(touching.gap, 0.0, 1e-14)


def test_a_rectangle_of_a_planar_mechanism_touches_with_its_corners():
    from dynarig.core.dynamics.contact import Box

    over = over_floor(lambda port: Box(port, (0.2, 0.1)), normal=(0.0, 1.0, 0.0))
    touching = over.find(world_poses(pose((0.0, 0.1, 0.0))), 1e-3)
    order = np.argsort(touching.point[:, 0])
    assert_close(touching.point[order], [[-0.2, 0.0, 0.0], [0.2, 0.0, 0.0]], 1e-15)


def test_many_solids_at_once_are_the_solids_one_by_one():
    rng = np.random.default_rng(9)
    shapes = [random_shape(rng, kind) for kind in KINDS * 2]
    poses = [pose(0.2 * rng.normal(size=3), random_turn(rng)) for _ in shapes]
    names = [(f"c{index}", "floor") for index in range(len(shapes))]
    every = over_floor(*shapes)
    every = type(every)(every.model, every.colliders, pairs=names)
    together = every.find(world_poses(*poses), 0.1)
    count = 0
    for index, (shape, at) in enumerate(zip(shapes, poses, strict=True)):
        alone = over_floor(shape).find(world_poses(at), 0.1)
        own = together.first == index
        assert sorted(together.feature[own]) == sorted(alone.feature)
        order, other = np.argsort(together.feature[own]), np.argsort(alone.feature)
        assert_close(together.gap[own][order], alone.gap[other], 1e-13)
        assert_close(together.point[own][order], alone.point[other], 1e-13)
        count += len(alone)
    assert count == len(together) > 10
