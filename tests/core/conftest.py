"""Mechanisms that the tests of the core share: hand-made pendulums and random trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

MakeTree = Callable[..., Any]


@pytest.fixture
def rng() -> np.random.Generator:
    """A generator with a fixed seed."""
    return np.random.default_rng(20)


@pytest.fixture(scope="session")
def random_tree() -> MakeTree:
    """A function (seed, joint types, mimic=False) -> Tree of bodies with random inertia."""
    from dynarig.core.frames import rotation_from_rpy, transform_from_xyz_rpy
    from dynarig.core.mechanism import Body, Mimic, Tree, TreeJoint

    def body(rng: np.random.Generator, name: str) -> Body:
        # principal moments of a box, so that they obey the triangle inequality
        mass, edges = rng.uniform(0.5, 2.0), rng.uniform(0.1, 0.5, 3)
        moments = mass / 12.0 * (np.sum(edges**2) - edges**2)
        turn = rotation_from_rpy(rng.uniform(-3, 3, 3))
        return Body(name, mass, rng.uniform(-0.2, 0.2, 3), turn @ np.diag(moments) @ turn.T)

    def own(rng: np.random.Generator, kind: str) -> dict[str, Any]:
        """What only joints of this type have; 'floating ZYX' is one with Euler angles."""
        if kind == "universal":
            second = rng.normal(size=3)
            return {"second_axis": second / np.linalg.norm(second)}
        if kind == "screw":
            return {"pitch": float(rng.uniform(-0.3, 0.3))}
        return {"sequence": kind.split()[1]} if " " in kind else {}

    def make(seed: int, types: list[str], mimic: bool = False, **options: float) -> Tree:
        rng = np.random.default_rng(seed)
        bodies, joints = [body(rng, "b0")], []
        for index, kind in enumerate(types, start=1):
            axis = rng.normal(size=3)
            parent = int(rng.integers(max(0, index - 2), index))
            # every second joint follows the one before it
            leader = mimic and index % 2 == 0
            joints.append(
                TreeJoint(
                    name=f"j{index}",
                    type=kind.split()[0],
                    parent=f"b{parent}",
                    child=f"b{index}",
                    parent_from_joint=transform_from_xyz_rpy(
                        rng.uniform(-0.5, 0.5, 3), rng.uniform(-3, 3, 3)
                    ),
                    axis=axis / np.linalg.norm(axis),
                    mimic=Mimic(f"j{index - 1}", rng.uniform(-2, 2), 0.1) if leader else None,
                    **{**own(rng, kind), **options},
                )
            )
            bodies.append(body(rng, f"b{index}"))
        return Tree("random", tuple(bodies), tuple(joints), "b0")

    return make


@pytest.fixture(scope="session")
def pendulum() -> MakeTree:
    """A function (**joint options) -> Tree: mass 1 kg at 1 m, inertia 0.1, turning about y.

    The rod lies along x at 0, and a positive angle turns it down (gravity along -z).
    """
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    def make(**options: Any) -> Tree:
        settings = {"type": "continuous", "axis": np.array([0.0, 1.0, 0.0]), **options}
        return Tree(
            "pendulum",
            (
                Body("base", 0.0, np.zeros(3), np.zeros((3, 3))),
                Body("rod", 1.0, np.array([1.0, 0.0, 0.0]), 0.1 * np.eye(3)),
            ),
            (
                TreeJoint(
                    "hinge", parent="base", child="rod", parent_from_joint=np.eye(4), **settings
                ),
            ),
            "base",
        )

    return make
