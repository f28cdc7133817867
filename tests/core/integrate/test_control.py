"""Schemes with error control, on closed forms: order, dense output, tolerances, stiffness."""

import numpy as np
import pytest
from dynarig.core.errors import SimulationError
from dynarig.core.integrate import DOP853, DenseOutput, DormandPrince54, Equations, RosenbrockW32

from ...close import assert_close


class Oscillator(Equations):
    """x'' = -x + cos(2 t) with a deliberately wrong Jacobian: W-methods keep their order."""

    def __init__(self, jacobian=None):
        self.a = np.zeros((2, 2)) if jacobian is None else np.array(jacobian)

    def derivative(self, t, y):
        return np.stack((y[..., 1], np.cos(2.0 * np.asarray(t)) - y[..., 0]), axis=-1)

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


@pytest.mark.parametrize(("scheme", "jacobian", "order"), SCHEMES)
def test_dense_output_converges_between_steps(scheme, jacobian, order):
    worst, ends = [], []
    few = 5 if order == 8 else 20  # rounding hides the order of shorter steps
    for count in (few, 2 * few):
        stepper = scheme(Oscillator(jacobian), 0.0, np.array([1.0, 0.0]), 1.0, 1.0)
        steps = []
        for _ in range(count):
            stepper.h = 2.0 / count
            steps.append(stepper.step(limit=2.0))
        dense = DenseOutput.of(steps, stepper.y)
        times = np.linspace(0.0, 2.0, 333)
        worst.append(np.abs(dense(times) - Oscillator.truth(times).T).max())
        ends.append(np.abs(stepper.y - Oscillator.truth(2.0)).max())
        assert_close(dense(0.0), [1.0, 0.0], atol=0.0)
        assert_close(dense(2.0), stepper.y, atol=0.0)
    assert np.log2(worst[0] / worst[1]) > order - 0.5
    # as accurate between the steps as the steps themselves
    assert worst[1] < 1.5 * ends[1]


@pytest.mark.parametrize("tolerance", [1e-5, 1e-7])
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


class Apart(Equations):
    """Two oscillators with nothing in common, of frequencies 1 and 20, in one state."""

    def derivative(self, t, y):
        return np.stack((y[..., 1], -y[..., 0], y[..., 3], -400.0 * y[..., 2]), axis=-1)

    @staticmethod
    def truth(t):
        slow = [np.cos(t), -np.sin(t)]
        return np.array([*slow, np.cos(20.0 * t), -20.0 * np.sin(20.0 * t)])


@pytest.mark.parametrize("scheme", [DOP853, DormandPrince54])
def test_each_entry_is_kept_to_its_own_tolerance(scheme):
    def errors(atol):
        stepper = scheme(Apart(), 0.0, Apart.truth(0.0), 1e-13, np.array(atol))
        while stepper.t < 3.0:
            stepper.step(3.0)
        return np.abs(stepper.y - Apart.truth(3.0)), stepper.evaluations

    tight, most = errors([1e-9] * 4)
    loose, fewest = errors([1e-9, 1e-9, 1e3, 1e3])
    # the slow one alone sets the steps; the fast one is lost
    assert fewest < most / 4
    assert tight.max() < 1e-5
    assert loose[:2].max() < 1e-7
    assert loose[2:].max() > 1e-3


def test_a_step_of_dop853_is_that_of_another_program():
    # scipy 1.17.1: rk_step of DOP853 and the two error vectors times h
    class Driven(Equations):
        def derivative(self, t, y):
            return np.array([y[1], -np.sin(y[0]) + 0.1 * np.cos(3.0 * t)])

    stepper = DOP853(Driven(), 0.2, np.array([1.0, 0.5]), 1e-6, 1e-9)
    trial = stepper.trial(0.5)
    assert_close(trial.end, [1.1460122025253983, 0.0668006469497891], atol=5e-15)
    fifth = [-6.481604939798796e-07, 1.2035280244244995e-06]
    third = [6.170538436311122e-05, 0.0005307649251313357]
    assert_close(trial.errors, [fifth, third], atol=5e-15)


def test_tight_tolerances_reach_rounding():
    stepper = DOP853(Oscillator(), 0.0, np.array([1.0, 0.0]), 1e-13, 1e-13)
    while stepper.t < 10.0:
        stepper.step(limit=10.0)
    assert_close(stepper.y, Oscillator.truth(10.0), atol=3e-13)


def test_few_steps_are_rejected():
    stepper = DOP853(Oscillator(), 0.0, np.array([1.0, 0.0]), 1e-8, 1e-8)
    steps = 0
    while stepper.t < 50.0:
        stepper.step(limit=50.0)
        steps += 1
    assert stepper.rejected < 0.05 * steps
    assert stepper.evaluations == 12 * (steps + stepper.rejected) - stepper.rejected + 2


def test_a_step_cut_at_a_limit_does_not_shorten_those_after_it():
    stepper = DOP853(Oscillator(), 0.0, np.array([1.0, 0.0]), 1e-8, 1e-8)
    stepper.step(limit=10.0)
    proposed = stepper.h
    stepper.step(limit=stepper.t + 1e-6)
    assert stepper.h >= proposed
