"""Mass, centre of mass and inertia of bodies, and what they are told by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynarig.core.frames import rotation_from_rpy
from dynarig.core.mechanism import Mechanism, planar, spatial

from ...close import assert_close

TIMES = np.linspace(0.0, 0.6, 7)


def points_of(body: Any, rng: np.random.Generator, count: int = 200_000) -> tuple[Any, float]:
    """Points spread evenly over the shape, in frame_a, and the shape's volume."""
    if isinstance(body, spatial.BodyBox):
        edges = np.array([body.length, body.width, body.height])
        points = (rng.random((count, 3)) - 0.5) * edges
        inside = (np.abs(points[:, 1]) < body.inner_width / 2) & (
            np.abs(points[:, 2]) < body.inner_height / 2
        )
    else:
        size = body.diameter
        long = body.length if isinstance(body, spatial.BodyCylinder) else size
        edges = np.array([long, size, size])
        points = (rng.random((count, 3)) - 0.5) * edges
        across = points[:, 1:] if isinstance(body, spatial.BodyCylinder) else points
        radius = np.linalg.norm(across, axis=-1)
        inside = (radius > size / 2) | (radius < body.inner_diameter / 2)
    kept = points[~inside]
    frame_from_shape = body.frame_from_shape
    moved = kept @ frame_from_shape[:3, :3].T + frame_from_shape[:3, 3]
    return moved, float(np.prod(edges)) * len(kept) / count


@pytest.mark.parametrize(
    "make",
    [
        lambda: spatial.BodyBox(
            "b", r=(0.3, 0.4, 0.1), r_shape=(0.1, 0, 0), width_dir=(0, 0.2, 1), width=0.2,
            height=0.1,
        ),
        lambda: spatial.BodyBox(
            "b", r=(0, 0.5, 0), width_dir=(1, 0, 0), width=0.3, height=0.2, inner_width=0.2,
            inner_height=0.15, density=1000.0,
        ),
        lambda: spatial.BodyCylinder("b", r=(0.1, 0.4, -0.2), diameter=0.2, density=500.0),
        lambda: spatial.BodyCylinder(
            "b", r=(0, 0.5, 0), r_shape=(0, 0.1, 0), diameter=0.3, inner_diameter=0.2, length=0.6
        ),
        lambda: spatial.BodySphere("b", diameter=0.4, r_shape=(0.1, 0.2, 0.3)),
        lambda: spatial.BodySphere("b", diameter=0.4, inner_diameter=0.3, density=1.0),
    ],
    ids=["box", "hollow box", "cylinder", "pipe", "sphere", "hollow sphere"],
)  # fmt: skip
def test_inertia_of_a_shape_is_that_of_its_points(make: Any, rng: Any) -> None:
    body = make()
    points, volume = points_of(body, rng)
    assert_close(body.m / (body.density * volume), 1.0, atol=0.02)
    center = points.mean(axis=0)
    assert_close(body.r_cm, center, atol=5e-3)
    away = points - center
    moments = (away**2).sum() * np.eye(3) - away.T @ away
    assert_close(body.I / body.m, moments / len(points), atol=2e-3)


def test_a_cylinder_of_the_reference(data: Any) -> None:
    import json

    path = data / "planar_and_3d" / "worldforce_couple.json"
    truth = json.loads(path.read_text())["truth"]
    body = spatial.BodyCylinder("c", r=(1, 0, 0), diameter=0.1, density=1.0)
    assert_close(body.m, truth["cyl_mass"], atol=1e-15)
    assert_close(body.I[1, 1], truth["cyl_I_perp"], atol=1e-15)
    assert_close(body.I[2, 2], truth["cyl_I_perp"], atol=1e-15)
    assert_close(body.I[0, 0], truth["cyl_mass"] * 0.05**2 / 2, atol=1e-15)


def test_steel_is_the_density_that_is_not_given() -> None:
    assert_close(
        spatial.BodyBox("b", r=(1, 0, 0), width=0.5, height=0.1).m, 7700 * 0.05, atol=1e-12
    )
    assert_close(spatial.BodySphere("b", diameter=2).m, 7700 * 4 / 3 * np.pi, atol=1e-10)


def test_inertia_by_entries_by_moments_and_by_matrix() -> None:
    matrix = np.array([[0.5, 0.1, -0.1], [0.1, 0.6, 0.05], [-0.1, 0.05, 0.7]])
    entries = {"I_11": 0.5, "I_22": 0.6, "I_33": 0.7, "I_21": 0.1, "I_31": -0.1, "I_32": 0.05}
    assert_close(spatial.Body("b", **entries).I, matrix, atol=0.0)
    assert_close(spatial.Body("b", I=matrix).I, matrix, atol=0.0)
    assert_close(spatial.Body("b", I=(1, 2, 2)).I, np.diag([1, 2, 2]), atol=0.0)
    assert_close(spatial.BodyShape("b", I=3).I, 3 * np.eye(3), atol=0.0)
    assert_close(spatial.Body("b").I, 0.001 * np.eye(3), atol=0.0)


