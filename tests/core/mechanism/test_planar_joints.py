"""Planar joints against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
from dynarig.core.mechanism import planar, spatial

from ...close import assert_close

G = 9.80665
TIMES = np.linspace(0.0, 1.0, 11)


def test_revolute_turns_a_wheel_as_its_torque_free_axis_says(bench: Any) -> None:
    world, hinge = planar.World(), planar.Revolute("hinge", phi0=0.5, w0=3.0)
    wheel = planar.Body("wheel", m=2.0, I=0.3)
    sol = bench.solve(bench.chain(world, hinge, wheel), TIMES)
    assert_close(sol(TIMES, "hinge.phi"), 0.5 + 3.0 * TIMES, atol=1e-11)
    assert_close(sol(TIMES, "hinge.w"), np.full(11, 3.0), atol=1e-12)
    assert_close(sol(TIMES, "hinge.tau"), np.zeros(11), atol=1e-12)
    assert_close(sol(TIMES, "hinge.frame_a.fy"), np.full(11, 2 * G), atol=1e-11)


def test_continuous_is_a_revolute(bench: Any) -> None:
    world, hinge = planar.World(), planar.Continuous("hinge", w0=30.0)
    sol = bench.solve(bench.chain(world, hinge, planar.Body("wheel")), 1.0)
    assert_close(sol(1.0, "hinge.phi"), 30.0, atol=1e-10)  # many turns, not wrapped


def test_prismatic_slides_along_its_direction_in_frame_a(bench: Any) -> None:
    world, turn = planar.World(), planar.FixedRotation("turn", alpha=0.3)
    slide = planar.Prismatic("slide", n=(3, 4), s0=0.2, v0=1.0)
    sol = bench.solve(bench.chain(world, turn, slide, planar.Body("body", m=2.0)), TIMES)
    way = np.arctan2(4, 3) + 0.3
    a = -G * np.sin(way)
    expected = 0.2 + TIMES + 0.5 * a * TIMES**2
    assert_close(sol(TIMES, "slide.s"), expected, atol=1e-12)
    assert_close(sol(TIMES, "slide.v"), 1.0 + a * TIMES, atol=1e-12)
    assert_close(sol(TIMES, "slide.a"), np.full(11, a), atol=1e-12)
    assert_close(sol(TIMES, "slide.f"), np.zeros(11), atol=1e-11)
    along = np.array([np.cos(way), np.sin(way)])
    assert_close(sol(TIMES, "body.r"), expected[:, None] * along, atol=1e-12)
    # the guide carries the weight across, and its moment about where frame_a is
    fx, fy = sol(TIMES, "slide.frame_a.fx"), sol(TIMES, "slide.frame_a.fy")
    across = 2 * G * np.cos(way)
    assert_close(fx, np.full(11, -across * np.sin(way)), atol=1e-11)
    assert_close(fy, np.full(11, across * np.cos(way)), atol=1e-11)
    assert_close(sol(TIMES, "slide.frame_a.tau"), across * expected, atol=1e-11)
    bench.check_connections(sol, TIMES)


def test_free_moves_as_a_body_thrown(bench: Any) -> None:
    for kind in (planar.Free, planar.Planar):
        free = kind("free", r0=(1, 2), v0=(3, 4), phi0=0.5, w0=-2.0)
        sol = bench.solve(bench.chain(planar.World(), free, planar.Body("body", m=0.5)), TIMES)
        assert_close(sol(TIMES, "free.x"), 1 + 3 * TIMES, atol=1e-11)
        assert_close(sol(TIMES, "free.y"), 2 + 4 * TIMES - 0.5 * G * TIMES**2, atol=1e-11)
        assert_close(sol(TIMES, "free.phi"), 0.5 - 2 * TIMES, atol=1e-11)
        assert_close(sol(TIMES, "free.v_y"), 4 - G * TIMES, atol=1e-11)
        assert_close(sol(TIMES, "free.a_y"), np.full(11, -G), atol=1e-11)
        assert_close(sol(TIMES, "free.w"), np.full(11, -2.0), atol=1e-11)
        zero = np.zeros(11)
        for name in ("free.v_x", "free.a_x", "free.wd", "free.frame_b.fx", "free.frame_b.tau"):
            expected = zero + 3.0 if name == "free.v_x" else zero
            assert_close(sol(TIMES, name), expected, atol=1e-11, err_msg=name)


def test_a_double_pendulum_obeys_its_equations(bench: Any) -> None:
    """Two point-like bobs on rods of 1 m: the equations of Lagrange, written out."""
    bobs = [
        planar.BodyShape(f"bob{i}", r=(1, 0), r_cm=(1, 0), m=m, I=0.0) for i, m in ((1, 2), (2, 3))
    ]
    hinges = [planar.Revolute("one", phi0=0.3, w0=0.5), planar.Revolute("two", phi0=-0.8, w0=1.0)]
    sol = bench.solve(bench.chain(planar.World(), hinges[0], bobs[0], hinges[1], bobs[1]), TIMES)
    m1, m2 = 2.0, 3.0
    first, second = sol(TIMES, "bob1.phi"), sol(TIMES, "bob2.phi")
    w1, w2 = sol(TIMES, "bob1.w"), sol(TIMES, "bob2.w")
    a1, a2 = sol(TIMES, "bob1.wd"), sol(TIMES, "bob2.wd")
    c, s = np.cos(first - second), np.sin(first - second)
    top = (m1 + m2) * a1 + m2 * a2 * c + m2 * w2**2 * s + (m1 + m2) * G * np.cos(first)
    low = m2 * a2 + m2 * a1 * c - m2 * w1**2 * s + m2 * G * np.cos(second)
    assert_close(top, np.zeros(11), atol=1e-10)
    assert_close(low, np.zeros(11), atol=1e-10)
    assert_close(sol(TIMES, "two.phi"), second - first, atol=1e-12)
    bench.check_connections(sol, TIMES)


def test_planar_and_spatial_mechanisms_of_the_same_parts_move_alike(bench: Any) -> None:
    flat = bench.chain(
        planar.World(),
        planar.Revolute("a", phi0=0.3, d=0.1),
        planar.BodyShape("upper", r=(0.5, 0.2), m=1.5, I=0.05),
        planar.Prismatic("b", n=(1, 1), v0=0.2),
        planar.BodyShape("lower", r=(0.3, 0), r_cm=(0.1, 0.1), m=0.7, I=0.02),
    )
    solid = bench.chain(
        spatial.World(n=(0, -1, 0)),
        spatial.Revolute("a", n=(0, 0, 1), phi0=0.3, d=0.1),
        spatial.BodyShape("upper", r=(0.5, 0.2, 0), m=1.5, I=0.05),
        spatial.Prismatic("b", n=(1, 1, 0), v0=0.2),
        spatial.BodyShape("lower", r=(0.3, 0, 0), r_cm=(0.1, 0.1, 0), m=0.7, I=0.02),
    )
    one, two = bench.solve(flat, TIMES), bench.solve(solid, TIMES)
    for name in ("a.phi", "a.w", "a.a", "b.s", "b.v", "b.a", "a.tau", "b.f"):
        assert_close(two(TIMES, name), one(TIMES, name), atol=1e-9, err_msg=name)
    for frame in ("a.frame_a", "upper.frame_b", "lower.frame_a", "lower.frame_b"):
        assert_close(two(TIMES, f"{frame}.f")[:, 0], one(TIMES, f"{frame}.fx"), atol=1e-8)
        assert_close(two(TIMES, f"{frame}.tau")[:, 2], one(TIMES, f"{frame}.tau"), atol=1e-8)


def test_a_point_mass_on_a_slide_that_starts_away_from_its_hinge(bench: Any) -> None:
    """At s = 0 the hinge would move no inertia; the motion starts at s = 1, and may pass there."""
    hinge = planar.Revolute("hinge", phi0=-0.5, w0=0.3)
    slide = planar.Prismatic("slide", s0=1.0, stiffness=30.0, rest=1.0)
    point = planar.Body("point", m=2.0, I=0.0)
    sol = bench.solve(bench.chain(planar.World(), hinge, slide, point), TIMES)
    phi, w, a = (sol(TIMES, f"hinge.{key}") for key in ("phi", "w", "a"))
    s, v, gain = (sol(TIMES, f"slide.{key}") for key in ("s", "v", "a"))
    assert_close(s * a + 2 * v * w, -G * np.cos(phi), atol=1e-10)
    assert_close(gain, s * w**2 - G * np.sin(phi) - 15.0 * (s - 1.0), atol=1e-10)
    bench.check_connections(sol, TIMES)
