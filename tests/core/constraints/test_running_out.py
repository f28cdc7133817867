"""Cables of which a stretch shrinks to nothing, and those of which one nearly does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.close import assert_close

if TYPE_CHECKING:
    from dynarig.core.mechanism import Mechanism


def atwood(aside: float) -> Mechanism:
    """1 kg and 2 kg on slides below their pulleys, the lighter one aside from it, m."""
    from dynarig.core.mechanism import Mechanism, planar

    world = planar.World("world")
    pulleys = planar.Fixed("left", r=(-0.5, 0)), planar.Fixed("right", r=(0.5, 0))
    top = planar.Fixed("top", r=(-0.5 + aside, 0))
    slides = [planar.Prismatic(name, n=(0, -1), s0=1.0) for name in ("a", "b")]
    bodies = [planar.Body(name, m=m, I=0.0) for name, m in (("light", 1.0), ("heavy", 2.0))]
    cable = planar.Cable("cable", length=2.0 + (1.0 + aside**2) ** 0.5, through=2)
    parts = [world, *pulleys, top, *slides, *bodies, cable]
    mechanism = Mechanism("atwood", parts)
    mechanism.chain(top, slides[0], bodies[0])
    mechanism.chain(pulleys[1], slides[1], bodies[1])
    mechanism.connect(bodies[0].frame_a, cable.frame_a)
    mechanism.connect(cable.frame("frame_1"), pulleys[0].frame_b)
    mechanism.connect(cable.frame("frame_2"), pulleys[1].frame_b)
    mechanism.connect(cable.frame_b, bodies[1].frame_a)
    return mechanism


def test_a_cable_that_runs_out_is_named_with_its_stretch_and_the_time() -> None:
    from dynarig.core.errors import SimulationError

    message = r"t = ([\d.]+) s .*: Cable 'cable': its stretch from point 0 to point 1 shrinks"
    with pytest.raises(SimulationError, match=message) as refused:
        atwood(0.0).simulate(0.9)
    found = re.search(message, str(refused.value))
    assert found is not None
    # 1 m at g / 3
    assert_close(float(found[1]), (2.0 / (9.80665 / 3.0)) ** 0.5, 1e-3)


@pytest.mark.parametrize("aside", [1e-2, 1e-5])
def test_a_cable_that_passes_close_to_a_pulley_goes_on(aside: float) -> None:
    run = atwood(aside).simulate(0.9)
    assert run(0.9, "a.s") < -0.05
    assert run.trajectory.energy_drift < 1e-6
