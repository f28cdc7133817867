"""Closed loops of mechanisms: where they are cut, how they are told, and that they close."""

from __future__ import annotations

from typing import Any

import pytest
from dynarig.core.mechanism import Mechanism, planar

from ...close import assert_close


def four_bar() -> Any:
    world, post = planar.World("world"), planar.Fixed("post", r=(2, 0))
    bars = [planar.BodyShape(f"bar{i}", r=(1, 0)) for i in (1, 2, 3)]
    hinges = [planar.Revolute(f"hinge{i}") for i in (1, 2, 3, 4)]
    mechanism = Mechanism("four-bar", [world, post, *bars, *hinges])
    mechanism.chain(world, hinges[0], bars[0], hinges[1], bars[1], hinges[2], bars[2], hinges[3])
    mechanism.connect(hinges[3].frame_b, post.frame_b)
    return mechanism


def test_a_loop_is_told_by_its_components_with_the_closing_joint_last() -> None:
    compiled = four_bar().compile()
    (loop,) = compiled.loops
    assert loop[-1] == "hinge4"
    assert set(loop) == {
        *("world", "hinge1", "bar1", "hinge2", "bar2", "hinge3", "bar3", "post", "hinge4")
    }
    assert compiled.model.nv == 3
    assert "1 closed loops" in repr(compiled)


def test_a_simulation_closes_the_loop_and_says_what_it_moved() -> None:
    from dynarig.core.simulate import ConstraintWarning

    with pytest.warns(ConstraintWarning, match="four-bar: the constraints have moved.*'hinge2'"):
        sol = four_bar().simulate(0.1)
    assert_close(sol(0.1, "hinge4.frame_a.x"), 2.0, atol=1e-11)
    assert_close(sol(0.1, "bar3.frame_b.y"), 0.0, atol=1e-11)


def test_rods_that_close_a_loop_are_told_too() -> None:
    world, hinge, body = planar.World(), planar.Revolute("hinge"), planar.Body("body")
    rods = [planar.FixedTranslation(name) for name in ("here", "there")]
    mechanism = Mechanism("double", [world, hinge, *rods, body])
    mechanism.chain(world, hinge, rods[0], body)
    mechanism.connect(hinge.frame_b, rods[1].frame_a)
    mechanism.connect(rods[1].frame_b, body.frame_a)
    assert mechanism.compile().loops == (("here", "there"),)


def test_loops_that_share_a_bar_are_told_apart() -> None:
    mechanism = four_bar()
    bar, hinge = planar.BodyShape("brace", r=(1, 0)), planar.Revolute("brace_hinge")
    end = planar.Revolute("brace_end")
    mechanism.add(bar, hinge, end)
    mechanism.connect(mechanism.components["bar1"].frame_b, hinge.frame_a)
    mechanism.chain(hinge, bar, end)
    mechanism.connect(end.frame_b, mechanism.components["bar3"].frame_a)
    loops = mechanism.compile().loops
    assert [loop[-1] for loop in loops] == ["hinge4", "brace_end"]
    assert set(loops[1]) == {"hinge2", "bar2", "hinge3", "brace_hinge", "brace", "brace_end"}
