"""Contact of convex polytopes: certificates for distance and depth, symmetries, and patches."""

import numpy as np
import pytest

from ...close import assert_close
from .solids_in_space import depth_in, placed, pose, random_pose, random_solid, random_turn

FEW = range(60)


def contacts(a, at_a, b, at_b, margin):
    from dynarig.core.dynamics.collision.polytope_pairs import polytope_contacts

    return polytope_contacts([a], at_a[None], [b], at_b[None], margin)


def box(*half_sizes):
    from dynarig.core.dynamics.collision.polytope import box

    return box(np.array(half_sizes))


def deepest(found):
    """The normal from the first to the second, and the gap, of the point of the least gap."""
    row = found.gap.argmin()
    return -found.normal[row], found.gap[row], found.point[row]


def pair_at(rng, gap):
    """Two random solids with a given gap between them, in a random direction."""
    a, b = random_solid(rng), random_solid(rng)
    at_a, at_b = random_pose(rng), random_pose(rng)
    way = rng.normal(size=3)
    at_b[:3, 3] = at_a[:3, 3] + 2.0 * way / np.linalg.norm(way)
    normal, far, _ = deepest(contacts(a, at_a, b, at_b, 10.0))
    at_b[:3, 3] -= (far - gap) * normal
    return a, at_a, b, at_b


def separation(a, at_a, b, at_b, normals):
    """min n . y - max n . x over b and a, for unit vectors (k, 3)."""
    return (placed(b, at_b) @ normals.T).min(axis=0) - (placed(a, at_a) @ normals.T).max(axis=0)


@pytest.mark.parametrize("seed", FEW)
def test_the_least_gap_of_solids_that_are_apart_is_their_distance(seed):
    rng = np.random.default_rng(seed)
    a, at_a, b, at_b = pair_at(rng, rng.uniform(1e-4, 0.1))
    normal, gap, point = deepest(contacts(a, at_a, b, at_b, 0.2))
    # two points of the solids that are so near, and a slab of that width between the solids
    assert_close(separation(a, at_a, b, at_b, normal[None]), gap, 1e-9)
    assert depth_in(a, at_a, point - 0.5 * gap * normal) < 1e-7
    assert depth_in(b, at_b, point + 0.5 * gap * normal) < 1e-7


