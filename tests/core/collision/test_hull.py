"""Convex hulls: everything is inside, faces close, and what is flat is one face."""

import numpy as np
import pytest

from ...close import assert_close
from .solids_in_space import random_turn


def hull(points, most=None):
    from dynarig.core.dynamics.collision.hull import hull

    return hull(np.asarray(points, dtype=float), most)


def check_polytope(own, points, slack):
    """Euler's formula, closed edges, and that it is the hull of the points."""
    extent = np.ptp(points, axis=0).max()
    assert len(own.vertices) - len(own.edges) + len(own.faces) == 2
    assert set(own.faces[own.faces >= 0].tolist()) == set(range(len(own.vertices)))
    assert (points @ own.normals.T - own.offsets).max() <= slack * extent
    # a face's own corners are on it
    for face, loop in enumerate(own.loops()):
        heights = own.vertices[loop] @ own.normals[face] - own.offsets[face]
        assert np.abs(heights).max() <= 10.0 * slack * extent
    # each corner is one of the points
    far = np.linalg.norm(own.vertices[:, None] - points[None], axis=2).min(axis=1)
    assert far.max() <= 1e-12 * extent
    # each edge's faces run along it, one there and one back
    runs = {(a, b): face for face, loop in enumerate(own.loops()) for a, b in sides(loop)}
    for (a, b), (there, back) in zip(own.edges.tolist(), own.edge_faces.tolist(), strict=True):
        assert (runs[a, b], runs[b, a]) == (there, back)


def sides(loop):
    return list(zip(loop, [*loop[1:], loop[0]], strict=True))


@pytest.mark.parametrize("count", [4, 5, 8, 30, 400])
@pytest.mark.parametrize("seed", range(3))
def test_hulls_of_random_points(count, seed):
    points = np.random.default_rng(seed).normal(size=(count, 3))
    own = hull(points)
    check_polytope(own, points, 1e-8)
    assert own.volume() > 0.0


@pytest.mark.parametrize("seed", range(3))
def test_points_on_a_sphere_are_all_corners(seed):
    points = np.random.default_rng(seed).normal(size=(300, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    own = hull(points)
    check_polytope(own, points, 1e-8)
    assert len(own.vertices) == 300


def test_the_volume_is_that_of_a_simplex_and_adds_up():
    corners = np.vstack((np.zeros(3), np.eye(3)))
    assert_close(hull(corners).volume(), 1.0 / 6.0, 1e-14)
    # an octahedron is eight of them
    assert_close(hull(np.vstack((np.eye(3), -np.eye(3)))).volume(), 8.0 / 6.0, 1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_a_box_full_of_points_has_six_faces(seed):
    rng = np.random.default_rng(seed)
    line = np.linspace(-1.0, 1.0, 7)
    grid = np.stack(np.meshgrid(line, 2.0 * line, 3.0 * line), axis=-1).reshape(-1, 3)
    points = grid @ random_turn(rng).T + 10.0 * rng.normal(size=3)
    rng.shuffle(points)
    own = hull(points)
    check_polytope(own, points, 1e-8)
    assert (len(own.vertices), len(own.edges), len(own.faces)) == (8, 12, 6)
    assert_close(own.volume(), 48.0, 1e-9)


def test_a_box_in_single_precision_has_six_faces():
    rng = np.random.default_rng(3)
    line = np.linspace(-1.0, 1.0, 7)
    grid = np.stack(np.meshgrid(line, line, line), axis=-1).reshape(-1, 3)
    points = (grid @ random_turn(rng).T + 3.0).astype(np.float32).astype(np.float64)
    own = hull(points)
    check_polytope(own, points, 3e-6)
    assert (len(own.vertices), len(own.faces)) == (8, 6)


def test_a_prism_of_many_sides_keeps_its_faces():
    from dynarig.core.dynamics.collision.polytope import prism

    given = prism(0.3, 1.0)
    turn = random_turn(np.random.default_rng(8))
    own = hull(given.vertices @ turn.T)
    assert (len(own.vertices), len(own.faces)) == (48, 26)
    assert_close(own.volume(), np.pi * 0.09, 1e-12)
    assert_close(given.volume(), np.pi * 0.09, 1e-12)


def test_points_that_are_there_many_times_count_once():
    corners = np.random.default_rng(1).normal(size=(12, 3))
    once, often = hull(corners), hull(np.repeat(corners, 5, axis=0))
    assert_close(often.volume(), once.volume(), 1e-13)
    assert len(often.vertices) == len(once.vertices)


@pytest.mark.parametrize("turned", [False, True])
def test_points_in_a_plane_make_two_faces(turned):
    rng = np.random.default_rng(2)
    line = np.linspace(-1.0, 1.0, 9)
    points = np.stack(np.meshgrid(line, line, [0.0]), axis=-1).reshape(-1, 3)
    if turned:
        points = points @ random_turn(rng).T + 2.0
    own = hull(points)
    check_polytope(own, points, 1e-7)
    assert (len(own.vertices), len(own.edges), len(own.faces)) == (4, 4, 2)
    assert_close(own.normals[0], -own.normals[1], 1e-15)
    assert_close(own.volume(), 0.0, 1e-14)


@pytest.mark.parametrize(
    ("points", "told"),
    [
        (np.zeros((5, 3)), "in one place"),
        (np.ones((1, 3)), "in one place"),
        (np.outer(np.linspace(0.0, 1.0, 7), [1.0, 2.0, 3.0]), "on a line"),
    ],
)
def test_points_without_an_area_are_refused(points, told):
    from dynarig.core import errors

    with pytest.raises(errors.ArgumentError, match=f"span an area at least; got . {told}"):
        hull(points)


def test_a_coarse_hull_has_so_many_corners_and_is_inside():
    rng = np.random.default_rng(4)
    points = rng.normal(size=(500, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    own = hull(points, 40)
    assert len(own.vertices) == 40
    assert len(own.vertices) - len(own.edges) + len(own.faces) == 2
    beyond = (points @ own.normals.T - own.offsets).max()
    # 40 well spread corners leave caps of about 1 - cos(0.32) of the radius
    assert 0.0 < beyond < 0.12
