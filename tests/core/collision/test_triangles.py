"""Static meshes: floors that feel like planes, edges that count and edges that do not."""

import numpy as np
import pytest

from ...close import assert_close
from .solids_in_space import depth_in, floor, placed, pose, random_pose, random_solid, random_turn

FEW = range(40)


def mesh(vertices, triangles):
    from dynarig.core.dynamics.collision.triangles import MeshTree

    return MeshTree(vertices, triangles)


def box(*half_sizes):
    from dynarig.core.dynamics.collision.polytope import box

    return box(np.array(half_sizes))


def mesh_of(solid, at):
    return mesh(placed(solid, at), solid.triangles)


def ball_on(ground, centre, radius, margin=0.01):
    centre = np.array([centre], dtype=float)
    return ground.rounded_contacts(centre, centre, np.array([radius]), margin)


def solid_on(ground, solid, at, margin=0.01):
    return ground.polytope_contacts([solid], at[None], margin)


def about_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize("seed", range(20))
def test_a_box_on_a_floor_of_triangles_stands_on_its_corners(seed):
    rng = np.random.default_rng(seed)
    gap = rng.uniform(-5e-3, 5e-3)
    at = pose((*rng.uniform(-0.5, 0.5, 2), 0.3 + gap), about_z(rng.uniform(0.0, 7.0)))
    solid = box(0.5, 0.4, 0.3)
    found = solid_on(mesh(*floor(9)), solid, at)
    assert_close(found.normal, [[0.0, 0.0, 1.0]] * 4, 1e-12)
    assert_close(found.gap, gap, 1e-12)
    lower = placed(solid, at)[solid.vertices[:, 2] < 0.0]
    expected = sorted(map(tuple, np.round(lower[:, :2], 9)))
    assert_close(sorted(map(tuple, np.round(found.point[:, :2], 9))), expected, 2e-9)


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_felt_where_the_triangles_of_a_floor_meet(seed):
    # tilted bodies, with corners in the floor, on edges and on vertices of the mesh
    rng = np.random.default_rng(seed)
    ground, turn = mesh(*floor(10)), random_turn(rng)
    solid = random_solid(rng)
    lowest = (solid.vertices @ turn.T)[:, 2].min()
    for place in ((0.0, 0.0), (0.4, 0.4), (0.2, 0.13), tuple(rng.uniform(-1.0, 1.0, 2))):
        found = solid_on(ground, solid, pose((*place, -lowest - 2e-3), turn))
        assert_close(found.normal, [[0.0, 0.0, 1.0]] * len(found.gap), 1e-12)
        assert_close(found.gap.min(), -2e-3, 1e-12)
        ball = ball_on(ground, (*place, 0.1 - 2e-3), 0.1)
        assert_close(ball.normal, [[0.0, 0.0, 1.0]], 1e-12)
        assert_close(ball.gap, [-2e-3], 1e-12)
        assert_close(ball.point, [[*place, -1e-3]], 1e-12)


def test_what_single_precision_rounds_is_not_felt():
    vertices, triangles = floor(10)
    turn = random_turn(np.random.default_rng(3))
    ground = mesh((vertices @ turn.T + [3.0, 1.0, 2.0]).astype(np.float32), triangles)
    assert ground.surface.sharp.sum() == 40
    there = pose((3.0, 1.0, 2.0), turn)
    for place in ((0.0, 0.0), (0.4, 0.4), (0.2, 0.13), (0.2, 0.2)):
        centre = there[:3, :3] @ (*place, 0.1) + there[:3, 3]
        ball = ball_on(ground, centre, 0.1)
        assert_close(ball.normal, [turn[:, 2]] * len(ball.gap), 1e-5)
        found = solid_on(ground, box(0.5, 0.4, 0.3), there @ pose((*place, 0.3), about_z(0.4)))
        assert_close(found.normal, [turn[:, 2]] * 4, 1e-5)


