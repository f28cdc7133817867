"""Springs and dampers between frames against motions that others have worked out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ...close import assert_close


@pytest.fixture(scope="module")
def cases(data: Path) -> Any:
    folder = data / "planar_and_3d"
    return lambda name: json.loads((folder / f"{name}.json").read_text())


def test_a_hanging_mass_passes_the_origin_of_its_spring(cases: Any) -> None:
    from dynarig.core.mechanism import Mechanism, planar

    spec, truth = (cases("mass_spring_damper")[key] for key in ("spec", "truth"))
    world = planar.World("world", g=spec["g"])
    slide = planar.Prismatic("slide", n=(0, 1), s0=spec["s0"], v0=spec["v0"])
    body = planar.Body("body", m=spec["m"])
    spring, damper = planar.Spring("spring", c=spec["c"]), planar.Damper("damper", d=spec["d"])
    mechanism = Mechanism("hanging", [world, slide, body, spring, damper])
    mechanism.chain(world, slide, body)
    mechanism.connect(world.frame_b, spring.frame_a, damper.frame_a)
    mechanism.connect(body.frame_a, spring.frame_b, damper.frame_b)
    sol = mechanism.simulate(30.0, tolerance=1e-11)
    assert_close(sol(truth["t"], "slide.s"), truth["s"], atol=1e-9)
    assert sol.trajectory.energy_drift < 1e-8


@pytest.mark.parametrize("order", ["R=Rx Ry Rz", "transpose"])
def test_a_free_body_between_two_springs_follows_the_reference(cases: Any, order: str) -> None:
    from dynarig.core.frames import rotation_from_euler
    from dynarig.core.mechanism import Mechanism, spatial

    case = cases("free_body_two_springs")
    spec, truth = case["spec"], case["truth"][order]
    start = rotation_from_euler(np.radians([10.0, 10.0, 10.0]), "XYZ")
    world, fixed = spatial.World("world", n=(0, -1, 0)), spatial.Fixed("fixed", r=(0.8, 0, 0))
    body = spatial.BodyShape(
        "body",
        r=spec["rod"],
        r_cm=spec["com"],
        m=spec["m"],
        I=np.diag(spec["I_com"]),
        r0=spec["r_frame_a0"],
        R0=start if order != "transpose" else start.T,
    )
    springs = [spatial.Spring(f"spring{i}", c=20.0) for i in (1, 2)]
    mechanism = Mechanism("two springs", [world, fixed, body, *springs])
    for spring, near, far in zip(
        springs, (world.frame_b, fixed.frame_b), (body.frame_a, body.frame_b), strict=True
    ):
        mechanism.connect(near, spring.frame_a)
        mechanism.connect(far, spring.frame_b)
    sol = mechanism.simulate(10.0, tolerance=1e-10)
    for t, expected in truth.items():
        assert_close(sol(float(t), "body.r"), expected["r_frame_a"], atol=1e-9)
        sign = np.sign(sol(float(t), "body.Q") @ expected["quat_wxyz"])
        assert_close(sol(float(t), "body.Q"), sign * np.array(expected["quat_wxyz"]), atol=1e-9)
        assert_close(sol(float(t), "body.R")[0, 1], expected["R12"], atol=1e-9)
    assert sol.trajectory.energy_drift < 1e-9
