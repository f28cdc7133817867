"""Order of convergence of every scheme, at the end and between the steps, on mechanisms."""

import numpy as np
import pytest
from dynarig.core.dynamics import System, compile_tree, link_poses
from dynarig.core.integrate import (
    DOP853,
    RK4,
    DenseOutput,
    DormandPrince54,
    GeneralizedAlpha,
    ImplicitMidpoint,
    RosenbrockW32,
    SemiImplicitEuler,
)
from dynarig.core.motion import Motion

END = 0.5  # s


def adaptive(scheme):
    def start(motion, y, h):
        stepper = scheme(motion, 0.0, y, 1e9, 1e9)  # no error is too large
        stepper.h = h
        stepper._factor = lambda error, before: 1.0
        return stepper

    return start


def fixed(scheme, *options):
    return lambda motion, y, h: scheme(motion, 0.0, y, h, *options)


# the scheme, its order, and how many steps the coarser of two motions has
SCHEMES = [
    pytest.param(adaptive(DOP853), 8, 5, id="dop853"),
    pytest.param(adaptive(DormandPrince54), 5, 20, id="dormand-prince"),
    pytest.param(adaptive(RosenbrockW32), 3, 60, id="rosenbrock"),
    pytest.param(fixed(SemiImplicitEuler), 1, 100, id="semi-implicit-euler"),
    pytest.param(fixed(RK4), 4, 20, id="rk4"),
    pytest.param(fixed(ImplicitMidpoint), 2, 30, id="implicit-midpoint"),
    *(
        pytest.param(fixed(GeneralizedAlpha, r), 2, 30, id=f"generalized-alpha {r}")
        for r in (0.0, 0.8, 1.0)
    ),
]


class Problem:
    """A mechanism in motion: its poses and velocities at some times, by a tight integration."""

    def __init__(self, model):
        self.model = model
        self.motion = Motion(System(model), None, 0.1, limits=False, passive=True)
        rng = np.random.default_rng(1)
        v = rng.normal(size=model.nv)
        self.start = self.motion.pack(0.0, model.neutral(), v)
        self.times = np.linspace(0.0, END, 41)
        truth = DOP853(self.motion, 0.0, self.start, 1e-13, 1e-13)
        self.truth = self.seen(self.march(truth))

    def march(self, stepper):
        """The dense output of all steps to the end."""
        steps = []
        while stepper.t < END:
            steps.append(stepper.step(END))
        return DenseOutput.of(steps, stepper.y)

    def seen(self, dense):
        """Poses, velocities and work at all times."""
        y = dense(self.times)
        poses = link_poses(self.model, y[:, : self.model.nq])
        return poses, y[:, self.model.nq : -1], y[:, -1]

    def errors(self, start, count):
        """Of poses and velocities: at the end, and at all times."""
        seen = self.seen(self.march(start(self.motion, self.start, END / count)))
        apart = [np.abs(ours - true) for ours, true in zip(seen[:2], self.truth[:2], strict=True)]
        return np.array([part[-1].max() for part in apart] + [part.max() for part in apart])


@pytest.fixture(scope="module", params=["pendulum", "floating and spherical"])
def problem(request, pendulum, random_tree):
    if request.param == "pendulum":
        return Problem(compile_tree(pendulum(), gravity=(0.0, 0.0, -9.80665)))
    return Problem(compile_tree(random_tree(3, ["spherical", "revolute"]), floating_base=True))


@pytest.mark.parametrize(("start", "order", "count"), SCHEMES)
def test_errors_fall_with_the_order_of_the_scheme(problem, start, order, count):
    coarse, fine = problem.errors(start, count), problem.errors(start, 2 * count)
    orders = np.log2(coarse / fine)
    # where terms of different order cancel, the error falls faster for a while
    assert orders.min() > order - 0.5, orders
    assert fine.max() < 0.3
