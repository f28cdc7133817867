"""Jacobians by differences, and Newton's iteration with them."""

import numpy as np
import pytest
from dynarig.core.dynamics import System, compile_tree
from dynarig.core.integrate.differences import jacobian
from dynarig.core.integrate.newton import NoConvergence, solve
from dynarig.core.motion import Motion

from ...close import assert_close


def test_all_columns_of_a_jacobian_come_from_one_call():
    calls = []

    def f(x):
        calls.append(x.shape)
        return np.stack((x[:, 0] * x[:, 1], np.sin(x[:, 2]), x[:, 0] ** 2 - x[:, 2]), axis=1)

    x = np.array([2.0, -3.0, 0.4])
    value, matrix = jacobian(f, x)
    assert calls == [(4, 3)]
    assert_close(value, [-6.0, np.sin(0.4), 3.6], atol=1e-15)
    expected = [[-3.0, 2.0, 0.0], [0.0, 0.0, np.cos(0.4)], [4.0, 0.0, -1.0]]
    assert_close(matrix, expected, atol=2e-7)


def test_the_jacobian_of_a_mechanism_is_its_true_one(random_tree):
    model = compile_tree(random_tree(4, ["revolute", "spherical", "prismatic"]))
    motion = Motion(System(model), lambda t, q, v: -2.0 * v, 0.3, limits=False, passive=True)
    rng = np.random.default_rng(3)
    y = motion.pack(0.0, model.neutral(), rng.normal(size=model.nv))
    y[: model.nq] += 0.1 * rng.normal(size=model.nq)
    matrix = motion.slopes(0.0, y)
    bound = 2e-6 * np.abs(matrix).max()
    # central differences, one state after another
    for column in range(model.nq + model.nv):
        step = np.zeros(y.size)
        step[column] = 1e-5
        ahead, behind = motion.derivative(0.0, y + step), motion.derivative(0.0, y - step)
        assert_close(matrix[:-1, column], ((ahead - behind) / 2e-5)[:-1], atol=bound)
    # the work depends on nothing, and nothing on it
    assert not matrix[-1].any()
    assert not matrix[:, -1].any()


def test_newton_finds_a_root_to_its_precision():
    root = solve(lambda x: np.stack((x[:, 0] ** 2 - 2.0, x[:, 0] * x[:, 1] - 1.0), 1), np.ones(2))
    assert_close(root, [np.sqrt(2.0), np.sqrt(0.5)], atol=3e-12)


def test_newton_evaluates_few_times():
    calls = []

    def residual(x):
        calls.append(len(x))
        return x + 0.01 * np.sin(x) - 1.0

    solve(residual, np.zeros(3))
    assert calls[0] == 4  # the Jacobian
    assert len(calls) < 7
    assert set(calls[1:]) == {1}


@pytest.mark.parametrize(
    ("residual", "worst"),
    [
        (lambda x: np.stack((x[:, 0], x[:, 1] ** 2 + 1.0), axis=1), 1),
        (lambda x: np.stack((0.0 * x[:, 0] + 1.0, x[:, 1]), axis=1), 0),
        (lambda x: x * np.nan, 0),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_no_root_is_told_by_the_unknown_it_is_about(residual, worst):
    with pytest.raises(NoConvergence) as caught:
        solve(residual, np.array([0.3, 0.7]))
    assert caught.value.component == worst
