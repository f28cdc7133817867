"""Laws that hold for any closed mechanism: grown at random, with joints that close loops."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from dynarig.core.mechanism import planar, spatial

from ...close import assert_close
from .loop_benches import tight
from .test_random_mechanisms import DOWN, TIMES, Make, grown, joint_in_space, joint_in_the_plane


def closing_in_space(rng: np.random.Generator, name: str) -> Any:
    n, load = rng.normal(size=3), {"d": 0.1} if rng.integers(2) else {}
    across = np.cross(n, rng.normal(size=3))
    kinds: list[Callable[[], Any]] = [
        lambda: spatial.Cylindrical(name, n=n, **load),
        lambda: spatial.Universal(name, n_a=n, n_b=across, **load),
        lambda: spatial.Planar(name, n=n, **load),
        lambda: spatial.Spherical(name, **load),
        lambda: spatial.Screw(name, n=n, pitch=0.3),
        lambda: spatial.Revolute(name, n=n, **load),
    ]
    return kinds[int(rng.integers(len(kinds)))]()


def closing_in_the_plane(rng: np.random.Generator, name: str) -> Any:
    load = {"d": 0.1} if rng.integers(2) else {}
    if rng.integers(2):
        return planar.Revolute(name, **load)
    return planar.Prismatic(name, n=rng.normal(size=2), **load)


def closed(seed: int, parts: Any, joint: Make, closing: Make) -> Any:
    """A mechanism as the tests of trees have it, with two loops that are closed at the start."""
    rng = np.random.default_rng(100 + seed)
    mechanism = grown(seed, parts, joint)
    start = mechanism.simulate(1e-3, tolerance=1e-10)
    assembly = start.compiled.assembly
    above = {joint.child: joint.parent for joint in assembly.tree.joints if joint.parent != "world"}

    def top(body: Any) -> str:
        link = assembly.body[assembly.graph.node[body.frame_a]]
        while link in above:
            link = above[link]
        return link

    def apart(one: Any, two: Any) -> bool:
        gains = (start(1e-3, f"{body.name}.a") for body in (one, two))
        return bool(np.abs(np.subtract(*gains)).max() > 1e-6)

    bodies = [c for c in mechanism.components.values() if isinstance(c, parts.BodyShape)]
    # of bodies that hang together already, and move against each other
    pairs = [
        (one.frame_b, two.frame_a)
        for one in bodies
        for two in bodies
        if top(one) == top(two) and apart(one, two)
    ]
    for index, pick in enumerate(rng.choice(len(pairs), 2, replace=False)):
        near, far = pairs[pick]
        pose = np.linalg.inv(start.pose(near, 0.0)) @ start.pose(far, 0.0)
        if parts is planar:
            way = planar.FixedTranslation(f"way{index}", r=pose[:2, 3])
            turn = planar.FixedRotation(f"bend{index}", alpha=np.arctan2(pose[1, 0], pose[0, 0]))
        else:
            way = spatial.FixedTranslation(f"way{index}", r=pose[:3, 3])
            turn = spatial.FixedRotation(f"bend{index}", R=pose[:3, :3])
        end = closing(rng, f"end{index}")
        mechanism.add(end, turn, way)
        mechanism.chain(way, turn, end)
        mechanism.connect(near, way.frame_a)
        mechanism.connect(end.frame_b, far)
    return mechanism


KINDS = [
    (planar, joint_in_the_plane, closing_in_the_plane),
    (spatial, joint_in_space, closing_in_space),
]


@cache
def solved(seed: int, parts: Any, joint: Make, closing: Make) -> Any:
    """Its motion, for all tests of a mechanism."""
    return tight(closed(seed, parts, joint, closing), TIMES, tolerance=1e-10)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("parts", "joint", "closing"), KINDS, ids=["planar", "spatial"])
class TestAnyClosedMechanism:
    def test_connections_and_bodies_are_in_balance(
        self, seed: int, parts: Any, joint: Make, closing: Make, bench: Any
    ) -> None:
        sol = solved(seed, parts, joint, closing)
        assert len(sol.compiled.loops) == 2
        bench.check_connections(sol, TIMES, atol=1e-8)
        size = 2 if parts is planar else 3

        def force(frame: str) -> Any:
            if parts is spatial:
                return sol(TIMES, f"{frame}.f")
            return np.stack([sol(TIMES, f"{frame}.f{axis}") for axis in "xy"], axis=-1)

        for body in sol.mechanism.components.values():
            if isinstance(body, parts.BodyShape):
                needed = body.m * (sol(TIMES, f"{body.name}.a_cm") - DOWN[:size])
                carried = force(f"{body.name}.frame_a") + force(f"{body.name}.frame_b")
                assert_close(carried, needed, atol=1e-7, err_msg=body.name)

    def test_plain_joints_do_no_work(
        self, seed: int, parts: Any, joint: Make, closing: Make
    ) -> None:
        from dynarig.core.mechanism.cuts import INSIDE

        sol = solved(seed, parts, joint, closing)
        at = sol.at(TIMES)
        for component in sol.mechanism.components.values():
            for edge in component.joint_edges():
                if any(np.any(getattr(edge.joint, what)) for what in INSIDE[:4]):
                    continue
                force, torque = at.joint_wrench(edge)
                arm = at.position(edge.frame_b) - at.position(edge.frame_a)
                carried = np.cross(at.angular_velocity(edge.frame_a), arm)
                apart = at.velocity(edge.frame_b) - at.velocity(edge.frame_a) - carried
                turning = at.angular_velocity(edge.frame_b) - at.angular_velocity(edge.frame_a)
                power = (force * apart + torque * turning).sum(axis=-1)
                assert_close(power, 0.0 * power, atol=1e-6, err_msg=component.name)

    def test_velocities_are_rates_of_positions(
        self, seed: int, parts: Any, joint: Make, closing: Make, bench: Any
    ) -> None:
        sol = solved(seed, parts, joint, closing)
        for index in (0, 1):
            end = sol.mechanism.components[f"end{index}"]
            for value, rate, gain in getattr(end, "names", ()):
                for of, its in ((value, rate), (rate, gain)):
                    slope = bench.rate(sol, f"{end.name}.{of}", TIMES[1])
                    own = sol(TIMES[1], f"{end.name}.{its}")
                    assert_close(own, slope, 1e-6, f"{end.name}.{of}")
