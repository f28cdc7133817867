"""Joints in space against closed forms and the equations of rigid bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynarig.core.frames import euler_from_rotation, rotation_from_axis_angle, rotation_from_euler
from dynarig.core.mechanism import Mechanism, get_rot, planar_axes, spatial

from ...close import assert_close

G = 9.80665
TIMES = np.linspace(0.0, 0.8, 9)
N = np.array([1.0, 2.0, 2.0]) / 3.0


def lump(**given: Any) -> Any:
    return spatial.Body(
        "body", **{"m": 2.0, "r_cm": (0.4, -0.2, 0.1), "I": (0.2, 0.3, 0.4), **given}
    )


def euler_residual(sol: Any, name: str = "body") -> np.ndarray:
    """Torque about the centre of mass less d(R I w)/dt, with the world's axes: must be zero."""
    body = sol.mechanism.components[name]
    rotation, w, wd = (sol(TIMES, f"{name}.{key}") for key in ("R", "w", "wd"))
    inertia = rotation @ body.I @ rotation.swapaxes(-1, -2)
    spin = (inertia @ w[..., None])[..., 0]
    needed = (inertia @ wd[..., None])[..., 0] + np.cross(w, spin)
    force, torque = sol(TIMES, f"{name}.frame_a.f"), sol(TIMES, f"{name}.frame_a.tau")
    arm = sol(TIMES, f"{name}.r") - sol(TIMES, f"{name}.r_cm")
    return np.asarray(torque + np.cross(arm, force) - needed)


def check_newton_euler(sol: Any) -> None:
    """The cut force at a body is m (a - g) and its torque obeys Euler's equation."""
    needed = 2.0 * (sol(TIMES, "body.a_cm") - [0, 0, -G])
    assert_close(sol(TIMES, "body.frame_a.f"), needed, atol=1e-10)
    assert_close(euler_residual(sol), np.zeros((9, 3)), atol=1e-10)


def test_revolute_is_a_physical_pendulum_about_its_axis(bench: Any) -> None:
    hinge, body = spatial.Revolute("hinge", n=5 * N, phi0=0.3, w0=-1.0), lump()
    sol = bench.solve(bench.chain(spatial.World(), hinge, body), TIMES)
    about = (
        N
        @ (body.I + 2.0 * (body.r_cm @ body.r_cm * np.eye(3) - np.outer(body.r_cm, body.r_cm)))
        @ N
    )
    arm = sol(TIMES, "body.r_cm")
    weight = np.cross(arm, [0, 0, -2 * G]) @ N
    assert_close(about * sol(TIMES, "hinge.a"), weight, atol=1e-10)
    for t in TIMES:
        turned = rotation_from_axis_angle(N, sol(t, "hinge.phi"))
        assert_close(get_rot(sol, body.frame_a, t), turned, atol=1e-12)
    assert_close(sol(TIMES, "body.w"), sol(TIMES, "hinge.w")[:, None] * N, atol=1e-12)
    assert_close(sol(TIMES, "hinge.tau"), np.zeros(9), atol=1e-10)
    check_newton_euler(sol)
    bench.check_connections(sol, TIMES)


def test_continuous_turns_on_and_on(bench: Any) -> None:
    """A damped wheel about a slanted axis: w = w0 exp(-d t / I), phi is not wrapped."""
    hinge = spatial.Continuous("hinge", n=N, phi0=0.5, w0=80.0, d=0.6)
    wheel = lump(r_cm=-0.3 * N, I=0.4)  # the centre of mass is on the axis
    sol = bench.solve(bench.chain(spatial.World(), hinge, wheel), TIMES)
    w = 80.0 * np.exp(-1.5 * TIMES)
    phi = 0.5 + (80.0 - w) / 1.5
    assert phi[-1] > 5.0 * 2.0 * np.pi
    assert_close(sol(TIMES, "hinge.phi"), phi, atol=1e-10)
    assert_close(sol(TIMES, "hinge.w"), w, atol=1e-9)
    assert_close(sol(TIMES, "hinge.a"), -1.5 * w, atol=1e-9)
    assert_close(sol(TIMES, "hinge.tau"), -0.6 * w, atol=1e-9)
    turned = [rotation_from_axis_angle(N, angle) for angle in phi]
    assert_close(sol(TIMES, "body.R"), turned, atol=1e-10)
    # the bearing carries the weight, at rest on the axis
    weight = np.broadcast_to([0.0, 0.0, 2.0 * G], (9, 3))
    assert_close(sol(TIMES, "body.frame_a.f"), weight, atol=1e-10)
    assert_close(euler_residual(sol), np.zeros((9, 3)), atol=1e-10)


