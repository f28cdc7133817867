"""The reference cases of coordinate constraints, built as mechanisms: states to 1e-8."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from ....close import assert_close
from .benches import joined, slides

TOLERANCE = 1e-11


def rod_to_a_pivot(t: Any, q: Any, v: Any, velocity_level: bool) -> Any:
    return np.sqrt((q[0] - 0.2 * np.sin(6 * t)) ** 2 + q[1] ** 2) - 0.8


def two_rods(t: Any, q: Any, v: Any, velocity_level: bool) -> Any:
    return np.sqrt([q[0] ** 2 + q[1] ** 2, (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2]) - 0.8


def slopes_of_two_rods(t: Any, q: Any, v: Any, velocity_level: bool) -> Any:
    first, second = q[:2], q[2:] - q[:2]
    along = first / np.linalg.norm(first), second / np.linalg.norm(second)
    return [[*along[0], 0.0, 0.0], [*-along[1], *along[1]]]


def pushes(spring: Any, force: Any, names: Any) -> list[Any]:
    """-k x + f on slides."""
    from dynarig.core.mechanism import planar

    def law(k: float, f: float) -> Any:
        return lambda t, s, v: f - k * s

    return [
        planar.TorqueMotor(f"push {name}", joint=name, tau=law(k, f))
        for name, k, f in zip(names, spring, force, strict=True)
    ]


def mechanism_of(name: str, spec: Any) -> Any:
    """The mechanism of a case; its constraint is 'c'."""
    from dynarig.core.mechanism import planar

    def vector(marker0: Any, marker1: Any, **options: Any) -> list[Any]:
        """The constraint, and markers that are not on the ground."""
        given = {"marker0": marker0, "marker1": marker1}
        made = [planar.CoordinateMarker(key, own) for key, own in given.items() if own != "ground"]
        ends = dict(zip([marker.name for marker in made], made, strict=True))
        return [*made, planar.CoordinateVector("c", **{"marker0": "ground", **ends}, **options)]

    starts = (spec["q0"], spec["v0"])
    point, masses = ["x0", "y0"], spec.get("masses", [spec.get("mass")])
    if name in ("quadratic_circle", "inactive"):
        acts = spec.get("activeConnector", True)
        own = vector("ground", point, Y1=spec["Y1"], offset=spec["offset"], active=acts)
    elif name == "velocity_level_linear":
        own = vector("ground", point, X1=spec["X1"], offset=spec["offset"], velocity_level=True)
    elif name == "rheonomic_pivot":
        own = vector("ground", point, X0=np.zeros((1, 1)), constraint_function=rod_to_a_pivot)
    elif name == "double_pendulum":
        own = vector(
            "ground",
            ["x0", "y0", "x1", "y1"],
            X0=np.zeros((2, 1)),
            constraint_function=two_rods,
            jacobian_function=slopes_of_two_rods,
        )
    elif name == "linear_gear":
        matrices = {key: spec[key] for key in ("X0", "X1", "offset")}
        own = vector(["x0"], ["x1"], **matrices)
        acting = pushes([spec["spring_k_on_0"], 0], [0, spec["force_on_1"]], ["x0", "x1"])
        return slides(masses, *own, *acting, axes="x", g=0.0, starts=starts)
    else:
        matrices = {key: spec[key] for key in ("X0", "X1", "Y0", "offset")}
        own = vector(point, ["x1", "y1"], **matrices)
        acting = pushes([0.0] * 4, np.ravel(spec["forces"]), ["x0", "y0", "x1", "y1"])
        return slides(masses, *own, *acting, g=0.0, starts=starts)
    return slides(masses, *own, starts=starts)


CASES = [
    *("quadratic_circle", "inactive", "velocity_level_linear", "rheonomic_pivot"),
    *("double_pendulum", "linear_gear", "two_marker_linear_quadratic"),
]


@pytest.mark.parametrize("name", CASES)
def test_the_truth_of_a_case(name: str, data: Any) -> None:
    case = json.loads((data / "constraints" / f"{name}.json").read_text())
    spec, truth = case["spec"], case["truth"]
    sol = mechanism_of(name, spec).simulate([0.0, spec["T"]], tolerance=TOLERANCE)
    names = [key for key in ("x0", "y0", "x1", "y1") if key in sol.mechanism.components]
    end = spec["T"]
    assert_close([sol(end, f"{key}.s") for key in names], truth["q"], atol=1e-8)
    assert_close([sol(end, f"{key}.v") for key in names], truth["v"], atol=1e-8)
    expected = np.array(truth.get("lam", truth.get("lam_unit_normal")))
    force = sol(end, "c.force")
    assert_close(force, expected, atol=1e-7 * max(float(np.abs(expected).max()), 1e-9))
    if name not in ("inactive",):
        assert_close(sol(end, "c.equation"), np.zeros(len(force)), atol=1e-11)
    # displacement and velocity are those between the markers, without scaling
    q, v = np.array(truth["q"]), np.array(truth["v"])
    if name in ("linear_gear", "two_marker_linear_quadratic"):
        half = len(q) // 2
        q, v = q[half:] - q[:half], v[half:] - v[:half]
    assert_close(sol(end, "c.displacement"), q, atol=1e-8)
    assert_close(sol(end, "c.velocity"), v, atol=1e-8)


@pytest.mark.parametrize("variant", ["consistent", "suite_ICs_projected"])
def test_the_four_bar_of_point_masses(variant: str, data: Any) -> None:
    from dynarig.core.mechanism import planar

    case = json.loads((data / "constraints" / "four_bar_point_masses.json").read_text())
    spec, truth = case["spec"], case["truth"][variant]
    mechanism = slides(spec["masses"], starts=(spec["q0"], truth["v0"]))
    parts = mechanism.components
    ends = [planar.Fixed(f"ground{side}", r=point) for side, point in enumerate(spec["ground"])]
    rods = [
        planar.DistanceConstraint(f"rod{k}", length=length)
        for k, length in enumerate(spec["distances"].values())
    ]
    mechanism.add(*ends, *rods)
    first, second = parts["m0"].frame_a, parts["m1"].frame_a
    mechanism.connect(ends[0].frame_b, rods[0].frame_a)
    mechanism.connect(first, rods[0].frame_b, rods[1].frame_a)
    mechanism.connect(second, rods[1].frame_b, rods[2].frame_a)
    mechanism.connect(ends[1].frame_b, rods[2].frame_b)
    times = np.array([0.0, 0.25, 0.5, 1.0])
    sol = mechanism.simulate(times, tolerance=TOLERANCE)
    names, lengths = ("x0", "y0", "x1", "y1"), [rod.length for rod in rods]
    for time in times[1:]:
        expected = truth[str(time)]
        assert_close([sol(time, f"{key}.s") for key in names], expected["q"], atol=1e-8)
        assert_close([sol(time, f"{key}.v") for key in names], expected["v"], atol=1e-8)
        # the case's rows are half of d^2, ours are d
        own = np.array(expected["lam_halfsq"])
        tension = np.array([sol(time, f"rod{k}.tension") for k in range(3)])
        assert_close(tension / lengths, own, atol=1e-7 * np.abs(own).max())


def test_markers_of_joints_with_several_coordinates() -> None:
    """A planar free body on a circle: its own marker, that of its coordinates, one of two parts."""
    from dynarig.core.mechanism import planar

    answers = []
    for marked in ("body", ["body.x", "body.y", "body.phi"], ["body.theta", "body.y", "body.x"]):
        world, body = planar.World("world"), planar.Body("body", r0=(0.8, 0.0), w0=0.3)
        marker = planar.CoordinateMarker("m", marked)
        row = [0.0, 1.0, 1.0] if marked[0] == "body.theta" else [1.0, 1.0, 0.0]
        circle = planar.CoordinateVector("c", marker1="m", Y1=[row], offset=[0.64])
        sol = joined("bead", [world, body, marker, circle]).simulate(0.5, tolerance=1e-10)
        answers.append([*sol(0.5, "body.r"), sol(0.5, "body.phi"), *sol(0.5, "c.force")])
    assert_close(answers[1:], [answers[0]] * 2, atol=1e-13)
    assert_close(np.hypot(*answers[0][:2]), 0.8, atol=1e-12)
    assert_close(answers[0][2], 0.15, atol=1e-10)
