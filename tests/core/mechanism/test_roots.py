"""Which body carries the state of what no joint ties to the world; several roots on the world."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynarig.core.errors import ModelError
from dynarig.core.mechanism import Mechanism, planar, spatial

from ...close import assert_close

TIMES = np.linspace(0.0, 0.5, 6)


def pair(first: dict[str, Any], second: dict[str, Any], parts: Any = spatial) -> Any:
    a, joint, b = parts.Body("a", **first), parts.Revolute("joint"), parts.Body("b", **second)
    mechanism = Mechanism("pair", [parts.World(), a, joint, b])
    mechanism.connect(a.frame_a, joint.frame_a)
    mechanism.connect(joint.frame_b, b.frame_a)
    return mechanism


def root(mechanism: Any) -> str:
    return str(mechanism.compile().tree.joints[0].child)


def test_the_first_body_is_the_root_where_none_was_chosen() -> None:
    assert root(pair({}, {})) == "a"
    assert root(pair({}, {}, planar)) == "a"


@pytest.mark.parametrize(
    "chosen", [{"r0": (1, 2, 3)}, {"orientation_state": "euler"}, {"Q0": (0, 1, 0, 0)}]
)
def test_the_first_body_that_was_given_a_state_is_the_root(chosen: dict[str, Any]) -> None:
    assert root(pair({}, chosen)) == "b"


def test_the_first_planar_body_that_was_given_a_state_is_the_root() -> None:
    assert root(pair({}, {"phi0": 0.5}, planar)) == "b"


def test_of_several_bodies_with_a_kind_of_state_the_first_is_the_root() -> None:
    kind = {"orientation_state": "euler"}
    assert root(pair(kind, kind)) == "a"


def test_initial_values_of_a_body_that_is_no_root_are_refused() -> None:
    with pytest.raises(ModelError, match=r"Body 'b': initial position.*give them there.*'a'"):
        pair({"r0": (1, 2, 3)}, {"v0": (1, 0, 0)}).compile()
    hung, hinge = spatial.Body("hung", r0=(0, 0, 1)), spatial.Revolute("hinge")
    mechanism = Mechanism("hung", [world := spatial.World(), hinge, hung])
    mechanism.chain(world, hinge, hung)
    with pytest.raises(ModelError, match=r"Body 'hung': initial position"):
        mechanism.compile()


def test_a_planar_root_starts_as_it_was_told(bench: Any) -> None:
    body = planar.Body("body", r0=(1, 2), v0=(3, -1), phi0=4.0, w0=-2.0)
    sol = bench.solve(Mechanism("thrown", [planar.World(), body]), TIMES)
    assert_close(sol(0.0, "body.r"), [1, 2], atol=0.0)
    assert_close(sol(0.0, "body.v"), [3, -1], atol=0.0)
    assert_close(sol(TIMES, "body.phi"), 4.0 - 2.0 * TIMES, atol=1e-12)
    fall = 2 - TIMES - 0.5 * 9.80665 * TIMES**2
    assert_close(sol(TIMES, "body.r"), np.stack([1 + 3 * TIMES, fall], axis=-1), atol=1e-12)


def test_a_root_in_space_starts_as_it_was_told(bench: Any) -> None:
    given = {"r0": (1, 2, 3), "v0": (3, -1, 0.5), "phi0": (0.3, 0.2, 0.1), "sequence": "ZYX"}
    for state in ("quaternion", "euler"):
        body = spatial.Body("body", orientation_state=state, w0=(1, 2, 3), **given)
        sol = bench.solve(Mechanism("thrown", [spatial.World(), body]), TIMES)
        for name in ("r", "v", "phi"):
            assert_close(sol(0.0, f"body.{name}"), given[f"{name}0"], atol=1e-14)
        assert_close(sol(0.0, "body.w"), [1, 2, 3], atol=1e-14)


def test_the_state_of_a_root_with_its_centre_of_mass_aside_is_that_of_frame_a(bench: Any) -> None:
    body = spatial.Body("body", r_cm=(0.5, 0, 0), r0=(1, 2, 3), v0=(1, 0, 0), w0=(0, 0, 2), I=0.1)
    sol = bench.solve(Mechanism("thrown", [spatial.World(g=0.0), body]), TIMES)
    assert_close(sol(0.0, "body.r_cm"), [1.5, 2, 3], atol=1e-14)
    assert_close(sol(0.0, "body.v_cm"), [1, 1, 0], atol=1e-14)
    expected = [1.5, 2, 3] + TIMES[:, None] * [1, 1, 0]
    assert_close(sol(TIMES, "body.r_cm"), expected, atol=1e-10)


def test_several_roots_on_the_world_do_not_know_each_other(bench: Any) -> None:
    """Two pendulums and a body in flight in one mechanism, against each of them alone."""

    def pendulum(name: str, phi0: float) -> list[Any]:
        return [
            planar.Fixed(f"nail_{name}", r=(2 * phi0, 1)),
            planar.Revolute(f"hinge_{name}", phi0=phi0),
            planar.BodyShape(f"rod_{name}", r=(1, 0)),
        ]

    first, second = pendulum("one", 0.3), pendulum("two", -1.0)
    flying = planar.Body("flying", v0=(1, 2), w0=1.0)
    together = Mechanism("together", [planar.World(), *first, *second, flying])
    together.chain(*first)
    together.chain(*second)
    sol = bench.solve(together, TIMES)
    assert sol.compiled.model.nv == 5
    for parts in (pendulum("one", 0.3), pendulum("two", -1.0)):
        alone = Mechanism("alone", [planar.World(), *parts])
        alone.chain(*parts)
        expected = bench.solve(alone, TIMES)
        name = f"{parts[1].name}.phi"
        assert_close(sol(TIMES, name), expected(TIMES, name), atol=1e-10)
    assert_close(sol(TIMES, "flying.phi"), TIMES, atol=1e-12)
    bench.check_connections(sol, TIMES)


def test_a_free_assembly_keeps_its_momentum(bench: Any) -> None:
    mechanism = pair(
        {"I": 0.2, "w0": (0, 0, 3), "r_cm": (0.3, 0, 0)}, {"I": 0.1, "r_cm": (0, 0.4, 0)}
    )
    world = next(iter(mechanism.components.values()))
    assert world.g == 9.80665
    sol = bench.solve(mechanism, TIMES)
    total = sol(TIMES, "a.v_cm") + sol(TIMES, "b.v_cm")
    expected = total[0] + 2 * TIMES[:, None] * [0, 0, -9.80665]
    assert_close(total, expected, atol=1e-10)


def test_a_part_without_a_body_and_without_the_world_is_refused() -> None:
    rod, hinge = planar.FixedTranslation("rod"), planar.Revolute("hinge")
    end = planar.FixedTranslation("end")
    mechanism = Mechanism("lost", [planar.World(), rod, hinge, end])
    mechanism.chain(rod, hinge, end)
    with pytest.raises(ModelError, match=r"'rod'.*'hinge'.*'end'.*none of them is a body"):
        mechanism.compile()


def test_a_free_joint_between_tied_frames_is_refused() -> None:
    world, hinge, body = spatial.World(), spatial.Revolute("hinge"), spatial.Body("body")
    free = spatial.FreeMotion("free")
    mechanism = Mechanism("tied", [world, free, hinge, body])
    mechanism.chain(world, hinge, body)
    mechanism.connect(world.frame_b, free.frame_a)
    mechanism.connect(body.frame_a, free.frame_b)
    with pytest.raises(ModelError, match=r"FreeMotion 'free'.*tied by other components"):
        mechanism.compile()
