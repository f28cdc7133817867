"""Torsion springs and dampers against closed forms and balances of power."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ...close import assert_close


def planar_hinge(*elements: Any, I: float = 0.5, **start: Any) -> Any:  # noqa: E741, N803
    """A body that turns about its centre, with elements on the hinge's frames or on itself."""
    from dynarig.core.mechanism import Mechanism, planar

    world, hinge = planar.World("world"), planar.Revolute("hinge", **start)
    body = planar.Body("body", I=I)
    mechanism = Mechanism("hinge", [world, hinge, body, *elements])
    mechanism.chain(world, hinge, body)
    for element in elements:
        if element.frames:
            mechanism.connect(world.frame_b, element.frame_a)
            mechanism.connect(body.frame_a, element.frame_b)
    return mechanism


@pytest.mark.parametrize("on_joint", [True, False])
def test_a_torsion_pendulum_swings_over_many_turns(on_joint: bool) -> None:
    from dynarig.core.mechanism import planar

    joint = {"joint": "hinge"} if on_joint else {}
    spring = planar.TorsionSpring("spring", c=2.0, phi_rel0=3.0, **joint)
    sol = planar_hinge(spring, phi0=25.0).simulate(4.0, tolerance=1e-11)
    t = np.linspace(0.0, 4.0, 41)
    phi = 3.0 + 22.0 * np.cos(2.0 * t)  # omega^2 = c / I
    assert_close(sol(t, "hinge.phi"), phi, atol=1e-8)
    assert_close(sol(t, "spring.phi_rel"), phi, atol=1e-8)
    assert_close(sol(t, "spring.w_rel"), -44.0 * np.sin(2.0 * t), atol=1e-7)
    assert_close(sol(t, "spring.tau"), 2.0 * (phi - 3.0), atol=1e-7)
    assert_close(sol(t, "spring.energy"), (phi - 3.0) ** 2, atol=1e-6)
    assert_close(sol(t, "spring.lossPower"), 0.0, atol=0.0)
    assert sol.trajectory.energy_drift < 1e-7  # of 968 J
    if not on_joint:
        assert_close(sol(t, "spring.frame_b.tau"), sol(t, "spring.tau"), atol=1e-11)
        assert_close(sol(t, "spring.frame_a.tau"), -sol(t, "spring.tau"), atol=1e-11)
        assert_close(sol(t, "hinge.tau"), 0.0, atol=1e-10)


@pytest.mark.parametrize("on_joint", [True, False])
def test_a_torsion_damper_stops_a_wheel_exponentially(on_joint: bool) -> None:
    from dynarig.core.mechanism import planar

    hinge = {"joint": "hinge"} if on_joint else {}
    damper = planar.TorsionDamper("damper", d=0.75, **hinge)
    sol = planar_hinge(damper, w0=20.0).simulate(3.0, tolerance=1e-11)
    t = np.linspace(0.0, 3.0, 31)
    w = 20.0 * np.exp(-1.5 * t)
    assert_close(sol(t, "hinge.w"), w, atol=1e-8)
    assert_close(sol(t, "damper.tau"), 0.75 * w, atol=1e-8)
    assert_close(sol(t, "damper.lossPower"), 0.75 * w**2, atol=1e-6)
    assert_close(sol.trajectory.work[-1], 0.25 * (400.0 - w[-1] ** 2), atol=1e-7)


def test_between_planar_frames_the_angle_counts_all_joints_and_fixed_turns() -> None:
    from dynarig.core.mechanism import Mechanism, planar

    world, first = planar.World("world"), planar.Revolute("first", phi0=7.0, w0=1.0)
    arm, second = planar.BodyShape("arm"), planar.Revolute("second", phi0=-30.0, w0=-2.0)
    turn, body = planar.FixedRotation("turn", alpha=10.0), planar.Body("body")
    spring = planar.TorsionSpring("spring", c=1.5)
    mechanism = Mechanism("two", [world, first, arm, second, turn, body, spring])
    mechanism.chain(world, first, arm, second, turn, body)
    mechanism.connect(body.frame_a, spring.frame_a)  # from the far end back to the world
    mechanism.connect(world.frame_b, spring.frame_b)
    sol = mechanism.simulate(0.1)
    assert_close(sol(0.0, "spring.phi_rel"), 13.0, atol=1e-13)
    assert_close(sol(0.0, "spring.w_rel"), 1.0, atol=1e-13)
    assert_close(sol(0.0, "body.phi"), -13.0, atol=1e-13)


