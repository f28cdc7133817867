"""Laws of contacts with friction, over problems of all kinds."""

import numpy as np
import pytest

from ...close import assert_close
from .cone_problems import Problem, box, chain, generic, stack

KINDS = {
    "generic": lambda rng: generic(rng, 5),
    "of low rank": lambda rng: generic(rng, 8, rank=10),
    "with bounds": lambda rng: generic(rng, 5, 7),
    "with bounds, of low rank": lambda rng: generic(rng, 6, 6, rank=12),
    "very rough": lambda rng: generic(rng, 6, friction=5.0),
    "smooth": lambda rng: generic(rng, 6, rank=8, friction=0.0),
    "bounds alone": lambda rng: generic(rng, 0, 8),
    "box on a slope": lambda rng: box(rng.uniform(0.0, 1.2)),
    "stack": lambda rng: stack(rng, 5, 100.0),
    "stack that is hit": lambda rng: stack(rng, 4, kick=0.1),
}


def solve(problem, start=None, **options):
    from dynarig.core.dynamics.friction import solve_cones

    return solve_cones(*problem, start=start, **options)


def assert_laws(problem, p, relative=1e-8):
    """Signorini's, Coulomb's and the bounds' laws; powers within `relative` of the largest."""
    k = len(problem.friction)
    u = problem.w @ p + problem.b
    speed = relative * np.abs(problem.b).max()
    power = speed * np.abs(p).max()
    normal, tangent = p[: 3 * k].reshape(k, 3)[:, 0], p[: 3 * k].reshape(k, 3)[:, 1:]
    parting, sliding = u[: 3 * k].reshape(k, 3)[:, 0], u[: 3 * k].reshape(k, 3)[:, 1:]
    radius = problem.friction * normal
    # nothing is pulled, nothing goes in, what parts does not press
    assert (normal >= 0.0).all()
    assert (parting >= -speed).all()
    assert_close(normal * parting, 0.0, power)
    # of all impulses within the disc it is the one that takes the most power
    assert (np.linalg.norm(tangent, axis=1) <= radius * (1.0 + 1e-12) + 1e-300).all()
    spent = np.sum(tangent * sliding, axis=1)
    assert_close(spent, -radius * np.linalg.norm(sliding, axis=1), power)
    # rows with bounds move only away from the bound they are at
    scalar, rate = p[3 * k :], u[3 * k :]
    assert (problem.lower <= scalar).all()
    assert (scalar <= problem.upper).all()
    off_lower, off_upper = scalar > problem.lower, scalar < problem.upper
    near = 1e-8 * np.abs(p).max()
    assert (rate[off_lower & (scalar - problem.lower > near)] <= speed).all()
    assert (rate[off_upper & (problem.upper - scalar > near)] >= -speed).all()


@pytest.mark.parametrize("kind", KINDS)
def test_laws(kind, rng):
    for _ in range(10):
        problem = KINDS[kind](rng)
        answer = solve(problem)
        assert answer.converged
        assert answer.residual <= 1e-10 * np.abs(problem.b).max()
        assert_laws(problem, answer.impulses)


def test_laws_of_a_chain_on_the_floor(rng):
    problem = chain(rng)
    answer = solve(problem)
    assert answer.converged
    assert_laws(problem, answer.impulses)


def test_friction_takes_energy(rng):
    """With b = J v, (u + b) . p / 2 is the change of kinetic energy."""
    for _ in range(20):
        problem = generic(rng, 5, rank=9)
        p = solve(problem).impulses
        assert (problem.w @ p + 2.0 * problem.b) @ p <= 1e-9


def test_without_friction_it_is_linear_complementarity(rng):
    from dynarig.core.dynamics.contact.complementarity import complementary

    for _ in range(20):
        problem = generic(rng, 6, friction=0.0)
        p = solve(problem).impulses.reshape(6, 3)
        assert_close(p[:, 1:], 0.0, 0.0)
        expected = complementary(problem.w[::3, ::3], problem.b[::3])
        assert_close(p[:, 0], expected, 1e-7 * max(1.0, np.abs(expected).max()))


