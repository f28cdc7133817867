"""What a motion conserves: energy, momentum, the lengths of quaternions."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_tree, momentum
from dynarig.core.simulate import run, simulate

from ...close import assert_close


def test_the_energy_of_an_arm_drifts_by_less_than_a_billionth_in_ten_seconds(random_tree):
    model = compile_tree(random_tree(11, ["revolute"] * 7))
    assert model.nv == 7
    options = {"rtol": 1e-11, "atol": 1e-11, "limits": False, "passive": False}
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


@pytest.mark.parametrize(
    ("options", "bound"),
    [
        ({"tolerance": 1e-11}, 1e-9),
        ({"method": "dormand-prince", "tolerance": 1e-10}, 1e-8),
        ({"method": "rk4", "step": 2e-3}, 1e-6),
        ({"method": "implicit-midpoint", "step": 5e-3}, 1e-2),
    ],
    ids=lambda value: value.get("method", "auto") if isinstance(value, dict) else None,
)
def test_the_momentum_of_a_free_robot_is_constant(free_robot, options, bound):
    rng = np.random.default_rng(6)
    q, v = free_robot.neutral(), rng.normal(size=free_robot.nv)
    motion = run(simulate(free_robot, np.linspace(0.0, 0.5, 6), q, v, limits=False, **options))
    moments = momentum(free_robot, motion.q, motion.v)
    assert np.abs(moments[0]).max() > 1.0
    assert_close(moments, np.broadcast_to(moments[0], moments.shape), atol=bound)
    # joints that turn and slide inside do no work on the whole
    assert_close(motion.energy, motion.energy[0], atol=10.0 * bound)


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
