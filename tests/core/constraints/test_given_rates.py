"""Rates that are given beside what they are the rates of: held against differences."""

import logging

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import slides


def vector(**options):
    from dynarig.core.dynamics.constraints import CoordinateMarker, CoordinateVector

    marker = CoordinateMarker("m", ("x0", "y0"))
    given = {"X1": np.eye(2)} | options
    return CoordinateVector(name="c", marker0="ground", marker1=marker, **given)


def moved(constraint, end=0.5, q=(0.0, 0.0), v=(0.0, 0.0)):
    from dynarig.core.dynamics import System
    from dynarig.core.simulate import run, simulate

    system = System(slides([1.0]), constraints=(constraint,))
    return run(simulate(system, [0.0, end], q, v))


def place(t, offset):
    return np.array([0.1 * t**3, np.sin(t)])


def rate(t, offset):
    return np.array([0.3 * t**2, np.cos(t)])


def test_a_rate_that_fits_gives_the_same_motion():
    first = moved(vector(offset_function=place), v=(0.0, 1.0))
    second = moved(vector(offset_function=place, offset_function_t=rate), v=(0.0, 1.0))
    assert_close(first.q[-1], second.q[-1], atol=1e-12)
    assert_close(second.q[-1], place(0.5, None), atol=1e-12)


@pytest.mark.parametrize("factor", [-1.0, 2.0, 1.005])
def test_a_rate_of_something_else_is_refused(factor):
    from dynarig.core.errors import ArgumentError

    wrong = vector(offset_function=place, offset_function_t=lambda t, o: [0.3 * t**2, factor])
    told = (
        r"CoordinateVector 'c': offset_function_t: wanted the rate of offset_function, which is "
        rf"about 1 at \[1\] at t = 0 s by its differences, got {factor:g}"
    )
    with pytest.raises(ArgumentError, match=told):
        moved(wrong)


def test_a_rate_that_fits_only_at_the_start_is_refused_soon_after():
    from dynarig.core.errors import ArgumentError

    wrong = vector(offset_function=place, offset_function_t=lambda t, o: [3.0 * t, np.cos(t)])
    with pytest.raises(ArgumentError, match=r"which is about 0.0\d* at \[0\] at t = 0.[01]"):
        moved(wrong, v=(0.0, 1.0))


def test_a_rate_is_asked_for_where_a_constraint_begins_to_act():
    from dynarig.core.dynamics.constraints import Switch
    from dynarig.core.errors import ArgumentError

    options = {"offset_function": place, "active": False, "switches": [Switch.at(0.2, True)]}
    wrong = vector(offset_function_t=lambda t, o: [0.3 * t**2, -1.0], **options)
    with pytest.raises(ArgumentError, match=r"is about 0.98\d* at \[1\] at t = 0.2 s"):
        moved(wrong)
    # a ramp has two rates at its corner
    for slope in (0.0, 0.5, 1.0):
        ramp = vector(
            X1=[[1.0, 0.0]],
            offset_function=lambda t, o: [max(t - 0.2, 0.0)],
            offset_function_t=lambda t, o, slope=slope: [1.0 if t > 0.2 else slope * (t == 0.2)],
            active=False,
            switches=[Switch.at(0.2, True)],
        )
        assert_close(moved(ramp).q[-1, 0], 0.3, atol=1e-9)


def test_a_rate_alone_is_one_at_velocity_level_only():
    from dynarig.core.errors import ArgumentError

    with pytest.raises(ArgumentError, match=r"offset_function_t: wanted offset_function beside it"):
        vector(offset_function_t=rate)
    motion = moved(vector(offset_function_t=rate, velocity_level=True), v=(0.0, 1.0))
    assert_close(motion.q[-1], place(0.5, None), atol=1e-7)


@pytest.mark.parametrize(
    ("motion", "told"),
    [
        (
            lambda t: (t, -1.0, 0.0),
            r"motion: x': wanted the rate of x, which is about 1 at t = 0 s",
        ),
        (lambda t: (t * t, 2 * t, 0.0), r"motion: x'': wanted the rate of x', .* about 2 at t = 0"),
    ],
)
def test_rates_of_a_prescribed_coordinate_are_its_own(motion, told):
    from dynarig.core.dynamics.constraints import PrescribedCoordinate
    from dynarig.core.errors import ArgumentError

    with pytest.raises(ArgumentError, match=rf"PrescribedCoordinate 'c': {told}"):
        moved(PrescribedCoordinate(name="c", coordinate="x0", motion=motion))


def test_the_way_of_derivatives_is_logged_once_for_each_constraint(caplog):
    def circle(t, q, v, velocity_level):
        return q[0] ** 2 + q[1] ** 2 - 1.0

    own = vector(X1=(), X0=np.zeros((1, 1)), constraint_function=circle)
    with caplog.at_level(logging.INFO):
        moved(own, end=0.1, q=(0.0, -1.0))
    told = [record.getMessage() for record in caplog.records if "Jacobian" in record.getMessage()]
    assert told == ["CoordinateVector 'c': no jacobian_function, its Jacobian is by complex steps"]