def test_prismatic_falls_along_its_axis(bench: Any) -> None:
    slide = spatial.Prismatic("slide", n=N, s0=0.1, v0=0.5)
    sol = bench.solve(bench.chain(spatial.World(), slide, lump()), TIMES)
    a = -G * N[2]
    assert_close(sol(TIMES, "slide.s"), 0.1 + 0.5 * TIMES + 0.5 * a * TIMES**2, atol=1e-12)
    assert_close(sol(TIMES, "slide.a"), np.full(9, a), atol=1e-12)
    assert_close(sol(TIMES, "slide.f"), np.zeros(9), atol=1e-11)
    check_newton_euler(sol)
    bench.check_connections(sol, TIMES)


def test_screw_turns_its_weight_into_a_spin(bench: Any) -> None:
    pitch = 0.05
    screw = spatial.Screw("screw", n=(0, 0, 1), pitch=pitch, phi0=1.0)
    body = lump(r_cm=(0, 0, 0))
    sol = bench.solve(bench.chain(spatial.World(), screw, body), TIMES)
    a = -2.0 * G * pitch / (0.4 + 2.0 * pitch**2)
    assert_close(sol(TIMES, "screw.phi"), 1.0 + 0.5 * a * TIMES**2, atol=1e-10)
    assert_close(sol(TIMES, "screw.wd"), np.full(9, a), atol=1e-10)
    assert_close(sol(TIMES, "screw.s"), pitch * sol(TIMES, "screw.phi"), atol=1e-14)
    assert_close(sol(TIMES, "body.r")[:, 2], sol(TIMES, "screw.s"), atol=1e-13)
    assert_close(sol(TIMES, "body.v")[:, 2], sol(TIMES, "screw.v"), atol=1e-13)
    assert_close(sol(TIMES, "screw.a"), np.full(9, pitch * a), atol=1e-10)
    # no friction: force and torque along the axis do no work together
    along = pitch * sol(TIMES, "screw.frame_b.f")[:, 2] + sol(TIMES, "screw.frame_b.tau")[:, 2]
    assert_close(along, np.zeros(9), atol=1e-10)
    check_newton_euler(sol)


def test_cylindrical_turns_and_slides_by_themselves(bench: Any) -> None:
    joint = spatial.Cylindrical("joint", n=N, phi0=0.2, w0=3.0, s0=0.1, v0=-0.4)
    sol = bench.solve(bench.chain(spatial.World(g=0.0), joint, lump(r_cm=0.3 * N)), TIMES)
    assert_close(sol(TIMES, "joint.s"), 0.1 - 0.4 * TIMES, atol=1e-11)
    assert_close(sol(TIMES, "joint.v"), np.full(9, -0.4), atol=1e-11)
    for key, expected in (("phi", 0.2 + 3.0 * TIMES), ("w", np.full(9, 3.0)), ("wd", np.zeros(9))):
        assert_close(sol(TIMES, f"joint.{key}"), expected, atol=1e-11, err_msg=key)
    assert_close(sol(TIMES, "joint.a"), np.zeros(9), atol=1e-11)
    along = [sol(TIMES, f"joint.frame_b.{key}") @ N for key in ("f", "tau")]
    assert_close(along, np.zeros((2, 9)), atol=1e-11)
    bench.check_connections(sol, TIMES)


