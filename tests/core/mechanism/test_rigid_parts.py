"""Rods, fixed turns, frames fixed in the world, welds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynarig.core.frames import rotation_from_axis_angle, rotation_from_euler
from dynarig.core.mechanism import Mechanism, get_frame, get_rot, get_trans, planar, spatial

from ...close import assert_close

TIMES = np.linspace(0.0, 0.5, 6)
N, ANGLE = (1.0, 2.0, -2.0), 0.7


def test_planar_translation_is_in_the_axes_of_frame_a(bench: Any) -> None:
    world, hinge = planar.World(), planar.Revolute("hinge", phi0=0.3, w0=2.0)
    rod, body = planar.FixedTranslation("rod", r=(2, 1)), planar.Body("body")
    sol = bench.solve(bench.chain(world, hinge, rod, body), TIMES)
    phi = sol(TIMES, "hinge.phi")
    expected = np.stack([2 * np.cos(phi) - np.sin(phi), 2 * np.sin(phi) + np.cos(phi)], axis=-1)
    assert_close(get_trans(sol, rod.frame_b, TIMES), expected, atol=1e-12)
    assert_close(sol(TIMES, "rod.frame_b.phi"), phi, atol=0.0)
    # tau_a + tau_b + (R r) x f_b = 0
    fx, fy = sol(TIMES, "rod.frame_b.fx"), sol(TIMES, "rod.frame_b.fy")
    total = sol(TIMES, "rod.frame_a.tau") + sol(TIMES, "rod.frame_b.tau")
    assert_close(total + expected[:, 0] * fy - expected[:, 1] * fx, np.zeros(6), atol=1e-11)
    bench.check_connections(sol, TIMES)


def test_planar_rotation_adds_its_angle_whole_turns_and_all(bench: Any) -> None:
    world, hinge = planar.World(), planar.Revolute("hinge", phi0=0.3)
    turn, body = planar.FixedRotation("turn", alpha=7.0), planar.Body("body")
    rod = planar.FixedTranslation("rod", r=(1, 0))
    sol = bench.solve(bench.chain(world, hinge, turn, rod, body), TIMES)
    assert_close(sol(TIMES, "body.phi"), sol(TIMES, "hinge.phi") + 7.0, atol=1e-14)
    assert_close(sol(0.0, "body.r"), [np.cos(7.3), np.sin(7.3)], atol=1e-14)
    bench.check_connections(sol, TIMES)


def test_planar_fixed_stands_where_it_was_put(bench: Any) -> None:
    world, fixed = planar.World(), planar.Fixed("fixed", r=(3, -1), phi=0.4)
    slide, body = planar.Prismatic("slide", n=(1, 0)), planar.Body("body", m=2.0)
    mechanism = Mechanism("shelf", [world, fixed, slide, body])
    mechanism.chain(fixed, slide, body)
    sol = bench.solve(mechanism, TIMES)
    assert_close(sol(0.3, "fixed.frame_b.phi"), 0.4, atol=0.0)
    # down an incline of 0.4 rad
    a = -9.80665 * np.sin(0.4)
    expected = [3, -1] + 0.5 * a * TIMES[:, None] ** 2 * [np.cos(0.4), np.sin(0.4)]
    assert_close(sol(TIMES, "body.r"), expected, atol=1e-12)
    # what the rest presses on it is the weight across the incline
    pressed = -2 * 9.80665 * np.cos(0.4) * np.array([-np.sin(0.4), np.cos(0.4)])
    given = [sol(0.2, "fixed.frame_b.fx"), sol(0.2, "fixed.frame_b.fy")]
    assert_close(given, pressed, atol=1e-12)


@pytest.mark.parametrize(
    "turn",
    [
        {"n": N, "angle": ANGLE},
        {"R": rotation_from_axis_angle(np.array(N) / 3.0, ANGLE)},
        {"Q": 2.5 * np.array([np.cos(ANGLE / 2), *(np.sin(ANGLE / 2) * np.array(N) / 3)])},
    ],
)
def test_rotation_in_space_however_it_is_given(turn: dict[str, Any], bench: Any) -> None:
    world = spatial.World()
    fixed = spatial.Fixed("fixed", r=(1, 2, 3), **turn)
    rotation = spatial.FixedRotation("rotation", r=(0.1, 0.2, 0.3), **turn)
    hinge, body = spatial.Revolute("hinge"), spatial.Body("body", r_cm=(1, 0, 0))
    mechanism = Mechanism("turned", [world, fixed, rotation, hinge, body])
    mechanism.chain(fixed, rotation, hinge, body)
    sol = bench.solve(mechanism, TIMES)
    expected = rotation_from_axis_angle(np.array(N) / 3.0, ANGLE)
    assert_close(get_rot(sol, fixed.frame_b, 0.1), expected, atol=1e-14)
    assert_close(get_rot(sol, rotation.frame_b, 0.1), expected @ expected, atol=1e-14)
    place = np.array([1, 2, 3]) + expected @ [0.1, 0.2, 0.3]
    assert_close(get_trans(sol, rotation.frame_b, 0.1), place, atol=1e-14)
    bench.check_connections(sol, TIMES)


def test_rotation_in_space_by_angles_of_a_sequence() -> None:
    angles = (0.3, -0.4, 0.9)
    by_label = spatial.FixedRotation("r", phi=angles, sequence="ZYX").a_from_b
    by_axes = spatial.FixedRotation("r", phi=angles, sequence=(3, 2, 1)).a_from_b
    assert_close(by_label[:3, :3], rotation_from_euler(angles, "ZYX"), atol=1e-15)
    assert_close(by_axes, by_label, atol=0.0)


def test_translation_in_space(bench: Any) -> None:
    world, hinge = spatial.World(), spatial.Revolute("hinge", n=(0, 1, 0), phi0=0.4, w0=1.0)
    rod, body = spatial.FixedTranslation("rod", r=(1, 2, 3)), spatial.Body("body", I=0.1)
    sol = bench.solve(bench.chain(world, hinge, rod, body), TIMES)
    for t in TIMES:
        turned = rotation_from_axis_angle((0, 1, 0), sol(t, "hinge.phi"))
        assert_close(get_trans(sol, rod.frame_b, t), turned @ [1, 2, 3], atol=1e-12)
    bench.check_connections(sol, TIMES)


@pytest.mark.parametrize("parts", [planar, spatial])
def test_a_weld_makes_two_frames_one_and_tells_what_it_carries(parts: Any, bench: Any) -> None:
    world, hinge, weld = parts.World(), parts.Revolute("hinge"), parts.Weld("weld")
    r = (1.0, 0.0) if parts is planar else (1.0, 0.0, 0.0)
    rod, body = parts.FixedTranslation("rod", r=r), parts.Body("body", m=2.0, I=0.1)
    sol = bench.solve(bench.chain(world, hinge, rod, weld, body), TIMES)
    for first, second in zip(
        get_frame(sol, weld.frame_a, TIMES), get_frame(sol, weld.frame_b, TIMES), strict=True
    ):
        assert_close(second, first, atol=0.0)
    down = np.array([0, -9.80665] if parts is planar else [0, 0, -9.80665])
    needed = 2.0 * (sol(TIMES, "body.a") - down)
    if parts is planar:
        carried = np.stack([sol(TIMES, "weld.frame_a.fx"), sol(TIMES, "weld.frame_a.fy")], axis=-1)
    else:
        carried = sol(TIMES, "weld.frame_a.f")
    assert_close(carried, needed, atol=1e-11)
    bench.check_connections(sol, TIMES)
