"""Conversions of rotations in large batches, against scipy.spatial.transform.Rotation.

python3 scripts/dev.py bench frames

Each line is one conversion: nanoseconds an item of this package and of scipy, and how many
times as long scipy takes. Both run in turn, in rounds; of a round the fastest run counts, of
all rounds the median. 'any' marks quaternions whose lengths are not 1.

The run fails where an item costs 1 µs or more, where results differ, and where scipy is faster
beyond noise: in three of four rounds, and again so when the conversion is measured for longer.
"""

import importlib
import itertools
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
AGAIN = 2.0  # for one that seems to be slower
LIMIT = 1000.0  # ns an item
PLAIN = ("matrix", "quaternion", "quaternion_xyzw", "rotation_vector", "rpy")
ANY = " any"

Convert = Callable[[], Any]


@dataclass(frozen=True)
class Line:
    """One conversion, measured: nanoseconds an item, and what rounds favourable to us say."""

    source: str
    target: str
    ours: float
    scipys: float
    at_best: float  # the ratio that one round of four exceeds

    @property
    def ratio(self) -> float:
        """How many times as long scipy takes."""
        return self.scipys / self.ours

    @property
    def fault(self) -> str | None:
        """What is wrong with it, beyond noise."""
        if self.ours >= LIMIT:
            return f"{self.ours:.0f} ns an item, wanted less than {LIMIT:.0f}"
        if self.at_best < 1.0:
            return f"ratio {self.ratio:.2f}, wanted 1.00"
        return None


def main() -> int:
    """Measure and print all conversions that both have; return 1 where results disagree."""
    load_package()
    from dynarig.core import frames

    rotation = importlib.import_module("scipy.spatial.transform").Rotation
    scipy_version = importlib.import_module("scipy").__version__
    print(f"{ITEMS} items, numpy {np.__version__}, scipy {scipy_version}; ns an item")
    print(f"{'from':<20}{'to':<16}{'dynarig':>8}{'scipy':>8}{'ratio':>7}")
    turns = rotation.random(ITEMS, random_state=np.random.RandomState(20))
    lengths = np.random.default_rng(20).uniform(0.5, 2.0, (ITEMS, 1))
    lines = []
    for source, target in pairs(frames.SEQUENCES):
        name = source.removesuffix(ANY)
        value = scipy_writes(turns, name) * (lengths if source.endswith(ANY) else 1.0)
        ours = partial(frames.convert_rotation, value, name, target)
        scipys = partial(by_scipy, rotation, value, name, target)
        line = measured(source, target, ours, scipys, SECONDS)
        if line.fault is not None:
            line = measured(source, target, ours, scipys, AGAIN)
        back = scipy_reads(rotation, frames.convert_rotation(value, name, target), target)
        off = float((back * turns.inv()).magnitude().max())
        print(
            f"{source:<20}{target:<16}{line.ours:8.0f}{line.scipys:8.0f}{line.ratio:7.2f}",
            flush=True,
        )
        if off > 1e-7:
            print(f"results differ by {off:.1e} rad")
            return 1
        lines.append(line)
    print(summary(lines))
    return 1 if any(line.fault for line in lines) else 0


def pairs(sequences: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """All pairs of the plain representations, and each Euler sequence with each of them.

    A name to itself is a pair too, and each sequence goes to the next one.
    """
    yield from itertools.product(PLAIN, repeat=2)
    for source in ("quaternion" + ANY, "quaternion_xyzw" + ANY):
        for target in (*PLAIN, sequences[0], sequences[-1]):
            yield source, target
    for n, sequence in enumerate(sequences):
        for plain in PLAIN[:-1]:
            yield sequence, plain
            yield plain, sequence
        yield sequence, sequence
        yield sequence, sequences[n - 1]


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


def measured(source: str, target: str, ours: Convert, scipys: Convert, seconds: float) -> Line:
    """Both conversions in turn, until there are rounds enough."""
    samples: list[tuple[float, float]] = []
    start = time.perf_counter()
    while len(samples) < ROUNDS or time.perf_counter() - start < seconds:
        samples.append((fastest(ours), fastest(scipys)))
    one, other = np.median(samples, axis=0) * 1e9 / ITEMS
    ratios = [theirs / own for own, theirs in samples]
    return Line(source, target, float(one), float(other), float(np.quantile(ratios, 0.75)))


def fastest(convert: Convert) -> float:
    """Seconds of the fastest of a few runs in a row."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        convert()
        times.append(time.perf_counter() - start)
    return min(times)


def summary(lines: list[Line]) -> str:
    """The figures that are promised, and what does not keep to them."""
    slow = max(lines, key=lambda line: line.ours)
    close = min(lines, key=lambda line: line.ratio)
    told = [
        f"slowest: {slow.source} to {slow.target}, {slow.ours:.0f} ns an item",
        f"smallest ratio to scipy: {close.source} to {close.target}, {close.ratio:.2f}",
    ]
    told += [f"{line.source} to {line.target}: {line.fault}" for line in lines if line.fault]
    return "\n".join(told)


if __name__ == "__main__":
    sys.exit(main())