def spatial_hinge(*elements: Any, n: Any = (1.0, 2.0, -2.0), **start: Any) -> Any:
    """A ball that turns about n; elements act between the world and the ball."""
    from dynarig.core.mechanism import Mechanism, spatial

    world, hinge = spatial.World("world"), spatial.Revolute("hinge", n=n, **start)
    tilt = spatial.FixedRotation("tilt", n=(0.0, 1.0, 0.0), angle=0.7)
    ball = spatial.Body("ball", I=0.5 * np.eye(3))
    mechanism = Mechanism("ball", [world, hinge, tilt, ball, *elements])
    mechanism.chain(world, hinge, tilt, ball)
    for element in elements:
        if element.frames:
            mechanism.connect(world.frame_b, element.frame_a)
            mechanism.connect(ball.frame_a, element.frame_b)
    return mechanism


@pytest.mark.parametrize("on_joint", [True, False])
def test_in_space_joints_about_one_axis_are_counted_too(on_joint: bool) -> None:
    from dynarig.core.mechanism import spatial

    options = {"joint": "hinge"} if on_joint else {"n": (1.0, 2.0, -2.0)}
    spring = spatial.TorsionSpring("spring", c=2.0, phi_rel0=1.0, **options)
    damper = spatial.TorsionDamper("damper", d=0.2, **options)
    sol = spatial_hinge(spring, damper, phi0=25.0).simulate(3.0, tolerance=1e-11)
    t = np.linspace(0.0, 3.0, 31)
    phi = sol(t, "hinge.phi")
    assert_close(sol(t, "hinge.w"), sol(t, "damper.w_rel"), atol=1e-12)
    # the fixed tilt behind the hinge is no turn about n, but has a part about it
    offset = sol(0.0, "spring.phi_rel") - 25.0
    assert abs(offset) < 1.0
    assert_close(sol(t, "spring.phi_rel"), phi + offset, atol=1e-12)
    decay, omega = 0.2, np.sqrt(4.0 - 0.04)
    wave = np.cos(omega * t) + decay / omega * np.sin(omega * t)
    rest = 1.0 - offset
    assert_close(phi, rest + (25.0 - rest) * np.exp(-decay * t) * wave, atol=1e-8)


def test_free_frames_are_turned_by_their_twist_and_keep_energy_and_momentum(bench: Any) -> None:
    from dynarig.core.dynamics import momentum
    from dynarig.core.mechanism import Mechanism, spatial

    world = spatial.World("world", g=0.0)
    one = spatial.Body("one", I=np.diag([0.2, 0.3, 0.4]), w_a0=(0.4, 0.3, -0.5))
    two = spatial.Body("two", I=np.diag([0.3, 0.2, 0.3]), w_a0=(-0.4, 0.5, 1.5), phi0=(0.3, 0.2, 1))
    spring = spatial.TorsionSpring("spring", c=1.5, phi_rel0=0.4, n=(1.0, 0.0, 2.0))
    damper = spatial.TorsionDamper("damper", d=0.1, n=(1.0, 0.0, 2.0))
    mechanism = Mechanism("free", [world, one, two, spring, damper])
    mechanism.connect(one.frame_a, spring.frame_a, damper.frame_a)
    mechanism.connect(two.frame_a, spring.frame_b, damper.frame_b)
    sol = mechanism.simulate(2.0, tolerance=1e-11)
    model, motion = sol.compiled.model, sol.trajectory
    parts = momentum(model, motion.q, motion.v)
    assert_close(parts - parts[0], 0.0, atol=1e-10)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    lost = weights @ sol(1.0 + nodes, "damper.lossPower")
    stored = sol([0.0, 2.0], "spring.energy")
    assert_close(motion.work[-1], stored[1] - stored[0] + lost, atol=1e-9)
    # w is the rate of phi
    t = np.linspace(0.1, 1.9, 10)
    assert_close(sol(t, "spring.w_rel"), bench.rate(sol, "spring.phi_rel", t), atol=1e-9)
    # and the torques are equal and opposite
    assert_close(sol(t, "spring.frame_a.tau"), -sol(t, "spring.frame_b.tau"), atol=1e-12)


