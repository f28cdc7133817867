"""Functions that a user gives to components: what they may not do is told by name and time."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError, SimulationError
from dynarig.core.mechanism import Mechanism, planar, spatial

Given = Callable[..., Any]


def driven(part: Any, *more: Any) -> Mechanism:
    """A pendulum in a plane with a component that acts on its hinge or on its body."""
    world, hinge, body = planar.World(), planar.Revolute("hinge"), planar.Body("body", I=0.1)
    mechanism = Mechanism("m", [world, hinge, body, part, *more])
    mechanism.chain(world, hinge, body)
    ends = {"frame_a": world.frame_b, "frame_b": body.frame_a}
    for frame in part.frames:
        mechanism.connect(ends[frame.name], frame)
    return mechanism


# by component and parameter; the second is how many numbers it wants
PLACES: dict[tuple[str, str], tuple[Callable[[Given], Any], int]] = {
    ("TorqueMotor", "tau"): (lambda f: planar.TorqueMotor("c", joint="hinge", tau=f), 0),
    ("VelocityServo", "w_ref"): (
        lambda f: planar.VelocityServo("c", joint="hinge", w_ref=f, gain=1.0),
        0,
    ),
    ("PositionServo", "phi_ref"): (
        lambda f: planar.PositionServo("c", joint="hinge", phi_ref=f, kp=1.0),
        0,
    ),
    ("PrescribedMotion", "phi"): (lambda f: planar.PrescribedMotion("c", joint="hinge", phi=f), 0),
    ("WorldForce", "force"): (lambda f: planar.WorldForce("c", force=f), 2),
    ("BodyForce", "torque"): (lambda f: planar.BodyForce("c", torque=f), 0),
    ("Force", "force"): (lambda f: planar.Force("c", force=f), 2),
    ("Torque", "torque"): (lambda f: planar.Torque("c", torque=f), 0),
}
WRONG: dict[str, Given] = {
    "nan": lambda t: math.nan,
    "object": lambda t: object(),
    "none": lambda t: None,
    "ragged": lambda t: [[1.0], [2.0, 3.0]],
    "huge": lambda t: 10**400,
    "enormous": lambda t: 10**5000,
    "huge numbers": lambda t: [10**400, 10**400],
    "text": lambda t: "up",
    "complex": lambda t: 1j,
    "long": lambda t: np.zeros(1000),
}


class Surprise(Exception):
    """Of a user."""


def surprise(t: float) -> float:
    raise Surprise("not today")


FAILING: dict[str, tuple[Given, type[Exception], str]] = {
    "division": (lambda t: 1 / (t - t), ZeroDivisionError, "ZeroDivisionError: "),
    "domain": (lambda t: math.log(t - t - 1.0), ValueError, "ValueError: "),
    "overflow": (lambda t: math.exp(1e6), OverflowError, "OverflowError: "),
    "partial": (functools.partial(lambda a: 0.0, c=2.0), TypeError, "TypeError: "),
    "built in": (max, TypeError, "TypeError: "),
    "own": (surprise, Surprise, "Surprise: not today"),
    "ours": (lambda t: planar.Body("b", m=-1), ArgumentError, "ArgumentError: Body 'b': m: "),
}


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
@pytest.mark.parametrize("wrong", WRONG)
def test_values_that_are_no_numbers(place: tuple[str, str], wrong: str) -> None:
    make, count = PLACES[place]
    wanted = f"{count} finite numbers" if count else "a finite number"
    message = rf"^{place[0]} 'c': {place[1]}: wanted {wanted} at t = -?[\d.e-]+ s, got "
    with pytest.raises(SimulationError, match=message) as refused:
        driven(make(WRONG[wrong])).simulate(0.5)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
@pytest.mark.parametrize("failing", FAILING)
def test_functions_that_fail(place: tuple[str, str], failing: str) -> None:
    make, _ = PLACES[place]
    function, cause, told = FAILING[failing]
    message = rf"^{place[0]} 'c': {place[1]}: the function failed at t = 0 s: {told}"
    with pytest.raises(SimulationError, match=message) as refused:
        driven(make(function)).simulate(0.5)
    reasons = [refused.value.__cause__]
    assert isinstance(reasons[0], cause)


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
def test_a_function_that_fails_later_says_when(place: tuple[str, str]) -> None:
    make, count = PLACES[place]
    still = [0.0] * count if count else 0.0
    mechanism = driven(make(lambda t: still if t < 0.3 else 1 / 0))
    with pytest.raises(SimulationError, match=rf"'c': {place[1]}: .* at t = 0\.3") as refused:
        mechanism.simulate(0.5)
    assert isinstance(refused.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda: 0.0, "got one of 0 arguments"),
        (lambda t, x: 0.0, "got one of 2 arguments"),
        (lambda t, x, v, z: 0.0, "got one of 4 arguments"),
        (lambda t, *, k: 0.0, "got one that must be given k by name"),
        (lambda *, t: 0.0, "got one that must be given t by name"),
    ],
)
def test_functions_of_other_arguments(place: tuple[str, str], function: Given, told: str) -> None:
    make, _ = PLACES[place]
    with pytest.raises(
        ArgumentError, match=rf"^{place[0]} 'c': {place[1]}: wanted a function of t"
    ):
        make(function)
    with pytest.raises(ArgumentError, match=told):
        make(function)


class Ramp:
    """Callable."""

    def __call__(self, t: float) -> float:
        return t

    def method(self, t: float) -> float:
        return t


@pytest.mark.parametrize(
    "function",
    [
        lambda t: t,
        lambda t, k=1.0: k * t,
        lambda t=0.0, k=1.0: k * t,
        lambda *a: a[0],
        lambda t, *rest, **named: t,
        lambda t, *, k=1.0: k * t,
        functools.partial(lambda a, t: a * t, 1.0),
        functools.partial(lambda t, a: a * t, a=1.0),
        Ramp(),
        Ramp().method,
        float,
        np.positive,
        lambda t: np.array(t),
        lambda t: np.float32(t),
        lambda t, phi, w: t,
    ],
)
def test_functions_of_time_of_every_kind(function: Given) -> None:
    sol = driven(planar.TorqueMotor("c", joint="hinge", tau=function)).simulate(0.5)
    np.testing.assert_allclose(sol(0.375, "c.tau"), 0.375, rtol=1e-7)


def timed(mechanism: Mechanism) -> list[bool]:
    system = mechanism.compile().system
    return [element.timed for element in (*system.joint_forces, *system.frame_forces)]


def test_elements_tell_whether_they_depend_on_time() -> None:
    still = [
        planar.Spring("c"),
        planar.SpringDamper("c"),
        planar.TorsionSpring("c"),
        planar.TorsionSpring("c", joint="hinge"),
        planar.TorqueMotor("c", joint="hinge", tau=1.0),
        planar.PositionServo("c", joint="hinge", phi_ref=1.0, kp=1.0),
        planar.WorldForce("c", force=(1.0, 0.0)),
        planar.BodyForce("c", torque=1.0),
    ]
    for part in still:
        assert timed(driven(part)) == [False], part
    for name, (make, count) in PLACES.items():
        if name[0] != "PrescribedMotion":
            part = make(lambda t, n=count: [t] * n if n else t)
            assert timed(driven(part)) == [True], part
    # one among many is enough
    motors = [planar.TorqueMotor(f"m{i}", joint="hinge", tau=float(i)) for i in range(3)]
    assert timed(driven(*motors)) == [False]
    assert timed(driven(*motors, planar.TorqueMotor("c", joint="hinge", tau=math.sin))) == [True]


def test_functions_in_space_are_told_alike() -> None:
    world, body = spatial.World(), spatial.Body("body")
    force = spatial.WorldForce("push", force=lambda t, r, v: [1.0, 2.0])
    mechanism = Mechanism("m", [world, body, force])
    mechanism.connect(body.frame_a, force.frame_b)
    message = r"^WorldForce 'push': force: wanted 3 finite numbers at t = 0 s, got \[1.0, 2.0\]"
    with pytest.raises(SimulationError, match=message):
        mechanism.simulate(1.0)