@pytest.mark.parametrize("seed", FEW)
def test_the_least_gap_of_solids_that_overlap_is_the_least_shift_that_parts_them(seed):
    rng = np.random.default_rng(seed)
    a, at_a, b, at_b = pair_at(rng, rng.uniform(-0.05, -1e-4))
    normal, gap, point = deepest(contacts(a, at_a, b, at_b, 0.0))
    bias = 5e-3 * abs(gap) + 2e-5
    assert gap < 0.0
    assert_close(separation(a, at_a, b, at_b, normal[None]), gap, bias)
    normals = rng.normal(size=(4000, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    assert separation(a, at_a, b, at_b, normals).max() <= gap + bias
    # from the deepest point of either solid to that of the other
    assert depth_in(a, at_a, point - 0.5 * gap * normal) < 1e-6
    assert depth_in(b, at_b, point + 0.5 * gap * normal) < 1e-6


@pytest.mark.parametrize("seed", FEW)
def test_every_point_has_its_gap_along_its_normal(seed):
    # the points on both surfaces lie in their solids, or on a plane of a face beyond them
    rng = np.random.default_rng(seed)
    a, at_a, b, at_b = pair_at(rng, rng.uniform(-0.01, 0.01))
    found = contacts(a, at_a, b, at_b, 0.05)
    assert 1 <= len(found.gap) <= 7
    assert len(set(found.feature)) == len(found.feature)
    assert_close(np.linalg.norm(found.normal, axis=1), 1.0, 1e-12)
    for point, normal, gap in zip(found.point, found.normal, found.gap, strict=True):
        heights = [
            depth_in(a, at_a, point + 0.5 * gap * normal),
            depth_in(b, at_b, point - 0.5 * gap * normal),
        ]
        assert max(heights) < 1e-6


@pytest.mark.parametrize("seed", FEW)
def test_moving_everything_moves_the_points(seed):
    rng = np.random.default_rng(seed)
    a, at_a, b, at_b = pair_at(rng, rng.uniform(-0.05, 0.05))
    there = random_pose(rng)
    here = contacts(a, at_a, b, at_b, 0.1)
    moved = contacts(a, there @ at_a, b, there @ at_b, 0.1)
    assert_close(moved.gap, here.gap, 1e-12)
    assert_close(moved.normal, here.normal @ there[:3, :3].T, 1e-12)
    assert_close(moved.point, here.point @ there[:3, :3].T + there[:3, 3], 1e-11)
    assert (moved.feature == here.feature).all()


@pytest.mark.parametrize("seed", FEW)
def test_swapping_the_bodies_turns_the_normal(seed):
    rng = np.random.default_rng(seed)
    a, at_a, b, at_b = pair_at(rng, rng.uniform(-0.05, 0.05))
    one = deepest(contacts(a, at_a, b, at_b, 0.1))
    other = deepest(contacts(b, at_b, a, at_a, 0.1))
    bias = 5e-3 * abs(one[1]) + 2e-5 if one[1] < 0.0 else 1e-9
    assert_close(other[1], one[1], bias)
    if one[1] > 0.0:
        assert_close(other[0], -one[0], 1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_many_pairs_at_once_are_the_pairs_one_by_one(seed):
    from dynarig.core.dynamics.collision.polytope_pairs import polytope_contacts

    rng = np.random.default_rng(seed)
    pairs = [pair_at(rng, rng.uniform(-0.05, 0.15)) for _ in range(6)]
    a, at_a, b, at_b = zip(*pairs, strict=True)
    every = polytope_contacts(a, np.array(at_a), b, np.array(at_b), 0.1)
    single = [contacts(*pair, 0.1) for pair in pairs]
    assert list(every.pair) == [row for row, own in enumerate(single) for _ in own.gap]
    for name in ("point", "normal", "gap", "feature"):
        expected = np.concatenate([getattr(own, name) for own in single])
        assert_close(getattr(every, name), expected, 1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_the_gap_changes_as_bodies_move_along_the_normal(seed):
    # dg/dt = n . (v_b - v_a) with n out of the first and v at the point, however a solid turns
    rng = np.random.default_rng(seed)
    a, at_a, b, at_b = pair_at(rng, 0.02)
    normal, _, point = deepest(contacts(a, at_a, b, at_b, 0.1))
    spin, speed, step = rng.normal(size=3), rng.normal(size=3), 1e-6
    gaps = []
    for time in (-step, step):
        turn, _ = np.linalg.qr(np.eye(3) + time * np.cross(np.eye(3), spin))
        turn = turn * np.sign(np.diag(turn))
        moved = pose(point + turn @ (at_b[:3, 3] - point) + time * speed, turn @ at_b[:3, :3])
        gaps.append(contacts(a, at_a, b, moved, 0.1).gap.min())
    assert_close((gaps[1] - gaps[0]) / (2.0 * step), normal @ speed, 1e-4)


@pytest.mark.parametrize("gap", [-1e-3, 0.0, 1e-3])
@pytest.mark.parametrize("turn", [0.0, 0.5 * np.pi])
def test_box_on_box_touches_at_the_corners_of_what_they_share(gap, turn):
    c, s = np.cos(turn), np.sin(turn)
    upper = pose((0.3, 0.2, 1.0 + gap), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))
    found = contacts(box(0.5, 0.5, 0.5), upper, box(0.5, 0.5, 0.5), pose(), 0.01)
    assert_close(found.normal, [[0.0, 0.0, 1.0]] * 4, 1e-12)
    assert_close(found.gap, gap, 1e-12)
    assert_close(found.point[:, 2], 0.5 + 0.5 * gap, 1e-12)
    corners = sorted(map(tuple, np.round(found.point[:, :2], 9)))
    assert_close(corners, [(-0.2, -0.3), (-0.2, 0.5), (0.5, -0.3), (0.5, 0.5)], 1e-9)


def test_boxes_that_are_flush_touch_at_their_corners():
    found = contacts(box(0.5, 0.5, 0.5), pose((0.0, 0.0, 1.0)), box(0.5, 0.5, 0.5), pose(), 0.01)
    corners = sorted(map(tuple, np.round(found.point[:, :2], 9)))
    assert_close(corners, [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)], 1e-9)


def test_a_small_box_rocks_on_a_large_one_with_the_same_features():
    lower, upper = box(1.0, 1.0, 0.5), box(0.2, 0.3, 0.1)
    features = set()
    for tilt in (-1e-5, -1e-9, 0.0, 1e-9, 1e-5):
        turn = np.array([[1.0, 0.0, tilt], [0.0, 1.0, 0.0], [-tilt, 0.0, 1.0]])
        found = contacts(upper, pose((0.1, 0.2, 0.6), turn), lower, pose(), 0.01)
        assert len(found.gap) == 4
        features.add(frozenset(found.feature.tolist()))
    assert len(features) == 1


def test_boxes_in_the_same_place_are_parted_along_their_shortest_side():
    found = contacts(box(0.5, 0.3, 0.4), pose(), box(0.5, 0.3, 0.4), pose(), 0.0)
    assert_close(found.gap, -0.6, 1e-12)
    assert_close(np.abs(found.normal), [[0.0, 1.0, 0.0]] * len(found.gap), 1e-12)


def test_crossed_edges_touch_in_one_point():
    # two boxes on edge, one across the other
    c = np.sqrt(0.5)
    lower = np.array([[1.0, 0.0, 0.0], [0.0, c, -c], [0.0, c, c]])
    upper = np.array([[c, 0.0, c], [0.0, 1.0, 0.0], [-c, 0.0, c]])
    for gap in (-1e-3, 1e-3):
        at = pose((0.1, 0.05, 2.0 * c + gap), upper)
        found = contacts(box(0.5, 0.5, 0.5), at, box(0.5, 0.5, 0.5), pose((0, 0, 0), lower), 2e-3)
        assert_close(found.gap, [gap], 1e-9)
        assert_close(found.point, [[0.1, 0.0, c + 0.5 * gap]], 1e-9)
        assert_close(found.normal, [[0.0, 0.0, 1.0]], 1e-9)


def test_parallel_edges_that_are_nearest_touch_at_both_ends():
    at = pose((1.0 + 0.003, 0.2, 1.0 + 0.004))
    found = contacts(box(0.5, 0.5, 0.5), at, box(0.5, 0.5, 0.5), pose(), 0.01)
    assert_close(found.gap, [0.005, 0.005], 1e-12)
    assert_close(found.normal, [[0.6, 0.0, 0.8]] * 2, 1e-12)
    assert_close(sorted(found.point[:, 1]), [-0.3, 0.5], 1e-12)


def test_two_corners_touch_along_the_line_between_them():
    at = pose((1.001, 1.002, 1.002))
    found = contacts(box(0.5, 0.5, 0.5), at, box(0.5, 0.5, 0.5), pose(), 0.01)
    assert_close(found.gap, [0.003], 1e-12)
    assert_close(found.normal, [[1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]], 1e-9)


def test_beyond_the_margin_there_is_nothing():
    solid = box(0.5, 0.5, 0.5)
    assert not len(contacts(solid, pose((0.0, 0.0, 1.02)), solid, pose(), 0.01).gap)
    # near along every axis, and yet farther apart
    assert not len(contacts(solid, pose((1.008, 1.008, 0.0)), solid, pose(), 0.01).gap)


def test_thin_plates_touch_like_solids():
    from dynarig.core.dynamics.collision.hull import hull

    corners = np.array([[x, y, 0.0] for x in (-0.5, 0.5) for y in (-0.5, 0.5)])
    plate = hull(corners)
    found = contacts(plate, pose((0.1, 0.1, 0.501)), box(0.5, 0.5, 0.5), pose(), 0.01)
    assert_close(found.gap, [0.001] * 4, 1e-12)
    assert_close(found.normal, [[0.0, 0.0, 1.0]] * 4, 1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_turned_prisms_stand_on_a_spread_of_corners(seed):
    from dynarig.core.dynamics.collision.polytope import prism

    rng = np.random.default_rng(seed)
    angle = rng.uniform(0.0, np.pi)
    c, s = np.cos(angle), np.sin(angle)
    at = pose((0.0, 0.0, 0.25), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))
    solid, there = prism(0.2, 0.3), random_turn(rng)
    found = contacts(
        solid, pose((0, 0, 0), there) @ at, box(1, 1, 0.1), pose((0, 0, 0), there), 0.01
    )
    points = found.point @ there
    assert_close(found.gap, [0.0] * 4, 1e-12)
    # the middle of the prism is well inside of the four points
    for k in range(4):
        side = np.array([np.cos(k * np.pi / 2 + 0.3), np.sin(k * np.pi / 2 + 0.3)])
        assert (points[:, :2] @ side).max() > 0.1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gap", [4e-4, -4e-4])
def test_prisms_on_one_axis_touch_however_their_sides_are_aligned(seed, gap):
    from dynarig.core.dynamics.collision.polytope import prism

    there = pose((0.0, 0.0, 0.0), random_turn(np.random.default_rng(seed)))
    for sides, others in ((3, 3), (8, 8), (24, 24), (6, 24)):
        lower, upper = prism(0.1, 0.1, sides), prism(0.03, 0.08, others)
        for angle in np.arange(8) * np.pi / 12.0:
            c, s = np.cos(angle), np.sin(angle)
            at = pose(
                (0.0, 0.0, 0.09 + gap), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            )
            normal, found, _ = deepest(contacts(upper, there @ at, lower, there, 1e-3))
            assert_close(found, gap, 1e-12)
            assert_close(normal, -there[:3, 2], 1e-9)
