"""When the benchmark of constraints fails, and that its mechanisms are what they should be."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from benchmarks.constraints import KINDS, LIMIT, Line, four_bar_cases
from benchmarks.loop_drift import Drift, faults, model_text
from benchmarks.loops import (
    LEGS,
    LINKS,
    Mechanism,
    Parts,
    built,
    evaluation,
    four_bars,
    ours_alone,
    stewart,
    track,
)
from benchmarks.rounds import Compared
from devtools.bench import BENCHMARKS, ENVIRONMENTS

from ..close import assert_close


@pytest.fixture
def line() -> Line:
    return Line("four-bar", int, int, difference=1e-12, limit=LIMIT)


def ours(parts: Parts) -> Mechanism:
    """The mechanism without the peer."""
    return built(parts, robot=ours_alone(parts))


def test_the_bench_is_known_and_shares_the_environment_of_the_dynamics() -> None:
    assert "constraints" in BENCHMARKS
    assert ENVIRONMENTS["constraints"] == "dynamics"


def test_the_promise_is_less_than_a_third_for_both_ways_to_close_a_loop(line: Line) -> None:
    assert pytest.approx(4.0 / 3.0) == LIMIT
    assert set(KINDS) == {"PlanarHinge", "Hinge"}
    # the median misses it, but a quarter of the rounds keeps to it
    assert line.fault(Compared(1.4, 1.0, ratio=1.4, at_best=1.3)) is None
    missed = line.fault(Compared(1.4, 1.0, ratio=1.4, at_best=1.35))
    assert missed == "four-bar: ratio 1.40, wanted less than 1.33"
    assert replace(line, limit=None).fault(Compared(9.0, 1.0, 9.0, 9.0)) is None
    off = replace(line, difference=1e-7).fault(Compared(1.0, 1.0, 1.0, 1.0))
    assert off == "four-bar: results differ by 1.0e-07 of the largest entry"
    assert replace(line, difference=float("nan")).fault(Compared(1.0, 1.0, 1.0, 1.0)) is not None


def test_a_line_that_seems_too_slow_is_measured_again(monkeypatch: Any, line: Line) -> None:
    asked = []

    def measure(_: Any, __: Any, seconds: float) -> Compared:
        asked.append(seconds)
        return Compared(1.0, 1.0, 1.5, 1.5 if len(asked) == 1 else 1.2)

    monkeypatch.setattr("benchmarks.constraints.compared", measure)
    assert line.fault(line.measured()) is None
    assert len(asked) == 2
    assert asked[1] > asked[0]


def test_a_loop_that_opens_and_energy_that_drifts_are_faults() -> None:
    good = Drift("ours", gap=1e-12, energy=1e-10, seconds=1.0)
    assert faults(good) == []
    assert "opens by 1.0e-06 m" in faults(replace(good, gap=1e-6))[0]
    assert "drifts by 1.0e-05" in faults(replace(good, energy=1e-5))[0]


def test_four_bars_close_and_the_rows_of_both_kinds_agree() -> None:
    parts = four_bars(2)
    mechanism = ours(parts)
    # the angles by the law of cosines are there already
    assert_close(mechanism.q, parts.q, atol=1e-9)
    found, free = (
        [evaluation(mechanism.closed(kind), mechanism.q, mechanism.v)().a for kind in kinds]
        for kinds in ((*KINDS, "Ball"), (None,))
    )
    assert_close(found[1], found[0], atol=1e-9)
    assert_close(found[2], found[0], atol=1e-9)
    assert np.abs(free[0] - found[0]).max() > 1.0


def test_four_bars_move_alike_wherever_their_loops_are_cut() -> None:
    cranks: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for name, system, bare, q, v in four_bar_cases():
        assert (len(system.constraints), len(bare.constraints)) == (1, 0)
        rows = system.rows.one_state
        at = system.moment(0.0, q, v)
        # in the tree's own pass, without which it takes longer than is promised
        assert at.one.owner is rows
        assert_close(system.rows.at(at).residual, 0.0, atol=1e-9)
        rates = system.projection.velocities(at)
        if name != "of planar parts":
            # at one speed of the crank
            found = evaluation(system, q, rates / rates[0])()
            cranks[name.split(",")[0]].append(found.a[0])
    for found in cranks.values():
        assert len(found) == 3
        assert_close(found, found[0], atol=1e-8)


def test_the_track_and_the_platform_have_their_loops_and_freedoms() -> None:
    chain, platform = ours(track()), ours(stewart())
    assert (chain.system.model.nv, len(chain.loops)) == (6 + LINKS - 1, 1)
    assert (platform.system.model.nv, len(platform.loops)) == (6 + 3 * LEGS, LEGS)
    for mechanism in (chain, platform):
        at = mechanism.system.moment(0.0, mechanism.q, mechanism.v)
        assert_close(mechanism.system.rows.at(at).residual, 0.0, atol=1e-11)


def test_the_four_bar_for_the_peer_is_well_formed() -> None:
    root = ElementTree.fromstring(model_text())
    assert len(root.findall(".//body")) == 3
    connect = root.find("equality/connect")
    assert connect is not None
    sites = {own.get("name") for own in root.findall(".//site")}
    assert {connect.get("site1"), connect.get("site2")} == sites
