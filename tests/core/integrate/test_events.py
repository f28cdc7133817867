"""Zeros of functions on the way of a step: exactly where they are, and none passed over."""

import numpy as np
import pytest

from ...close import assert_close


def clock(times):
    """The state of a motion that is the time itself."""
    return np.asarray(times)[:, None]


def watch(function, start=0.0, direction=0):
    from dynarig.core.integrate import EventFunction, Watch

    event = EventFunction(lambda t, y: function(y[0]), "g", direction)
    return Watch([event], start, np.array([start]))


def crossings(function, start=0.0, end=1.0, steps=1, direction=0):
    """All crossings of a function of the time, from step to step."""
    found, own = [], watch(function, start, direction)
    t, ends = start, np.linspace(start, end, steps + 1)[1:]
    for stop in ends:
        while True:
            crossing = own.first(clock, t, stop)
            own.follow(stop if crossing is None else crossing.t)
            if crossing is None:
                t = stop
                break
            t = crossing.t
            found.append(t)
    return np.array(found)


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_all_zeros_of_a_wave_are_found_by_their_direction(steps):
    zeros = (np.arange(1, 8) * np.pi - 1.0) / 22.0
    for direction, expected in ((0, zeros), (-1, zeros[::2]), (1, zeros[1::2])):
        found = crossings(lambda t: np.sin(22.0 * t + 1.0), 0.0, 1.0, steps, direction)
        assert_close(found, expected, atol=1e-12)


@pytest.mark.parametrize("depth", [1e-2, 1e-5, 1e-9])
def test_a_double_crossing_within_one_step_is_not_missed(depth):
    """Wherever the two zeros lie, and however near to each other."""
    for middle in np.linspace(0.011, 0.989, 23):
        found = crossings(lambda t, c=middle: (t - c) ** 2 - depth * c * c)
        apart = np.sqrt(depth) * middle
        expected = np.array([middle - apart, middle + apart])
        assert_close(found, expected[expected < 1.0], atol=1e-12)


def test_two_crossings_of_a_function_that_is_no_polynomial():
    found = crossings(lambda t: np.exp(-(((t - 0.37) / 0.02) ** 2)) - 1.0 + 1e-6)
    half = 0.02 * np.sqrt(-np.log(1.0 - 1e-6))
    assert_close(found, [0.37 - half, 0.37 + half], atol=1e-12)


def test_touching_zero_is_no_crossing():
    assert not len(crossings(lambda t: (t - 0.3) ** 2 + 1e-13))
    assert not len(crossings(lambda t: (t - 0.3) ** 2, steps=10))  # a step ends there


def test_a_function_with_kinks_and_jumps_is_followed_too():
    assert_close(crossings(lambda t: 1.0 if t > 0.377 else -2.0), 0.377, atol=1e-12)
    found = crossings(lambda t: abs(t - 0.5) - 0.0625)
    assert_close(found, [0.4375, 0.5625], atol=1e-12)


def test_a_start_at_zero_is_no_crossing():
    assert not len(crossings(lambda t: t))
    assert_close(crossings(lambda t: t * (t - 0.25)), 0.25, atol=1e-12)
    # but rounding beside it is neither side
    assert not len(crossings(lambda t: t - 1e-16))


def test_a_zero_at_the_end_of_a_step_is_found_in_the_next_one():
    assert_close(crossings(lambda t: t - 0.5, steps=2), 0.5, atol=0.0)
    assert_close(crossings(lambda t: 0.5 - t, steps=2), 0.5, atol=0.0)
    assert not len(crossings(lambda t: t - 1.0))  # which it does not leave


def test_noise_behind_a_crossing_is_none_but_a_way_back_is():
    noise, state = np.random.default_rng(0), {"g": lambda t: 0.3 - t}
    own = watch(lambda t: state["g"](t))
    found = own.first(clock, 0.0, 1.0)
    assert_close(found.t, 0.3, atol=1e-13)
    own.follow(found.t)
    # held there, to rounding
    state["g"] = lambda t: 1e-13 * noise.normal()
    for start, end in ((found.t, 0.5), (0.5, 0.9), (0.9, 2.0)):
        assert own.first(clock, start, end) is None
        own.follow(end)
    # and back, at once
    state["g"] = lambda t: t - 2.0
    assert_close(own.first(clock, 2.0, 3.0).t, 2.0, atol=1e-12)


def test_late_times_are_met_to_their_rounding():
    found = crossings(lambda t: np.cos(t - 1e6), 1e6, 1e6 + 2.0)
    assert_close(found - 1e6, np.pi / 2, atol=1e-9)


def test_what_crosses_together_is_told_together():
    from dynarig.core.integrate import EventFunction, Watch

    functions = (lambda t: t - 0.5, lambda t: 1.0 - t, lambda t: t * t - 0.25, lambda t: t - 0.6)
    events = [EventFunction(lambda t, y, g=g: g(y[0]), "g") for g in functions]
    own = Watch(events, 0.0, np.zeros(1))
    found = own.first(clock, 0.0, 1.0)
    assert_close(found.t, 0.5, atol=1e-13)
    assert found.events == (0, 2)
    own.follow(found.t)
    assert own.first(clock, found.t, 0.9).events == (3,)
    # those that are not asked for are followed all the same
    other = Watch(events, 0.0, np.zeros(1))
    assert other.first(clock, 0.0, 1.0, live=[False, False, False, True]).events == (3,)
    other.follow(0.55)
    assert other.first(clock, 0.55, 0.9).events == (3,)


def test_a_jump_to_the_other_side_is_a_crossing():
    own = watch(lambda t: t, -1.0, direction=1)
    assert own.jump(-1.0, np.array([-0.5])) == ()
    assert own.jump(-1.0, np.array([0.5])) == (0,)
    assert own.jump(-1.0, np.array([-0.5])) == ()  # falling
    assert own.jump(-1.0, np.array([0.0])) == ()  # neither
    assert own.jump(-1.0, np.array([2.0])) == (0,)


@pytest.mark.parametrize("value", [np.nan, np.inf, None, "far", [1.0, 2.0]])
def test_what_is_no_number_is_told(value):
    from dynarig.core.errors import SimulationError

    with pytest.raises(SimulationError, match="g: at t = 0 s: wanted a finite number, got"):
        watch(lambda t: value)


def test_the_root_in_a_bracket_is_found_by_few_looks():
    from dynarig.core.integrate.roots import bracketed_root

    looks = []

    def g(t):
        looks.append(t)
        return np.exp(t) - 2.0

    assert_close(bracketed_root(g, (0.0, 3.0), (-1.0, np.exp(3.0) - 2.0)), np.log(2), atol=1e-13)
    assert len(looks) < 15


def test_a_step_that_is_cut_moves_as_the_whole_one():
    from dynarig.core.integrate import DOP853, Record
    from dynarig.core.integrate.equations import Equations

    class Turning(Equations):
        def derivative(self, t, y):
            return np.stack((y[..., 1], -y[..., 0]), axis=-1)

    scheme = DOP853(Turning(), 0.0, np.array([1.0, 0.0]), 1e-10, 1e-10)
    whole, cut = Record(), Record()
    for _ in range(3):
        step = scheme.step(10.0)
        whole.add(step)
        middle = step.t + 0.3 * step.h
        cut.add(step, until=None if scheme.t < 0.1 else middle)
        if scheme.t >= 0.1:
            break
    dense = whole.dense(scheme.t, scheme.y)
    part = cut.dense(middle, dense(middle))
    times = np.linspace(0.0, middle, 50)
    assert_close(part(times), dense(times), atol=1e-15)
    assert part.knots[-1] == middle
