"""The planar pendulum of docs/planar.md, from end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ...close import assert_close


@pytest.fixture(scope="module")
def case(data: Path) -> Any:
    return json.loads((data / "planar_and_3d" / "planar_pendulum.json").read_text())


@pytest.fixture(scope="module")
def pendulum() -> Any:
    from dynarig.core.mechanism import Mechanism, planar

    world, hinge = planar.World("world"), planar.Revolute("revolute")
    rod, body = planar.FixedTranslation("rod", r=(1, 0)), planar.Body("body", m=1.0, I=0.1)
    mechanism = Mechanism("pendulum", [world, hinge, rod, body])
    mechanism.chain(world, hinge, rod, body)
    return mechanism


@pytest.fixture(scope="module")
def sol(pendulum: Any) -> Any:
    return pendulum.simulate(3.0, tolerance=1e-13)


def test_the_angle_follows_the_reference(sol: Any, case: Any) -> None:
    truth = case["truth"]
    assert_close(sol(1.0, "revolute.phi"), -2.88130447131128, atol=1e-9)
    assert_close(sol(truth["t"], "revolute.phi"), truth["phi"], atol=1e-9)
    assert_close(sol(truth["t"], "revolute.w"), truth["w"], atol=1e-9)
    assert_close(sol(1.0, "body.r"), truth["body_r_at_1"], atol=1e-9)


def test_the_angle_obeys_the_equation_of_motion(sol: Any) -> None:
    t = np.linspace(0.0, 3.0, 50)
    by_hand = -9.80665 * np.cos(sol(t, "revolute.phi")) / 1.1
    assert_close(sol(t, "revolute.a"), by_hand, atol=1e-12)


def test_frames_are_local_to_world_and_ori_2d_the_transpose(
    sol: Any, pendulum: Any, case: Any
) -> None:
    from dynarig.core.mechanism import get_frame, get_rot, get_trans, ori_2d

    tip = pendulum.components["rod"].frame_b
    expected = np.array(case["truth"]["R_world_from_local_at_1"])
    assert_close(get_rot(sol, tip, 1.0), expected, atol=1e-9)
    assert_close(ori_2d(sol(1.0, "rod.frame_b.phi")), expected.T, atol=1e-9)
    assert_close(get_trans(sol, tip, 1.0), case["truth"]["body_r_at_1"], atol=1e-9)
    pose = get_frame(sol, tip, [0.5, 1.0])
    assert pose.shape == (2, 4, 4)
    assert_close(pose[1, :2, :2], expected, atol=1e-9)
    assert_close(pose[1, :3, 3], [*case["truth"]["body_r_at_1"], 0.0], atol=1e-9)
    assert_close(pose[1, 2:], [[0, 0, 1, 0], [0, 0, 0, 1]], atol=0.0)


def test_the_hinge_carries_mass_times_acceleration_less_gravity(sol: Any) -> None:
    t = np.linspace(0.0, 3.0, 20)
    phi, w, a = (sol(t, f"revolute.{name}") for name in ("phi", "w", "a"))
    radial = np.stack([np.cos(phi), np.sin(phi)], axis=-1)
    across = np.stack([-np.sin(phi), np.cos(phi)], axis=-1)
    expected = a[:, None] * across - (w * w)[:, None] * radial + [0.0, 9.80665]
    carried = np.stack([sol(t, "rod.frame_a.fx"), sol(t, "rod.frame_a.fy")], axis=-1)
    assert_close(carried, expected, atol=1e-11)
    # the hinge turns freely, and the body needs I a about its centre of mass
    assert_close(sol(t, "rod.frame_a.tau"), np.zeros(20), atol=1e-12)
    assert_close(sol(t, "body.frame_a.tau"), 0.1 * a, atol=1e-12)


def test_the_body_moves_as_the_rod_turns(sol: Any) -> None:
    t = np.linspace(0.0, 3.0, 20)
    phi, w = sol(t, "revolute.phi"), sol(t, "revolute.w")
    across = np.stack([-np.sin(phi), np.cos(phi)], axis=-1)
    assert_close(sol(t, "body.v"), w[:, None] * across, atol=1e-12)
    assert_close(sol(t, "body.phi"), phi, atol=0.0)
    assert_close(sol(t, "body.w"), w, atol=1e-14)