def test_universal_is_two_revolutes(bench: Any) -> None:
    start = {"phi_a0": 0.3, "phi_b0": -0.5, "w_a0": 1.0, "w_b0": 2.0}
    n_a, n_b = (1, 0, 1), (0, 1, 0.5)
    universal = spatial.Universal("u", n_a=n_a, n_b=n_b, d=(0.1, 0.2), **start)
    one = bench.solve(bench.chain(spatial.World(), universal, lump()), TIMES)
    first = spatial.Revolute("a", n=n_a, phi0=0.3, w0=1.0, d=0.1)
    second = spatial.Revolute("b", n=n_b, phi0=-0.5, w0=2.0, d=0.2)
    two = bench.solve(bench.chain(spatial.World(), first, second, lump()), TIMES)
    for key, hinge in (("a", "a"), ("b", "b")):
        for mine, theirs in (("phi", "phi"), ("w", "w"), ("wd", "a")):
            expected = two(TIMES, f"{hinge}.{theirs}")
            assert_close(one(TIMES, f"u.{mine}_{key}"), expected, atol=1e-9)
    for name in ("body.r_cm", "body.R", "body.frame_a.f", "body.frame_a.tau"):
        assert_close(one(TIMES, name), two(TIMES, name), atol=1e-8, err_msg=name)
    assert_close(one(TIMES, "u.phi")[:, 1], one(TIMES, "u.phi_b"), atol=0.0)
    check_newton_euler(one)
    bench.check_connections(one, TIMES)


def test_planar_keeps_its_plane(bench: Any) -> None:
    joint = spatial.Planar("joint", n=N, r0=(0.1, -0.2), v0=(1, 0.5), phi0=0.3, w0=4.0)
    body = lump(r_cm=(0, 0, 0), I=0.3)
    sol = bench.solve(bench.chain(spatial.World(), joint, body), TIMES)
    assert_close(sol(TIMES, "body.r") @ N, np.zeros(9), atol=1e-11)
    assert_close(sol(TIMES, "body.w"), np.broadcast_to(4.0 * N, (9, 3)), atol=1e-11)
    assert_close(sol(TIMES, "joint.phi"), 0.3 + 4.0 * TIMES, atol=1e-11)
    down = np.array([0, 0, -G])
    in_plane = down - (down @ N) * N
    assert_close(sol(TIMES, "body.a"), np.broadcast_to(in_plane, (9, 3)), atol=1e-11)
    e1, e2 = planar_axes(N)
    place = sol(TIMES, "joint.x")[:, None] * e1 + sol(TIMES, "joint.y")[:, None] * e2
    assert_close(sol(TIMES, "body.r"), place, atol=1e-12)
    moving = sol(TIMES, "joint.v_x")[:, None] * e1 + sol(TIMES, "joint.v_y")[:, None] * e2
    assert_close(sol(TIMES, "body.v"), moving, atol=1e-12)
    check_newton_euler(sol)


@pytest.mark.parametrize("state", [{}, {"orientation_state": "euler", "sequence": (2, 1, 3)}])
def test_spherical_pendulum(state: dict[str, Any], bench: Any) -> None:
    """Free of torque about the vertical, and of any about the ball."""
    ball = spatial.Spherical("ball", phi0=(0.2, 0.3, -0.4), w0=(1, -1, 2), **state)
    sol = bench.solve(bench.chain(spatial.World(), ball, lump()), TIMES)
    assert_close(sol(TIMES, "ball.frame_b.tau"), np.zeros((9, 3)), atol=1e-10)
    check_newton_euler(sol)
    body = sol.mechanism.components["body"]
    rotation, w = sol(TIMES, "ball.R"), sol(TIMES, "ball.w")
    arm = sol(TIMES, "body.r_cm")
    inertia = rotation @ body.I @ rotation.swapaxes(-1, -2)
    spin = (inertia @ w[..., None])[..., 0] + 2.0 * np.cross(arm, np.cross(w, arm))
    assert_close(spin[:, 2], np.full(9, spin[0, 2]), atol=1e-9)
    energy = 0.5 * (w * spin).sum(axis=-1) + 2.0 * G * arm[:, 2]
    assert_close(energy, np.full(9, energy[0]), atol=1e-9)
    bench.check_connections(sol, TIMES)


