"""What acts inside joints: damping, dry friction, springs, rotors, limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynarig.core.mechanism import planar, spatial

from ...close import assert_close

TIMES = np.linspace(0.0, 1.0, 11)
TURN = ("phi", "w", "a", "tau")
SLIDE = ("s", "v", "a", "f")


def turning(parts: Any, bench: Any, **given: Any) -> Any:
    """A wheel of 0.5 kg m^2 on a level hinge."""
    hinge = parts.Revolute("j", **given)
    chain = bench.chain(parts.World(g=0.0), hinge, parts.Body("b", m=1, I=0.5))
    return bench.solve(chain, TIMES, tolerance=1e-7 if "limits" in given else 1e-12)


def sliding(parts: Any, bench: Any, **given: Any) -> Any:
    """A mass of 0.5 kg on a level slide."""
    given = {
        ("s0" if key == "phi0" else "v0" if key == "w0" else key): x for key, x in given.items()
    }
    joint = parts.Prismatic("j", **given)
    chain = bench.chain(parts.World(g=0.0), joint, parts.Body("b", m=0.5, I=1))
    return bench.solve(chain, TIMES, tolerance=1e-7 if "limits" in given else 1e-12)


CASES = [
    (parts, make, names)
    for parts in (planar, spatial)
    for make, names in ((turning, TURN), (sliding, SLIDE))
]


@pytest.mark.parametrize(
    ("parts", "make", "names"),
    CASES,
    ids=["planar turn", "planar slide", "turn in space", "slide in space"],
)
class TestInside:
    def test_damping(self, parts: Any, make: Any, names: Any, bench: Any) -> None:
        sol = make(parts, bench, w0=2.0, d=0.4)
        rate = 2.0 * np.exp(-0.8 * TIMES)
        assert_close(sol(TIMES, f"j.{names[1]}"), rate, atol=1e-9)
        assert_close(sol(TIMES, f"j.{names[2]}"), -0.8 * rate, atol=1e-9)
        assert_close(sol(TIMES, f"j.{names[3]}"), -0.4 * rate, atol=1e-9)

    def test_dry_friction(self, parts: Any, make: Any, names: Any, bench: Any) -> None:
        sol = make(parts, bench, w0=2.0, friction=0.3, friction_speed=0.05)
        rate = sol(TIMES, f"j.{names[1]}")
        # far above the speed over which it turns round, it is constant
        assert_close(rate, 2.0 - 0.6 * TIMES, atol=1e-8)
        assert_close(sol(TIMES, f"j.{names[3]}"), -0.3 * np.tanh(rate / 0.05), atol=1e-9)

    def test_spring_with_a_rest_value(self, parts: Any, make: Any, names: Any, bench: Any) -> None:
        sol = make(parts, bench, phi0=0.5, stiffness=8.0, rest=0.2)
        assert_close(sol(TIMES, f"j.{names[0]}"), 0.2 + 0.3 * np.cos(4.0 * TIMES), atol=1e-9)
        expected = -8.0 * 0.3 * np.cos(4.0 * TIMES)
        assert_close(sol(TIMES, f"j.{names[3]}"), expected, atol=1e-8)

    def test_rotor_behind_a_gear(self, parts: Any, make: Any, names: Any, bench: Any) -> None:
        sol = make(parts, bench, phi0=0.5, stiffness=8.0, rotor_inertia=0.06, gear_ratio=5.0)
        rate = np.sqrt(8.0 / (0.5 + 25.0 * 0.06))
        assert_close(sol(TIMES, f"j.{names[0]}"), 0.5 * np.cos(rate * TIMES), atol=1e-9)
        # what passes on is what the body needs; the rotor takes the rest
        expected = 0.5 * sol(TIMES, f"j.{names[2]}")
        assert_close(sol(TIMES, f"j.{names[3]}"), expected, atol=1e-10)

    def test_limits(self, parts: Any, make: Any, names: Any, bench: Any) -> None:
        sol = make(parts, bench, w0=2.0, limits=(-1.0, 0.3))
        value = sol(np.linspace(0, 1, 200), f"j.{names[0]}")
        assert value.max() < 0.32
        assert value.max() > 0.29
        assert abs(float(sol(1.0, f"j.{names[1]}"))) < 2.0


def test_each_coordinate_may_have_its_own(bench: Any) -> None:
    joint = spatial.Cylindrical("j", n=(0, 0, 1), w0=1.0, v0=1.0, d=(0.5, 2.0))
    body = spatial.Body("b", m=4.0, I=0.25)
    sol = bench.solve(bench.chain(spatial.World(g=0.0), joint, body), TIMES)
    assert_close(sol(TIMES, "j.w"), np.exp(-2.0 * TIMES), atol=1e-9)
    assert_close(sol(TIMES, "j.v"), np.exp(-0.5 * TIMES), atol=1e-9)


def test_a_joint_with_limits_starts_inside_them(bench: Any) -> None:
    hinge = planar.Revolute("j", limits=(0.2, 1.0))
    compiled = bench.chain(planar.World(), hinge, planar.Body("b")).compile()
    assert_close(compiled.q, [0.2], atol=0.0)


def test_options_of_the_simulation_reach_the_accelerations(bench: Any) -> None:
    hinge = planar.Revolute("j", w0=2.0, d=0.4)
    mechanism = bench.chain(planar.World(g=0), hinge, planar.Body("b", I=0.5))
    sol = bench.solve(mechanism, TIMES, passive=False)
    assert_close(sol(TIMES, "j.a"), np.zeros(11), atol=1e-12)
    sol = bench.solve(mechanism, TIMES, damping=0.6)
    assert_close(sol(TIMES, "j.a"), -4.0 * np.exp(-2.0 * TIMES), atol=1e-8)
