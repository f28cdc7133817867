"""Mechanisms that the tests of constraint components share."""

from __future__ import annotations

from typing import Any

import numpy as np

AT_A, AT_B = np.array([0.2, -0.1, 0.3]), np.array([-0.1, 0.25, 0.15])


def joined(name: str, parts: Any, *connections: Any, chains: Any = ()) -> Any:
    """A mechanism of parts."""
    from dynarig.core.mechanism import Mechanism

    out = Mechanism(name, parts)
    for connection in connections:
        out.connect(*connection)
    for chain in chains:
        out.chain(*chain)
    return out


def two_bodies(space: str, constraint: Any) -> Any:
    """Two free bodies, 'one' and 'two', with a constraint between points off their origins."""
    from dynarig.core.mechanism import planar, spatial

    kinds = {"planar": planar, "spatial": spatial}[space]
    count = 2 if space == "planar" else 3
    inertia = 0.3 if space == "planar" else (0.3, 0.4, 0.5)
    one, two = (kinds.Body(name, m=1.5, I=inertia) for name in ("one", "two"))
    arm_a = kinds.FixedTranslation("arm_a", r=AT_A[:count])
    arm_b = kinds.FixedTranslation("arm_b", r=AT_B[:count])
    parts = [kinds.World("world"), one, two, arm_a, arm_b, constraint]
    out = joined("pair", parts, (one.frame_a, arm_a.frame_a), (two.frame_a, arm_b.frame_a))
    out.connect(arm_b.frame_b, constraint.frame_b)
    for frame in constraint.frames:
        if frame.name != "frame_b":
            out.connect(arm_a.frame_b, frame)
    return out


def slides(masses: Any, *extra: Any, axes: str = "xy", g: float = 9.81, starts: Any = None) -> Any:
    """Point masses on planar slides along the axes: coordinates x0, y0, x1, … in this order.

    starts: q0 and v0, each in that order.
    """
    from dynarig.core.mechanism import planar

    q0, v0 = starts or (np.zeros(len(axes) * len(masses)),) * 2
    parts: list[Any] = [planar.World("world", g=g)]
    chains = []
    for index, mass in enumerate(masses):
        chain = [parts[0]]
        for way in axes:
            at = len(axes) * index + axes.index(way)
            n = (1.0, 0.0) if way == "x" else (0.0, 1.0)
            start = {"s0": float(q0[at]), "v0": float(v0[at])}
            chain.append(planar.Prismatic(f"{way}{index}", n=n, **start))
        chain.append(planar.Body(f"m{index}", m=mass))
        parts += chain[1:]
        chains.append(chain)
    return joined("slides", [*parts, *extra], chains=chains)


def shafts(count: int, *extra: Any, inertia: Any = None, starts: Any = None) -> Any:
    """Planar wheels on hinges 'shaft0', … that stand in the world side by side."""
    from dynarig.core.mechanism import planar

    inertia = inertia or [1.0] * count
    starts = starts or [0.0] * count
    world = planar.World("world")
    parts: list[Any] = [world]
    chains = []
    for index in range(count):
        place = planar.FixedTranslation(f"place{index}", r=(3.0 * index + 1.0, 0.0))
        hinge = planar.Revolute(f"shaft{index}", w0=starts[index])
        wheel = planar.Body(f"wheel{index}", I=inertia[index])
        parts += [place, hinge, wheel]
        chains.append((world, place, hinge, wheel))
    return joined("train", [*parts, *extra], chains=chains)
