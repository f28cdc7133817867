"""Functions of the user's that fail: whose they are and when is said, and nothing else."""

import math
import warnings

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import slides

ZEROS = np.zeros((1, 1))


def run(make, end=0.4):
    """A mass on a slide, from 0 to an end, s, with make(kinds) as its constraint."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as kinds
    from dynarig.core.simulate import run, simulate

    system = System(slides([2.0]), constraints=(make(kinds),))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return run(simulate(system, [0.0, end], tolerance=1e-8))


def vector(**functions):
    def make(kinds):
        marker = kinds.CoordinateMarker("m", ("x0",))
        return kinds.CoordinateVector(
            name="c", marker0="ground", marker1=marker, X0=ZEROS, **functions
        )

    return make


def offset(**functions):
    def make(kinds):
        marker = kinds.CoordinateMarker("m", ("x0",))
        return kinds.CoordinateVector(
            name="c", marker0="ground", marker1=marker, X1=[[1.0]], **functions
        )

    return make


def coordinate(function):
    return lambda kinds: kinds.PrescribedCoordinate(name="c", coordinate="x0", motion=function)


def frame(function):
    def make(kinds):
        own = kinds.Port("on y0")
        return kinds.PrescribedFrame(name="c", port=own, motion=function, rows="position")

    return make


def switch(function):
    def make(kinds):
        off = kinds.Switch.when(function, False)
        return kinds.Hold(name="c", port=kinds.Port("on y0"), switches=[off])

    return make


def still(t, *rest):
    return 0.0 * t


def place(t):
    out = np.eye(4, dtype=np.result_type(t, float))
    out[0, 3] = 0.0 * t
    return out


# by the name in messages: the constraint with a function, and one that does
PLACES = {
    "CoordinateVector 'c': constraint_function": (
        lambda f: vector(constraint_function=f),
        lambda t, q, v, level: q,
    ),
    "CoordinateVector 'c': jacobian_function": (
        lambda f: vector(constraint_function=lambda t, q, v, level: q, jacobian_function=f),
        lambda t, q, v, level: [[1.0]],
    ),
    "CoordinateVector 'c': offset_function": (lambda f: offset(offset_function=f), still),
    "CoordinateVector 'c': offset_function_t": (
        lambda f: offset(offset_function_t=f, velocity_level=True),
        still,
    ),
    "PrescribedCoordinate 'c': motion": (coordinate, still),
    "PrescribedFrame 'c': motion": (frame, place),
    "Hold 'c': the condition of a switch": (switch, lambda t, q, v: 1.0 + 0.0 * t),
}
EVERY_PLACE = pytest.mark.parametrize("name", PLACES)


def told(name, function):
    from dynarig.core.errors import DynarigError

    make, _ = PLACES[name]
    with pytest.raises(DynarigError) as refused:
        run(make(function))
    text = str(refused.value)
    assert name in text
    return text


@EVERY_PLACE
def test_functions_that_do_not_fail_go(name):
    make, function = PLACES[name]
    run(make(function))


@EVERY_PLACE
def test_an_exception_is_told_with_the_time(name):
    assert "failed at t = 0 s: ZeroDivisionError" in told(name, lambda *given: 1 / 0)


@EVERY_PLACE
def test_a_wrong_signature_is_told(name):
    assert "failed at t = 0 s: TypeError" in told(name, lambda: 0.0)


@EVERY_PLACE
@pytest.mark.parametrize("value", [np.zeros((2, 3)), "text", None, [[0.0], [0.0, 1.0]]])
def test_a_wrong_shape_is_told(name, value):
    assert "wanted" in told(name, lambda *given: value)


@EVERY_PLACE
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_is_told(name, value):
    _, function = PLACES[name]
    assert "t = " in told(name, lambda *given: function(*given) * np.array(value))


@EVERY_PLACE
def test_what_is_not_finite_later_is_told_with_the_time(name):
    _, function = PLACES[name]

    def later(t, *rest):
        return np.array(function(t, *rest)) * (np.nan if np.real(t) > 0.2 else 1.0)

    text = told(name, later)
    time = float(text.split("t = ")[-1].split(" s")[0])
    assert_close(time, 0.29, 0.1)  # derivatives look ahead a little


def test_functions_of_real_numbers_are_quiet_and_exact():
    def cam(t, q, v, level):
        return q[0] - 0.3 * math.sin(q[0] + t**2)

    found = run(vector(constraint_function=cam))
    x = found.q[-1, 0]
    assert_close(x, 0.3 * math.sin(x + 0.4**2), 1e-9)


def test_where_no_step_will_do_constraints_with_functions_are_named():
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as kinds
    from dynarig.core.motion import Motion

    corner = coordinate(lambda t: abs(t - 0.1))(kinds)
    system = System(slides([2.0]), constraints=(corner,))
    cause = Motion(system, None, 0.0, False, False).explain(0.1, np.zeros(5), 0)
    assert "PrescribedCoordinate 'c'" in cause
    assert "twice differentiable" in cause