def test_a_free_body_about_its_axis_is_a_torsion_pendulum() -> None:
    from dynarig.core.mechanism import Mechanism, spatial

    world, body = spatial.World("world", g=0.0), spatial.Body("body", I=np.eye(3), phi0=(0, 0, 2.5))
    spring = spatial.TorsionSpring("spring", c=4.0, phi_rel0=4.0)  # 0.9 beyond half a turn
    mechanism = Mechanism("free", [world, body, spring])
    mechanism.connect(world.frame_b, spring.frame_a)
    mechanism.connect(body.frame_a, spring.frame_b)
    sol = mechanism.simulate(2.0, tolerance=1e-11)
    t = np.linspace(0.0, 2.0, 21)
    assert_close(sol(t, "spring.phi_rel"), 4.0 - 1.5 * np.cos(2.0 * t), atol=1e-9)


def test_tilted_by_half_a_turn_it_exerts_nothing() -> None:
    from dynarig.core.mechanism import Mechanism, spatial

    world = spatial.World("world", g=0.0)
    body = spatial.Body("body", R0=np.diag([1.0, -1.0, -1.0]), w_a0=(0.0, 1.0, 0.0))
    spring, damper = spatial.TorsionSpring("spring", phi_rel0=1.0), spatial.TorsionDamper("damper")
    mechanism = Mechanism("tilted", [world, body, spring, damper])
    mechanism.connect(world.frame_b, spring.frame_a, damper.frame_a)
    mechanism.connect(body.frame_a, spring.frame_b, damper.frame_b)
    compiled = mechanism.compile()
    at = compiled.system.moment(0.0, compiled.q, compiled.v)
    assert_close(compiled.system.applied_forces(at), np.zeros(6), atol=0.0)


def test_elements_on_frames_are_one_batch_and_those_on_joints_another() -> None:
    from dynarig.core.mechanism import planar

    free = [planar.TorsionSpring(f"s{i}", c=1.0 + i) for i in range(3)]
    own = [planar.TorsionDamper(f"d{i}", d=0.5 * i, joint="hinge") for i in range(3)]
    compiled = planar_hinge(*free, *own, phi0=0.5, w0=2.0).compile()
    system = compiled.system
    assert (len(system.frame_forces), len(system.joint_forces)) == (1, 1)
    at = system.moment(0.0, compiled.q, compiled.v)
    assert_close(system.applied_forces(at), [-6.0 * 0.5 - 1.5 * 2.0], atol=1e-14)


def test_errors_name_the_spring_and_the_joint() -> None:
    from dynarig.core.errors import ArgumentError, ModelError
    from dynarig.core.mechanism import Mechanism, planar, spatial

    with pytest.raises(ArgumentError, match=r"TorsionSpring 's': c: wanted"):
        planar.TorsionSpring("s", c=-1.0)
    with pytest.raises(ArgumentError, match=r"TorsionSpring 's': n: wanted a direction"):
        spatial.TorsionSpring("s", n=(0, 0, 0))
    with pytest.raises(ModelError, match=r"hinge: TorsionSpring 's': joint: no joint 'hing' \(did"):
        planar_hinge(planar.TorsionSpring("s", joint="hing")).compile()
    loose = Mechanism("loose", [planar.World(), planar.Body("body"), planar.TorsionDamper("s")])
    with pytest.raises(ModelError, match=r"TorsionDamper 's': s.frame_a and s.frame_b are not"):
        loose.compile()
    world, slide, body = planar.World("world"), planar.Prismatic("slide"), planar.Body("body")
    spring = planar.TorsionSpring("s", joint=slide)
    mechanism = Mechanism("slide", [world, slide, body, spring])
    mechanism.chain(world, slide, body)
    with pytest.raises(ArgumentError, match=r"wanted a joint that turns, got Prismatic 'slide'"):
        mechanism.compile()
