"""Closed loops of mechanisms: where they are cut, how they are told, and that they close."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynarig.core.errors import ModelError, SimulationError
from dynarig.core.mechanism import Mechanism, planar, spatial

from ...close import assert_close
from .loop_benches import cut, tight
from .loop_benches import four_bar as bench_four_bar


def four_bar(post: float = 2.0) -> Any:
    world, end = planar.World("world"), planar.Fixed("post", r=(post, 0))
    bars = [planar.BodyShape(f"bar{i}", r=(1, 0)) for i in (1, 2, 3)]
    hinges = [planar.Revolute(f"hinge{i}") for i in (1, 2, 3, 4)]
    mechanism = Mechanism("four-bar", [world, end, *bars, *hinges])
    mechanism.chain(world, hinges[0], bars[0], hinges[1], bars[1], hinges[2], bars[2], hinges[3])
    mechanism.connect(hinges[3].frame_b, end.frame_b)
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


def test_given_values_are_kept_and_the_others_moved() -> None:
    mechanism = four_bar()
    hinge = mechanism.components["hinge1"]
    crank = planar.Revolute("crank", phi0=1.0, w0=0.5)
    again = Mechanism("four-bar", [c for c in mechanism.components.values() if c is not hinge])
    again.add(crank)
    for connection in mechanism.connections:
        swapped = [crank.frame(f.name) if f.component is hinge else f for f in connection]
        again.connect(*swapped)
    compiled = again.compile()
    assert compiled.notice is not None
    assert "'crank'" not in compiled.notice
    sol = tight(again, 0.1)
    assert_close([sol(0.0, "crank.phi"), sol(0.0, "crank.w")], [1.0, 0.5], atol=1e-13)


def test_what_cannot_be_kept_is_told() -> None:
    notice = bench_four_bar(loads={"h1": {"phi0": 0.1}, "h2": {"phi0": 0.1}}).compile().notice
    assert notice is not None
    assert "Revolute 'h0' by" in notice
    assert "against what was given" in notice


def test_a_loop_that_cannot_close_is_named_with_its_gap() -> None:
    mechanism = four_bar(post=9.0)
    compiled = mechanism.compile()
    assert "cannot be met" in repr(compiled)
    with pytest.raises(
        SimulationError,
        match=r"by 6(\.0+)? m.*bar3 - hinge3 - bar2 - hinge2 - bar1 - hinge1 - world - post - hin",
    ):
        mechanism.simulate(1.0)


def test_rods_that_do_not_fit_are_refused() -> None:
    world, hinge, body = planar.World(), planar.Revolute("hinge"), planar.Body("body")
    rods = [planar.FixedTranslation(name, r=(1, y)) for name, y in (("here", 0), ("there", 0.1))]
    mechanism = Mechanism("double", [world, hinge, *rods, body])
    mechanism.chain(world, hinge, rods[0], body)
    mechanism.connect(hinge.frame_b, rods[1].frame_a)
    mechanism.connect(rods[1].frame_b, body.frame_a)
    with pytest.raises(ModelError, match=r"here - there cannot close.*'there' does not fit by 0.1"):
        mechanism.compile()


def test_a_rod_beside_another_carries_nothing() -> None:
    world, hinge, body = planar.World(), planar.Revolute("hinge"), planar.Body("body")
    rods = [planar.FixedTranslation(name, r=(1, 0)) for name in ("here", "there")]
    mechanism = Mechanism("double", [world, hinge, *rods, body])
    mechanism.chain(world, hinge, rods[0], body)
    mechanism.connect(hinge.frame_b, rods[1].frame_a)
    mechanism.connect(rods[1].frame_b, body.frame_a)
    sol = tight(mechanism, 0.5)
    assert abs(sol(0.5, "here.frame_a.fx")) > 1.0
    assert_close(sol(0.5, "there.frame_a.fx"), 0.0, atol=0.0)
    assert_close(sol(0.5, "here.frame_a.fx"), sol(0.5, "body.frame_a.fx"), atol=1e-12)


def test_a_loop_is_cut_where_no_end_is_without_mass() -> None:
    # the rocker is a rod: cut at h3 or h2, one of them would move nothing
    world, post = planar.World("world"), planar.Fixed("post", r=(2.0, 0.3))
    crank, coupler = planar.BodyShape("crank", r=(0.7, 0)), planar.BodyShape("coupler", r=(2.1, 0))
    rocker = planar.FixedTranslation("rocker", r=(1.3, 0))
    hinges = [planar.Revolute(f"h{index}") for index in range(4)]
    mechanism = Mechanism("light", [world, post, crank, coupler, rocker, *hinges])
    mechanism.chain(world, hinges[0], crank, hinges[1], coupler, hinges[2], rocker, hinges[3])
    mechanism.connect(hinges[3].frame_b, post.frame_b)
    assert cut(mechanism) == ["h1"]
    sol = tight(mechanism, 0.5)
    assert_close(sol(0.5, "h3.tau"), 0.0, atol=1e-10)
    # a rod without mass carries force along itself only
    force = np.array([sol(0.5, f"rocker.frame_b.f{axis}") for axis in "xy"])
    angle = sol(0.5, "rocker.frame_a.phi")
    assert_close(force @ (-np.sin(angle), np.cos(angle)), 0.0, atol=1e-9)


def test_a_loop_of_loaded_joints_needs_a_body_to_share() -> None:
    loads = {f"h{index}": {"d": 0.1} for index in range(4)}
    mechanism = bench_four_bar(loads=loads)
    assert mechanism.compile().system.constraints[0].name == "h3"
    world, hinge = planar.World("world"), planar.Revolute("hinge", d=0.1)
    body, slide = planar.Body("body", r_cm=(1, 0)), planar.Prismatic("slide", d=0.1)
    rod = planar.FixedTranslation("rod", r=(1, 0))
    light = Mechanism("light", [world, hinge, rod, slide, body])
    light.chain(world, hinge, rod)
    light.connect(world.frame_b, slide.frame_a)
    light.connect(slide.frame_b, rod.frame_b)
    light.connect(body.frame_a, world.frame_b)
    with pytest.raises(ModelError, match=r"Prismatic 'slide'.*every joint carries.*damping.*Body"):
        light.compile()


def test_the_report_tells_loops_and_rows() -> None:
    lines = bench_four_bar(space="spatial").compile().report.splitlines()
    assert "1 degrees of freedom" in lines[0]
    assert "5 constraint rows (3 redundant) on 3 coordinates" in lines[0]
    assert lines[1].startswith("loop rocker - h2 - coupler")
    assert lines[1].endswith("- h3: cut at 'h3', 5 rows")
    loads = {f"h{index}": {"d": 0.1} for index in range(4)}
    shared = bench_four_bar(loads=loads).compile().report
    assert shared.endswith("all joints carry something; shared beyond 'h3', 3 rows")


@pytest.mark.parametrize("space", [planar, spatial])
def test_the_report_tells_of_a_start_with_all_bars_in_a_line(space: Any) -> None:
    def report(angle: float) -> str:
        across = (0.0,) * (1 if space is planar else 2)
        world, post = space.World("world"), space.Fixed("post", r=(2, *across))
        lengths = {"left": 1, "bar": 2, "right": -1}
        bars = [space.BodyShape(name, r=(length, *across)) for name, length in lengths.items()]
        turns = {"a": angle, "b": -angle, "c": angle}
        pins = [space.Revolute(name, phi0=phi) for name, phi in turns.items()]
        linkage = Mechanism("m", [world, post, *pins, last := space.Revolute("d"), *bars])
        parts = [part for pair in zip(pins, bars, strict=True) for part in pair]
        linkage.chain(world, *parts, last)
        linkage.connect(last.frame_b, post.frame_b)
        return linkage.compile().report

    assert "redundant at this start alone: 1 rows, a singular configuration" in report(0.0)
    assert "at this start alone" not in report(1.0)


def test_a_joint_between_frames_that_stand_still_is_refused() -> None:
    world, hinge, body = (
        planar.World("world"),
        planar.Revolute("hinge"),
        planar.Body("body", r_cm=(1, 0)),
    )
    idle, post = planar.Revolute("idle"), planar.Fixed("post", r=(1, 0))
    rod = planar.FixedTranslation("rod", r=(1, 0))
    mechanism = Mechanism("still", [world, hinge, body, rod, post, idle])
    mechanism.chain(world, rod, idle)
    mechanism.connect(idle.frame_b, post.frame_b)
    mechanism.chain(world, hinge, body)
    with pytest.raises(ModelError, match=r"'idle': its frames stand still.* rod - .*cannot move"):
        mechanism.compile()


def test_of_a_joint_only_what_was_given_is_kept() -> None:
    mechanism = bench_four_bar(loads={"h0": {"phi0": None, "w0": None}})
    coupler = mechanism.components["coupler"]
    pose = planar.Free("pose", phi0=-0.2, w0=0.5)
    mechanism.add(pose)
    mechanism.connect(mechanism.components["world"].frame_b, pose.frame_a)
    mechanism.connect(pose.frame_b, coupler.frame_a)
    compiled = mechanism.compile()
    assert "'pose' by" in str(compiled.notice)
    assert "against" not in str(compiled.notice)
    sol = tight(mechanism, 0.1)
    assert_close([sol(0.0, "pose.phi"), sol(0.0, "pose.w")], [-0.2, 0.5], atol=1e-12)
    assert_close(sol(0.0, "coupler.frame_a.phi"), -0.2, atol=1e-12)
    assert_close(np.hypot(sol(0.0, "pose.x"), sol(0.0, "pose.y")), 0.7, atol=1e-12)


@pytest.mark.parametrize("phi0", [-2.0, 0.4, 2.5])
@pytest.mark.parametrize("post", [(2.0, 0.3), (-1.6, 1.9)])
def test_the_way_a_loop_closes_does_not_depend_on_the_order(phi0: float, post: Any) -> None:
    poses, names = [], ("h0", "h1", "h2", "h3")
    for order in (names, names[1:] + names[:1], names[2:] + names[:2], names[::-1]):
        mechanism = bench_four_bar(order, {"h0": {"phi0": phi0}}, post=post)
        compiled = mechanism.compile()
        frames = [mechanism.components[name].frame_a for name in ("crank", "coupler", "rocker")]
        angles = [compiled.angles[compiled.assembly.graph.node[frame]] for frame in frames]
        poses.append([row @ compiled.q + offset for row, offset in angles])
    assert_close(poses, np.broadcast_to(poses[0], np.shape(poses)), atol=1e-9)
