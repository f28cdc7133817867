"""Zeros of functions that are known as series; steps whose interpolants are known."""

import numpy as np
import pytest

from ..close import assert_close

SPAN = (0.3, 1.7)


def series_of(function):
    from dynarig.core.integrate.event_samples import COEFFICIENTS, NODES

    times = SPAN[0] + 0.5 * (SPAN[1] - SPAN[0]) * (1.0 + NODES)
    return COEFFICIENTS @ np.array([function(t) for t in times])


def counted(function):
    calls = []

    def g(t):
        calls.append(t)
        return function(t)

    return g, calls


def test_a_series_is_summed(rng):
    from dynarig.core.series_roots import clenshaw
    from numpy.polynomial import chebyshev

    parts = rng.normal(size=13)
    for x in (-1.0, -0.3, 0.0, 0.9, 1.0):
        assert_close(clenshaw(parts.tolist(), x), chebyshev.chebval(x, parts), 1e-12)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_zero_is_found_in_few_calls(sign):
    from dynarig.core.series_roots import root_near

    g, calls = counted(lambda t: sign * (np.cos(t) - 0.4))
    t = root_near(g, series_of(g), SPAN, SPAN, (g(SPAN[0]), g(SPAN[1])))
    assert_close(t, np.arccos(0.4), 1e-13)
    # 13 for the series, two for the ends
    assert len(calls) <= 13 + 2 + 3


def test_a_series_that_is_not_the_function_leads_to_its_zero_too():
    from dynarig.core.series_roots import root_near

    def g(t):
        return np.cos(t) - 0.4

    for wrong in (lambda t: 1e3 * g(t), lambda t: 1.0 - t, lambda t: t - 0.5):
        t = root_near(g, series_of(wrong), SPAN, SPAN, (g(SPAN[0]), g(SPAN[1])))
        assert_close(t, np.arccos(0.4), 2e-13)


def test_steps_with_known_interpolants_are_taken_down_alike(pendulum):
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.integrate import DOP853, Record
    from dynarig.core.motion import Motion

    motion = Motion(System(compile_tree(pendulum())), None, 0.0, True, True)
    stepper = DOP853(motion, 0.0, np.array([0.1, 0.0, 0.0]), 1e-9, 1e-9)
    steps = [stepper.step(1.0) for _ in range(3)]
    end = steps[2].t + 0.5 * steps[2].h
    known, plain = Record(), Record()
    for step, until in zip(steps, (None, None, end), strict=True):
        own = Record()
        own.add(step)
        known.add(step, until, own.dense(step.t + step.h, step.end).powers)
        plain.add(step, until)
    y = steps[2].end
    times = np.linspace(0.0, end, 20, endpoint=False)
    assert_close(known.dense(end, y)(times), plain.dense(end, y)(times), 1e-13)