def test_spherical_answers_its_orientation_in_every_way(bench: Any) -> None:
    start = (0.2, 0.3, -0.4)
    ball = spatial.Spherical(
        "ball", orientation_state="euler", sequence="ZYX", phi0=start, w0=(1, 2, 3)
    )
    sol = bench.solve(bench.chain(spatial.World(), ball, lump()), TIMES)
    assert_close(sol(0.0, "ball.phi"), start, atol=0.0)
    rotation = sol(TIMES, "ball.R")
    assert_close(rotation, rotation_from_euler(sol(TIMES, "ball.phi"), "ZYX"), atol=1e-12)
    assert_close(rotation, sol(TIMES, "body.R"), atol=1e-12)
    assert_close(euler_from_rotation(rotation, "XYZ"), sol(TIMES, "body.phi"), atol=1e-12)
    assert_close(np.linalg.norm(sol(TIMES, "ball.Q"), axis=-1), np.ones(9), atol=1e-14)
    assert_close(sol(0.0, "ball.w"), [1, 2, 3], atol=1e-14)
    turned = (rotation @ sol(TIMES, "ball.w_b")[..., None])[..., 0]
    assert_close(sol(TIMES, "ball.w"), turned, atol=1e-14)
    # wd is the rate of w
    assert_close(sol(0.3, "ball.wd"), bench.rate(sol, "ball.w", 0.3), atol=1e-8)


def test_damping_of_a_ball_is_against_its_angular_velocity(bench: Any) -> None:
    ball = spatial.Spherical("ball", w0=(1, 2, 3), d=0.4)
    sol = bench.solve(bench.chain(spatial.World(g=0), ball, lump(r_cm=(0, 0, 0), I=0.2)), TIMES)
    expected = np.exp(-2.0 * TIMES)[:, None] * [1.0, 2.0, 3.0]
    assert_close(sol(TIMES, "ball.w"), expected, atol=1e-9)
    assert_close(sol(TIMES, "ball.frame_b.tau"), 0.4 * expected, atol=1e-9)


@pytest.mark.parametrize("state", [{}, {"orientation_state": "euler", "sequence": "XYZ"}])
def test_free_motion_from_a_moving_frame(state: dict[str, Any], bench: Any) -> None:
    """Against a turntable, a thrown body moves as if there were none."""
    world, table = spatial.World(), spatial.Revolute("table", w0=2.0)
    plate = spatial.Body("plate", I=1.0)
    free = spatial.FreeMotion("free", r0=(1, 0, 0), v0=(0, 0.5, 1), phi0=(0.1, 0.2, 0.3), **state)
    mechanism = Mechanism("turntable", [world, table, plate, free, lump(r_cm=(0, 0, 0), I=0.1)])
    mechanism.chain(world, table, free, mechanism.components["body"])
    mechanism.connect(table.frame_b, plate.frame_a)
    sol = bench.solve(mechanism, TIMES)
    # at the start: v + omega x r
    start = np.array([0, 0.5 + 2.0, 1.0])
    place = [1, 0, 0] + TIMES[:, None] * start + 0.5 * TIMES[:, None] ** 2 * [0, 0, -G]
    assert_close(sol(TIMES, "body.r"), place, atol=1e-9)
    assert_close(sol(TIMES, "table.w"), np.full(9, 2.0), atol=1e-10)
    assert_close(sol(0.0, "free.v"), [0, 0.5, 1], atol=1e-14)
    turn = sol(TIMES, "plate.R").swapaxes(-1, -2)
    assert_close(sol(TIMES, "free.r"), (turn @ place[..., None])[..., 0], atol=1e-9)
    for value, rate in (("r", "v"), ("v", "a"), ("w", "wd")):
        slope = bench.rate(sol, f"free.{value}", 0.3)
        assert_close(sol(0.3, f"free.{rate}"), slope, atol=1e-9, err_msg=rate)
    assert_close(sol(TIMES, "free.frame_b.f"), np.zeros((9, 3)), atol=1e-9)
    bench.check_connections(sol, TIMES)
