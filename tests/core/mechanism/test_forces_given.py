"""Forces and torques that are given: closed forms, the reference couple, reactions."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ...close import assert_close


def one_body(space: Any, *elements: Any, g: float = 0.0, **body: Any) -> Any:
    """A free body with elements at its frame_a."""
    from dynarig.core.mechanism import Mechanism

    base, free = space.World("world", g=g), space.Body("body", **body)
    mechanism = Mechanism("body", [base, free, *elements])
    for element in elements:
        mechanism.connect(free.frame_a, element.frame_b)
    return mechanism


def couple(space: Any, body: Any, *elements: Any) -> Any:
    from dynarig.core.mechanism import Mechanism

    mechanism = Mechanism("couple", [space.World("world", g=0.0), body, *elements])
    for frame, element in zip((body.frame_a, body.frame_b), elements, strict=True):
        mechanism.connect(frame, element.frame_b)
    return mechanism


@pytest.fixture(scope="module")
def case(data: Path) -> Any:
    return json.loads((data / "planar_and_3d" / "worldforce_couple.json").read_text())


@pytest.mark.parametrize(("axes", "dimensions"), [("world", 3), ("frame_b", 2)])
def test_the_couple_follows_the_reference(case: Any, axes: str, dimensions: int) -> None:
    from dynarig.core.mechanism import planar, spatial

    spec, truth, space = case["spec"], case["truth"], (planar, spatial)[dimensions - 2]
    forces = [
        space.WorldForce(name, force=spec[name][:dimensions], resolve_in_frame=axes)
        for name in ("force_a", "force_b")
    ]
    arm, center = ([x, 0.0, 0.0][:dimensions] for x in (1.0, 0.5))
    body = space.BodyShape("body", r=arm, r_cm=center, m=1.0, I=0.001)
    sol = couple(space, body, *forces).simulate([0.0, 1.0], tolerance=1e-10)
    expected = truth[f"{axes}_frame_a_t1"][:dimensions]
    assert_close(sol(1.0, "body.r"), expected, atol=1e-9)
    if dimensions == 2:  # 80 turns
        assert_close(sol(1.0, "body.phi"), truth[f"{axes}_theta_t1"], atol=1e-9)
    # of up to 500 J, which the couple puts into the spin
    assert sol.trajectory.energy_drift < 1e-9 + 1e-11 * sol.trajectory.energy.max()


def test_the_couple_on_a_cylinder_follows_the_reference(case: Any) -> None:
    from dynarig.core.mechanism import spatial

    body = spatial.BodyCylinder("body", r=(1, 0, 0), density=1.0, diameter=0.1)
    forces = [spatial.BodyForce(f"f{y}", force=(0, y, 0)) for y in (1, -1)]
    sol = couple(spatial, body, *forces).simulate(0.1, tolerance=1e-11)
    assert_close(sol(0.1, "body.r"), case["truth"]["cyl_frame_a_t0p1"], atol=1e-9)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_constant_force_accelerates_by_force_over_mass(dimensions: int) -> None:
    from dynarig.core.mechanism import planar, spatial

    space = (planar, spatial)[dimensions - 2]
    force = np.array([3.0, -2.0, 1.0])[:dimensions]
    mechanism = one_body(space, space.WorldForce("push", force=force), g=10.0, m=4.0)
    sol = mechanism.simulate(2.0, tolerance=1e-11)
    fall = np.array([[0.0, -10.0], [0.0, 0.0, -10.0]][dimensions - 2])
    t = np.linspace(0.0, 2.0, 9)
    assert_close(sol(t, "body.r"), 0.5 * t[:, None] ** 2 * (force / 4.0 + fall), atol=1e-10)
    assert_close(sol(t, "push.force"), np.tile(force, (9, 1)), atol=0.0)
    if dimensions == 3:
        # the world pulls the component back with what it exerts
        assert_close(sol(t, "push.frame_b.f"), np.tile(-force, (9, 1)), atol=1e-12)


def test_a_force_of_time_and_of_the_state() -> None:
    from dynarig.core.mechanism import planar, spatial

    t = np.linspace(0.0, 2.0, 11)
    push = planar.WorldForce("push", force=lambda t: (3.0 * math.cos(2.0 * t), 0.0))
    sol = one_body(planar, push, m=1.5, v0=(0.0, 1.0)).simulate(2.0, tolerance=1e-11)
    assert_close(sol(t, "body.r"), np.stack((0.5 - 0.5 * np.cos(2 * t), t), axis=-1), atol=1e-10)
    assert_close(sol(t, "push.force")[:, 0], 3.0 * np.cos(2.0 * t), atol=1e-14)
    # drag, and a pull to a point
    drag = spatial.WorldForce("drag", force=lambda t, r, v: -0.5 * v)
    sol = one_body(spatial, drag, v0=(1.0, -2.0, 3.0)).simulate(2.0, tolerance=1e-11)
    assert_close(sol(t, "body.v"), np.exp(-0.5 * t)[:, None] * [1.0, -2.0, 3.0], atol=1e-10)
    pull = planar.WorldForce("pull", force=lambda t, r, v: 4.0 * (np.array([1.0, 0.0]) - r))
    sol = one_body(planar, pull).simulate(2.0, tolerance=1e-11)
    assert_close(sol(t, "body.r")[:, 0], 1.0 - np.cos(2.0 * t), atol=1e-10)


def test_torques_turn_by_torque_over_inertia() -> None:
    from dynarig.core.mechanism import planar, spatial

    t = np.linspace(0.0, 2.0, 9)
    twist = planar.WorldTorque("twist", torque=lambda t: 0.6 * t)
    sol = one_body(planar, twist, I=0.2).simulate(2.0, tolerance=1e-11)
    assert_close(sol(t, "body.phi"), 0.5 * t**3, atol=1e-10)
    assert_close(sol(t, "twist.torque"), 0.6 * t, atol=1e-15)
    turn = spatial.WorldTorque("turn", torque=(0.1, 0.0, 0.0))
    sol = one_body(spatial, turn, I=np.diag([0.2, 0.3, 0.4])).simulate(2.0, tolerance=1e-11)
    assert_close(sol(t, "body.w")[:, 0], 0.5 * t, atol=1e-10)
    # fixed to the body, which spins about z: w_x' stays along its own turning x axis
    own = spatial.BodyForce("own", torque=(0.0, 0.0, 0.3))
    sol = one_body(spatial, own, I=0.5 * np.eye(3)).simulate(2.0, tolerance=1e-11)
    assert_close(sol(t, "body.w")[:, 2], 0.6 * t, atol=1e-10)


def test_a_body_force_turns_with_its_body() -> None:
    from dynarig.core.mechanism import planar

    # the force turns at a constant rate: v' = (cos w t, sin w t) F / m
    thrust = planar.BodyForce("thrust", force=(2.0, 0.0))
    sol = one_body(planar, thrust, m=4.0, w0=3.0).simulate(2.0, tolerance=1e-11)
    t = np.linspace(0.0, 2.0, 9)
    v = np.stack((np.sin(3.0 * t), 1.0 - np.cos(3.0 * t)), axis=-1) * 0.5 / 3.0
    assert_close(sol(t, "body.v"), v, atol=1e-10)
    assert_close(sol(t, "thrust.force")[:, 1], 2.0 * np.sin(3.0 * t), atol=1e-10)


def test_a_body_force_in_the_plane_has_a_torque_too() -> None:
    from dynarig.core.mechanism import planar

    t = np.linspace(0.0, 2.0, 9)
    own = planar.BodyForce("own", torque=0.6)
    sol = one_body(planar, own, m=4.0, I=0.2, phi0=0.5, w0=-1.0).simulate(2.0, tolerance=1e-12)
    assert_close(sol(t, "body.phi"), 0.5 - t + 1.5 * t**2, atol=1e-10)
    assert_close(sol(t, "body.r"), np.zeros((9, 2)), atol=0.0)
    assert_close(sol(t, "own.frame_b.tau"), np.full(9, -0.6), atol=1e-13)
    # I phi'' = cos(2 t), and a force that turns with the body: r'' = (cos phi, sin phi) F / m
    both = planar.BodyForce("both", force=(2.0, 0.0), torque=lambda t: math.cos(2.0 * t))
    sol = one_body(planar, both, m=4.0, I=0.2).simulate(2.0, tolerance=1e-12)
    phi = 1.25 * (1.0 - np.cos(2.0 * t))
    assert_close(sol(t, "body.phi"), phi, atol=1e-10)
    assert_close(sol(t, "body.w"), 2.5 * np.sin(2.0 * t), atol=1e-10)
    assert_close(sol(t, "both.torque"), np.cos(2.0 * t), atol=1e-15)
    assert_close(sol(t, "body.a"), 0.5 * np.stack((np.cos(phi), np.sin(phi)), axis=-1), atol=1e-10)
    # its velocity is the integral of that, by Gauss
    nodes, weights = np.polynomial.legendre.leggauss(40)
    phi = 1.25 * (1.0 - np.cos(2.0 * (1.0 + nodes)))
    gained = [0.5 * weights @ np.cos(phi), 0.5 * weights @ np.sin(phi)]
    assert_close(sol(2.0, "body.v"), gained, atol=1e-10)


@pytest.mark.parametrize("axes", ["world", "frame_a", "frame_b"])
def test_between_two_frames_the_reaction_keeps_momentum(axes: str) -> None:
    from dynarig.core.dynamics import momentum
    from dynarig.core.mechanism import Mechanism, spatial

    world = spatial.World("world", g=0.0)
    one = spatial.Body("one", I=np.diag([0.2, 0.3, 0.4]), w_a0=(0.4, 0.3, -0.5), phi0=(1, 0.2, 0.3))
    two = spatial.Body("two", I=np.diag([0.3, 0.2, 0.3]), w_a0=(0, 0.5, 1.5), r0=(0.3, 0.2, 0.7))
    force = spatial.Force("force", force=lambda t: (1.0, t, -0.5), resolve_in_frame=axes)
    torque = spatial.Torque("torque", torque=(0.1, 0.2, -0.3), resolve_in_frame=axes)
    mechanism = Mechanism("pair", [world, one, two, force, torque])
    mechanism.connect(one.frame_a, force.frame_a, torque.frame_a)
    mechanism.connect(two.frame_a, force.frame_b, torque.frame_b)
    sol = mechanism.simulate(1.0, tolerance=1e-11)
    parts = momentum(sol.compiled.model, sol.trajectory.q, sol.trajectory.v)
    assert_close(parts - parts[0], 0.0, atol=1e-10)
    t = np.linspace(0.0, 1.0, 5)
    own = np.stack((np.ones(5), t, -0.5 * np.ones(5)), axis=-1)
    rotation = {"world": np.eye(3), "frame_a": sol(t, "one.R"), "frame_b": sol(t, "two.R")}[axes]
    assert_close(sol(t, "force.force"), (rotation @ own[..., None])[..., 0], atol=1e-12)
    assert_close(sol(t, "two.a"), sol(t, "force.force"), atol=1e-11)
    # through frame_a the lever's torque acts on the component, through frame_b none
    lever = sol(t, "two.r") - sol(t, "one.r")
    assert_close(sol(t, "force.frame_b.f"), -sol(t, "force.force"), atol=1e-12)
    assert_close(sol(t, "force.frame_b.tau"), 0.0, atol=1e-12)
    assert_close(sol(t, "force.frame_a.tau"), np.cross(lever, sol(t, "force.force")), atol=1e-12)


def test_between_two_planar_frames_too() -> None:
    from dynarig.core.mechanism import Mechanism, planar

    # two bodies at rest, the second to the right of the first
    world = planar.World("world", g=0.0)
    one = planar.Body("one", m=2.0, I=0.4, phi0=math.pi / 2)
    two = planar.Body("two", m=1.0, I=0.2, r0=(1.0, 0.0))
    force = planar.Force("force", force=(3.0, 0.0), resolve_in_frame="frame_a")  # upwards
    torque = planar.Torque("torque", torque=0.6)
    mechanism = Mechanism("pair", [world, one, two, force, torque])
    mechanism.connect(one.frame_a, force.frame_a, torque.frame_a)
    mechanism.connect(two.frame_a, force.frame_b, torque.frame_b)
    sol = mechanism.simulate(0.1)
    assert_close(sol(0.0, "two.a"), [0.0, 3.0], atol=1e-14)
    assert_close(sol(0.0, "one.a"), [0.0, -1.5], atol=1e-14)
    assert_close(sol(0.0, "two.wd"), 0.6 / 0.2, atol=1e-13)
    # the reaction of the force has the lever (1, 0)
    assert_close(sol(0.0, "one.wd"), -(0.6 + 3.0) / 0.4, atol=1e-13)
    assert_close(sol(0.0, "force.force"), [0.0, 3.0], atol=1e-15)
    assert_close(sol(0.0, "torque.torque"), 0.6, atol=0.0)


def test_all_of_them_are_one_element_and_each_keeps_its_own() -> None:
    from dynarig.core.mechanism import Mechanism, spatial

    world = spatial.World("world", g=0.0)
    bodies = [spatial.Body(f"b{i}", m=1.0 + i, phi0=(0.1 * i, 0.2, 0.3)) for i in range(4)]
    elements = [
        spatial.WorldForce("f0", force=(1.0, 2.0, 3.0)),
        spatial.BodyForce("f1", force=lambda t: (t, 0.0, 1.0), torque=(1.0, 0.0, 0.0)),
        spatial.Force("f2", force=(0.0, 1.0, 0.0), resolve_in_frame="frame_a"),
        spatial.WorldTorque("f3", torque=(0.0, 0.5, 0.0)),
    ]
    mechanism = Mechanism("many", [world, *bodies, *elements])
    for index in (0, 1, 3):
        mechanism.connect(bodies[index].frame_a, elements[index].frame_b)
    mechanism.connect(bodies[2].frame_a, elements[2].frame_a)
    mechanism.connect(bodies[3].frame_a, elements[2].frame_b)
    compiled = mechanism.compile()
    assert len(compiled.system.frame_forces) == 1
    at = compiled.system.moment(2.0, compiled.q, compiled.v)
    # generalised forces of a free body: torque, force, in its own axes
    forces = compiled.system.applied_forces(at).reshape(4, 6)
    turn = [at.poses[i, :3, :3].T for i in range(1, 5)]
    assert_close(forces[0], [0, 0, 0, *(turn[0] @ [1.0, 2.0, 3.0])], atol=1e-14)
    assert_close(forces[1], [1.0, 0.0, 0.0, 2.0, 0.0, 1.0], atol=1e-14)
    assert_close(forces[2], [0.0, 0.0, 0.0, 0.0, -1.0, 0.0], atol=1e-14)
    reaction = turn[3] @ turn[2].T @ [0.0, 1.0, 0.0]
    assert_close(forces[3], [*(turn[3] @ [0.0, 0.5, 0.0]), *reaction], atol=1e-14)


def test_errors_name_the_force_and_what_was_wanted() -> None:
    from dynarig.core.errors import ArgumentError, SimulationError
    from dynarig.core.mechanism import planar, spatial

    with pytest.raises(ArgumentError, match=r"WorldForce 'f': force: wanted 2 finite numbers"):
        planar.WorldForce("f", force=(1, 2, 3))
    with pytest.raises(ArgumentError, match=r"'f': resolve_in_frame: wanted 'world' or 'frame_b'"):
        spatial.WorldForce("f", force=(1, 2, 3), resolve_in_frame="frame_a")
    with pytest.raises(ArgumentError, match=r"'f': torque: wanted a function of t, got one of 3"):
        planar.WorldTorque("f", torque=lambda t, r, v: 0.0)
    with pytest.raises(ArgumentError, match=r"BodyForce 'f': wanted a force, a torque or both"):
        planar.BodyForce("f")
    for wrong in (lambda t: 1.0, lambda t: (1.0, math.nan), lambda t: "up"):
        mechanism = one_body(planar, planar.WorldForce("f", force=wrong))
        with pytest.raises(SimulationError, match=r"'f': force: wanted 2 finite.* t = 0"):
            mechanism.simulate(1.0)
