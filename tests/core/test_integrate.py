"""The schemes: order of convergence, stiffness, dense output, step control."""

import numpy as np
import pytest
from dynarig.core.errors import SimulationError
from dynarig.core.integrate import DOP853, DenseOutput, DormandPrince54, Equations, RosenbrockW32
from dynarig.core.integrate.dormand_prince import FIFTH, FOURTH, NODES, WEIGHTS

from ..close import assert_close


class Oscillator(Equations):
    """x'' = -x + cos(2 t) with a deliberately wrong Jacobian: W-methods keep their order."""

    def __init__(self, jacobian=None):
        self.a = np.zeros((2, 2)) if jacobian is None else np.array(jacobian)

    def derivative(self, t, y):
        return np.stack((y[..., 1], np.cos(2.0 * t) - y[..., 0]), axis=-1)

    def linearised(self, t, y, hg):
        inverse = np.linalg.inv(np.eye(2) - hg * self.a)
        return (lambda x: self.a @ x), (lambda x: inverse @ x)

    @staticmethod
    def truth(t):
        # x(0) = 1, x'(0) = 0
        return np.array(
            [(4 * np.cos(t) - np.cos(2 * t)) / 3, (-4 * np.sin(t) + 2 * np.sin(2 * t)) / 3]
        )


SCHEMES = [
    pytest.param(DormandPrince54, None, 5, id="dormand-prince"),
    pytest.param(DOP853, None, 8, id="dop853"),
    pytest.param(RosenbrockW32, None, 3, id="rosenbrock without jacobian"),
    pytest.param(RosenbrockW32, [[0, 1], [-1, 0]], 3, id="rosenbrock with the jacobian"),
    pytest.param(RosenbrockW32, [[-3, 0.4], [2, -1]], 3, id="rosenbrock with a wrong one"),
]


def fixed_steps(scheme, jacobian, count):
    """The error at t = 2 after `count` equal steps."""
    stepper = scheme(Oscillator(jacobian), 0.0, np.array([1.0, 0.0]), 1.0, 1.0)
    for _ in range(count):
        stepper.h = 2.0 / count
        stepper.step(limit=2.0)
    return np.linalg.norm(stepper.y - Oscillator.truth(2.0))


@pytest.mark.parametrize(("scheme", "jacobian", "order"), SCHEMES)
def test_error_falls_with_the_order_of_the_scheme(scheme, jacobian, order):
    count = 8 if order == 8 else 40  # rounding hides the order of shorter steps
    coarse, fine = (fixed_steps(scheme, jacobian, n) for n in (count, 2 * count))
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.4)


def test_tableau_is_consistent():
    assert_close(WEIGHTS.sum(axis=1), NODES, atol=1e-15)
    for weights, order in ((FIFTH, 5), (FOURTH, 4)):
        for power in range(order):
            assert weights @ NODES**power == pytest.approx(1.0 / (power + 1), abs=1e-15)


@pytest.mark.parametrize(("scheme", "jacobian", "order"), SCHEMES)
def test_dense_output_converges_between_steps(scheme, jacobian, order):
    worst = []
    for count in (20, 40):
        stepper = scheme(Oscillator(jacobian), 0.0, np.array([1.0, 0.0]), 1.0, 1.0)
        steps = []
        for _ in range(count):
            stepper.h = 2.0 / count
            steps.append(stepper.step(limit=2.0))
        dense = DenseOutput.of(steps, stepper.y)
        times = np.linspace(0.0, 2.0, 333)
        worst.append(np.abs(dense(times) - Oscillator.truth(times).T).max())
        assert_close(dense(0.0), [1.0, 0.0], atol=0.0)
        assert_close(dense(2.0), stepper.y, atol=0.0)
    assert np.log2(worst[0] / worst[1]) > min(order, 4) - 0.5


@pytest.mark.parametrize("tolerance", [1e-5, 1e-8])
@pytest.mark.parametrize(("scheme", "jacobian", "order"), SCHEMES)
def test_step_control_meets_the_tolerance(scheme, jacobian, order, tolerance):
    stepper = scheme(Oscillator(jacobian), 0.0, np.array([1.0, 0.0]), tolerance, tolerance)
    while stepper.t < 10.0:
        stepper.step(limit=10.0)
    assert stepper.t == 10.0
    assert np.linalg.norm(stepper.y - Oscillator.truth(10.0)) < 100.0 * tolerance


class Decay(Equations):
    """y' = -1e6 (y - cos t): a stiff joint that follows a slow one."""

    rate = 1e6

    def derivative(self, t, y):
        return -self.rate * (y - np.cos(t))

    def linearised(self, t, y, hg):
        return (lambda x: -self.rate * x), (lambda x: x / (1.0 + hg * self.rate))


def test_rosenbrock_takes_long_steps_where_an_explicit_scheme_cannot():
    stepper = RosenbrockW32(Decay(), 0.0, np.array([1.0]), 1e-5, 1e-5)
    count = 0
    while stepper.t < 2.0:
        stepper.step(limit=2.0)
        count += 1
    assert stepper.y[0] == pytest.approx(np.cos(2.0), abs=1e-4)
    assert count < 2000  # an explicit scheme needs about 600,000


class BlowUp(Equations):
    """y' = y^2 leaves all bounds at t = 1."""

    def derivative(self, t, y):
        return y * y


def test_a_motion_without_an_end_is_reported_with_its_time():
    stepper = DormandPrince54(BlowUp(), 0.0, np.array([1.0]), 1e-6, 1e-6)

    def march():
        while stepper.t < 2.0:
            stepper.step(limit=2.0)

    with pytest.raises(SimulationError, match=r"at t = 1(\.0000\d*)? s: no step size"):
        march()