def test_a_box_slides_over_triangles_as_over_a_plane():
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import TriangleMesh

    from ..stepping.benches import box as box_on
    from ..stepping.benches import ground, placed, scene, solid_box, stepped

    half_sizes = (0.25, 0.2, 0.15)
    triangles = Collider(name="ground", shape=TriangleMesh(Port(None), *floor(11)))
    ends = []
    for below in (ground(), triangles):
        system = scene([solid_box("a", half_sizes)], [below, box_on("a", half_sizes)])
        speed = np.array([0.0, 0.0, 2.0, 1.5, 0.7, 0.0])
        start = placed(system, (0.1, 0.05, 0.15))
        ends.append(stepped(system, np.linspace(0.0, 0.2, 3), start, speed).q[-1])
    assert_close(ends[1], ends[0], 1e-6)
    assert np.linalg.norm(ends[0][:2] - [0.1, 0.05]) > 0.1


def test_a_ball_that_rolls_over_a_floor_keeps_its_feature():
    ground = mesh(*floor(10))
    features = {
        tuple(ball_on(ground, (x, 0.3 * x, 0.0999), 0.1).feature) for x in np.linspace(-1, 1, 41)
    }
    assert len(features) == 1


@pytest.mark.parametrize("seed", FEW)
def test_a_ball_is_as_far_from_a_mesh_as_from_the_solid_in_it(seed):
    rng = np.random.default_rng(seed)
    solid, at = random_solid(rng), random_pose(rng)
    way = rng.normal(size=3)
    centre = at[:3, 3] + rng.uniform(0.6, 1.5) * way / np.linalg.norm(way)
    ground = mesh_of(solid, at)
    radius = ball_on(ground, centre, 0.1, 2.0).gap.min() + 0.1 + 1e-3
    found = ball_on(ground, centre, radius)
    row = found.gap.argmin()
    assert_close(found.gap[row], -1e-3, 1e-9)
    # a point of the solid that is so near, and a plane at right angles that the solid is behind
    normal = found.normal[row]
    nearest = found.point[row] - 0.5 * found.gap[row] * normal
    assert_close(centre - nearest, (radius - 1e-3) * normal, 1e-9)
    assert depth_in(solid, at, nearest) < 1e-9
    assert ((placed(solid, at) - nearest) @ normal).max() < 1e-9


@pytest.mark.parametrize("seed", FEW)
def test_a_solid_on_a_mesh_of_a_solid_is_as_deep_as_in_the_solid(seed):
    from dynarig.core.dynamics.collision.polytope_pairs import polytope_contacts

    rng = np.random.default_rng(seed)
    lower, at_lower = box(*rng.uniform(0.2, 0.5, 3)), random_pose(rng)
    upper, at_upper = box(*rng.uniform(0.2, 0.5, 3)), random_pose(rng)
    way = rng.normal(size=3)
    at_upper[:3, 3] = at_lower[:3, 3] + 2.0 * way / np.linalg.norm(way)

    def pair(margin):
        return polytope_contacts([upper], at_upper[None], [lower], at_lower[None], margin)

    far = pair(10.0)
    row = far.gap.argmin()
    at_upper[:3, 3] += (-2e-3 - far.gap[row]) * far.normal[row]
    expected, found = pair(0.0), solid_on(mesh_of(lower, at_lower), upper, at_upper, 0.0)
    # the shortest way out is among the points, and none takes much longer
    assert_close(np.abs(found.gap - expected.gap.min()).min(), 0.0, 2e-5)
    assert found.gap.min() > -3e-3


