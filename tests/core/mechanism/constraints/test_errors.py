"""What constraint components refuse, and how they say it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .benches import joined, shafts, slides, two_bodies


def refused(kind: str, *wanted: str, space: str = "spatial", **given: Any) -> None:
    """The component 'c' of a kind is refused with all of the words."""
    from dynarig.core.errors import ArgumentError
    from dynarig.core.mechanism import planar, spatial

    kinds = {"planar": planar, "spatial": spatial}[space]
    with pytest.raises(ArgumentError) as caught:
        getattr(kinds, kind)("c", **given)
    for words in (f"{kind} 'c'", *wanted):
        assert words in str(caught.value)


def refused_whole(mechanism: Any, *wanted: str) -> None:
    """The mechanism does not compile, with all of the words."""
    from dynarig.core.errors import ModelError

    with pytest.raises(ModelError) as caught:
        mechanism.compile()
    for words in wanted:
        assert words in str(caught.value)


def test_a_joint_or_sensor_tells_of_the_constraint_of_its_name() -> None:
    wanted = "unexpected keyword argument 'switches', which WeldConstraint takes; Weld takes name"
    refused("Weld", wanted, switches=())
    refused("Weld", wanted, space="planar", switches=())
    refused("Distance", "which DistanceConstraint takes; Distance takes name", length=1.0)
    refused("Weld", "unexpected keyword argument 'color2'; it takes name", color2=1)


def test_what_every_constraint_refuses() -> None:
    refused("Ball", "active: wanted True or False, got 1", active=1)
    refused("Ball", "show: wanted True or False, got 'no'", show="no")
    refused("Ball", "color: wanted three numbers in 0..1", color=(2, 0, 0))
    refused("Ball", "switches: wanted switches such as Switch.at(1.0, True)", switches=[3])
    refused("Ball", "switches: wanted switches", switches=5)
    refused("Ball", "axis", "it takes name", axis=(0, 0, 1))
    refused("CoordinateVector", "active", X1=[[1.0]], active="yes")


def test_arguments_of_pairs() -> None:
    for kind in ("Hinge", "PlanarHinge", "PointOnLine", "PointOnPlane", "PrismaticConstraint"):
        refused(kind, "n: wanted a direction", n=(0, 0, 0))
        refused(kind, "n: wanted 3 finite numbers", n=(0, 1))
    refused("Hinge", "n_b: wanted a direction", n_b=(0, 0, 0))
    refused("CylindricalConstraint", "n_b: wanted 3 finite numbers", n_b="z")
    refused("UniversalConstraint", "n_a: wanted a direction", n_a=(0, 0, 0))
    refused("UniversalConstraint", "n_b: wanted 3 finite numbers", n_b=(1, np.nan, 0))
    refused("PointOnLine", "n: wanted 2 finite numbers", space="planar", n=(1, 0, 0))
    refused("ScrewConstraint", "pitch: wanted a number that is not 0", pitch=0.0)
    refused("DistanceConstraint", "length: wanted a number above 0, got 0", length=0.0)
    refused("Cable", "length: wanted a number above 0, got -1", length=-1.0)
    refused("Cable", "through: wanted how many frames", length=1.0, through=-1)
    refused("Cable", "through: wanted how many frames", length=1.0, through=1.5)
    refused("RollingWheel", "radius: wanted a number above 0", radius=0.0)
    refused("RollingWheel", "normal: wanted a direction", radius=1.0, normal=(0, 0, 0))
    refused("RollingWheel", "touches: wanted True or False", radius=1.0, touches=None)
    refused("RollingWheel", "n: wanted 2 finite numbers", space="planar", radius=1.0, n=(0, 0, 1))


def test_arguments_of_relations() -> None:
    joints = {"joint_a": "a", "joint_b": "b"}
    refused("Gear", "ratio: wanted it, or radius_a and radius_b", **joints)
    refused("Gear", "radius_b: wanted it beside radius_a", **joints, radius_a=1.0)
    refused("Gear", "radius_a: wanted it beside radius_b", **joints, radius_b=1.0)
    refused("Gear", "radius_a: wanted a number above 0", **joints, radius_a=-1.0, radius_b=1.0)
    refused(
        "Gear",
        "ratio: wanted -2 for outer teeth or 2 for inner ones",
        **joints,
        radius_a=2,
        radius_b=1,
        ratio=-3,
    )
    refused("Gear", "ratio: wanted a finite number", **joints, ratio=np.inf)
    refused("Gear", "joint_b: wanted a joint, a body, or the name", joint_a="a", joint_b=3, ratio=1)
    refused("Mimic", "leader: wanted a joint", leader="", follower="b")
    refused("Mimic", "multiplier: wanted a finite number", leader="a", follower="b", multiplier="2")
    refused("LinearRelation", "coefficients: wanted {coordinate: number, …}", coefficients={})
    refused("LinearRelation", "coefficients['a']: wanted a finite number", coefficients={"a": None})
    refused("RackAndPinion", "radius: wanted a finite number", pinion="a", rack="b", radius=None)
    refused("Thread", "pitch: wanted a finite number", turn="a", slide="b", pitch=None)
    refused("PrescribedCoordinate", "motion", coordinate="a", motion="fast")
    refused("PrescribedFrame", "rows: wanted 'pose', 'position'", motion=np.eye(4), rows="all")


def test_a_component_that_is_no_joint_or_body_has_no_coordinates() -> None:
    from dynarig.core.errors import ArgumentError
    from dynarig.core.mechanism import planar

    for given in (planar.World("world"), planar.TorqueMotor("motor", joint="a", tau=1.0)):
        with pytest.raises(ArgumentError, match="coordinates: wanted a joint, a body, or the name"):
            planar.CoordinateMarker("m", [given])
    with pytest.raises(ArgumentError, match="coordinates: wanted a list of joints"):
        planar.CoordinateMarker("m", 5)


def test_an_unknown_marker_is_an_error_that_lists_those_that_exist() -> None:
    from dynarig.core.errors import ArgumentError
    from dynarig.core.mechanism import planar

    markers = [planar.CoordinateMarker(name, "x0") for name in ("left", "right")]
    for own in ("middle", planar.CoordinateMarker("middle", "x0")):
        vector = planar.CoordinateVector("c", marker1=own, X1=[[1.0]])
        refused_whole(
            slides([1.0], *markers, vector, axes="x"),
            "slides: CoordinateVector 'c': marker1: no marker 'middle' in this mechanism",
            "there are: left, right, ground",
        )
    with pytest.raises(ArgumentError, match="marker0: wanted a CoordinateMarker, its name, or"):
        planar.CoordinateVector("c", marker0=3, X1=[[1.0]])
    empty = planar.CoordinateVector("c", marker0="ground", marker1="ground", X1=[[1.0]])
    refused_whole(slides([1.0], empty, axes="x"), "both markers are on the ground")


def test_matrices_that_do_not_fit_are_refused() -> None:
    from dynarig.core.errors import ArgumentError
    from dynarig.core.mechanism import planar

    refused("CoordinateVector", "all of X0, X1, Y0, Y1 are empty")
    refused("CoordinateVector", "X1: wanted a matrix (n, columns)", X1=[1.0])
    refused("CoordinateVector", "Y1: wanted 2 rows", X1=np.eye(2), Y1=[[1.0, 1.0]])
    refused("CoordinateVector", "offset: wanted 1 numbers", X1=[[1.0]], offset=[1.0, 2.0])
    refused("CoordinateVector", "jacobian_function", X1=[[1.0]], jacobian_function=np.sin)
    wanted = "constraint_function: wanted a function"
    refused("CoordinateVector", wanted, X0=[[0]], constraint_function=3)
    marker = planar.CoordinateMarker("m", ["x0", "y0"])
    wide = planar.CoordinateVector("c", marker1="m", X1=[[1.0, 2.0, 3.0]])
    with pytest.raises(ArgumentError, match=r"CoordinateVector 'c': X1: wanted 2 columns"):
        slides([1.0], marker, wide).compile()


def test_unknown_coordinates_are_listed() -> None:
    from dynarig.core.mechanism import planar

    gear = planar.Gear("gear", joint_a="shaft0", joint_b="shaft7", ratio=2.0)
    refused_whole(
        shafts(2, gear),
        "train: Gear 'gear': joint_b: no joint, body or coordinate 'shaft7'",
        "did you mean 'shaft",
        "shaft0, shaft1",
    )
    other = planar.Gear("gear", joint_a=planar.Revolute("stranger"), joint_b="shaft0", ratio=2.0)
    refused_whole(shafts(1, other), "joint_a: Revolute 'stranger' is not in this mechanism")
    stranger = planar.Gear("gear", joint_a=planar.Body("stranger"), joint_b="shaft0", ratio=2.0)
    refused_whole(shafts(1, stranger), "joint_a: Body 'stranger' is not in this mechanism")
    part = planar.LinearRelation("tie", coefficients={"shaft0.s": 1.0})
    refused_whole(shafts(1, part), "no coordinate 'shaft0.s'; Revolute 'shaft0' has phi")
    still = planar.CoordinateMarker("m", "place0.frame_b")
    refused_whole(shafts(1, still), "'place0.frame_b' stands still in the world")


def test_one_coordinate_is_wanted() -> None:
    from dynarig.core.mechanism import planar, spatial

    tie = spatial.Mimic("tie", leader="one", follower="two.z")
    mechanism = two_bodies("spatial", spatial.Ball("ball"))
    mechanism.add(tie)
    refused_whole(
        mechanism,
        "pair: Mimic 'tie': leader: wanted one coordinate, and Body 'one' has 7; name one of",
        "'one.x', 'one.y', 'one.z', 'one.qw'",
    )
    rack = planar.RackAndPinion("rack", pinion="x0", rack="y0", radius=0.1)
    refused_whole(slides([1.0], rack), "pinion: wanted a turn, in rad, got Prismatic 'x0', a slide")
    rack = planar.RackAndPinion("rack", pinion="shaft0", rack="shaft1", radius=0.1)
    refused_whole(shafts(2, rack), "rack: wanted a slide, in m, got Revolute 'shaft1', a turn")


def test_joints_that_are_given_backwards() -> None:
    """A hinge keeps its coordinate; a ball's is another function of the state, and is refused."""
    from dynarig.core.mechanism import spatial

    for kind, fits in (("Revolute", True), ("Spherical", False)):
        world, joint = spatial.World("world"), getattr(spatial, kind)("joint")
        arm, body = spatial.FixedTranslation("arm", r=(1, 0, 0)), spatial.Body("body", I=0.1)
        marker = spatial.CoordinateMarker("m", joint)
        links = (world.frame_b, joint.frame_b), (joint.frame_a, arm.frame_a)
        links = (*links, (arm.frame_b, body.frame_a))
        mechanism = joined("back", [world, joint, arm, body, marker], *links)
        if fits:
            (own,) = mechanism.compile().system.markers
            assert own.coordinates == ("joint",)
        else:
            refused_whole(mechanism, "Spherical 'joint' is connected with its frame_b towards")


