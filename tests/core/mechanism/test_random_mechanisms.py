"""Laws that hold for any mechanism: grown at random, joints, rods and bodies either way round."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from dynarig.core.mechanism import Mechanism, planar, spatial

from ...close import assert_close

DOWN = np.array([0.5, -3.0, -8.0])
TIMES = np.array([0.0, 0.01, 0.02])
Make = Callable[[np.random.Generator, str], Any]


def joint_in_space(rng: np.random.Generator, name: str) -> Any:
    n, u = rng.normal(size=3), rng.uniform(-0.5, 0.5, 4)
    kinds: list[Callable[[], Any]] = [
        lambda: spatial.Revolute(name, n=n, phi0=u[0], w0=u[1], d=0.1, stiffness=2.0),
        lambda: spatial.Prismatic(name, n=n, s0=u[0], v0=u[1], friction=0.3),
        lambda: spatial.Screw(name, n=n, pitch=0.2, phi0=u[0], w0=u[1]),
        lambda: spatial.Cylindrical(name, n=n, phi0=u[0], w0=u[1], s0=u[2], v0=u[3], d=(0.1, 0.2)),
        lambda: spatial.Universal(name, n_a=n, n_b=rng.normal(size=3), phi_a0=u[0], w_b0=u[1]),
        lambda: spatial.Planar(name, n=n, r0=u[:2], v0=u[2:], phi0=0.3, w0=0.4),
        lambda: spatial.Spherical(name, phi0=u[:3], w0=u[1:], d=0.2),
        lambda: spatial.Spherical(name, orientation_state="euler", sequence="YXZ", phi0=u[:3]),
        lambda: spatial.FreeMotion(name, r0=u[:3], v0=u[1:], Q0=1 + u, w0=u[:3]),
    ]
    return kinds[int(rng.integers(len(kinds)))]()


def joint_in_the_plane(rng: np.random.Generator, name: str) -> Any:
    u = rng.uniform(-0.5, 0.5, 4)
    kinds: list[Callable[[], Any]] = [
        lambda: planar.Revolute(name, phi0=9 * u[0], w0=u[1], d=0.1, stiffness=2.0),
        lambda: planar.Prismatic(name, n=u[2:], s0=u[0], v0=u[1], friction=0.3),
        lambda: planar.Free(name, r0=u[:2], v0=u[2:], phi0=7 * u[0], w0=u[1]),
    ]
    return kinds[int(rng.integers(len(kinds)))]()


def grown(seed: int, parts: Any, joint: Make) -> Any:
    """Joints and bodies hung from the world, from a nail and from each other; two fly freely."""
    rng = np.random.default_rng(seed)
    size = 2 if parts is planar else 3

    def body(name: str) -> Any:
        moments = rng.uniform(1, 2, 3)
        return parts.BodyShape(
            name,
            m=rng.uniform(0.5, 2),
            I=moments[0] if parts is planar else moments,
            r=rng.normal(size=size),
            r_cm=rng.normal(size=size),
        )

    def turn(name: str) -> Any:
        angle = rng.normal()
        return (
            parts.FixedRotation(name, alpha=angle)
            if parts is planar
            else parts.FixedRotation(name, n=rng.normal(size=3), angle=angle)
        )

    world = parts.World(n=DOWN[:size], g=np.linalg.norm(DOWN[:size]))
    nail, plate = parts.Fixed("nail", r=rng.normal(size=size)), body("plate")
    mechanism = Mechanism("grown", [world, nail, plate])
    mechanism.connect(nail.frame_b, plate.frame_b)
    ends = [world.frame_b, nail.frame_b, plate.frame_a]
    for index in range(8):
        added = [joint(rng, f"joint{index}"), turn(f"turn{index}"), body(f"body{index}")]
        mechanism.add(*(added[i] for i in rng.permutation(3)))
        at = ends[int(rng.integers(len(ends)))]
        if index in (3, 6):
            loose = body(f"loose{index}")
            mechanism.add(loose)
            at = loose.frame_b
        for component in added:
            near, far = component.frames if rng.integers(2) else component.frames[::-1]
            mechanism.connect(at, near)
            at = far
            ends.append(far)
    return mechanism


@cache
def solved(seed: int, parts: Any, joint: Make) -> Any:
    """Its motion, for both tests of a mechanism."""
    return grown(seed, parts, joint).simulate(TIMES, tolerance=1e-10, method="dop853")


KINDS = [(planar, joint_in_the_plane), (spatial, joint_in_space)]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("parts", "joint"), KINDS, ids=["planar", "spatial"])
class TestAnyMechanism:
    def test_connections_and_bodies_are_in_balance(
        self, seed: int, parts: Any, joint: Make, bench: Any
    ) -> None:
        sol = solved(seed, parts, joint)
        bench.check_connections(sol, TIMES, atol=1e-10)
        size = 2 if parts is planar else 3
        names = [f"f{axis}" for axis in "xy"]

        def force(frame: str) -> Any:
            if parts is spatial:
                return sol(TIMES, f"{frame}.f")
            return np.stack([sol(TIMES, f"{frame}.{name}") for name in names], axis=-1)

        bodies = [c for c in sol.mechanism.components.values() if isinstance(c, parts.BodyShape)]
        total = np.zeros((len(TIMES), size))
        for body in bodies:
            needed = body.m * (sol(TIMES, f"{body.name}.a_cm") - DOWN[:size])
            total += needed
            carried = force(f"{body.name}.frame_a") + force(f"{body.name}.frame_b")
            assert_close(carried, needed, atol=1e-10, err_msg=body.name)
        # what holds the mechanism in the world carries all of it
        held = -force("world.frame_b") - force("nail.frame_b")
        assert_close(held, total, atol=1e-10)

    def test_velocities_are_rates_of_positions(
        self, seed: int, parts: Any, joint: Make, bench: Any
    ) -> None:
        sol = solved(seed, parts, joint)
        rate = {"r": "v", "v": "a", "r_cm": "v_cm", "v_cm": "a_cm", "w": "wd"}
        for body in (c for c in sol.mechanism.components if c.startswith("body")):
            for value, name in rate.items():
                slope = bench.rate(sol, f"{body}.{value}", TIMES[1])
                assert_close(sol(TIMES[1], f"{body}.{name}"), slope, 1e-9, f"{body}.{value}")
