"""What constraints tell over time does not depend on what was asked before."""

import numpy as np

from ...close import assert_close
from .mechanisms import slides


def thrown():
    """A mass on two rods one after the other: the second takes over at 0.5 s."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c
    from dynarig.core.simulate import run, simulate

    first = c.Distance(
        name="first",
        a=c.Port(None),
        b=c.Port("on y0"),
        length=0.8,
        switches=[c.Switch.at(0.5, False)],
    )
    second = c.CoordinateVector(
        name="second",
        marker0="ground",
        marker1=c.CoordinateMarker("mass", ["x0", "y0"]),
        X1=[[1.0, 1.0]],
        velocity_level=True,
        active=False,
        switches=[c.Switch.at(0.5, True)],
    )
    system = System(slides([2.0]), constraints=(first, second))
    return run(simulate(system, [0.0, 1.0], [0.8, 0.0], tolerance=1e-9))


def test_answers_are_those_of_a_motion_that_was_asked_for_nothing_else():
    times = np.linspace(0.0, 1.0, 7)
    asked = [
        ("first", times, "right"),
        ("second", times, "right"),
        ("second", times, "left"),
        ("first", 0.5, "left"),
        ("first", 0.5, "right"),
        ("second", times[None], "right"),
        ("first", times, "right"),
    ]
    one = thrown()
    for name, t, side in asked:
        told, alone = one.constraint(name, t, side), thrown().constraint(name, t, side)
        assert_close(told.force, alone.force, atol=0.0)
        assert_close(told.rate, alone.rate, atol=0.0)
    pulls = [one.constraint("first", 0.5, side).force[0] for side in ("left", "right")]
    assert pulls[0] > 1.0 and pulls[1] == 0.0
