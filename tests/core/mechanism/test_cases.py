"""Motions that were worked out by an independent program, or in closed form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from dynarig.core.mechanism import Mechanism, get_rot, get_trans, spatial

from ...close import assert_close


def case(data: Path, name: str) -> Any:
    return json.loads((data / "planar_and_3d" / f"{name}.json").read_text())


def test_furuta_pendulum(data: Path, bench: Any) -> None:
    spec = case(data, "furuta_pendulum")
    damping, g = spec["spec"]["damping"], spec["spec"]["g"]
    world = spatial.World(n=(0, -1, 0), g=g)
    shoulder = spatial.Revolute("shoulder", n=(0, 1, 0), d=damping[0])
    upper = spatial.BodyShape("upper", m=1, r=(0, 0, 0.6), I=0.001)
    elbow = spatial.Revolute("elbow", n=(0, 0, 1), phi0=0.1, d=damping[1])
    lower = spatial.BodyShape("lower", m=1, r=(0, 0.6, 0), I=0.001)
    tip = spatial.Body("tip", m=0.3, I=0.001)
    sol = bench.solve(bench.chain(world, shoulder, upper, elbow, lower, tip), 12.0, tolerance=1e-11)
    for row in spec["truth"]:
        t = row["t"]
        angles = [sol(t, "shoulder.phi"), sol(t, "elbow.phi")]
        assert_close(angles, row["q"], atol=1e-9)
        assert_close(get_trans(sol, upper.frame_b, t), row["upper_arm_tip"], atol=1e-9)
        assert_close(get_trans(sol, lower.frame_b, t), row["lower_arm_tip"], atol=1e-9)
    bench.check_connections(sol, np.linspace(0, 12, 9))


def test_a_body_that_spins_with_a_quaternion_state(data: Path, bench: Any) -> None:
    truth = case(data, "quaternion_spin")["truth"]
    for axis in range(3):
        world = spatial.World(g=0.0)
        spin = np.eye(3)[axis]
        body = spatial.Body("body", m=1, I=0.1, orientation_state="quaternion", w_a0=spin)
        sol = bench.solve(Mechanism("spin", [world, body]), 2 * np.pi)
        if axis == 0:
            quarter = get_rot(sol, body.frame_a, np.pi / 2).T
            assert_close(quarter, truth["t_pi_over_2_R_body_from_world"], atol=1e-9)
            assert_close(get_rot(sol, body.frame_a, np.pi).T, truth["t_pi"], atol=1e-9)
            assert_close(quarter.T @ [0, 1, 0], truth["rotated_y"], atol=1e-9)
        assert_close(get_rot(sol, body.frame_a, 2 * np.pi), np.eye(3), atol=1e-9)
        times = np.linspace(0, 2 * np.pi, 20)
        expected = np.zeros((20, 4))
        expected[:, 0], expected[:, 1 + axis] = np.cos(times / 2), np.sin(times / 2)
        assert_close(sol(times, "body.Q"), expected, atol=1e-9)
        assert_close(sol(times, "body.w_a"), np.broadcast_to(spin, (20, 3)), atol=1e-12)


def test_a_free_body_falls_as_a_parabola_from_its_initial_state(bench: Any) -> None:
    world = spatial.World(n=(1, 2, -2), g=3.0)
    body = spatial.Body("body", m=2, r0=(1, 2, 3), v0=(0.5, -1, 2))
    sol = bench.solve(Mechanism("fall", [world, body]), 2.0)
    times = np.linspace(0, 2, 9)[:, None]
    gravity = np.array([1.0, 2.0, -2.0])
    expected = np.array([1, 2, 3]) + times * [0.5, -1, 2] + 0.5 * times**2 * gravity
    assert_close(sol(times[:, 0], "body.r"), expected, atol=1e-10)
    assert_close(sol(times[:, 0], "body.a"), np.broadcast_to(gravity, (9, 3)), atol=1e-12)


def test_a_tumbling_body_keeps_momentum_and_energy_with_either_state(bench: Any) -> None:
    moments, spin = np.array([0.1, 0.2, 0.25]), np.array([0.3, 4.0, 0.2])
    shared = {"m": 1.0, "I": moments, "w_a0": spin, "phi0": (0.3, 0.2, 0.1)}
    answers = []
    times = np.linspace(0, 1, 21)
    for kind, sequence in (("quaternion", (1, 2, 3)), ("euler", (1, 2, 3)), ("euler", "ZXY")):
        given = dict(shared)
        if sequence == "ZXY":
            given |= {"phi0": None, "R0": answers[0][2][0]}
        world = spatial.World(g=0.0)
        body = spatial.Body("body", orientation_state=kind, sequence=sequence, **given)
        sol = bench.solve(Mechanism("tumble", [world, body]), times)
        rotation, spin_a = sol(times, "body.R"), sol(times, "body.w_a")
        momentum = (rotation @ (moments * spin_a)[..., None])[..., 0]
        assert_close(momentum, np.broadcast_to(momentum[0], (21, 3)), atol=1e-9)
        energy = 0.5 * (moments * spin_a**2).sum(axis=-1)
        assert_close(energy, np.full(21, energy[0]), atol=1e-9)
        answers.append((sol(times, "body.Q"), spin_a, rotation))
        state = sol.trajectory.q.shape[1]
        assert state == (7 if kind == "quaternion" else 6)
    for _, spin_a, rotation in answers[1:]:
        assert_close(spin_a, answers[0][1], atol=1e-8)
        assert_close(rotation, answers[0][2], atol=1e-8)


def test_a_state_of_any_length_is_answered_as_it_is_and_as_unit(bench: Any) -> None:
    given = np.array([2.0, 0.2, -0.6, 0.4])
    body = spatial.Body("body", Q0=given, w0=(1, 2, 3), I=0.1)
    sol = bench.solve(Mechanism("long", [spatial.World(g=0), body]), 1.0)
    assert_close(sol(0.0, "body.Q_hat"), given, atol=0.0)
    length = np.linalg.norm(given)
    assert_close(sol(0.0, "body.Q"), given / length, atol=1e-15)
    assert_close(np.linalg.norm(sol([0, 0.5, 1], "body.Q_hat"), axis=-1), [length] * 3, atol=1e-9)
    assert_close(sol(0.7, "body.w"), [1, 2, 3], atol=1e-9)
