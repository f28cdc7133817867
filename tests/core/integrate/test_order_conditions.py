"""The tableaux of the explicit schemes against the order conditions, one for each rooted tree."""

from functools import cache

import numpy as np
import pytest
from dynarig.core.integrate import dop853, dop853_tableau, dormand_prince, rk4

from ...close import assert_close


def grafted(tree):
    """All trees with one leaf more; a tree is the sorted tuple of what hangs on its root."""
    yield tuple(sorted((*tree, ())))
    for index, branch in enumerate(tree):
        for larger in grafted(branch):
            yield tuple(sorted((*tree[:index], larger, *tree[index + 1 :])))


@cache
def trees(order):
    """The rooted trees with `order` nodes."""
    if order == 1:
        return [()]
    return sorted({larger for tree in trees(order - 1) for larger in grafted(tree)})


def nodes(tree):
    return 1 + sum(map(nodes, tree))


def density(tree):
    return nodes(tree) * np.prod([density(branch) for branch in tree])


def weight(tree, a):
    """Phi_i of each stage: the product of sum_j a_ij Phi_j over the branches."""
    return np.prod([np.ones(len(a)), *(a @ weight(branch, a) for branch in tree)], axis=0)


def square(weights, stages):
    """The matrix a of a table of rows."""
    a = np.zeros((stages, stages))
    columns = min(stages, weights.shape[1])
    a[:, :columns] = weights[:stages, :columns]
    return a


DOP853 = square(dop853_tableau.WEIGHTS, 12)
DP54 = square(dormand_prince.WEIGHTS, 7)
FIFTH = dop853_tableau.EIGHTH - dop853_tableau.FIFTH_ERROR
SOLUTIONS = [
    pytest.param(DOP853, dop853_tableau.EIGHTH, 8, id="dop853"),
    pytest.param(DOP853, FIFTH, 5, id="dop853, embedded"),
    pytest.param(DOP853, dop853_tableau.THIRD, 3, id="dop853, second embedded"),
    pytest.param(DP54, dormand_prince.FIFTH, 5, id="dormand-prince"),
    pytest.param(DP54, dormand_prince.FOURTH, 4, id="dormand-prince, embedded"),
    pytest.param(square(rk4.WEIGHTS, 4), rk4.FOURTH, 4, id="rk4"),
]
INTERPOLANTS = [
    pytest.param(square(dop853_tableau.WEIGHTS, 16), dop853.POWERS, 7, id="dop853"),
    pytest.param(DP54, dormand_prince.POWERS, 4, id="dormand-prince"),
]


def test_there_are_as_many_trees_as_there_should_be():
    # Hairer, Norsett, Wanner, Solving ODEs I, table II.2.1
    assert [len(trees(order)) for order in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]


@pytest.mark.parametrize(("a", "b", "order"), SOLUTIONS)
def test_a_solution_meets_the_conditions_of_its_order_and_not_those_of_the_next(a, b, order):
    for p in range(1, order + 1):
        for tree in trees(p):
            assert_close(b @ weight(tree, a), 1.0 / density(tree), atol=2e-14, err_msg=str(tree))
    beyond = [abs(b @ weight(tree, a) - 1.0 / density(tree)) for tree in trees(order + 1)]
    assert max(beyond) > 1e-7


@pytest.mark.parametrize(("a", "powers", "order"), INTERPOLANTS)
def test_an_interpolant_meets_the_conditions_at_every_theta(a, powers, order):
    # sum_i b_i(theta) Phi_i = theta^p / density, power by power
    for p in range(1, order + 1):
        expected = np.eye(powers.shape[1])[p - 1]
        for tree in trees(p):
            value = weight(tree, a) @ powers
            assert_close(value, expected / density(tree), atol=1e-11, err_msg=str(tree))


@pytest.mark.parametrize(
    ("a", "c"),
    [
        pytest.param(square(dop853_tableau.WEIGHTS, 16), dop853_tableau.NODES, id="dop853"),
        pytest.param(DP54, dormand_prince.NODES, id="dormand-prince"),
        pytest.param(square(rk4.WEIGHTS, 4), rk4.NODES, id="rk4"),
    ],
)
def test_stages_stand_at_their_nodes(a, c):
    assert_close(a.sum(axis=1), c, atol=2e-15)
