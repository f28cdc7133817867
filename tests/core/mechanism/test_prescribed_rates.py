"""Rates that are given to a prescribed motion are those of the motion."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from dynarig.core.errors import SimulationError
from dynarig.core.mechanism import Mechanism, planar

Function = Callable[[float], float]


def driven(**given: Any) -> Mechanism:
    world, hinge, body = planar.World(), planar.Revolute("hinge"), planar.Body("body", I=0.1)
    drive = planar.PrescribedMotion("drive", joint="hinge", **given)
    mechanism = Mechanism("m", [world, hinge, body, drive])
    mechanism.chain(world, hinge, body)
    return mechanism


def zero(t: float) -> float:
    return 0.0


@pytest.mark.parametrize("start", [0.0, -3.0, 100.0])
@pytest.mark.parametrize(
    ("phi", "w", "a", "name"),
    [
        (math.sin, lambda t: 7.0, zero, "w"),
        (math.sin, lambda t: -math.cos(t), math.sin, "w"),
        (math.sin, lambda t: 1.1 * math.cos(t), None, "w"),
        (math.sin, zero, None, "w"),
        (lambda t: 3.0, lambda t: 1e-3, None, "w"),
        (math.sin, math.cos, math.sin, "a"),
        (math.sin, math.cos, lambda t: 0.5, "a"),
        (lambda t: math.sin(20 * t), lambda t: math.cos(20 * t), None, "w"),
        (lambda t: 1e5 + t, lambda t: 1.1, None, "w"),
    ],
)
def test_rates_that_do_not_fit(
    phi: Function, w: Function, a: Function | None, name: str, start: float
) -> None:
    of, rate = (phi, w) if name == "w" else (w, a)
    times = np.linspace(start + 0.3, start + 0.5, 3)
    with pytest.raises(SimulationError) as refused:
        driven(phi=phi, w=w, a=a).simulate(times)
    message = str(refused.value)
    h = 1e-5
    slope = (of(times[0] + h) - of(times[0] - h)) / (2 * h)
    told = f"PrescribedMotion 'drive': {name}: wanted the rate of {'phi' if name == 'w' else 'w'}"
    assert message.startswith(told)
    assert f"at t = {times[0]:g} s" in message
    assert f"got {rate(times[0]):.6g}; leave {name} out" in message
    about = float(message.split("about ")[1].split(" ")[0])
    assert abs(about - slope) < 1e-3 * max(1.0, abs(slope))


def test_a_rate_that_stops_fitting_on_the_way() -> None:
    mechanism = driven(phi=math.sin, w=lambda t: math.cos(t) if t < 0.2 else 0.0, a=zero)
    # a is wrong from the start on, and told first
    with pytest.raises(SimulationError, match=r"'drive': a: wanted the rate of w"):
        mechanism.simulate([0.1, 1.0])
    mechanism = driven(phi=math.sin, w=lambda t: math.cos(t) if t < 0.2 else 0.0)
    with pytest.raises(SimulationError, match=r"drive|joint 'hinge'"):
        mechanism.simulate(1.0)


PERIOD = 0.01
RATE = 2.0 * math.pi / PERIOD


@pytest.mark.parametrize(
    ("phi", "w", "a"),
    [
        (math.sin, math.cos, lambda t: -math.sin(t)),
        (lambda t: 3.0, zero, zero),
        (lambda t: 1e6 + t, lambda t: 1.0, zero),
        (lambda t: 1e-9 * math.sin(t), lambda t: 1e-9 * math.cos(t), lambda t: -1e-9 * math.sin(t)),
        (
            lambda t: 1e-3 * math.sin(RATE * t),
            lambda t: 1e-3 * RATE * math.cos(RATE * t),
            lambda t: -1e-3 * RATE**2 * math.sin(RATE * t),
        ),
        # its function is not known before it starts
        (lambda t: t * math.sqrt(t), lambda t: 1.5 * math.sqrt(t), None),
        # at rest until it starts, then with a constant acceleration: a jumps
        (
            lambda t: t * t if t > 0 else 0.0,
            lambda t: 2.0 * t if t > 0 else 0.0,
            lambda t: 2.0 if t >= 0 else 0.0,
        ),
        # a turning point whose quotients bend to one side, and one with a corner in its rate
        (lambda t: t**3, lambda t: 3.0 * t**2, lambda t: 6.0 * t),
        (lambda t: t * abs(t), lambda t: 2.0 * abs(t), None),
        # by a difference of its own
        (math.sin, lambda t: (math.sin(t + 1e-4) - math.sin(t - 1e-4)) / 2e-4, None),
    ],
)
@pytest.mark.parametrize("start", [0.0, 1.0, 1e5])
def test_rates_that_fit_are_taken(
    phi: Function, w: Function, a: Function | None, start: float
) -> None:
    from dynarig.core.mechanism.forces.signals import Signal
    from dynarig.core.rates import is_rate

    def checked(t: float) -> float:
        return float(Signal.of("drive", "phi", phi, ())(t))

    for t in start + np.linspace(0.0, 0.1, 23):
        assert is_rate(checked, t, w(t))[0]
        if a is not None:
            assert is_rate(w, t, a(t))[0]


def test_a_function_that_is_not_known_before_its_start_may_have_rates() -> None:
    def phi(t: float) -> float:
        return t * t * math.sqrt(t)

    sol = driven(phi=phi, w=lambda t: 2.5 * t * math.sqrt(t), a=lambda t: 3.75 * math.sqrt(t))
    assert abs(float(sol.simulate(0.5)(0.5, "hinge.phi")) - phi(0.5)) < 1e-12


def test_a_motion_that_starts_late_is_not_asked_for_what_was_before() -> None:
    def phi(t: float) -> float:
        if t < 4.5:
            raise ValueError("not before 4.5 s")
        return math.sin(t)

    sol = driven(phi=phi).simulate([5.0, 5.5])
    assert abs(float(sol(5.5, "drive.w")) - math.cos(5.5)) < 1e-9


def rounded_step(t: float) -> float:
    """0 to 1 between t = 1 and 1.2, as docs/forces.md advises."""
    s = min(1.0, max(0.0, (t - 1.0) / 0.2))
    return s**3 * (10 - 15 * s + 6 * s**2)


def rounded_step_w(t: float) -> float:
    s = min(1.0, max(0.0, (t - 1.0) / 0.2))
    return 30 * s**2 * (1 - s) ** 2 / 0.2


def rounded_step_a(t: float) -> float:
    s = min(1.0, max(0.0, (t - 1.0) / 0.2))
    return 60 * s * (1 - s) * (1 - 2 * s) / 0.2**2


def rounded_corner(t: float) -> float:
    return 0.02 * math.log1p(math.exp((t - 1.0) / 0.02))


@pytest.mark.parametrize(
    ("given", "end"),
    [
        ({"phi": rounded_step, "w": rounded_step_w, "a": rounded_step_a}, 1.0),
        ({"phi": rounded_corner}, 1.0),
    ],
)
def test_steps_and_corners_that_are_rounded_as_the_documentation_says(
    given: dict[str, Function], end: float
) -> None:
    sol = driven(**given).simulate(2.0)
    assert abs(float(sol(2.0, "hinge.phi")) - end) < 1e-12
    assert abs(float(sol(0.5, "hinge.phi"))) < 1e-12


@pytest.mark.parametrize("phi", [lambda t: max(0.0, t - 1.0), lambda t: float(t > 1.0)])
def test_corners_and_jumps_without_rates_are_rounded(phi: Function) -> None:
    sol = driven(phi=phi).simulate(2.0)
    for t in (0.5, 0.99, 1.01, 1.7):
        assert abs(float(sol(t, "hinge.phi")) - phi(t)) < 1e-12
        assert abs(float(sol(t, "hinge.w")) - (phi(t + 1e-3) - phi(t)) * 1e3) < 1e-9


@pytest.mark.parametrize(
    ("phi", "w"),
    [
        (lambda t: max(0.0, t - 1.0), lambda t: float(t > 1.0)),
        (lambda t: float(t > 1.0), zero),
    ],
)
def test_corners_and_jumps_with_rates_that_do_not_see_them_are_refused(
    phi: Function, w: Function
) -> None:
    with pytest.raises(SimulationError, match=r"at t = 1.* joint 'hinge' is not smooth"):
        driven(phi=phi, w=w, a=zero).simulate(2.0)
