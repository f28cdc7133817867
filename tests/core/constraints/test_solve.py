"""The solve with multipliers: any rank, least norm, contradictions, digits near singularity."""

import numpy as np
import pytest

from ...close import assert_close


@pytest.fixture
def problem(rng):
    """(M (4, 3, nv, nv), f, J (…, m, nv), gamma) with three independent rows."""
    nv, m, lead = 6, 3, (4, 3)
    half = rng.normal(size=(*lead, nv, nv))
    mass = half @ half.swapaxes(-1, -2) + np.eye(nv)
    jacobian = rng.normal(size=(*lead, m, nv))
    return mass, rng.normal(size=(*lead, nv)), jacobian, rng.normal(size=(*lead, m))


def solve(mass, force, jacobian, gamma, slack=0.0, sizes=None):
    from dynarig.core.dynamics.constraints import solve as module

    sizes = np.zeros(gamma.shape[-1]) if sizes is None else sizes
    return module.solve(mass, force, jacobian, gamma, sizes, module.threshold(slack))


def times(matrix, vector):
    return (matrix @ vector[..., None])[..., 0]


def test_the_equations_hold(problem):
    mass, force, jacobian, gamma = problem
    found = solve(*problem)
    assert found.gap is None
    assert_close(times(jacobian, found.a), gamma, atol=1e-11)
    left = times(mass, found.a) + times(jacobian.swapaxes(-1, -2), found.multipliers) - force
    assert_close(left, 0.0, atol=1e-10)


def test_batches_are_what_single_states_are(problem):
    found = solve(*problem)
    for index in np.ndindex(4, 3):
        one = solve(*(part[index] for part in problem))
        assert_close(found.a[index], one.a, atol=1e-12)
        assert_close(found.multipliers[index], one.multipliers, atol=1e-12)


def test_redundant_rows_change_nothing_and_multipliers_have_the_least_norm(problem, rng):
    mass, force, jacobian, gamma = problem
    mixing = rng.normal(size=(5, 3))
    more, wanted = mixing @ jacobian, times(mixing, gamma)
    found, expected = solve(mass, force, more, wanted), solve(*problem)
    assert_close(found.a, expected.a, atol=1e-9)
    assert_close(found.gap, 0.0, atol=1e-9)
    # J^T lambda is the same, with the least lambda
    pull = times(jacobian.swapaxes(-1, -2), expected.multipliers)
    least = times(np.linalg.pinv(more.swapaxes(-1, -2)), pull)
    assert_close(found.multipliers, least, atol=1e-9)


def test_more_rows_than_velocities_are_no_trouble(rng):
    jacobian = rng.normal(size=(7, 2))
    a = np.array([0.3, -0.7])
    found = solve(np.diag([2.0, 3.0]), np.array([1.0, 1.0]), jacobian, jacobian @ a)
    assert_close(found.a, a, atol=1e-12)


def test_a_contradiction_is_told_by_its_rows(problem):
    mass, force, jacobian, gamma = (part[0, 0] for part in problem)
    # the last row says of the second what it does not say itself
    rows, wanted = np.vstack((jacobian, jacobian[1])), np.append(gamma, gamma[1] + 0.2)
    gap = solve(mass, force, rows, wanted).gap
    assert_close(gap, [0, 0.1, 0, -0.1], atol=1e-12)


def test_a_row_of_zeros_has_no_multiplier(problem):
    mass, force, jacobian, gamma = problem
    rows = np.concatenate((jacobian, np.zeros((4, 3, 1, 6))), axis=-2)
    found = solve(mass, force, rows, np.concatenate((gamma, np.zeros((4, 3, 1))), axis=-1))
    assert_close(found.a, solve(*problem).a, atol=1e-11)
    assert_close(found.multipliers[..., -1], 0.0, atol=1e-14)


@pytest.mark.parametrize("apart", [1e-3, 1e-4, 1e-5])
def test_nearly_dependent_rows_keep_their_digits(apart):
    # two rows an angle apart fix both coordinates; the answer is known
    a = np.array([0.3, -0.7, 1.1])
    jacobian = np.array([[1.0, 0, 0], [np.cos(apart), np.sin(apart), 0]])
    force = np.array([4.0, 5.0, 3.3])
    found = solve(np.diag([2.0, 2.0, 3.0]), force, jacobian, jacobian @ a)
    assert_close(found.a, a, atol=1e-15 / apart)
    assert found.gap is None


def test_rows_in_other_units_are_the_same_rows(problem):
    mass, force, jacobian, gamma = (part[0, 0] for part in problem)
    units = np.array([1e-6, 1.0, 1e6])
    found = solve(mass, force, units[:, None] * jacobian, units * gamma)
    expected = solve(mass, force, jacobian, gamma)
    assert_close(found.a, expected.a, atol=1e-9)
    assert_close(found.multipliers * units, expected.multipliers, atol=1e-9)


def test_redundancy_that_slack_has_blurred_is_still_redundancy(problem):
    mass, force, jacobian, gamma = (part[0, 0] for part in problem)
    blurred = jacobian[1] + 1e-5 * np.array([1.0, -1, 1, -1, 1, -1])
    rows, wanted = np.vstack((jacobian, blurred)), np.append(gamma, gamma[1] + 1e-5)
    expected = solve(mass, force, jacobian, gamma).a
    assert_close(solve(mass, force, rows, wanted, slack=1e-5).a, expected, atol=1e-4)
    # without slack it counts as a row of its own
    assert np.abs(solve(mass, force, rows, wanted).a - expected).max() > 1e-2
