"""Mechanisms with loops: what constraints cost, against none, against pinocchio and MuJoCo.

python3 scripts/dev.py bench constraints

Three tables, from one run. The first is one evaluation of a four-bar (poses, twists, masses,
bias, accelerations, as an integrator asks for it) with the constraint that closes its loop, and
without: the ratio of both, which is promised to be less than 4/3 wherever the two ends of the
constraint are, and how much of an evaluation without is added by the rows, and by the solve with
multipliers in the place of one without. The second is one evaluation of larger mechanisms against
pinocchio's `constraintDynamics` with the same loops. In both, two works run in turn, in rounds
(`rounds`); a ratio is the median over rounds of the ratio in a round. The third is by how much the
loop opens over many turns, against MuJoCo's soft `connect`.

The run fails where results differ, and where a promise is missed beyond noise: in three of four
rounds, and again so when it is measured for longer.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from package import load_package

from benchmarks.loop_drift import drift_table
from benchmarks.loops import (
    Mechanism,
    built,
    cut_at_knee,
    evaluation,
    four_bars,
    ours_alone,
    planar_system,
    response,
    stewart,
    track,
    turned_round,
)
from benchmarks.rounds import Compared, Work, compared

SECONDS, AGAIN = 1.0, 3.0  # for one line; for one that seems to be too slow
SAME = 1e-8  # of the largest entry
KINDS = ("PlanarHinge", "Hinge")  # two rows, and five of which three are redundant
LIMIT = 4.0 / 3.0  # an evaluation with the loop over one without
MANY = 100  # four-bars in one mechanism


@dataclass(frozen=True)
class Line:
    """Two works that are compared, and what is promised of them.

    `difference` of the results is relative to the largest entry, `limit` the largest ratio.
    """

    name: str
    ours: Work
    theirs: Work
    difference: float = 0.0
    limit: float | None = None

    def measured(self) -> Compared:
        """Both in turn; for longer, where the limit seems to be missed."""
        result = compared(self.ours, self.theirs, SECONDS)
        if self.limit is not None and result.at_best > self.limit:
            result = compared(self.ours, self.theirs, AGAIN)
        return result

    def fault(self, result: Compared) -> str | None:
        """What is wrong with it, beyond noise."""
        if not self.difference < SAME:
            return f"{self.name}: results differ by {self.difference:.1e} of the largest entry"
        if self.limit is not None and result.at_best > self.limit:
            return f"{self.name}: ratio {result.ratio:.2f}, wanted less than {self.limit:.2f}"
        return None


def main() -> int:
    """Measure and print; return 1 where results differ or a promise is missed."""
    load_package()
    print(f"numpy {np.__version__}; µs an evaluation")
    faults = [*added_table(), *peer_table(), *drift_table()]
    print("\n".join(faults) or "all promises are kept")
    return 1 if faults else 0


def four_bar_cases() -> Iterator[tuple[str, Any, Any, Any, Any]]:
    """Four-bars that differ in what closes them: name, system, the same without loop, q, v."""
    parts = four_bars(1)
    for name, own in (
        ("a on the world", parts),
        ("b on the world", turned_round(parts)),
        ("both on rods", cut_at_knee()),
    ):
        closed = built(own, ours_alone(own))
        for kind in KINDS:
            yield f"{kind}, {name}", closed.closed(kind), closed.closed(None), closed.q, closed.v
    system, q, v = planar_system()
    yield "of planar parts", system, replace(system, constraints=()), q, v


def added_table() -> Iterator[str]:
    """Print what the loop of a four-bar adds; yield what is wrong."""
    print(f"{'a four-bar':<28}{'with':>8}{'without':>9}{'ratio':>7}{'rows':>7}{'solve':>7}")
    for name, system, bare, q, v in four_bar_cases():
        line = Line(
            f"four-bar, {name}", evaluation(system, q, v), evaluation(bare, q, v), limit=LIMIT
        )
        result = line.measured()
        parts = compared(response(system, q, v), response(bare, q, v), SECONDS)
        solve = (parts.ours - parts.theirs) / result.theirs
        print(
            f"{name:<28}{result.ours * 1e6:8.1f}{result.theirs * 1e6:9.1f}{result.ratio:7.2f}"
            f"{result.ratio - 1.0 - solve:7.2f}{solve:7.2f}  (ratio less than {LIMIT:.2f})",
            flush=True,
        )
        if (fault := line.fault(result)) is not None:
            yield fault


def peer_table() -> Iterator[str]:
    """Print evaluations of larger mechanisms; yield what is wrong."""
    print(f"\n{'mechanism':<20}{'nv':>5}{'rows':>6}{'dynarig':>10}{'pinocchio':>11}{'ratio':>7}")
    for parts in (four_bars(1), track(), stewart(), four_bars(MANY)):
        mechanism = built(parts)
        line = against_peer(mechanism)
        result = line.measured()
        print(
            f"{line.name:<20}{len(mechanism.v):5d}{3 * len(mechanism.loops):6d}"
            f"{result.ours * 1e6:10.1f}{result.theirs * 1e6:11.1f}{result.ratio:7.2f}",
            flush=True,
        )
        if (fault := line.fault(result)) is not None:
            yield fault


def against_peer(mechanism: Mechanism) -> Line:
    """The same evaluation by both packages."""
    ours = evaluation(mechanism.closed("Ball"), mechanism.q, mechanism.v)
    theirs = mechanism.peer()
    expected = theirs()
    off = np.abs(ours().a[mechanism.robot.order] - expected).max() / np.abs(expected).max()
    return Line(mechanism.name, ours, theirs, float(off))


if __name__ == "__main__":
    sys.exit(main())
