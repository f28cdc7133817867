"""What the default tolerances leave: nowhere more than Dormand-Prince at 1e-6."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_tree
from dynarig.core.simulate import run, simulate

TIMES = np.linspace(0.0, 1.0, 31)


def errors(model, truth, **options):
    """The largest errors of q and v on the way, and the evaluations."""
    motion = run(simulate(model, TIMES, **options))
    q, v = np.abs(motion.q - truth.q).max(), np.abs(motion.v - truth.v).max()
    return q, v, motion.evaluations


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_the_default_is_at_least_as_accurate_as_a_pair_of_order_5_at_1e_6(random_tree, seed):
    model = compile_tree(random_tree(seed, ["revolute", "spherical"], damping=0.3))
    truth = run(simulate(model, TIMES, tolerance=1e-12))
    q, v, evaluations = errors(model, truth)
    before = errors(model, truth, method="dormand-prince", tolerance=1e-6)
    assert q < before[0]
    assert v < before[1]
    assert evaluations < 2.0 * before[2]


def test_tolerances_by_entry_are_those_of_q_and_v(pendulum):
    model = compile_tree(pendulum())
    truth = run(simulate(model, TIMES, tolerance=1e-12))
    one = errors(model, truth, rtol=1e-7, atol=1e-9)
    many = errors(model, truth, rtol=[1e-7, 1e-7], atol=[1e-9, 1e-9])
    assert one == many
    tighter = errors(model, truth, rtol=[1e-7, 1e-11], atol=[1e-9, 1e-13])
    assert tighter[2] > one[2]
    assert tighter[1] < one[1]


def test_a_tight_rtol_alone_is_not_spoiled_by_a_loose_atol(pendulum):
    model = compile_tree(pendulum())
    truth = run(simulate(model, TIMES, tolerance=1e-13))
    alone = errors(model, truth, rtol=1e-11)
    assert alone == errors(model, truth, rtol=1e-11, atol=1e-11)
    by_entry = errors(model, truth, rtol=[1e-9, 1e-11])
    assert by_entry == errors(model, truth, rtol=[1e-9, 1e-11], atol=1e-11)
    # a loose one leaves the scheme's own
    loose = errors(model, truth, rtol=1e-3)
    assert loose == errors(model, truth, rtol=1e-3, atol=5e-8)


def test_poses_between_steps_are_as_accurate_as_at_steps(random_tree):
    model = compile_tree(random_tree(3, ["revolute", "spherical"]))
    motion = run(simulate(model, (0.0, 1.0), tolerance=1e-9))
    truth = run(simulate(model, (0.0, 1.0), tolerance=1e-13))
    knots = motion.dense.knots
    between = knots[:-1, None] + np.diff(knots)[:, None] * np.linspace(0.1, 0.9, 9)

    def error(times):
        return np.abs(motion.sample(times)[0] - truth.sample(times)[0]).max()

    assert error(between) < 3.0 * error(knots)
