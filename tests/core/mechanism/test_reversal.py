"""A joint that the tree runs through backwards moves and tells the same as run through forwards.

Two free bodies, joined: with the state in the first body the tree leads through the joint from
frame_a to frame_b, with the same state in the second the other way round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from dynarig.core.mechanism import Mechanism, planar, spatial

from ...close import assert_close

TIMES = np.linspace(0.0, 0.3, 4)
INSIDE = {"stiffness": 2.0, "rest": 0.1, "friction": 0.02, "friction_speed": 0.5}


def bodies() -> tuple[Any, Any]:
    first = {"m": 2.0, "r_cm": (0.1, -0.2, 0.05), "I": (0.3, 0.4, 0.5), "r": (0.3, 0.1, 0.2)}
    second = {"m": 1.0, "r_cm": (0.2, 0.1, -0.1), "I": (0.05, 0.06, 0.04), "r": (0.2, -0.3, 0.1)}
    return first, second


SPATIAL: dict[str, Callable[[], Any]] = {
    "revolute": lambda: spatial.Revolute("j", n=(1, 2, 3), phi0=0.4, w0=-2.0, d=0.3, **INSIDE),
    "prismatic": lambda: spatial.Prismatic("j", n=(1, 2, 3), s0=0.2, v0=0.5, d=0.3, **INSIDE),
    "screw": lambda: spatial.Screw("j", pitch=0.1, n=(1, 2, 3), phi0=0.4, w0=2.0, d=0.3, **INSIDE),
    "cylindrical": lambda: spatial.Cylindrical(
        "j", n=(1, 2, 3), phi0=0.4, w0=2.0, s0=0.1, v0=0.3, d=(0.3, 0.7)
    ),
    "universal": lambda: spatial.Universal(
        "j", n_a=(1, 2, 3), n_b=(1, 0, -1), phi_a0=0.4, phi_b0=-0.3, w_a0=1.0, w_b0=-2.0, d=(1, 2)
    ),
    "planar": lambda: spatial.Planar(
        "j", n=(1, 2, 3), r0=(0.1, 0.2), v0=(0.3, -0.2), phi0=0.5, w0=1.0, d=(0.1, 0.2, 0.3)
    ),
    "spherical": lambda: spatial.Spherical("j", Q0=(2, 0.4, -0.6, 0.2), w0=(1, -2, 0.5), d=0.2),
    "spherical with angles": lambda: spatial.Spherical(
        "j", orientation_state="euler", sequence=(3, 1, 2), phi0=(0.4, 0.3, 0.2), w_b0=(1, -2, 0.5)
    ),
    "free": lambda: spatial.FreeMotion(
        "j", r0=(0.1, 0.2, 0.3), v0=(1, 0.2, -1), Q0=(1, 0.2, -0.3, 0.4), w0=(1, -2, 0.5)
    ),
    "free with angles": lambda: spatial.FreeMotion(
        "j",
        orientation_state="euler",
        sequence="ZXZ",
        r0=(0.1, 0.2, 0.3),
        v0=(1, 0.2, -1),
        phi0=(0.1, 0.7, 0.2),
        w_b0=(1, -2, 0.5),
    ),
}
PLANAR: dict[str, Callable[[], Any]] = {
    "revolute": lambda: planar.Revolute("j", phi0=0.4, w0=-2.0, d=0.3, **INSIDE),
    "prismatic": lambda: planar.Prismatic("j", n=(1, 2), s0=0.2, v0=0.5, d=0.3, **INSIDE),
    "free": lambda: planar.Free("j", r0=(0.1, 0.2), v0=(0.3, -0.2), phi0=4.0, w0=1.0, d=(1, 2, 3)),
}


def both_ways(parts: Any, joint: Callable[[], Any], starts: Any) -> tuple[Any, Any]:
    """The solutions with the state in the first body, and in the second."""
    names = ("r0", "v0", "phi0", "w0") if parts is planar else ("r0", "v0", "R0", "w0")
    keys = ("r", "v", "phi", "w") if parts is planar else ("r", "v", "R", "w")
    size = 2 if parts is planar else 3
    shapes = [{**given, "r": given["r"][:size], "r_cm": given["r_cm"][:size]} for given in bodies()]
    if parts is planar:
        for shape in shapes:
            shape["I"] = shape["I"][2]

    def solve(first: Any, second: Any) -> Any:
        world, j = parts.World(), joint()
        one = parts.BodyShape("one", **shapes[0], **first)
        two = parts.BodyShape("two", **shapes[1], **second)
        mechanism = Mechanism("pair", [world, one, j, two])
        mechanism.chain(one, j, two)
        return mechanism.simulate(TIMES, tolerance=1e-12, method="dop853")

    forth = solve(starts, {})
    at_start = {n: forth(0.0, f"two.{key}") for n, key in zip(names, keys, strict=True)}
    if parts is planar:
        at_start |= {key: float(at_start[key]) for key in ("phi0", "w0")}
    return forth, solve({}, at_start)


def compare(forth: Any, back: Any, skip: tuple[str, ...] = ()) -> None:
    assert forth.names == back.names
    assert [j.parent for j in back.compiled.tree.joints][:1] == ["world"]
    assert forth.compiled.tree.joints[0].child == "one"
    assert back.compiled.tree.joints[0].child == "two"
    for name in forth.names:
        if name not in skip:
            assert_close(back(TIMES, name), forth(TIMES, name), atol=2e-8, err_msg=name)


@pytest.mark.parametrize("kind", SPATIAL)
def test_in_space(kind: str) -> None:
    start = {"r0": (1, 2, 3), "v0": (0.2, -0.1, 0.3), "Q0": (1, 0.2, 0.1, -0.3), "w0": (1, 0.3, -1)}
    forth, back = both_ways(spatial, SPATIAL[kind], start)
    # of the two roots each has a state of its own; as rotations they are compared
    compare(forth, back, ("one.Q_hat", "two.Q_hat", "one.Q", "two.Q"))


@pytest.mark.parametrize("kind", PLANAR)
def test_in_the_plane(kind: str) -> None:
    start = {"r0": (1, 2), "v0": (0.2, -0.1), "phi0": 7.0, "w0": 1.3}
    compare(*both_ways(planar, PLANAR[kind], start))