def test_units(rng):
    for _ in range(10):
        problem = generic(rng, 4, 3, friction=0.4)
        p = solve(problem).impulses
        size = np.abs(p).max()
        # heavier bodies take larger impulses
        lower, upper = problem.lower / 1e3, problem.upper / 1e3
        lighter = problem._replace(w=1e3 * problem.w, lower=lower, upper=upper)
        assert_close(1e3 * solve(lighter).impulses, p, 1e-7 * size)
        # and so do faster ones
        lower, upper = problem.lower * 1e4, problem.upper * 1e4
        faster = problem._replace(b=1e4 * problem.b, lower=lower, upper=upper)
        assert_close(1e-4 * solve(faster).impulses, p, 1e-7 * size)


def test_tangents_may_be_turned(rng):
    for _ in range(10):
        problem = generic(rng, 4, friction=0.4)
        turn = np.eye(12)
        for i in range(4):
            c, s = np.cos(angle := rng.uniform(0.0, 6.3)), np.sin(angle)
            turn[3 * i + 1 : 3 * i + 3, 3 * i + 1 : 3 * i + 3] = [[c, -s], [s, c]]
        turned = problem._replace(w=turn @ problem.w @ turn.T, b=turn @ problem.b)
        p = solve(problem).impulses
        assert_close(solve(turned).impulses, turn @ p, 1e-7 * np.abs(p).max())


def test_order_does_not_matter(rng):
    problem = generic(rng, 5, friction=0.4)
    order = np.arange(15).reshape(5, 3)[[3, 0, 4, 2, 1]].ravel()
    p = solve(problem).impulses
    other = solve(problem._replace(w=problem.w[np.ix_(order, order)], b=problem.b[order]))
    assert_close(other.impulses, p[order], 1e-7 * np.abs(p).max())


def test_a_warm_start_saves_steps(rng):
    cold = warm = 0
    for _ in range(10):
        problem = generic(rng, 6, friction=0.4)
        answer = solve(problem)
        again = solve(problem, answer.impulses)
        assert again.iterations == 0
        assert_close(again.impulses, answer.impulses, 1e-8 * np.abs(answer.impulses).max())
        moved = problem._replace(b=problem.b + 1e-3 * rng.normal(size=18))
        first, second = solve(moved), solve(moved, answer.impulses)
        assert second.converged
        size = np.abs(first.impulses).max()
        assert_close(second.impulses, first.impulses, 1e-6 * size)
        cold, warm = cold + first.iterations, warm + second.iterations
    assert warm < cold


def test_any_start_will_do(rng):
    for _ in range(10):
        problem = generic(rng, 4, 3)
        answer = solve(problem, 100.0 * rng.normal(size=15))
        assert answer.converged
        assert_laws(problem, answer.impulses)


def test_the_same_twice(rng):
    problem = stack(rng, 4, kick=0.1)
    first, second = solve(problem), solve(problem)
    assert (first.impulses == second.impulses).all()
    assert first.iterations == second.iterations


def test_impulses_are_read_only(rng):
    assert not solve(generic(rng, 2)).impulses.flags.writeable


def test_no_rows():
    answer = solve(Problem(np.zeros((0, 0)), np.zeros(0), np.zeros(0)))
    assert answer.converged
    assert answer.impulses.shape == (0,)


def test_impulses_of_what_is_jammed_stay_small():
    from dynarig.core.dynamics.friction.cones import solve_cones

    # a ball in a wedge of two planes is to leave both, and friction wants to hold it at both
    slant = np.sqrt(0.5)
    normals, tangents = [[slant, 0, slant], [-slant, 0, slant]], [[slant, 0, -slant]]
    tangents.append([-slant, 0, -slant])
    rows = []
    for normal, tangent in zip(normals, tangents, strict=True):
        normal, tangent = np.array(normal), np.array(tangent)
        # a ball of even density turns as a mass of 2/5 at its rim
        for way in (normal, np.cross(normal, tangent), tangent):
            rows.append(np.concatenate((way, np.sqrt(2.5) * np.cross(-normal, way))))
    w = np.array(rows) @ np.array(rows).T
    # it comes straight down at 2 m/s, is to go up at twice as much, and does not turn
    fall = np.array(rows)[:, :3] @ [0.0, 0.0, -2.0]
    b = fall + np.array([2, 0, 0, 2, 0, 0]) * fall
    answer = solve_cones(w, b, [2.0, 2.0])
    assert not answer.converged
    assert answer.residual < np.abs(b).max()
    assert np.abs(answer.impulses).max() < 100.0
    # it is pushed up all the same
    assert (w @ answer.impulses + b)[[0, 3]].min() > b[0]
