"""What `solve_cones` does with bad input, and with problems that have no answer."""

import numpy as np
import pytest

from .cone_problems import generic

GOOD = {
    "w": np.eye(4),
    "b": np.ones(4),
    "friction": [0.5],
    "lower": [-1.0],
    "upper": [1.0],
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"w": np.eye(3)}, r"w: wanted shape"),
        ({"b": np.ones((2, 2))}, r"b: wanted shape"),
        ({"b": [1.0, np.nan, 1.0, 1.0]}, r"b: wanted finite numbers, got nan at \[1\]"),
        ({"w": np.full((4, 4), np.inf)}, r"w: wanted finite numbers, got inf"),
        ({"w": np.arange(16.0).reshape(4, 4)}, r"w: wanted a symmetric matrix"),
        ({"friction": [0.5, 0.5]}, r"3 rows of each contact and 1 of each bound, got 4 rows"),
        ({"upper": [1.0, 2.0]}, r"1 lower and 2 upper bounds"),
        ({"friction": [-0.1]}, r"friction: wanted numbers >= 0, got -0.1"),
        ({"friction": [np.inf]}, r"friction: wanted finite numbers"),
        ({"lower": [2.0]}, r"bounds: wanted lower <= upper"),
        ({"lower": [np.nan]}, r"bounds: wanted lower <= upper"),
        ({"lower": [np.inf], "upper": [np.inf]}, r"bounds: wanted lower <= upper"),
        ({"start": np.zeros(3)}, r"start: wanted shape"),
        ({"start": np.full(4, np.nan)}, r"start: wanted finite numbers"),
    ],
)
def test_errors(changes, message):
    from dynarig.core.dynamics.friction import solve_cones
    from dynarig.core.errors import ArgumentError

    assert solve_cones(**GOOD).converged
    with pytest.raises(ArgumentError, match=message):
        solve_cones(**{**GOOD, **changes})


def test_never_without_an_answer(rng):
    """Velocities that no impulse can mend: finite impulses within their cones, and told so."""
    from dynarig.core.dynamics.friction import solve_cones

    failed = 0
    for _ in range(15):
        problem = generic(rng, 5, 2, rank=6)
        b = problem.b + rng.normal(size=17)
        answer = solve_cones(problem.w, b, problem.friction, problem.lower, problem.upper)
        p = answer.impulses[:15].reshape(5, 3)
        assert np.isfinite(answer.impulses).all()
        assert np.isfinite(answer.residual)
        assert (p[:, 0] >= 0.0).all()
        radius = problem.friction * p[:, 0]
        assert (np.linalg.norm(p[:, 1:], axis=1) <= radius * (1.0 + 1e-12)).all()
        assert answer.converged == (answer.residual <= 1e-10 * np.abs(b).max())
        failed += not answer.converged
    assert failed > 0


def test_steps_are_limited(rng):
    from dynarig.core.dynamics.friction import solve_cones

    problem = generic(rng, 8, rank=10)
    none, some = solve_cones(*problem, most=0), solve_cones(*problem, most=12)
    assert none.iterations == 0
    assert not none.converged
    assert some.iterations <= 12
    assert solve_cones(*problem, tolerance=1e-3).residual <= 1e-3 * np.abs(problem.b).max()
