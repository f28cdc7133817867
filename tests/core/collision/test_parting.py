"""Planes that part polytopes spare work and change nothing."""

import numpy as np

from ...close import assert_close
from .scenes import collisions, random_shape, world_poses
from .solids_in_space import pose, random_turn


def crowd(rng, count=16):
    """Polytopes in a crowd, and their poses."""
    kinds = ["box", "hull", "cylinder", "plate"]
    shapes = [random_shape(rng, kinds[index % 4]) for index in range(count)]
    poses = [pose(0.5 * rng.normal(size=3), random_turn(rng)) for _ in shapes]
    return shapes, world_poses(*poses)


def test_what_was_found_before_changes_nothing():
    rng = np.random.default_rng(1)
    shapes, poses = crowd(rng)
    used = collisions(*shapes)
    for _ in range(12):
        poses[1:, :3, 3] += 0.02 * rng.normal(size=(len(shapes), 3))
        fresh = collisions(*shapes).find(poses, 0.01)
        again = used.find(poses, 0.01)
        assert len(fresh) == len(again) > 0
        order = [np.lexsort((own.feature, own.second, own.first)) for own in (fresh, again)]
        assert_close(fresh.gap[order[0]], again.gap[order[1]], 1e-12)
        assert_close(fresh.point[order[0]], again.point[order[1]], 1e-9)


def test_planes_that_are_learnt_part_the_solids():
    from dynarig.core.dynamics.collision.parting import Parting

    rng = np.random.default_rng(2)
    shapes, poses = crowd(rng)
    own = collisions(*shapes)
    world_from_port = poses[[s.frame for s in own.solids]] @ [s.frame_from_port for s in own.solids]
    parting, rows = Parting(own.solids, own.pairs), np.arange(len(own.pairs))
    assert not parting.apart(world_from_port, rows, 0.0).any()
    parting.learn(world_from_port, rows, 0.0)
    parted = parting.apart(world_from_port, rows, 0.0)
    touching = own.find(poses, 10.0)
    least = np.full(len(rows), np.inf)
    for a, b, gap in zip(touching.first, touching.second, touching.gap, strict=True):
        row = int(np.flatnonzero((own.pairs == (a, b)).all(axis=1))[0])
        least[row] = min(least[row], gap)
    # none of those in each other, and most of the others
    assert not parted[least <= 0.0].any()
    assert parted[least > 0.02].mean() > 0.9
    # they part by no more than the distance
    for margin in (0.05, 0.2):
        assert (least[parting.apart(world_from_port, rows, margin)] > margin).all()


def test_pairs_that_nothing_parts_are_looked_at_less_and_less():
    from dynarig.core.dynamics.collision.parting import Parting

    rng = np.random.default_rng(3)
    own = collisions(random_shape(rng, "box"), random_shape(rng, "box"))
    world_from_port = np.array([np.eye(4), np.eye(4)])
    parting, rows = Parting(own.solids, own.pairs), np.arange(1)
    parting.learn(world_from_port, rows, 0.0)
    apart = world_from_port.copy()
    apart[1, 0, 3] = 5.0
    # passed over once after the first failure
    parting.learn(apart, rows, 0.0)
    assert not parting.apart(apart, rows, 0.0).any()
    parting.learn(apart, rows, 0.0)
    assert parting.apart(apart, rows, 0.0).all()
