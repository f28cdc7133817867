"""Coordinates that are functions of time: exact, whatever the scheme."""

import numpy as np
import pytest
from dynarig.core.dynamics import Prescribed, System, compile_tree
from dynarig.core.mechanism import Body, Tree, TreeJoint
from dynarig.core.simulate import run, simulate

from ...close import assert_close

TIMES = np.linspace(0.0, 1.0, 13)


def shake(t):
    """x, x', x'' of a support that is shaken by 10 cm."""
    return 0.1 * np.sin(5.0 * t), 0.5 * np.cos(5.0 * t), -2.5 * np.sin(5.0 * t)


@pytest.fixture(scope="module")
def shaken():
    """A rod that hangs on a support which slides along x as prescribed; mass 1 at 1 m."""
    tree = Tree(
        "shaken",
        (
            Body("base", 0.0, np.zeros(3), np.zeros((3, 3))),
            Body("support", 3.0, np.zeros(3), np.eye(3)),
            Body("rod", 1.0, np.array([1.0, 0.0, 0.0]), 0.1 * np.eye(3)),
        ),
        (
            TreeJoint("rail", "prismatic", "base", "support", np.eye(4), np.array([1.0, 0, 0])),
            TreeJoint("hinge", "continuous", "support", "rod", np.eye(4), np.array([0, 1.0, 0])),
        ),
        "base",
    )
    return System(compile_tree(tree), prescribed=(Prescribed(0, 0, shake),))


METHODS = {
    "auto": {"tolerance": 1e-11},
    "dormand-prince": {"tolerance": 1e-10},
    "rosenbrock": {"tolerance": 1e-6},
    "semi-implicit-euler": {"step": 3e-3},
    "rk4": {"step": 0.01},
    "implicit-midpoint": {"step": 0.01},
    "generalized-alpha": {"step": 0.01},
}
BOUNDS = {
    "auto": 1e-9,
    "dormand-prince": 1e-8,
    "rosenbrock": 1e-4,
    "rk4": 1e-6,
    "implicit-midpoint": 1e-3,
    "generalized-alpha": 3e-3,
    "semi-implicit-euler": 3e-2,
}


@pytest.fixture(scope="module")
def pulled(pendulum):
    """The angle of the same rod on a support at rest, which inertia pulls by -m x''."""
    pull = simulate(
        compile_tree(pendulum()),
        TIMES,
        (0.2,),
        tau=lambda t, q, v: np.array([shake(t)[2] * np.sin(q[0])]),
        tolerance=1e-11,
    )
    return run(pull).q[:, 0]


@pytest.mark.parametrize("method", METHODS)
def test_a_prescribed_coordinate_is_exact_and_the_rest_follows(shaken, pulled, method):
    # any start will do: the prescribed part of it does not count
    start, spin = (7.0, 0.2), (9.0, 0.0)
    motion = run(
        simulate(shaken, TIMES, start, spin, limits=False, method=method, **METHODS[method])
    )
    x, speed, _ = np.array([shake(t) for t in TIMES]).T
    assert_close(motion.q[:, 0], x, atol=0.0)
    assert_close(motion.v[:, 0], speed, atol=0.0)
    between = np.linspace(0.0, 1.0, 77)
    assert_close(motion.sample(between)[0][:, 0], [shake(t)[0] for t in between], atol=0.0)
    assert_close(motion.q[:, 1], pulled, atol=BOUNDS[method])


def test_the_work_of_the_drive_is_counted(shaken):
    motion = run(simulate(shaken, TIMES, (0.0, 0.2), limits=False, tolerance=1e-11))
    assert np.ptp(motion.energy) > 0.1
    assert motion.energy_drift < 1e-8