@pytest.mark.parametrize("seed", FEW)
def test_moving_everything_moves_the_points(seed):
    rng = np.random.default_rng(seed)
    vertices, triangles = floor(8, lambda x, y: 0.1 * np.sin(3 * x) * np.cos(2 * y))
    there, solid = random_pose(rng), random_solid(rng)
    at = pose((*rng.uniform(-1.0, 1.0, 2), 0.25), random_turn(rng))
    ground = mesh(vertices, triangles)
    moved = mesh(vertices @ there[:3, :3].T + there[:3, 3], triangles)
    ends = rng.uniform(-0.5, 0.5, (2, 1, 3)) * [1.0, 1.0, 0.2] + [0.0, 0.0, 0.1]
    moved_ends = ends @ there[:3, :3].T + there[:3, 3]
    pairs = [
        (solid_on(ground, solid, at), solid_on(moved, solid, there @ at)),
        (
            ground.rounded_contacts(*ends, np.array([0.1]), 0.05),
            moved.rounded_contacts(*moved_ends, np.array([0.1]), 0.05),
        ),
    ]
    for here, other in pairs:
        assert len(here.gap) == len(other.gap)
        order, other_order = np.argsort(here.gap), np.argsort(other.gap)
        assert_close(other.gap[other_order], here.gap[order], 1e-9)
        assert_close(other.normal[other_order], here.normal[order] @ there[:3, :3].T, 1e-9)


def test_a_box_that_hangs_over_a_table_is_carried_at_its_rim():
    table = mesh_of(box(0.3, 0.3, 0.2), pose())
    found = solid_on(table, box(0.5, 0.4, 0.3), pose((0.6, 0.1, 0.5)))
    assert_close(found.normal, [[0.0, 0.0, 1.0]] * 4, 1e-12)
    assert_close(found.gap, [0.0] * 4, 1e-12)
    corners = sorted(map(tuple, np.round(found.point[:, :2], 9)))
    assert_close(corners, [(0.1, -0.3), (0.1, 0.3), (0.3, -0.3), (0.3, 0.3)], 1e-9)


def test_a_large_box_on_a_small_table_stands_on_the_corners_of_the_table():
    table = mesh_of(box(0.3, 0.2, 0.2), pose())
    found = solid_on(table, box(1.0, 1.0, 0.3), pose((0.1, 0.1, 0.499)))
    assert_close(found.gap, [-1e-3] * 4, 1e-12)
    assert_close(np.abs(found.point[:, :2]), [[0.3, 0.2]] * 4, 1e-12)


def test_a_box_across_a_ridge_touches_where_its_edges_cross_it():
    # a roof along x, under a box that lies across it
    vertices = np.array([[-2, -1, -1], [2, -1, -1], [2, 0, 0], [-2, 0, 0], [2, 1, -1], [-2, 1, -1]])
    roof = mesh(vertices, [[0, 1, 2], [0, 2, 3], [3, 2, 4], [3, 4, 5]])
    found = solid_on(roof, box(0.3, 0.5, 0.1), pose((0.1, 0.05, 0.098)))
    assert_close(found.normal, [[0.0, 0.0, 1.0]] * 2, 1e-12)
    assert_close(found.gap, [-2e-3] * 2, 1e-12)
    assert_close(sorted(found.point[:, 0]), [-0.2, 0.4], 1e-12)


def corner_of_a_room():
    """A floor and a wall at x = 0 that meet."""
    vertices = np.array([[0, -2, 0], [3, -2, 0], [3, 2, 0], [0, 2, 0], [0, -2, 3], [0, 2, 3]])
    return mesh(vertices, [[0, 1, 2], [0, 2, 3], [0, 3, 5], [0, 5, 4]])


@pytest.mark.parametrize("depth", [-1e-3, 0.0, 1e-4, 1e-3])
def test_a_box_in_a_corner_of_a_room_touches_the_floor_and_the_wall(depth):
    at = pose((0.5 - depth, 0.1, 0.3 - depth))
    found = solid_on(corner_of_a_room(), box(0.5, 0.4, 0.3), at)
    assert_close(found.gap, -depth, 1e-12)
    along = found.normal[np.lexsort(found.normal.T)]
    assert_close(along, [[1.0, 0.0, 0.0]] * 4 + [[0.0, 0.0, 1.0]] * 4, 1e-12)


