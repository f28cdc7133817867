"""What a motion conserves: energy, momentum, the lengths of quaternions."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_tree, momentum
from dynarig.core.simulate import run, simulate

from ...close import assert_close


def test_the_energy_of_an_arm_drifts_by_less_than_a_billionth_in_ten_seconds(random_tree):
    model = compile_tree(random_tree(11, ["revolute"] * 7))
    assert model.nv == 7
    options = {"rtol": 1e-11, "limits": False, "passive": False}
    motion = run(simulate(model, np.linspace(0.0, 10.0, 101), **options))
    moved = motion.energy.max() - motion.energy.min()
    assert np.abs(motion.v).max() > 1.0  # it does swing
    assert motion.method == "dop853"
    # the energy itself: no forces act that could do work
    scale = np.abs(motion.energy).max()
    assert scale > 0.1
    assert moved < 1e-9 * scale


@pytest.fixture(scope="module")
def free_robot(random_tree):
    """A floating robot in free space, with all kinds of joints."""
    tree = random_tree(4, ["revolute", "spherical", "prismatic", "universal", "cylindrical"])
    return compile_tree(tree, floating_base=True, gravity=(0.0, 0.0, 0.0))


def drift(robot, duration, **options):
    """How far momentum (8 kg m^2/s, 8 kg m/s) and energy (11 J) move away from their start."""
    rng = np.random.default_rng(6)
    q, v = robot.neutral(), 0.5 * rng.normal(size=robot.nv)
    times = np.linspace(0.0, duration, 21)
    motion = run(simulate(robot, times, q, v, limits=False, **options))
    moments = momentum(robot, motion.q, motion.v)
    assert np.abs(moments[0]).max() > 5.0
    assert np.ptp(motion.v, axis=0).min() > 0.1  # the joints do move
    # joints that turn and slide inside do no work on the whole
    kept = np.concatenate((moments, motion.energy[:, None]), axis=1)
    return np.abs(kept - kept[0]).max()


@pytest.mark.parametrize(
    ("method", "duration", "tolerance"), [("auto", 4.0, 1e-12), ("dormand-prince", 3.0, 1e-11)]
)
def test_momentum_and_energy_of_a_free_robot_are_constant(free_robot, method, duration, tolerance):
    moved = drift(free_robot, duration, method=method, tolerance=tolerance)
    assert moved < 20.0 * tolerance


@pytest.mark.parametrize(
    ("method", "order", "bound"),
    [
        ("semi-implicit-euler", 1, 1.0),
        ("implicit-midpoint", 2, 1e-3),
        ("generalized-alpha", 2, 5e-3),
        ("rk4", 4, 2e-6),
    ],
)
def test_schemes_of_fixed_steps_keep_momentum_and_energy_to_their_order(
    free_robot, method, order, bound
):
    """The midpoint rule keeps what is quadratic in (q, v), and this is not.

    Momentum is R(q) times what is linear in v, in the axes of a base that turns, so that every
    one of them loses it by its order: bound (step / 0.01 s)^order in half a second.
    """
    coarse, fine = (drift(free_robot, 0.5, method=method, step=step) for step in (0.02, 0.01))
    assert fine < bound
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.15)


@pytest.mark.parametrize("method", ["implicit-midpoint", "generalized-alpha", "rk4"])
def test_quaternions_keep_their_length(free_robot, method):
    rng = np.random.default_rng(7)
    q, v = free_robot.neutral(), rng.normal(size=free_robot.nv)
    where = free_robot.quaternion_q
    q[where] *= 1.3
    motion = run(simulate(free_robot, (0.0, 0.3), q, v, limits=False, method=method, step=0.01))
    lengths = np.linalg.norm(motion.q[-1][where], axis=-1)
    # the midpoint rule and steps along rotations keep them exactly, rk4 to its order
    assert_close(lengths, 1.3, atol=1e-5 if method == "rk4" else 1e-9)
