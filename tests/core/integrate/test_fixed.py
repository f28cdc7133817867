"""Steps of one size: where they end, and what becomes of energy, lengths and fast motion."""

import numpy as np
import pytest
from dynarig.core.dynamics import System, compile_tree
from dynarig.core.integrate import (
    RK4,
    DenseOutput,
    Equations,
    GeneralizedAlpha,
    ImplicitMidpoint,
    MechanicalEquations,
    SemiImplicitEuler,
    StepCollapse,
)
from dynarig.core.motion import Motion

from ...close import assert_close


def march(stepper, end):
    steps = []
    while stepper.t < end:
        steps.append(stepper.step(end))
    return steps


class Spring(MechanicalEquations):
    """q'' = -w^2 q - d q', with the work of the damper as a quadrature."""

    quadratures = 1
    nq = nv = 1

    def __init__(self, w, d=0.0):
        self.w, self.d = w, d

    def derivative(self, t, y):
        q, v = y[..., 0], y[..., 1]
        return np.stack((v, -(self.w**2) * q - self.d * v, self.d * v * v), axis=-1)

    def move(self, q, step):
        return q + step


SCHEMES = {
    "semi-implicit-euler": lambda equations, y, h: SemiImplicitEuler(equations, 0.0, y, h),
    "rk4": lambda equations, y, h: RK4(equations, 0.0, y, h),
    "implicit-midpoint": lambda equations, y, h: ImplicitMidpoint(equations, 0.0, y, h),
    "generalized-alpha": lambda equations, y, h: GeneralizedAlpha(equations, 0.0, y, h, 0.8),
}


@pytest.fixture(params=SCHEMES)
def start(request):
    return SCHEMES[request.param]


def test_the_last_step_ends_exactly_at_the_end(start):
    y = np.array([1.0, 0.0, 0.0])
    steps = march(start(Spring(1.0), y, 0.3), 1.0)
    assert_close([step.t for step in steps], [0.0, 0.3, 0.6, 0.9], atol=1e-15)
    assert steps[-1].t + steps[-1].h == pytest.approx(1.0, abs=1e-15)
    # ten steps of a size that no binary number is do not leave an eleventh
    stepper = start(Spring(1.0), y, 0.1)
    assert len(march(stepper, 1.0)) == 10
    assert stepper.t == 1.0
    assert len(march(start(Spring(1.0), y, 5.0), 1.0)) == 1


def test_dense_output_meets_states_and_slopes_at_the_knots(start):
    equations = Spring(2.0, 0.1)
    stepper = start(equations, np.array([1.0, 0.5, 0.0]), 0.05)
    steps = march(stepper, 1.0)
    dense = DenseOutput.of(steps, stepper.y)
    for step in steps:
        assert_close(dense(step.t), step.start, atol=0.0)
        ahead = (dense(step.t + 1e-7) - step.start) / 1e-7
        assert_close(ahead[0], equations.derivative(step.t, step.start)[0], atol=1e-5)
    assert_close(dense(1.0), stepper.y, atol=0.0)


def energies(model, start, h, end):
    """Energy at every step of a long swing, J."""
    motion = Motion(System(model), None, 0.0, limits=False, passive=False)
    stepper = start(motion, motion.pack(0.0, np.array([0.3]), np.zeros(1)), h)
    states = np.array([step.end for step in march(stepper, end)])
    return motion.energy(states[:, :1], states[:, 1:2])


def test_the_energy_of_a_long_swing_does_not_drift_by_the_midpoint_rule(pendulum):
    model = compile_tree(pendulum())
    h = 0.05
    for start, drifts in (
        (SCHEMES["implicit-midpoint"], False),
        (SCHEMES["semi-implicit-euler"], False),
        (SCHEMES["rk4"], True),
    ):
        energy = energies(model, start, h, 30.0)
        quarter = len(energy) // 4
        first, last = energy[:quarter], energy[-quarter:]
        # the error swings with the motion; its mean stays where it is, or does not
        swing = first.max() - first.min()
        moved = abs(last.mean() - first.mean())
        assert (moved > 0.5 * swing) == drifts, (moved, swing)


def test_the_midpoint_rule_keeps_quadratic_invariants():
    equations = Spring(3.0)
    stepper = ImplicitMidpoint(equations, 0.0, np.array([1.0, 0.0, 0.0]), 0.2)
    for step in march(stepper, 40.0):
        q, v, _ = step.end
        assert_close(v * v + 9.0 * q * q, 9.0, atol=1e-9)


@pytest.mark.parametrize("radius", [0.0, 0.3, 0.8, 1.0])
def test_generalized_alpha_damps_fast_oscillations_by_its_spectral_radius(radius):
    # h w = 2e4: one step multiplies what is left by the radius, or -radius
    stepper = GeneralizedAlpha(Spring(2e6), 0.0, np.array([1e-3, 0.0, 0.0]), 0.01, radius)
    left = [abs(step.end[0]) for step in march(stepper, 0.6)]
    if radius == 0.0:
        assert max(left[3:]) < 1e-9
    else:
        rate = (left[-1] / left[20]) ** (1.0 / (len(left) - 21))
        assert rate == pytest.approx(radius, abs=0.06)


def test_generalized_alpha_starts_smoothly_away_from_the_equilibrium_of_what_is_fast():
    # v' = -1e6 (v - 1) takes a microsecond to v = 1, and steps are a thousand times as long
    class Follower(MechanicalEquations):
        nq = nv = 1

        def derivative(self, t, y):
            return np.stack((y[..., 1], -1e6 * (y[..., 1] - 1.0)), axis=-1)

        def move(self, q, step):
            return q + step

    stepper = GeneralizedAlpha(Follower(), 0.0, np.zeros(2), 1e-3, 0.8)
    ends = np.array([step.end for step in march(stepper, 0.1)])
    assert_close(ends[:, 0], np.arange(1, 101) * 1e-3, atol=1e-3)
    assert_close(ends[-1, 1], 1.0, atol=1e-6)


class Cliff(Equations):
    """y' = 1 before y = 1 / 2, and -10 behind it: no step of the midpoint rule ends there."""

    def derivative(self, t, y):
        return np.where(y < 0.5, 1.0, -10.0)


def test_a_step_without_an_end_is_told_by_time_and_component():
    stepper = ImplicitMidpoint(Cliff(), 0.0, np.array([0.0]), 0.2)
    with pytest.raises(StepCollapse, match=r"Newton's iteration finds no end of a step of 0.2 s"):
        march(stepper, 2.0)
    assert stepper.t == pytest.approx(0.6)


class Explosion(Equations):
    """y' = y^3 leaves all numbers behind."""

    def derivative(self, t, y):
        return y**3


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_numbers_that_overflow_are_told():
    with pytest.raises(StepCollapse, match=r"steps of 1 s are too long for this scheme"):
        march(RK4(Explosion(), 0.0, np.array([0.0, 2.0]), 1.0), 20.0)


def test_steps_that_are_lost_in_rounding_are_told():
    with pytest.raises(StepCollapse, match="steps of 1e-20 s are lost in the rounding of t"):
        RK4(Spring(1.0), 5.0, np.array([1.0, 0.0, 0.0]), 1e-20).step(6.0)
