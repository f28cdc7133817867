"""Each sensor against a closed form, a difference quotient or a balance of forces."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ...close import assert_close

T = np.linspace(0.1, 1.9, 10)  # s
STEP = 1e-4  # s, of differences


@pytest.fixture(scope="module")
def swing() -> Any:
    """A planar double pendulum with every sensor, some in other axes than by default."""
    from dynarig.core.mechanism import Mechanism, planar

    world, turn = planar.World("world", g=10.0), planar.FixedRotation("turn", alpha=7.0)
    first, second = planar.Revolute("first", phi0=0.3), planar.Revolute("second", phi0=5.0, w0=9.0)
    upper = planar.BodyShape("upper", r=(1.0, 0.2), r_cm=(0.4, 0.1), m=2.0, I=0.3)
    cut = planar.CutForceAndTorque("cut", resolve_in_frame="world")
    own, power = planar.CutForce("own"), planar.Power("power")
    torque = planar.CutTorque("torque")
    lower = planar.Body("lower", m=1.5, I=0.2, r_cm=(0.5, 0.0))
    damper = planar.TorsionDamper("damper", joint="second", d=0.1)
    chain = [world, turn, first, upper, second, cut, own, torque, power, lower]
    lone = ("AbsolutePosition", "AbsoluteVelocity", "AbsoluteAcceleration")
    sensors = [getattr(planar, name)(name) for name in lone]
    sensors += [getattr(planar, name)(f"own{name}", resolve_in_frame="frame_a") for name in lone]
    sensors += [planar.AbsoluteAngularVelocity("w"), planar.AbsoluteAngle("angle")]
    both = ("RelativePosition", "RelativeVelocity", "RelativeAcceleration")
    pairs = [getattr(planar, name)(name) for name in both]
    pairs += [getattr(planar, name)(f"world{name}", resolve_in_frame="world") for name in both]
    pairs += [getattr(planar, name)(f"far{name}", resolve_in_frame="frame_b") for name in both]
    pairs += [planar.RelativeAngularVelocity("w_rel"), planar.RelativeAngle("angle_rel")]
    pairs += [planar.Distance("distance")]
    mechanism = Mechanism("swing", [*chain, damper, *sensors, *pairs])
    mechanism.chain(*chain)
    for sensor in sensors:
        mechanism.connect(upper.frame_b, sensor.frame_a)
    for sensor in pairs:
        mechanism.connect(upper.frame_a, sensor.frame_a)
        mechanism.connect(lower.frame_a, sensor.frame_b)
    return mechanism.simulate(2.0, tolerance=1e-12)


@pytest.fixture(scope="module")
def flight() -> Any:
    """Two spatial bodies that move freely with a spring between them, and every sensor."""
    from dynarig.core.mechanism import Mechanism, spatial

    world = spatial.World("world")
    one = spatial.BodyShape("one", r=(0.3, 0.1, 0), w_a0=(1.4, 0.3, -0.5), v0=(1, 0, 2))
    two = spatial.Body("two", w_a0=(0, 0.5, 1.5), r0=(1.3, 0.2, 0.7), I=np.diag([0.1, 0.2, 0.25]))
    spring = spatial.Spring("spring", c=2.0, s_unstretched=0.5)
    lone = ("AbsolutePosition", "AbsoluteVelocity", "AbsoluteAcceleration")
    lone = (*lone, "AbsoluteAngularVelocity")
    sensors = [getattr(spatial, name)(name) for name in lone]
    sensors += [getattr(spatial, name)(f"own{name}", resolve_in_frame="frame_a") for name in lone]
    sensors += [spatial.AbsoluteAngles("angles", sequence=(3, 2, 1))]
    both = ("RelativePosition", "RelativeVelocity", "RelativeAcceleration")
    both = (*both, "RelativeAngularVelocity")
    pairs = [getattr(spatial, name)(name) for name in both]
    pairs += [getattr(spatial, name)(f"world{name}", resolve_in_frame="world") for name in both]
    pairs += [spatial.RelativeAngles("angles_rel"), spatial.Distance("distance")]
    mechanism = Mechanism("flight", [world, one, two, spring, *sensors, *pairs])
    for pair in [spring, *pairs]:
        mechanism.connect(one.frame_b, pair.frame_a)
        mechanism.connect(two.frame_a, pair.frame_b)
    for sensor in sensors:
        mechanism.connect(two.frame_a, sensor.frame_a)
    return mechanism.simulate(2.0, tolerance=1e-12)


def rate(sol: Any, name: str) -> Any:
    """The derivative of a variable, by differences of order 4."""

    def across(h: float) -> Any:
        return (sol(T + h, name) - sol(T - h, name)) / (2.0 * h)

    return (4.0 * across(STEP) - across(2.0 * STEP)) / 3.0


def apply(matrices: Any, vectors: Any) -> Any:
    return (matrices @ vectors[..., None])[..., 0]


def planar_turn(phi: Any) -> Any:
    """World from frame (…, 2, 2)."""
    c, s = np.cos(phi), np.sin(phi)
    return np.stack((np.stack((c, -s), -1), np.stack((s, c), -1)), -2)


def test_absolute_position_velocity_and_acceleration_in_a_plane(swing: Any) -> None:
    r, v = swing(T, "AbsolutePosition.r"), swing(T, "AbsoluteVelocity.v")
    phi = swing(T, "first.phi") + 7.0
    assert_close(r, apply(planar_turn(phi), np.array([[1.0, 0.2]])), atol=1e-12)
    assert_close(v, rate(swing, "AbsolutePosition.r"), atol=1e-7)
    a = swing(T, "AbsoluteAcceleration.a")
    assert_close(a, rate(swing, "AbsoluteVelocity.v"), atol=1e-6)
    back = planar_turn(phi).swapaxes(-1, -2)
    for name, vector in (("Position.r", r), ("Velocity.v", v), ("Acceleration.a", a)):
        assert_close(swing(T, f"ownAbsolute{name}"), apply(back, vector), atol=1e-12)


def test_absolute_angle_and_angular_velocity_in_a_plane(swing: Any) -> None:
    assert_close(swing(T, "angle.phi"), swing(T, "first.phi") + 7.0, atol=1e-13)
    assert_close(swing(T, "w.w"), swing(T, "first.w"), atol=1e-13)
    assert_close(swing(T, "w.wd"), swing(T, "first.a"), atol=1e-12)


def test_relative_sensors_in_a_plane_tell_what_frame_a_sees(swing: Any) -> None:
    # frame_b is a point of the upper body: at rest as seen from frame_a
    assert_close(swing(T, "RelativePosition.r"), np.tile([1.0, 0.2], (10, 1)), atol=1e-13)
    assert_close(swing(T, "RelativeVelocity.v"), 0.0, atol=1e-12)
    assert_close(swing(T, "RelativeAcceleration.a"), 0.0, atol=1e-11)
    assert_close(swing(T, "distance.s"), math.hypot(1.0, 0.2), atol=1e-13)
    turned = apply(planar_turn(swing(T, "first.phi") + 7.0), np.array([[1.0, 0.2]]))
    assert_close(swing(T, "worldRelativePosition.r"), turned, atol=1e-12)
    far = apply(planar_turn(-swing(T, "second.phi")), np.array([[1.0, 0.2]]))
    assert_close(swing(T, "farRelativePosition.r"), far, atol=1e-12)
    # many turns are counted
    assert_close(swing(T, "angle_rel.phi"), swing(T, "second.phi"), atol=1e-12)
    assert swing(2.0, "angle_rel.phi") > 2.0 * math.pi
    assert_close(swing(T, "w_rel.w"), swing(T, "second.w"), atol=1e-12)
    assert_close(swing(T, "w_rel.wd"), swing(T, "second.a"), atol=1e-11)


def test_cut_force_and_torque_are_what_hangs_below_needs(swing: Any) -> None:
    # f = m (a - g), and about the cut: tau = I wd + r_cm x f
    force = 1.5 * (swing(T, "lower.a_cm") - [0.0, -10.0])
    assert_close(swing(T, "cut.force"), force, atol=1e-11)
    arm = swing(T, "lower.r_cm") - swing(T, "lower.r")
    moment = arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]
    torque = 0.2 * swing(T, "lower.wd") + moment
    assert_close(swing(T, "cut.torque"), torque, atol=1e-11)
    assert_close(swing(T, "torque.torque"), torque, atol=1e-11)
    # the hinge before the cut passes on its damper's torque only
    assert_close(torque, -swing(T, "damper.tau"), atol=1e-11)
    back = planar_turn(-swing(T, "lower.phi"))
    assert_close(swing(T, "own.force"), apply(back, force), atol=1e-11)
    # what the sensor takes in at frame_a it hands on at frame_b
    assert_close(swing(T, "cut.frame_a.fx"), force[:, 0], atol=1e-11)
    assert_close(swing(T, "cut.frame_b.fx"), -force[:, 0], atol=1e-11)


def test_power_through_a_cut_is_what_the_energy_behind_gains(swing: Any) -> None:
    force, torque = swing(T, "cut.force"), swing(T, "cut.torque")
    by_hand = (force * swing(T, "lower.v")).sum(-1) + torque * swing(T, "lower.w")
    assert_close(swing(T, "power.power"), by_hand, atol=1e-12)

    def energy(t: Any) -> Any:
        motion = 0.75 * (swing(t, "lower.v_cm") ** 2).sum(-1) + 0.1 * swing(t, "lower.w") ** 2
        return motion + 15.0 * swing(t, "lower.r_cm")[..., 1]

    def across(h: float) -> Any:
        return (energy(T + h) - energy(T - h)) / (2.0 * h)

    gain = (4.0 * across(STEP) - across(2.0 * STEP)) / 3.0
    assert_close(swing(T, "power.power"), gain, atol=1e-6)
    assert np.abs(gain).max() > 10.0


def test_absolute_sensors_in_space(flight: Any) -> None:
    r, v = flight(T, "AbsolutePosition.r"), flight(T, "AbsoluteVelocity.v")
    a, w = flight(T, "AbsoluteAcceleration.a"), flight(T, "AbsoluteAngularVelocity.w")
    assert_close(r, flight(T, "two.r"), atol=0.0)
    assert_close(v, rate(flight, "AbsolutePosition.r"), atol=1e-7)
    # the spring pulls, and weight
    pull = (flight(T, "one.frame_b.r_0") - r) / flight(T, "spring.s")[:, None]
    expected = flight(T, "spring.f")[:, None] * pull - [0.0, 0.0, 9.80665]
    assert_close(a, expected, atol=1e-11)
    assert_close(flight(T, "AbsoluteAngularVelocity.wd"), rate(flight, "two.w"), atol=1e-6)
    back = flight(T, "two.R").swapaxes(-1, -2)
    variables = {"Position.r": r, "Velocity.v": v, "Acceleration.a": a, "AngularVelocity.w": w}
    for name, vector in variables.items():
        assert_close(flight(T, f"ownAbsolute{name}"), apply(back, vector), atol=1e-12)
    # R' = [w]x R
    turning = rate(flight, "two.R") @ back
    assert_close(w, np.stack([turning[:, 2, 1], turning[:, 0, 2], turning[:, 1, 0]], -1), atol=1e-7)


def test_angles_are_those_of_the_rotation(flight: Any) -> None:
    from dynarig.core.frames import rotation_from_euler, rotation_from_quaternion

    turn = flight(T, "two.R")
    assert_close(flight(T, "angles.R"), turn, atol=0.0)
    assert_close(rotation_from_euler(flight(T, "angles.angles"), "ZYX"), turn, atol=1e-13)
    assert_close(rotation_from_quaternion(flight(T, "angles.Q")), turn, atol=1e-13)
    relative = flight(T, "one.R").swapaxes(-1, -2) @ turn
    assert_close(flight(T, "angles_rel.R"), relative, atol=1e-13)
    assert_close(rotation_from_euler(flight(T, "angles_rel.angles"), "XYZ"), relative, atol=1e-13)
    assert_close(rotation_from_quaternion(flight(T, "angles_rel.Q")), relative, atol=1e-13)


def test_relative_sensors_in_space_are_the_rates_of_what_frame_a_sees(flight: Any) -> None:
    first = flight(T, "one.R")
    across = flight(T, "two.r") - flight(T, "one.frame_b.r_0")
    seen = apply(first.swapaxes(-1, -2), across)
    assert_close(flight(T, "RelativePosition.r"), seen, atol=1e-13)
    assert_close(flight(T, "distance.s"), np.linalg.norm(across, axis=-1), atol=1e-13)
    assert_close(flight(T, "distance.s"), flight(T, "spring.s"), atol=1e-13)
    assert_close(flight(T, "RelativeVelocity.v"), rate(flight, "RelativePosition.r"), atol=1e-7)
    gain = rate(flight, "RelativeVelocity.v")
    assert_close(flight(T, "RelativeAcceleration.a"), gain, atol=1e-6)
    turn = rate(flight, "RelativeAngularVelocity.w")
    assert_close(flight(T, "RelativeAngularVelocity.wd"), turn, atol=1e-6)
    spin = apply(first.swapaxes(-1, -2), flight(T, "two.w") - flight(T, "one.w"))
    assert_close(flight(T, "RelativeAngularVelocity.w"), spin, atol=1e-13)
    for name in ("Position.r", "Velocity.v", "Acceleration.a", "AngularVelocity.w"):
        turned = apply(first, flight(T, f"Relative{name}"))
        assert_close(flight(T, f"worldRelative{name}"), turned, atol=1e-12)


def test_cuts_in_space_carry_what_hangs_below() -> None:
    from dynarig.core.mechanism import Mechanism, spatial

    world, ball = spatial.World("world"), spatial.Spherical("ball", w_b0=(1.0, 2.0, -1.0))
    rod = spatial.FixedTranslation("rod", r=(0.2, 0.0, -0.5))
    cut = spatial.CutForceAndTorque("cut", resolve_in_frame="world")
    own = spatial.CutForce("own")
    torque, power = spatial.CutTorque("torque"), spatial.Power("power")
    body = spatial.Body("body", m=2.0, r_cm=(0.1, 0.2, -0.3), I=np.diag([0.1, 0.2, 0.25]))
    push = spatial.WorldForce("push", force=lambda t: (math.sin(t), 1.0, 0.0))
    chain = [world, ball, rod, cut, own, torque, power, body]
    mechanism = Mechanism("hanging", [*chain, push])
    mechanism.chain(*chain)
    mechanism.connect(body.frame_a, push.frame_b)
    sol = mechanism.simulate(2.0, tolerance=1e-11)
    outside = np.stack((np.sin(T), np.ones(10), np.zeros(10)), axis=-1)
    force = 2.0 * (sol(T, "body.a_cm") - [0.0, 0.0, -9.80665]) - outside
    assert_close(sol(T, "cut.force"), force, atol=1e-11)
    turn, spin = sol(T, "body.R"), sol(T, "body.w_a")
    local = apply(turn.swapaxes(-1, -2), sol(T, "body.wd"))
    inertia = np.array([0.1, 0.2, 0.25])
    euler = apply(turn, inertia * local + np.cross(spin, inertia * spin))
    arm = sol(T, "body.r_cm") - sol(T, "body.r")
    moment = euler + np.cross(arm, 2.0 * (sol(T, "body.a_cm") - [0.0, 0.0, -9.80665]))
    assert_close(sol(T, "cut.torque"), moment, atol=1e-11)
    assert_close(sol(T, "own.force"), apply(turn.swapaxes(-1, -2), force), atol=1e-11)
    assert_close(sol(T, "torque.torque"), apply(turn.swapaxes(-1, -2), moment), atol=1e-11)
    flow = (force * sol(T, "body.v")).sum(-1) + (moment * sol(T, "body.w")).sum(-1)
    assert_close(sol(T, "power.power"), flow, atol=1e-11)


def test_sensors_change_nothing(swing: Any) -> None:
    compiled = swing.compiled
    assert (compiled.model.nv, len(compiled.tree.bodies)) == (2, 3)
    assert compiled.system.frame_forces == ()
    assert_close(swing(T, "AbsolutePosition.frame_a.fx"), 0.0, atol=0.0)


def test_answers_have_the_shape_of_the_times(swing: Any, flight: Any) -> None:
    t = T[:6].reshape(3, 2)
    for sol, tail in ((swing, (2,)), (flight, (3,))):
        for name in ("AbsolutePosition.r", "RelativeAcceleration.a"):
            assert sol(t, name).shape == (3, 2, *tail)
            assert sol(0.5, name).shape == tail
            # accelerations of 175 m/s^2, of states that are summed in different orders
            assert_close(sol(t, name)[2, 1], sol(t[2, 1], name), atol=1e-8)
    assert swing(t, "power.power").shape == (3, 2)
    assert flight(t, "angles.R").shape == (3, 2, 3, 3)


def test_errors_name_the_sensor() -> None:
    from dynarig.core.errors import ArgumentError, ModelError
    from dynarig.core.mechanism import Mechanism, planar, spatial

    with pytest.raises(ArgumentError, match=r"'s': resolve_in_frame: wanted 'world' or 'frame_a'"):
        planar.AbsoluteVelocity("s", resolve_in_frame="frame_b")
    with pytest.raises(ArgumentError, match=r"AbsoluteAngles 's': sequence: wanted one of"):
        spatial.AbsoluteAngles("s", sequence="XXY")
    mechanism = Mechanism("loose", [planar.World(), planar.Body("body"), planar.CutForce("cut")])
    mechanism.connect(*(c.frames[0] for c in list(mechanism.components.values())[1:]))
    with pytest.raises(ModelError, match=r"CutForce 'cut': cut.frame_b is not connected"):
        mechanism.compile()