def test_a_follower_is_no_marker_s() -> None:
    from dynarig.core.mechanism import spatial
    from dynarig.core.urdf import parse_urdf

    link = """<link name="{0}"><inertial><mass value="1"/><inertia
        ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
    text = (
        '<robot name="arm"><link name="base"/>'
        + link.format("upper")
        + link.format("fore")
        + '<joint name="a" type="continuous"><parent link="base"/><child link="upper"/></joint>'
        + '<joint name="b" type="continuous"><parent link="upper"/><child link="fore"/>'
        + '<mimic joint="a" multiplier="2"/></joint></robot>'
    )
    world, robot = spatial.World("world"), spatial.Robot("arm", parse_urdf(text))
    marker = spatial.CoordinateMarker("m", "arm.b")
    links = ((world.frame_b, robot.frame_a),)
    refused_whole(
        joined("robot", [world, robot, marker], *links),
        "CoordinateMarker 'm': coordinates: Robot 'arm': joint 'b' follows 'arm.a'",
    )
    # but a relation may name it: it is twice its leader
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import ConstraintRows

    tie = spatial.LinearRelation("tie", coefficients={"arm.b": 1.0, robot.joint("a"): 1.0})
    compiled = joined("robot", [world, robot, tie], *links).compile()
    rows = ConstraintRows(compiled.model, compiled.system.constraints)
    at = System(compiled.model).moment(0.0, np.array([0.2]), np.zeros(1))
    np.testing.assert_allclose(rows.at(at).jacobian, [[3.0]], rtol=0, atol=1e-15)


def test_motions_that_are_none_are_named() -> None:
    from dynarig.core.errors import ArgumentError, SimulationError
    from dynarig.core.mechanism import planar, spatial

    body = spatial.Body("body", I=0.1)
    bad = spatial.PrescribedFrame("drive", motion=lambda t: (1.0, 2.0))
    links = ((body.frame_a, bad.frame_b),)
    with pytest.raises(ArgumentError, match=r"PrescribedFrame 'drive': motion: wanted a pose"):
        joined("driven", [spatial.World("world"), body, bad], *links).simulate(0.1)

    def fails(t: float) -> float:
        raise KeyError("speed")

    drive = planar.PrescribedCoordinate("drive", coordinate="shaft0", motion=fails)
    with pytest.raises(SimulationError, match="PrescribedCoordinate 'drive': motion: the function"):
        shafts(1, drive).simulate(0.1)
