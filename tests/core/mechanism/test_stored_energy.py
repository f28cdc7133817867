"""What springs between components store counts among the energies of the motion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynarig.core.mechanism import Mechanism, planar, spatial
from dynarig.core.urdf import parse_urdf

from ...close import assert_close
from .test_starts import robot_text

TIMES = np.linspace(0.0, 2.0, 41)


def connected(mechanism: Mechanism, part: Any, a: Any, b: Any) -> None:
    mechanism.add(part)
    mechanism.connect(a, part.frame_a)
    mechanism.connect(b, part.frame_b)


def spring_pendulum(parts: Any) -> Mechanism:
    """A free body on a spring, from the world."""
    start = {"r0": (1.0, 0.2), "v0": (0.3, 0.5)}
    if parts is spatial:
        start = {"r0": (1.0, 0.2, 0.1), "v0": (0.3, 0.5, -0.4)}
    world, body = parts.World(), parts.Body("body", m=0.7, **start)
    mechanism = Mechanism("spring pendulum", [world, body])
    spring = parts.Spring("spring", c=60.0, s_unstretched=0.8)
    connected(mechanism, spring, world.frame_b, body.frame_a)
    return mechanism


def torsion(parts: Any, on_joint: bool) -> Mechanism:
    """A pendulum with a torsion spring at its hinge, of a given rest angle."""
    rod, axis = ((1, 0), {}) if parts is planar else ((1, 0, 0), {"n": (0, 1, 0)})
    world, hinge = parts.World(), parts.Revolute("hinge", phi0=0.4, **axis)
    body = parts.BodyShape("body", m=1.0, I=0.1, r=rod)
    mechanism = Mechanism("torsion", [world, hinge, body])
    mechanism.chain(world, hinge, body)
    if on_joint:
        mechanism.add(parts.TorsionSpring("spring", joint="hinge", c=20.0, phi_rel0=0.1))
    else:
        spring = parts.TorsionSpring("spring", c=20.0, phi_rel0=0.1, **axis)
        connected(mechanism, spring, hinge.frame_a, hinge.frame_b)
    return mechanism


def tilted() -> Mechanism:
    """Two turns about other axes than the spring's, which then sees the twist part."""
    world, ball = spatial.World(), spatial.Spherical("ball", phi0=(0.3, -0.2, 0.4), w0=(1, 2, 1))
    body = spatial.Body("body", m=1.0, I=(0.1, 0.2, 0.25), r_cm=(0.2, 0.1, -0.3))
    mechanism = Mechanism("tilted", [world, ball, body])
    mechanism.chain(world, ball, body)
    spring = spatial.TorsionSpring("spring", n=(1, 1, 0), c=8.0, phi_rel0=-0.2)
    connected(mechanism, spring, ball.frame_a, ball.frame_b)
    return mechanism


def on_a_follower() -> Mechanism:
    """A spring on a joint that follows another at -1 times its angle plus 0.5."""
    arm = spatial.Robot("arm", parse_urdf(robot_text(), "r.urdf"), q0={"j1": 0.3}, v0={"j1": 0.5})
    spring = spatial.TorsionSpring("spring", joint="arm.j2", c=5.0, phi_rel0=0.1)
    mechanism = Mechanism("follower", [spatial.World("world"), arm, spring])
    mechanism.chain(mechanism.components["world"], arm)
    return mechanism


CASES = {
    "planar": lambda: spring_pendulum(planar),
    "spatial": lambda: spring_pendulum(spatial),
    "planar torsion": lambda: torsion(planar, on_joint=False),
    "planar torsion on a joint": lambda: torsion(planar, on_joint=True),
    "spatial torsion": lambda: torsion(spatial, on_joint=False),
    "spatial torsion on a joint": lambda: torsion(spatial, on_joint=True),
    "tilted": tilted,
    "follower": on_a_follower,
}


@pytest.mark.parametrize("case", CASES)
def test_energy_is_constant_with_that_of_the_springs(case: str) -> None:
    sol = CASES[case]().simulate(TIMES, rtol=1e-11, atol=1e-12)
    energies = sol.trajectory.energies(TIMES)
    assert np.ptp(energies.springs) > 0.1
    assert_close(energies.total, energies.total[0], atol=1e-8)
    assert_close(energies.springs, sol(TIMES, "spring.energy"), atol=1e-11)
    assert sol.trajectory.energies(0.7).springs.shape == ()


def test_the_energies_of_many_springs_add_up_and_motors_store_none() -> None:
    world, hinge = planar.World(), planar.Revolute("hinge", phi0=0.4)
    slide, body = planar.Prismatic("slide", n=(1, 0), s0=1.0, stiffness=30.0), planar.Body("body")
    springs = [planar.TorsionSpring(f"t{i}", joint="hinge", c=1.0 + i) for i in range(2)]
    motors = [
        planar.PositionServo("servo", joint="hinge", phi_ref=1.0, kp=3.0, kd=0.1),
        planar.TorqueMotor("motor", joint="slide", tau=lambda t: t),
    ]
    mechanism = Mechanism("many", [world, hinge, slide, body, *springs, *motors])
    mechanism.chain(world, hinge, slide, body)
    for index, part in enumerate((planar.Spring("s0", c=5.0), planar.SpringDamper("s1", c=7.0))):
        connected(mechanism, part, world.frame_b, body.frame_a)
        assert part.name == f"s{index}"
    sol = mechanism.simulate(1.0)
    t = np.linspace(0.0, 1.0, 12).reshape(3, 4)
    stored = sum(sol(t, f"{name}.energy") for name in ("t0", "t1", "s0", "s1"))
    inside = 0.5 * 30.0 * sol(t, "slide.s") ** 2
    assert_close(sol.trajectory.energies(t).springs, stored + inside, atol=1e-12)