def test_a_ball_in_a_corner_of_a_room_touches_the_floor_and_the_wall():
    found = ball_on(corner_of_a_room(), (0.099, 0.3, 0.098), 0.1)
    order = np.argsort(found.gap)
    assert_close(found.gap[order], [-2e-3, -1e-3], 1e-12)
    assert_close(found.normal[order], [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], 1e-12)


def test_a_capsule_lies_on_a_floor_on_both_ends_and_on_a_ridge_in_between():
    start, end, radius = np.array([[-0.5, 0.1, 0.1]]), np.array([[0.4, 0.2, 0.1]]), np.array([0.1])
    flat = mesh(*floor(7)).rounded_contacts(start, end, radius, 0.01)
    assert_close(flat.point, [[-0.5, 0.1, 0.0], [0.4, 0.2, 0.0]], 1e-12)
    assert list(flat.feature) == [0, 1]
    vertices = np.array([[-1, -2, -1], [0, -2, 0], [0, 2, 0], [-1, 2, -1], [1, -2, -1], [1, 2, -1]])
    roof = mesh(vertices, [[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]])
    found = roof.rounded_contacts(start, end, radius, 0.01)
    assert_close(found.gap, [0.0], 1e-12)
    assert_close(found.normal, [[0.0, 0.0, 1.0]], 1e-12)
    assert_close(found.point, [[0.0, 0.1 + 0.1 * 5 / 9, 0.0]], 1e-12)


