"""What contact with friction must do, measured on motions, whichever engine made them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.contact_scenes import ENGINES, G, Piece, Played, Scene

EDGE = 0.1  # m, half sizes of boxes, and the radius of the ball
CUBE = (EDGE, EDGE, EDGE)
STACK = Scene([Piece(CUBE, (0.0, 0.0, EDGE * (1 + 2 * k))) for k in range(5)], friction=0.6)
STANDS = 10.0  # s
STEEP, FLAT = np.radians(30.0), np.radians(20.0)  # rad; the angle of friction is 26.6 degrees
SPEED, ROUGH = 2.0, 0.3  # m/s, and the friction of what the ball slides on
DROP, BOUNCE = 0.5, 0.9  # m, and the restitution


@dataclass(frozen=True)
class Case:
    """A scene over so many seconds, and one number of its motion, in a unit, with our limit."""

    name: str
    scene: Scene
    end: float
    measure: Callable[[Played], float]
    unit: str
    limit: float

    def fault(self, value: float) -> str | None:
        """What is wrong with a number of ours."""
        if value < self.limit:
            return None
        return f"{self.name}: {value:.2g} {self.unit}, wanted less than {self.limit:g}"


def drift(motion: Played) -> float:
    """The furthest that a piece has gone from its start, m."""
    return float(np.linalg.norm(motion.place - motion.place[0], axis=2).max())


def acceleration_error(motion: Played) -> float:
    """Of a box that slides down, relative, from the second half of its way."""
    right = G * (np.sin(STEEP) - 0.5 * np.cos(STEEP))
    late = motion.times >= 0.5 * motion.times[-1]
    found = np.polyfit(motion.times[late], motion.velocity[late, 0, 0], 1)[0]
    return float(abs(found / right - 1.0))


def rolls_after(speed: float, friction: float) -> float:
    """2 v / (7 mu g), s."""
    return 2.0 * speed / (7.0 * friction * G)


def rolling_error(motion: Played) -> float:
    """Of the time at which a ball begins to roll, relative: where its slip's line ends."""
    slip = motion.velocity[:, 0, 0] - EDGE * motion.spin[:, 0, 1]
    slides = slip > 0.1 * SPEED
    slope, start = np.polyfit(motion.times[slides], slip[slides], 1)
    return float(abs(-start / slope / rolls_after(SPEED, ROUGH) - 1.0))


def rolling_speed_error(motion: Played) -> float:
    """Of its speed then, 5 v / 7, relative."""
    return float(abs(motion.velocity[-1, 0, 0] / (5.0 / 7.0 * SPEED) - 1.0))


def bounce_error(motion: Played) -> float:
    """Of the height after the first hit, e^2 h, relative."""
    height = motion.place[:, 0, 2] - EDGE
    hit = int(np.argmax(motion.velocity[:, 0, 2] > 0.0))
    return float(abs(height[hit:].max() / (BOUNCE**2 * DROP) - 1.0))


def on_slope(angle: float) -> Scene:
    """A box on a slope with friction 0.5."""
    return Scene([Piece(CUBE, (0.0, 0.0, EDGE))], slope=float(angle))


BALL = Scene([Piece((EDGE,), (0.0, 0.0, EDGE), (SPEED, 0.0, 0.0))], friction=ROUGH)
FALLING = Scene([Piece((EDGE,), (0.0, 0.0, EDGE + DROP))], restitution=BOUNCE)
ROLLS = 2.0 * rolls_after(SPEED, ROUGH)
PER_CENT = 0.01

CASES = (
    Case("five boxes for 10 s: drift", STACK, STANDS, drift, "m", 1e-3),
    Case("box below the friction angle, 5 s: creep", on_slope(FLAT), 5.0, drift, "m", 1e-4),
    Case("box above it: acceleration", on_slope(STEEP), 1.0, acceleration_error, "", PER_CENT),
    Case("ball set sliding: when it rolls", BALL, ROLLS, rolling_error, "", PER_CENT),
    Case("ball set sliding: its speed then", BALL, ROLLS, rolling_speed_error, "", PER_CENT),
    Case("ball that bounces, e = 0.9: height", FALLING, 0.8, bounce_error, "", PER_CENT),
)


def case_table() -> list[str]:
    """Print the cases by all engines; return what ours misses."""
    print(f"\n{'how far off':<42}{'limit':>8}  dynarig, MuJoCo (defaults; elliptic, no slip)")
    faults = []
    for case in CASES:
        values = [case.measure(play(case.scene, case.end)) for play in ENGINES]
        shown = "".join(f"{value:10.1e}" for value in values)
        print(f"{case.name:<42}{case.limit:8.0e}{shown} {case.unit}", flush=True)
        if (fault := case.fault(values[0])) is not None:
            faults.append(fault)
    return faults
