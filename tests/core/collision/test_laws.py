"""What holds of all pairs of convex solids: distance, rate, invariance, order."""

import itertools

import numpy as np
import pytest

from ...close import assert_close
from .scenes import (
    collisions,
    directions,
    over_floor,
    random_shape,
    separation,
    world_poses,
)
from .solids_in_space import pose, random_pose, random_turn

ROUND = ["point", "sphere", "capsule"]
POLYTOPES = ["box", "cylinder", "hull", "plate"]
PAIRS = [
    pair
    for pair in itertools.combinations_with_replacement(ROUND + POLYTOPES, 2)
    if pair[0] in ROUND
]
FAR = 5.0  # m: a margin that nothing in these scenes is outside of
SAME = 2e-7  # m: points that are nearer to being the nearest are not told twice


def scene(rng, kinds):
    """Two bodies with a shape each, apart or in each other, and their poses."""
    found = collisions(*(random_shape(rng, kind) for kind in kinds))
    return found, world_poses(*(pose(0.3 * rng.normal(size=3), random_turn(rng)) for _ in kinds))


def moved(poses, body, twist, time):
    """The poses with one body moved by a twist (turn, shift) about its origin."""
    from dynarig.core.frames import rotation_from_rotation_vector

    out = poses.copy()
    out[body, :3, :3] = rotation_from_rotation_vector(time * twist[:3]) @ out[body, :3, :3]
    out[body, :3, 3] += time * twist[3:]
    return out


@pytest.mark.parametrize("kinds", PAIRS)
def test_the_least_gap_is_the_greatest_separation(kinds):
    rng = np.random.default_rng(1)
    ways = directions(rng)
    deep = 0
    for _ in range(25):
        found, poses = scene(rng, kinds)
        touching = found.find(poses, FAR)
        least = int(touching.gap.argmin())
        gap, own = touching.gap[least], touching.normal[[least]]
        deep += gap < 0.0
        # no way parts them further, its own normal almost as far, and exactly where it is a corner
        assert separation((found, touching), poses, least, ways).max() <= gap + SAME
        reached = separation((found, touching), poses, least, own)[0]
        if touching.feature[least] == 2 or "capsule" not in kinds:
            assert_close(reached, gap, 1e-12)
        assert reached <= gap + SAME
    assert deep or "point" in kinds


@pytest.mark.parametrize("kinds", PAIRS)
def test_gaps_grow_as_the_bodies_part_along_the_normal(kinds):
    rng = np.random.default_rng(2)
    step = 1e-6
    for _ in range(10):
        found, poses = scene(rng, kinds)
        touching = found.find(poses, FAR)
        twists = rng.normal(size=(2, 6))
        gaps = []
        for time in (-step, step):
            later = moved(moved(poses, 1, twists[0], time), 2, twists[1], time)
            gaps.append(found.find(later, FAR).gap.min())
        least = int(touching.gap.argmin())
        x, n = touching.point[least], touching.normal[least]
        v = [
            twist[3:] + np.cross(twist[:3], x - poses[body, :3, 3])
            for body, twist in zip((1, 2), twists, strict=True)
        ]
        first = 0 if touching.first[least] == 0 else 1
        rate = n @ (v[first] - v[1 - first])
        assert_close((gaps[1] - gaps[0]) / (2.0 * step), rate, 1e-3)


@pytest.mark.parametrize("kinds", PAIRS)
def test_points_move_with_the_scene(kinds):
    rng = np.random.default_rng(3)
    found, poses = scene(rng, kinds)
    move = random_pose(rng)
    here, there = found.find(poses, FAR), found.find(move @ poses, FAR)
    same_points(there, here, move)


def same_points(there, here, move, turned=1.0):
    """That the points there are those here, moved."""
    assert len(there) == len(here)
    order = [np.lexsort((own.feature, own.first)) for own in (there, here)]
    assert_close(there.gap[order[0]], here.gap[order[1]], 1e-11)
    points = here.point[order[1]] @ move[:3, :3].T + move[:3, 3]
    assert_close(there.point[order[0]], points, 1e-9)
    normals = turned * here.normal[order[1]] @ move[:3, :3].T
    assert_close(there.normal[order[0]], normals, 1e-9)


@pytest.mark.parametrize("kind", [*ROUND, *POLYTOPES])
@pytest.mark.parametrize("margin", [0.02, 5.0])
def test_points_over_the_ground_move_with_the_scene(kind, margin):
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.collision.collisions import Collisions
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Plane

    rng = np.random.default_rng(4)
    over = over_floor(random_shape(rng, kind))
    poses = world_poses(pose((0.0, 0.0, 0.3), random_turn(rng)))
    poses[1, 2, 3] -= over.find(poses, FAR).gap.min() + 0.01
    move = random_pose(rng)
    ground = Collider(name="floor", shape=Plane(Port(None, move)))
    turned = Collisions(over.model, [over.colliders[0], ground])
    here = over.find(poses, margin)
    assert len(here)
    same_points(turned.find(world_poses(move @ poses[1]), margin), here, move)


@pytest.mark.parametrize("kinds", [*PAIRS, ("box", "hull"), ("cylinder", "box")])
def test_pairs_the_other_way_round_have_opposite_normals(kinds):
    rng = np.random.default_rng(5)
    shapes = [random_shape(rng, kind) for kind in kinds]
    poses = world_poses(*(pose(0.2 * rng.normal(size=3), random_turn(rng)) for _ in kinds))
    here = collisions(*shapes, pairs=[("c0", "c1")]).find(poses, FAR)
    there = collisions(*shapes, pairs=[("c1", "c0")]).find(poses, FAR)
    assert set(here.first) == {0}
    assert set(there.first) == {1}
    least = [int(own.gap.argmin()) for own in (here, there)]
    assert_close(there.gap[least[1]], here.gap[least[0]], 1e-12)
    assert_close(there.normal[least[1]], -here.normal[least[0]], 1e-9)


@pytest.mark.parametrize("kind", [*ROUND, *POLYTOPES])
def test_normals_point_from_the_second_to_the_first(kind):
    rng = np.random.default_rng(6)
    found = collisions(random_shape(rng, kind), random_shape(rng, "sphere"))
    poses = world_poses(pose((3.0, 0.0, 0.0)), np.eye(4))
    touching = found.find(poses, FAR)
    way = np.where(touching.first == 0, 1.0, -1.0)
    assert (way * touching.normal[:, 0] > 0.8).all()
    assert_close(np.linalg.norm(touching.normal, axis=1), 1.0, 1e-12)


def test_a_larger_margin_only_adds_points():
    rng = np.random.default_rng(7)
    for kinds in PAIRS:
        found, poses = scene(rng, kinds)
        every = found.find(poses, FAR)
        for margin in (every.gap.min() - 1e-9, every.gap.min() + 1e-9, 0.1):
            own = found.find(poses, margin)
            assert len(own) == (every.gap <= margin).sum()
