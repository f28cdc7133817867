"""Closed mechanisms that several tests build, with their joints in any order and with any load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

POST = (2.0, 0.3)
BARS = (("crank", 0.7, 1.0), ("coupler", 2.1, 2.0), ("rocker", 1.3, 1.5))  # name, m, kg
INERTIA, GRAVITY = 0.05, 9.81
HINGES = ("h0", "h1", "h2", "h3")


def four_bar(
    order: Sequence[str] = HINGES,
    loads: Mapping[str, Mapping[str, Any]] | None = None,
    space: str = "planar",
    w0: float = 3.0,
    g: float = GRAVITY,
    extra: Sequence[Any] = (),
    post: tuple[float, float] = POST,
) -> Any:
    """A crank with phi0 = 0.4, coupler and rocker in the xy plane, on four hinges.

    The hinges are given in that order, which decides on the one that is cut, with their loads.
    """
    from dynarig.core.mechanism import Mechanism, planar, spatial

    kinds: Any = {"planar": planar, "spatial": spatial}[space]
    count = 2 if space == "planar" else 3

    def vector(*xy: float) -> tuple[float, ...]:
        return (*xy, 0.0, 0.0, 0.0)[:count]

    inertia = INERTIA if space == "planar" else (0.03, 0.04, INERTIA)
    world = kinds.World("world", g=g, n=vector(0.0, -1.0))
    end = kinds.Fixed("post", r=vector(*post))
    bars = [kinds.BodyShape(name, r=vector(r), m=m, I=inertia) for name, r, m in BARS]
    starts = {"h0": {"phi0": 0.4, "w0": w0}}
    hinges = {
        name: kinds.Revolute(name, **{**starts.get(name, {}), **(loads or {}).get(name, {})})
        for name in HINGES
    }
    parts = [world, end, *bars, *(hinges[name] for name in order), *extra]
    mechanism = Mechanism("four-bar", parts)
    mechanism.chain(
        world, hinges["h0"], bars[0], hinges["h1"], bars[1], hinges["h2"], bars[2], hinges["h3"]
    )
    mechanism.connect(hinges["h3"].frame_b, end.frame_b)
    return mechanism


def tight(mechanism: Any, times: Any, **options: Any) -> Any:
    """Its motion, tightly; that starts are moved is expected."""
    import warnings

    from dynarig.core.simulate import ConstraintWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstraintWarning)
        return mechanism.simulate(times, **{"tolerance": 1e-12, "method": "dop853", **options})


def cut(mechanism: Any) -> list[str]:
    """The components that close its loops."""
    return [loop[-1] for loop in mechanism.compile().loops]