def test_bodies_fixed_together_move_as_one(bench: Any, rng: Any) -> None:
    """Two lumps welded in a turned frame against one body of their sum."""
    hinge = {"n": (1, 2, 2), "phi0": 0.4, "w0": 1.5}
    turn = rotation_from_rpy((0.3, -0.5, 0.8))
    first = {"m": 1.5, "r_cm": (0.2, 0.1, 0.0), "I": (0.1, 0.12, 0.15)}
    second = {"m": 0.5, "r_cm": (0.0, 0.1, 0.3), "I": (0.02, 0.03, 0.04)}
    world, joint = spatial.World(), spatial.Revolute("hinge", **hinge)
    one, two = spatial.Body("one", **first), spatial.Body("two", **second)
    rod = spatial.FixedRotation("rod", R=turn, r=(0.5, 0.2, 0.1))
    split = Mechanism("split", [world, joint, one, rod, two])
    split.chain(world, joint, rod, two)
    split.connect(joint.frame_b, one.frame_a)
    masses = np.array([1.5, 0.5])
    centers = np.array([one.r_cm, rod.r + turn @ two.r_cm])
    center = masses @ centers / 2.0
    away = centers - center
    inertia = one.I + turn @ two.I @ turn.T
    for mass, arm in zip(masses, away, strict=True):
        inertia = inertia + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    whole = spatial.Body("whole", m=2.0, r_cm=center, I=(inertia + inertia.T) / 2)
    single = bench.chain(spatial.World(), spatial.Revolute("hinge", **hinge), whole)
    a, b = bench.solve(split, TIMES), bench.solve(single, TIMES)
    assert len(a.compiled.tree.bodies) == 2
    for name in ("hinge.phi", "hinge.a", "hinge.frame_a.f", "hinge.frame_a.tau"):
        assert_close(a(TIMES, name), b(TIMES, name), atol=1e-9, err_msg=name)
    bench.check_connections(a, TIMES)


def test_body_shape_carries_its_mass_between_its_frames(bench: Any) -> None:
    """Hung by frame_b instead of frame_a: the same motion, the tree runs through it backwards."""
    shape = {"r": (0.6, 0.2, 0.1), "m": 2.0, "I": (0.1, 0.2, 0.25), "r_cm": (0.1, 0.05, 0.2)}
    hinge = {"n": (0, 1, 0), "phi0": 0.4, "w0": 1.5}
    world, joint = spatial.World(), spatial.Revolute("hinge", **hinge)
    body, load = spatial.BodyShape("body", **shape), spatial.Body("load", m=0.5)
    mechanism = Mechanism("hung", [world, joint, body, load])
    mechanism.connect(world.frame_b, joint.frame_a)
    mechanism.connect(joint.frame_b, body.frame_b)
    mechanism.connect(body.frame_a, load.frame_a)
    sol = bench.solve(mechanism, TIMES)
    offset = (sol(TIMES, "body.R") @ np.array(shape["r"])[:, None])[..., 0]
    assert_close(sol(TIMES, "body.r") + offset, np.zeros((7, 3)), atol=1e-12)
    # frame_a takes what the load needs, frame_b the rest
    down = np.array([0, 0, -9.80665])
    assert_close(sol(TIMES, "body.frame_a.f"), -0.5 * (sol(TIMES, "load.a") - down), atol=1e-10)
    total = sol(TIMES, "body.frame_a.f") + sol(TIMES, "body.frame_b.f")
    assert_close(total, 2.0 * (sol(TIMES, "body.a_cm") - down), atol=1e-10)
    bench.check_connections(sol, TIMES)


def test_planar_body_with_its_centre_of_mass_aside(bench: Any) -> None:
    hinge = planar.Revolute("hinge", phi0=0.2, w0=1.0)
    body = planar.Body("body", m=2.0, I=0.3, r_cm=(0.4, 0.3))
    sol = bench.solve(bench.chain(planar.World(), hinge, body), TIMES)
    phi = sol(TIMES, "hinge.phi")
    way = np.arctan2(0.3, 0.4)
    expected = -2.0 * 9.80665 * 0.5 * np.cos(phi + way) / (0.3 + 2.0 * 0.25)
    assert_close(sol(TIMES, "hinge.a"), expected, atol=1e-11)
    assert_close(sol(TIMES, "body.r"), np.zeros((7, 2)), atol=1e-14)
    place = 0.5 * np.stack([np.cos(phi + way), np.sin(phi + way)], axis=-1)
    assert_close(sol(TIMES, "body.r_cm"), place, atol=1e-12)
    across = np.stack([-place[:, 1], place[:, 0]], axis=-1)
    w = sol(TIMES, "body.w")[:, None]
    assert_close(sol(TIMES, "body.v_cm"), w * across, atol=1e-12)
    assert_close(sol(TIMES, "body.a_cm"), expected[:, None] * across - w**2 * place, atol=1e-11)


def test_planar_body_shape_balances_its_forces(bench: Any) -> None:
    world, hinge = planar.World(), planar.Revolute("hinge")
    shape = planar.BodyShape("shape", r=(1, 0), m=1.0, I=1 / 12)
    load = planar.Body("load", m=2.0, I=0.0)
    sol = bench.solve(bench.chain(world, hinge, shape, load), TIMES)
    expected = -9.80665 * (0.5 + 2.0) * np.cos(sol(TIMES, "hinge.phi")) / (1 / 3 + 2.0)
    assert_close(sol(TIMES, "hinge.a"), expected, atol=1e-11)
    force = [sol(TIMES, f"shape.frame_b.{key}") for key in ("fx", "fy")]
    needed = 2.0 * (sol(TIMES, "load.a") - [0, -9.80665])
    assert_close(np.stack(force, axis=-1), -needed, atol=1e-11)
    bench.check_connections(sol, TIMES)
