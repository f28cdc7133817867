"""Multipliers in index 3: those of a four-bar by two spectral radii, against index 1."""

from __future__ import annotations

import numpy as np
from drawing import BLUE, FLAT, GREY, INK, PALE, RED, Drawing
from dynarig.core.arrays import FloatArray
from dynarig.core.dynamics import System
from dynarig.core.dynamics.constraints import PlanarHinge, Port
from dynarig.core.mechanism import Mechanism, planar
from dynarig.core.simulate import run, simulate

START = [0.0, 0.0, 0.0], [3.0, -3.0, 1.2]  # rad, rad/s
STEP, END = 0.01, 1.5  # s
TOP = 20.0  # N
SCALE = np.array([350.0, 5.5])  # px for 1 s and for 1 N


def four_bar() -> System:
    """The one of the page: drawn as it stands at the start, closed by two rows."""
    world = planar.World("world")
    shapes = {"crank": (0.0, 1.0), "coupler": (3.0, 1.5), "rocker": (0.0, -2.5)}
    bars = [planar.BodyShape(name, r=r, I=0.1) for name, r in shapes.items()]
    pins = [planar.Revolute(name) for name in "abc"]
    parts = [world, pins[0], bars[0], pins[1], bars[1], pins[2], bars[2]]
    chain = Mechanism("four-bar", parts)
    chain.chain(*parts)
    ends = Port.at(None, (3.0, 0.0, 0.0)), Port.at("rocker", (0.0, -2.5, 0.0))
    loop = PlanarHinge(name="loop", a=ends[0], b=ends[1])
    return System(chain.compile().model, constraints=(loop,))


def index_3() -> str:
    """The force of a four-bar's loop along x over time."""
    times = np.linspace(0.0, END, round(END / STEP) + 1)
    title = "The force of a four-bar's loop over time, in index 3: a spectral radius of 1 spoils it"
    d = Drawing(title, (620, 292), FLAT, 1.0, (64.0, 148.0))
    axes(d)
    drawn = (("rho = 1", 1.0, RED, 1.0), ("rho = 0.8", 0.8, BLUE, 4.0))
    for _, radius, color, width in drawn:
        options = {"method": "generalized-alpha", "step": STEP, "index": 3}
        curve(d, times, force(times, spectral_radius=radius, **options), color, width)
    curve(d, times, force(times, tolerance=1e-10), INK, 1.2)
    for x, (name, color) in zip(
        (90.0, 220.0, 350.0),
        (("index 1", INK), ("index 3, ρ = 0.8", BLUE), ("index 3, ρ = 1", RED)),
        strict=True,
    ):
        d.label((x, 5.5 * TOP), name, (0.0, -10.0), color, size=14)
    return d.svg()


def force(times: FloatArray, **options: object) -> FloatArray:
    """(n,), N, along x."""
    motion = run(simulate(four_bar(), times, *START, **options))
    return np.asarray(motion.constraint("loop", times).force[:, 0])


def axes(d: Drawing) -> None:
    """Zero, the height of TOP, and the seconds."""
    high = TOP * SCALE[1]
    for level in (-TOP, 0.0, TOP):
        y = level * SCALE[1]
        d.line((0.0, y), (END * SCALE[0], y), color=PALE, width=1.0)
        d.label((0.0, y), f"{level:.0f} N".replace("-", "−"), (-8.0, 5.0), GREY, "end", size=13)
    for t in (0.0, 0.5, 1.0, 1.5):
        d.line((t * SCALE[0], -high), (t * SCALE[0], high), color=PALE, width=1.0)
        d.label((t * SCALE[0], -high), f"{t:g} s", (0.0, 20.0), GREY, "middle", size=13)


def curve(d: Drawing, times: FloatArray, values: FloatArray, color: str, width: float) -> None:
    """Values (n,) over times (n,)."""
    d.line(*np.stack((times, values), axis=1) * SCALE, color=color, width=width)
