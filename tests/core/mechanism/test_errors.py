"""Mechanisms that cannot be: every message names the components and says what would do."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError, ModelError, SimulationError
from dynarig.core.mechanism import Mechanism, get_frame, get_rot, get_trans, planar, spatial

BOTH = pytest.mark.parametrize("parts", [planar, spatial])


def pendulum(parts: Any = planar, **given: Any) -> Any:
    world, hinge = parts.World("world"), parts.Revolute("hinge")
    rod = parts.FixedTranslation("rod", r=(1, 0) if parts is planar else (1, 0, 0))
    body = parts.Body("body", **given)
    mechanism = Mechanism("pendulum", [world, hinge, rod, body])
    mechanism.chain(world, hinge, rod, body)
    return mechanism


@BOTH
def test_no_world(parts: Any) -> None:
    with pytest.raises(ModelError, match=r"wanted exactly one World, got none"):
        Mechanism("m", [parts.Body("body")]).compile()


@BOTH
def test_two_worlds(parts: Any) -> None:
    mechanism = Mechanism("m", [parts.World("here"), parts.World("there")])
    with pytest.raises(ModelError, match=r"exactly one World, got World 'here', World 'there'"):
        mechanism.compile()


@BOTH
def test_an_unconnected_frame_of_a_joint(parts: Any) -> None:
    mechanism = Mechanism("m", [world := parts.World(), hinge := parts.Revolute("hinge")])
    mechanism.connect(world.frame_b, hinge.frame_a)
    with pytest.raises(ModelError, match=r"Revolute 'hinge': hinge\.frame_b is not connected"):
        mechanism.compile()


@BOTH
def test_a_rod_that_hangs_in_the_air(parts: Any) -> None:
    mechanism = pendulum(parts)
    mechanism.add(parts.FixedTranslation("lone", r=(1, 0) if parts is planar else (1, 0, 0)))
    with pytest.raises(ModelError, match=r"'lone': lone\.frame_a and lone\.frame_b are not"):
        mechanism.compile()


@BOTH
def test_the_far_end_of_a_rod_or_a_body_may_stay_free(parts: Any) -> None:
    r = (1, 0) if parts is planar else (1, 0, 0)
    mechanism = pendulum(parts)
    rod, shape = parts.FixedTranslation("far", r=r), parts.BodyShape("shape", r=r)
    mechanism.add(rod, shape)
    mechanism.connect(mechanism.components["body"].frame_a, rod.frame_a, shape.frame_a)
    assert mechanism.compile().model.nv == 1


@BOTH
def test_a_body_without_mass_at_a_moving_end(parts: Any) -> None:
    with pytest.raises(ModelError, match=r"Revolute 'hinge' moves nothing.*'rod', Body 'body'"):
        pendulum(parts, m=0.0, I=0.0).compile()


def test_no_body_at_a_moving_end() -> None:
    world, hinge = planar.World(), planar.Revolute("hinge")
    rod = planar.FixedTranslation("rod")
    mechanism = Mechanism("m", [world, hinge, rod])
    mechanism.chain(world, hinge, rod)
    with pytest.raises(ModelError, match=r"Revolute 'hinge' moves nothing that has mass.*'rod'"):
        mechanism.compile()


def test_a_point_mass_on_the_axis_of_a_joint() -> None:
    world, hinge = spatial.World(), spatial.Revolute("hinge", n=(1, 0, 0))
    point = spatial.Body("point", m=1.0, r_cm=(0.5, 0, 0), I=0.0)
    mechanism = Mechanism("m", [world, hinge, point])
    mechanism.chain(world, hinge, point)
    with pytest.raises(
        ModelError, match=r"Revolute 'hinge' moves no inertia where .*: 'point' beyond"
    ):
        mechanism.compile()


def test_a_body_without_mass_is_well_between_joints_and_where_it_is_held(bench: Any) -> None:
    world, first, second = (
        spatial.World(),
        spatial.Revolute("one"),
        spatial.Revolute("two", n=(1, 0, 0)),
    )
    cross, body = spatial.Body("cross", m=0.0, I=0.0), spatial.Body("body", I=0.1)
    mechanism = Mechanism("m", [world, first, cross, second, body])
    mechanism.chain(world, first, second, body)
    mechanism.connect(first.frame_b, cross.frame_a)
    assert mechanism.compile().model.nv == 2


def test_a_rotor_is_inertia_enough() -> None:
    world, hinge = planar.World(), planar.Revolute("hinge", rotor_inertia=0.1)
    rod = planar.FixedTranslation("rod")
    mechanism = Mechanism("m", [world, hinge, rod])
    mechanism.chain(world, hinge, rod)
    assert mechanism.compile().model.nv == 1


@BOTH
def test_one_name_twice(parts: Any) -> None:
    with pytest.raises(
        ModelError, match=r"two components are called 'a': Body 'a' and Revolute 'a'"
    ):
        Mechanism("m", [parts.Body("a"), parts.Revolute("a")])


def test_planar_among_spatial() -> None:
    with pytest.raises(ModelError, match=r"Body 'b' is spatial and World 'w' is planar"):
        Mechanism("m", [planar.World("w"), spatial.Body("b")])


def test_a_frame_of_another_mechanism() -> None:
    mechanism, stranger = pendulum(), planar.Revolute("hinge")
    with pytest.raises(ModelError, match=r"hinge\.frame_a is not in"):
        mechanism.connect(mechanism.components["body"].frame_a, stranger.frame_a)
    with pytest.raises(ModelError, match=r"Revolute 'hinge' is not in this mechanism"):
        mechanism.chain(mechanism.components["rod"], stranger)


def test_connections_of_what_are_no_frames() -> None:
    mechanism = pendulum()
    rod = mechanism.components["rod"]
    with pytest.raises(ArgumentError, match=r"wanted frames such as rod.frame_b, got <Fixed"):
        mechanism.connect(rod, rod.frame_b)
    with pytest.raises(ArgumentError, match=r"wanted two or more frames, got rod.frame_b"):
        mechanism.connect(rod.frame_b)
    with pytest.raises(ArgumentError, match=r"wanted different frames"):
        mechanism.connect(rod.frame_b, rod.frame_b)
    with pytest.raises(ArgumentError, match=r"two or more components"):
        mechanism.chain(rod)
    with pytest.raises(ArgumentError, match=r"Body 'body': no frame 'frame_b'; there are: frame_a"):
        mechanism.chain(mechanism.components["body"], rod)
    with pytest.raises(ArgumentError, match=r"wanted components such as"):
        mechanism.add("rod")


def test_a_component_cannot_be_changed() -> None:
    body = planar.Body("body")
    with pytest.raises(ArgumentError, match=r"Body 'body': m is fixed; make a new component"):
        body.m = 3.0
    with pytest.raises(ValueError, match=r"read-only"):
        body.r_cm[0] = 3.0


def test_times_and_options_of_a_simulation() -> None:
    mechanism = pendulum()
    for duration in (0.0, -1.0, np.nan, "1"):
        with pytest.raises(SimulationError, match=r"pendulum: wanted a duration above 0"):
            mechanism.simulate(duration)
    for times in (None, [[0.0], [0.5, 1.0]]):
        with pytest.raises(SimulationError, match=r"pendulum: wanted a duration above 0"):
            mechanism.simulate(times)
    with pytest.raises(SimulationError):
        mechanism.simulate([0.0, 1.0, 0.5])
    with pytest.raises(ArgumentError, match=r"simulate: q: give initial values to components"):
        mechanism.simulate(1.0, q=[1.0])
    with pytest.raises(ArgumentError, match=r"simulate: .*'speed'"):
        mechanism.simulate(1.0, speed=1.0)
    world, fixed = planar.World(), planar.Fixed("nail")
    still = Mechanism("still", [world, fixed, body := planar.Body("body")])
    still.connect(fixed.frame_b, body.frame_a)
    with pytest.raises(ModelError, match=r"still: nothing can move"):
        still.simulate(1.0)


@pytest.mark.parametrize(
    ("duration", "count"),
    [(9e8, r"5.4e\+10"), (1e18, r"6e\+19"), (1e308, "inf"), (2 * 10**5, "1.2")],
)
def test_a_duration_of_too_many_samples(duration: float, count: str) -> None:
    wanted = (
        rf"pendulum: a duration of {duration:g} s would be {count}.* samples, 60 for each second"
    )
    with np.errstate(all="raise", over="ignore"), pytest.raises(SimulationError) as refused:
        pendulum().simulate(duration)
    message = str(refused.value)
    assert re.match(wanted.replace("e+", r"e\+"), message), message
    assert "wanted at most 1e+07, which is 1.67e+05 s; give the times" in message


def test_names_that_a_solution_does_not_know() -> None:
    sol = pendulum().simulate(0.2)
    with pytest.raises(
        ArgumentError, match=r"no component 'bdy' \(did you mean 'body'\?\); there are"
    ):
        sol(0.1, "bdy.r")
    with pytest.raises(
        ArgumentError, match=r"no variable 'hinge.angle'; of 'hinge' there are: .*hinge.phi"
    ):
        sol(0.1, "hinge.angle")
    with pytest.raises(ArgumentError, match=r"no variable 'rod.frame_c.x'; .*rod.frame_b.x"):
        sol(0.1, "rod.frame_c.x")
    with pytest.raises(ArgumentError, match=r"wanted the name of a variable, such as"):
        sol(0.1, 3)
    with pytest.raises(ArgumentError, match=r"t: wanted times from 0 s to 0.2 s"):
        sol(0.3, "hinge.phi")
    with pytest.raises(ArgumentError, match=r"t: wanted times"):
        sol([0.1, np.nan], "hinge.phi")


def test_frames_that_a_solution_does_not_know() -> None:
    mechanism, stranger = pendulum(), planar.FixedTranslation("stick")
    sol = mechanism.simulate(0.2)
    for function in (get_rot, get_trans, get_frame):
        with pytest.raises(ModelError, match=r"stick\.frame_b is no frame of this mechanism"):
            function(sol, stranger.frame_b, 0.1)
        with pytest.raises(ArgumentError, match=r"wanted a frame such as"):
            function(sol, "rod.frame_b", 0.1)
        for given in (None, mechanism, "sol"):
            with pytest.raises(ArgumentError, match=r"wanted the solution of a mechanism first"):
                function(given, mechanism.components["rod"].frame_b, 0.1)
    with pytest.raises(ArgumentError, match=r"wanted a solution, one of its frames, and times"):
        get_rot(sol)
    with pytest.raises(ArgumentError, match=r"wanted the solution of a mechanism first"):
        get_rot(mechanism.components["rod"].frame_b, sol, 0.1)
