"""Loops whose lengths just miss a singular configuration: passed as if they fitted, or turned in.

A parallelogram whose rocker is longer than its crank by d. Exactly d = 0 lets it stay one where all
bars come to lie in a line; with d, motions that cross there part within sqrt(3 d), and the rocker,
which never comes into line, turns back.
"""

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import chain

START, SPEED = 3.0, 8.0  # rad and rad/s of the crank
END = 0.04  # s: the line is passed at 0.018 s
MOST = 2500  # evaluations
MOVED = pytest.mark.filterwarnings("ignore:.*have moved the initial")


def passed(d, kind="PlanarHinge"):
    """The motion without gravity, with all bars in a line on the way."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c
    from dynarig.core.simulate import run, simulate

    model = chain([1.0, 2.0, 1.0 + d], gravity=(0.0, 0.0, 0.0))
    far, end = c.Port.at(None, [2.0, 0, 0]), c.Port.at("rod2", [1.0 + d, 0, 0])
    system = System(model, constraints=(getattr(c, kind)(name="loop", a=far, b=end),))
    q, v = np.array([START, -START, START - np.pi]), SPEED * np.array([1.0, -1.0, 1.0])
    return run(simulate(system, np.linspace(0.0, END, 5), q, v, tolerance=1e-10))


@MOVED
@pytest.mark.parametrize(
    ("d", "kind"),
    [(d, "PlanarHinge") for d in (1e-12, -1e-12, 1e-9, -1e-9)] + [(1e-10, "Hinge")],
)
def test_lengths_that_fit_but_for_rounding_count_as_fitting(d, kind):
    motion = passed(d, kind)
    assert motion.evaluations < MOST
    # without gravity a parallelogram turns evenly
    turned = START + SPEED * motion.times
    assert_close(motion.q, turned[:, None] * [1, -1, 1] - [0, 0, np.pi], atol=100 * abs(d) + 1e-9)
    assert_close(motion.constraint("loop", motion.times).equation, 0.0, atol=2 * abs(d))
    assert motion.energy_drift < 1e-9 * motion.energy.max()


@MOVED
@pytest.mark.parametrize("d", [1e-8, -1e-6])
def test_a_real_miss_turns_one_of_the_bars_back(d):
    """A longer rocker turns back, and a shorter one lets the crank do so: both cross the bar."""
    motion = passed(d)
    assert motion.evaluations < MOST
    crank, rocker = motion.q[:, 0] - np.pi, motion.q.sum(axis=1)
    turns_back, goes_on = (rocker, crank) if d > 0 else (crank, rocker)
    assert turns_back[0] < 0 and turns_back[-1] < -0.09
    assert goes_on[0] < 0 and goes_on[-1] > 0.09
    # crossed, of lengths 1 and 2: one half angle's tangent is a third of the other's
    beyond = np.tan(0.5 * crank[2:]) + 3.0 * np.tan(0.5 * rocker[2:])
    assert_close(beyond, 0.0, atol=1e-7 + 100 * abs(d))
    assert_close(motion.constraint("loop", motion.times).equation, 0.0, atol=1e-11)
    assert motion.energy_drift < 1e-7 * motion.energy.max()
