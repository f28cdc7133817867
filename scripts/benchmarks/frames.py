"""Conversions of rotations in large batches, against scipy.spatial.transform.Rotation.

python3 scripts/dev.py bench frames

Each line is one conversion: nanoseconds an item of this package and of scipy, and how many
times as long scipy takes. Both run in turn, in rounds; of a round the fastest run counts, of
all rounds the median.
"""

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from package import load_package

ITEMS = 100_000
RUNS = 2  # of each in a round
ROUNDS = 5  # at least
SECONDS = 0.3  # for one conversion: rounds go on until then
PLAIN = ("matrix", "quaternion", "quaternion_xyzw", "rotation_vector", "rpy")
# of these a batch is to cost less than 1 µs an item
WANTED = ("matrix", "quaternion", "rpy")

Convert = Callable[[], Any]


@dataclass(frozen=True)
class Line:
    """One conversion, measured: nanoseconds an item."""

    source: str
    target: str
    ours: float
    scipys: float

    @property
    def ratio(self) -> float:
        """How many times as long scipy takes."""
        return self.scipys / self.ours


def main() -> int:
    """Measure and print all conversions that both have; return 1 where results disagree."""
    load_package()
    from dynarig.core import frames

    rotation = importlib.import_module("scipy.spatial.transform").Rotation
    scipy_version = importlib.import_module("scipy").__version__
    print(f"{ITEMS} items, numpy {np.__version__}, scipy {scipy_version}; ns an item")
    print(f"{'from':<16}{'to':<16}{'dynarig':>8}{'scipy':>8}{'ratio':>7}")
    turns = rotation.random(ITEMS, random_state=np.random.RandomState(20))
    lines = []
    for source, target in pairs(frames.SEQUENCES):
        value = scipy_writes(turns, source)
        ours = partial(frames.convert_rotation, value, source, target)
        line = measured(source, target, ours, partial(by_scipy, rotation, value, source, target))
        back = scipy_reads(rotation, frames.convert_rotation(value, source, target), target)
        off = float((back * turns.inv()).magnitude().max())
        print(
            f"{source:<16}{target:<16}{line.ours:8.0f}{line.scipys:8.0f}{line.ratio:7.2f}",
            flush=True,
        )
        if off > 1e-7:
            print(f"results differ by {off:.1e} rad")
            return 1
        lines.append(line)
    print(summary(lines))
    return 0


def pairs(sequences: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """All pairs of the plain representations, and each Euler sequence with each of them."""
    for source in PLAIN:
        for target in PLAIN:
            if source != target:
                yield source, target
    for sequence in sequences:
        for plain in PLAIN[:-1]:
            yield sequence, plain
            yield plain, sequence


def scipy_reads(rotation: Any, value: Any, name: str) -> Any:
    """A scipy Rotation of a value."""
    if name == "matrix":
        return rotation.from_matrix(value)
    if name.startswith("quaternion"):
        return rotation.from_quat(value, scalar_first=name == "quaternion")
    if name == "rotation_vector":
        return rotation.from_rotvec(value)
    return rotation.from_euler("xyz" if name == "rpy" else name, value)


def scipy_writes(turns: Any, name: str) -> Any:
    """A scipy Rotation as an array."""
    if name == "matrix":
        return turns.as_matrix()
    if name.startswith("quaternion"):
        return turns.as_quat(scalar_first=name == "quaternion")
    if name == "rotation_vector":
        return turns.as_rotvec()
    return turns.as_euler("xyz" if name == "rpy" else name)


def by_scipy(rotation: Any, value: Any, source: str, target: str) -> Any:
    """The same conversion by scipy."""
    return scipy_writes(scipy_reads(rotation, value, source), target)


def measured(source: str, target: str, ours: Convert, scipys: Convert) -> Line:
    """Both conversions in turn, until there are rounds enough."""
    samples: list[tuple[float, float]] = []
    start = time.perf_counter()
    while len(samples) < ROUNDS or time.perf_counter() - start < SECONDS:
        samples.append((fastest(ours), fastest(scipys)))
    one, other = np.median(samples, axis=0) * 1e9 / ITEMS
    return Line(source, target, float(one), float(other))


def fastest(convert: Convert) -> float:
    """Seconds of the fastest of a few runs in a row."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        convert()
        times.append(time.perf_counter() - start)
    return min(times)


def summary(lines: list[Line]) -> str:
    """The figures that are promised."""
    slow = max(
        (line for line in lines if line.source in WANTED and line.target in WANTED),
        key=lambda line: line.ours,
    )
    close = min(lines, key=lambda line: line.ratio)
    return (
        f"slowest between {', '.join(WANTED)}: {slow.source} to {slow.target}, "
        f"{slow.ours:.0f} ns an item\n"
        f"smallest ratio to scipy: {close.source} to {close.target}, {close.ratio:.2f}"
    )


if __name__ == "__main__":
    sys.exit(main())
