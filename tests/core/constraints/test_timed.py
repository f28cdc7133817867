"""Functions of time in constraints bound the steps, so that what is short is not stepped over."""

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import slides


def nudge(t):
    """A pivot that is moved for a few hundredths of a second, after a second and a half of rest."""
    return 0.05 * np.exp(-(((t - 1.53) / 0.01) ** 2))


def told(t):
    """The same with its derivatives."""
    s, x = (t - 1.53) / 0.01, nudge(t)
    return x, -2.0 * s * x / 0.01, (4.0 * s * s - 2.0) * x / 0.01**2


def at_rest(kind):
    """A mass that hangs from a pivot which a constraint drives."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c

    model = slides([1.0, 1.0])
    rod = c.Distance(name="rod", a=c.Port("on y0"), b=c.Port("on y1"), length=0.8)
    level = c.PrescribedCoordinate(name="level", coordinate="y0", motion=lambda t: 0.0 * t)
    pivot = c.CoordinateMarker("pivot", ["x0"])
    if kind == "coordinate":
        drive = c.PrescribedCoordinate(name="drive", coordinate="x0", motion=told)
    elif kind == "frame":

        def motion(t):
            pose = np.eye(4, dtype=np.result_type(t, float))
            pose[0, 3] = nudge(t)
            return pose

        port = c.Port("on y0")
        return System(
            model,
            constraints=(
                rod,
                c.PrescribedFrame(name="drive", port=port, motion=motion, rows="position"),
            ),
        )
    elif kind == "offset":
        drive = c.CoordinateVector(
            name="drive",
            marker0="ground",
            marker1=pivot,
            X1=[[1.0]],
            offset_function=lambda t, offset: [nudge(t)],
        )
    else:
        drive = c.CoordinateVector(
            name="drive",
            marker0="ground",
            marker1=pivot,
            X0=np.zeros((1, 1)),
            constraint_function=lambda t, q, v, velocity_level: [q[0] - nudge(t)],
        )
    return System(model, constraints=(rod, level, drive))


@pytest.fixture(scope="module")
def expected():
    """The end of the motion from shortly before the nudge on, which is found there."""
    from dynarig.core.simulate import run, simulate

    system, start = at_rest("coordinate"), [0.0, 0.0, 0.0, -0.8]
    return run(simulate(system, [1.45, 1.7], start, tolerance=1e-9, max_step=0.02)).q[-1]


@pytest.mark.parametrize("kind", ["coordinate", "frame", "offset", "function"])
def test_a_short_nudge_is_not_stepped_over(kind, expected):
    from dynarig.core.simulate import run, simulate

    motion = run(simulate(at_rest(kind), [0.0, 1.7], [0.0, 0.0, 0.0, -0.8], tolerance=1e-7))
    assert abs(expected[2]) > 2e-4
    assert_close(motion.q[-1], expected, atol=1e-6)


def test_constant_constraints_leave_steps_as_long_as_they_can_be():
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c

    rod = c.Distance(name="rod", a=c.Port(None), b=c.Port("on y0"), length=0.8)
    still = c.CoordinateVector(
        name="still", marker0="ground", marker1=c.CoordinateMarker("y", ["y0"]), X1=[[1.0]]
    )
    assert not System(slides([1.0]), constraints=(rod, still)).timed
