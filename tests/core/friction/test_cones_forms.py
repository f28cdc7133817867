"""Contacts with friction whose answers are known by hand."""

import numpy as np
import pytest

from ...close import assert_close
from .cone_problems import GRAVITY, STEP, box, falling, rows

LOAD = 2.0 * GRAVITY * STEP  # N s, of the box


def solve(*problem, **options):
    from dynarig.core.dynamics.friction import solve_cones

    return solve_cones(*problem, **options)


@pytest.mark.parametrize("slope", [0.0, 0.3, 0.45])
def test_block_sticks_on_a_slope(slope):
    problem = box(slope)
    p = solve(*problem).impulses.reshape(4, 3)
    assert_close(problem.w @ p.ravel() + problem.b, 0.0, 1e-12)
    assert_close(p[:, 0].sum(), LOAD * np.cos(slope), 1e-10)
    assert_close(np.linalg.norm(p[:, 1:].sum(axis=0)), LOAD * np.sin(slope), 1e-10)


@pytest.mark.parametrize("slope", [0.5, 0.7, 1.2])
def test_block_slides_down_a_slope(slope):
    problem = box(slope)
    p = solve(*problem).impulses
    u = (problem.w @ p + problem.b).reshape(4, 3)
    expected = STEP * GRAVITY * (np.sin(slope) - 0.5 * np.cos(slope))
    assert_close(np.linalg.norm(u[:, 1:], axis=1), expected, 1e-12)
    # it does not lift off, as the convex relaxation has it
    assert_close(u[:, 0], 0.0, 1e-12)
    assert_close(p.reshape(4, 3)[:, 0].sum(), LOAD * np.cos(slope), 1e-10)


def test_four_corners_carry_a_quarter_each():
    p = solve(*box()).impulses.reshape(4, 3)
    assert_close(p[:, 0], LOAD / 4.0, 1e-8 * LOAD)
    assert_close(p[:, 1:], 0.0, 1e-8 * LOAD)


def test_points_that_coincide_share():
    problem = box(0.7)
    twice = np.tile(np.arange(12), 2)
    p = solve(problem.w[np.ix_(twice, twice)], problem.b[twice], np.full(8, 0.5)).impulses
    assert_close(p[:12], p[12:], 1e-8 * LOAD)
    assert_close(p[:12].reshape(4, 3)[:, 0].sum(), 0.5 * LOAD * np.cos(0.7), 1e-10)


@pytest.mark.parametrize(("friction", "slides"), [(0.1, True), (0.5, False)])
def test_ball_against_the_floor(friction, slides):
    """2 m/s along, 3 m/s down: it slides through if mu 3 < 2 m/s x 2 / 7, else it rolls on."""
    mass, radius = 0.7, 0.1
    inertia = np.concatenate([np.full(3, mass), np.full(3, 0.4 * mass * radius**2)])
    jacobian = rows(np.zeros((1, 3)), 0, -1, [0.0, 0.0, -radius])
    velocity = np.array([2.0, 0.0, -3.0 + GRAVITY * STEP, 0.0, 0.0, 0.0])
    problem = falling(inertia, jacobian, velocity, friction)
    p = solve(*problem).impulses
    assert_close(p[0], 3.0 * mass, 1e-12)
    force = friction * 3.0 * mass if slides else 2.0 / 7.0 * mass * 2.0
    after = velocity[:3] + (jacobian.T @ p)[:3] / mass
    assert_close(after[0], 2.0 - force / mass, 1e-12)


def test_between_opposite_walls():
    """A ball of 1 kg in a slot runs into one wall; the other has nothing to do."""
    jacobian = np.vstack(
        [rows(np.zeros((1, 3)), 0, -1, [0.1 * x, 0, 0], [-x, 0.0, 0.0]) for x in (1.0, -1.0)]
    )
    w = jacobian @ jacobian.T
    velocity = np.array([2.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    answer = solve(w, jacobian @ velocity, [0.5, 0.5])
    assert answer.converged
    assert_close(jacobian.T @ answer.impulses, -velocity, 1e-9)
    assert_close(answer.impulses[3:], 0.0, 1e-8)


def test_no_way_out_between_walls_that_close():
    answer = solve([[1.0, -1.0], [-1.0, 1.0]], [-0.1, -0.1], [], [0.0, 0.0], [np.inf, np.inf])
    assert not answer.converged
    assert_close(answer.residual, 0.1, 1e-6)
    assert np.abs(answer.impulses).max() < 1e6
    assert answer.iterations < 100


def test_what_cannot_move():
    """No mobility: what parts is left alone, what closes cannot be helped."""
    assert solve(np.zeros((3, 3)), [0.2, 1.0, 0.0], [0.5]).converged
    answer = solve(np.zeros((3, 3)), [-0.2, 1.0, 0.0], [0.5])
    assert not answer.converged
    assert np.isfinite(answer.impulses).all()
    assert_close(answer.residual, 0.2, 1e-6)


def test_jammed_rod():
    """Painleve's rod, pushed into the floor by its own friction: an answer by impact exists."""
    angle, half, friction = 1.1, 0.5, 4.0
    inertia = np.array([1.0, 1.0, 1.0, *[half**2 / 3.0] * 3])
    tip = half * np.array([-np.cos(angle), 0.0, -np.sin(angle)])
    jacobian = rows(np.zeros((1, 3)), 0, -1, tip)
    velocity = np.array([-1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    problem = falling(inertia, jacobian, velocity, friction)
    answer = solve(*problem)
    u = problem.w @ answer.impulses + problem.b
    assert answer.converged
    assert_close(u[0], 0.0, 1e-9)
    assert answer.impulses[0] > 0.1


@pytest.mark.parametrize(
    ("lower", "upper", "p", "u"),
    [
        (-np.inf, np.inf, 1.5, 0.0),
        (0.0, np.inf, 1.5, 0.0),
        (-1.0, 1.0, 1.0, -1.0),
        (-np.inf, 0.0, 0.0, -3.0),
        (2.0, 5.0, 2.0, 1.0),
        (0.5, 0.5, 0.5, -2.0),
    ],
)
def test_bounds(lower, upper, p, u):
    answer = solve([[2.0]], [-3.0], [], [lower], [upper])
    assert answer.converged
    assert_close(answer.impulses, [p], 1e-9)
    assert_close(2.0 * answer.impulses - 3.0, [u], 1e-9)