def test_a_ball_beside_the_rim_of_a_sheet_is_pushed_off_it():
    sheet = mesh([[-1, -1, 0], [0, -1, 0], [0, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    found = ball_on(sheet, (0.03, 0.2, 0.04), 0.055)
    assert_close(found.gap, [-5e-3], 1e-12)
    assert_close(found.normal, [[0.6, 0.0, 0.8]], 1e-12)


def test_a_sheet_holds_what_lies_on_it_and_lets_pass_what_comes_from_behind():
    sheet = mesh(*floor(4))
    # sunk in by less than half its radius behind, and mostly behind
    assert_close(ball_on(sheet, (0.1, 0.2, -0.04), 0.1).gap, [-0.14], 1e-12)
    assert not len(ball_on(sheet, (0.1, 0.2, -0.06), 0.1).gap)
    assert_close(solid_on(sheet, box(0.1, 0.1, 0.1), pose((0, 0, 0.02))).gap, [-0.08] * 4, 1e-12)
    assert not len(solid_on(sheet, box(0.1, 0.1, 0.1), pose((0.0, 0.0, -0.08))).gap)
    # behind and beside it
    assert not len(ball_on(sheet, (2.01, 0.3, -0.02), 0.1).gap)
    assert not len(ball_on(sheet, (2.01, 2.01, -0.02), 0.1).gap)


@pytest.mark.parametrize("gap", [-1e-2, -1e-6, 1e-3])
def test_a_plate_without_thickness_is_held_by_a_floor(gap):
    from dynarig.core.dynamics.collision.hull import hull

    plate = hull(np.array([[x, y, 0.0] for x in (-0.5, 0.5) for y in (-0.5, 0.5)]))
    found = solid_on(mesh(*floor(7)), plate, pose((0.1, 0.2, gap)))
    assert_close(found.gap, [gap] * 4, 1e-12)
    assert_close(found.normal, [[0.0, 0.0, 1.0]] * 4, 1e-12)


@pytest.mark.parametrize("place", [(0.0, 0.0), (0.0, 0.3), (-0.02, -0.01), (0.1, -0.1)])
def test_a_ball_that_is_deep_in_a_hollow_is_pushed_out_along_the_shortest_way(place):
    ground = mesh(*floor(4, lambda x, y: 0.5 * (np.abs(x) + np.abs(y))))
    centre = np.array([*place, 0.5 * np.abs(place).sum() - 0.03])
    found = ball_on(ground, centre, 0.1)
    row = found.gap.argmin()
    foot = found.point[row] - 0.5 * found.gap[row] * found.normal[row]
    assert found.gap[row] < -0.1
    assert_close(foot[2], 0.5 * np.abs(foot[:2]).sum(), 1e-12)
    # no point of the surface is nearer
    near = np.random.default_rng(2).uniform(-0.2, 0.2, (4000, 2))
    surface = np.column_stack((near, 0.5 * np.abs(near).sum(axis=1)))
    assert np.linalg.norm(surface - centre, axis=1).min() >= -found.gap[row] - 0.1 - 1e-9


def test_vertices_of_each_triangle_its_own_make_the_same_floor():
    vertices, triangles = floor(6)
    apart = mesh(vertices[triangles].reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))
    assert_close(ball_on(apart, (0.01, 0.02, 0.099), 0.1).normal, [[0.0, 0.0, 1.0]], 1e-12)
    assert not apart.surface.sharp.all()
    assert apart.surface.sharp.sum() == mesh(vertices, triangles).surface.sharp.sum() == 24


@pytest.mark.parametrize("seed", range(10))
def test_queries_find_all_triangles_near_boxes(seed):
    rng = np.random.default_rng(seed)
    vertices, triangles = floor(12, lambda x, y: 0.3 * np.sin(2 * x + y))
    ground = mesh(vertices, triangles)
    low = rng.uniform(-2.0, 1.0, (5, 3))
    high = low + rng.uniform(0.1, 1.5, (5, 3))
    found = {tuple(pair) for pair in np.transpose(ground.near(low, high))}
    corners = ground.surface.corners
    expected = {
        (box_, row)
        for box_ in range(5)
        for row in range(len(corners))
        if (corners[row].min(axis=0) <= high[box_]).all()
        and (corners[row].max(axis=0) >= low[box_]).all()
    }
    assert found == expected


def test_many_bodies_at_once_are_the_bodies_one_by_one():
    rng = np.random.default_rng(1)
    ground = mesh(*floor(8, lambda x, y: 0.1 * np.sin(3 * x) * np.cos(2 * y)))
    solids = [random_solid(rng) for _ in range(6)]
    poses = [pose((*rng.uniform(-1.0, 1.0, 2), 0.3), random_turn(rng)) for _ in solids]
    every = ground.polytope_contacts(solids, np.array(poses), 0.05)
    for row, (solid, at) in enumerate(zip(solids, poses, strict=True)):
        single = solid_on(ground, solid, at, 0.05)
        assert_close(np.sort(every.gap[every.pair == row]), np.sort(single.gap), 1e-12)
    assert (np.diff(every.pair) >= 0).all()


@pytest.mark.parametrize(
    ("triangles", "message"),
    [
        ([[0, 1, 4]], "wanted indices from 0 to 3, got 4 in triangle 0"),
        ([[0, 1, 2], [0, -1, 2]], "got -1 in triangle 1"),
        ([[0, 1, 2], [0, 1, 1]], "got triangle 1 of vertices \\[0, 1, 1\\] on a line"),
        ([[0, 1, 3]], "on a line"),
        (np.zeros((0, 3), dtype=int), "at least one row of 3 indices"),
        ([[0.0, 1.0, 2.0]], "got float64 values"),
    ],
)
def test_bad_meshes_are_refused(triangles, message):
    from dynarig.core.errors import ArgumentError

    vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]]
    with pytest.raises(ArgumentError, match=message):
        mesh(vertices, triangles)


def test_vertices_that_are_no_numbers_are_refused():
    from dynarig.core.errors import ArgumentError

    with pytest.raises(ArgumentError, match="TriangleMesh: vertices: wanted finite numbers"):
        mesh([[0.0, 0.0, np.nan], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])
