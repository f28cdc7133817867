"""Components give the rows of the kinds in `dynamics.constraints`, at the frames they join."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ....close import assert_close
from .benches import AT_A, AT_B, joined, shafts, slides, two_bodies

SKEW, OTHER = np.array([0.3, -0.4, 0.8]), np.array([0.5, 0.7, -0.2])


def state_of(model: Any) -> tuple[Any, Any]:
    """Any state of free bodies, planar or in space."""
    rng = np.random.default_rng(7)
    q, v = rng.normal(size=model.nq), rng.normal(size=model.nv)
    return q, v


def rows_of(model: Any, constraint: Any, state: tuple[Any, Any]) -> tuple[Any, ...]:
    """Names, residual, Jacobian, rate and gamma of a constraint at a state."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import ConstraintRows

    rows = ConstraintRows(model, [constraint])
    at = System(model).moment(0.3, *state)
    positions = rows.at(at)
    rates, gamma = rows.rates(at, positions), rows.gamma(at, positions)
    return rows.names, positions.residual, positions.jacobian, rates, gamma


def check_same(mechanism: Any, expected: Any, picked: list[int] | None = None) -> None:
    """The component's rows are those of a kind, or some of them."""
    compiled = mechanism.compile()
    (own,) = compiled.system.constraints
    assert own.name == expected.name
    state = state_of(compiled.model)
    names, *values = rows_of(compiled.model, own, state)
    other_names, *others = rows_of(compiled.model, expected, state)
    rows = list(range(len(other_names))) if picked is None else picked
    wanted = [other_names[row] for row in rows]
    assert [name.replace(".turn z", ".turn") for name in wanted] == [
        name.replace(".turn z", ".turn") for name in names
    ]
    for value, other in zip(values, others, strict=True):
        assert_close(value, other[rows], atol=1e-13)


def turned_target(t: Any) -> Any:
    c, s = np.cos(0.4 * t), np.sin(0.4 * t)
    turn = [[c, -s, 0, 0.1 * t], [s, c, 0, 0.2], [0, 0, 1, t * t], [0, 0, 0, 1]]
    return np.array(turn)


SPATIAL = {
    "Ball": ("Ball", {}, {}),
    "WeldConstraint": ("Weld", {}, {}),
    "Hinge": ("Hinge", {"n": SKEW, "n_b": OTHER}, {"axis": SKEW, "axis_b": OTHER}),
    "PlanarHinge": ("PlanarHinge", {"n": SKEW}, {"axis": SKEW}),
    "PointOnLine": ("PointOnLine", {"n": SKEW}, {"axis": SKEW}),
    "PointOnPlane": ("PointOnPlane", {"n": SKEW}, {"axis": SKEW}),
    "CylindricalConstraint": (
        "Cylindrical",
        {"n": SKEW, "n_b": OTHER},
        {"axis": SKEW, "axis_b": OTHER},
    ),
    "PrismaticConstraint": ("Prismatic", {"n": SKEW}, {"axis": SKEW}),
    "UniversalConstraint": (
        "Universal",
        {"n_a": SKEW, "n_b": OTHER},
        {"axis_a": SKEW, "axis_b": OTHER},
    ),
    "ScrewConstraint": (
        "ScrewJoint",
        {"n": SKEW, "n_b": OTHER, "pitch": 0.02, "offset": 0.1},
        {"axis": SKEW, "axis_b": OTHER, "pitch": 0.02, "offset": 0.1},
    ),
    "DistanceConstraint": ("Distance", {"length": 1.3}, {"length": 1.3}),
}
USUAL = {
    "Hinge": ("Hinge", {}, {"axis": (0, 0, 1)}),
    "PlanarHinge": ("PlanarHinge", {}, {"axis": (0, 0, 1)}),
    "PointOnLine": ("PointOnLine", {}, {"axis": (1, 0, 0)}),
    "PointOnPlane": ("PointOnPlane", {}, {"axis": (0, 0, 1)}),
    "CylindricalConstraint": ("Cylindrical", {}, {"axis": (1, 0, 0)}),
    "PrismaticConstraint": ("Prismatic", {}, {"axis": (1, 0, 0)}),
    "UniversalConstraint": ("Universal", {}, {"axis_a": (1, 0, 0), "axis_b": (0, 1, 0)}),
}


@pytest.mark.parametrize("table", [SPATIAL, USUAL], ids=["given", "usual"])
def test_pairs_of_frames_in_space(table: Any) -> None:
    from dynarig.core.dynamics import constraints
    from dynarig.core.mechanism import spatial

    a, b = constraints.Port.at("one", AT_A), constraints.Port.at("two", AT_B)
    for component, (kind, given, options) in table.items():
        own = getattr(spatial, component)("loop", **given)
        expected = getattr(constraints, kind)(name="loop", a=a, b=b, **options)
        check_same(two_bodies("spatial", own), expected)


PLANAR = {
    "Hinge": ("PlanarHinge", {}, {}, [0, 1]),
    "WeldConstraint": ("Weld", {}, {}, [0, 1, 5]),
    "DistanceConstraint": ("Distance", {"length": 1.3}, {"length": 1.3}, [0]),
}


@pytest.mark.parametrize("component", PLANAR)
def test_pairs_of_frames_in_a_plane_have_the_rows_that_it_needs(component: str) -> None:
    from dynarig.core.dynamics import constraints
    from dynarig.core.mechanism import planar

    kind, given, options, picked = PLANAR[component]
    flat = [1.0, 1.0, 0.0]
    ports = constraints.Port.at("one", AT_A * flat), constraints.Port.at("two", AT_B * flat)
    expected = getattr(constraints, kind)(name="loop", a=ports[0], b=ports[1], **options)
    own = getattr(planar, component)("loop", **given)
    check_same(two_bodies("planar", own), expected, picked)


@pytest.mark.parametrize("n", [None, (0.6, 0.8), (0.0, -2.0)])
def test_lines_in_a_plane(n: Any) -> None:
    """The point's distance to the left of the line; the slide's turn is 2 tan(phi / 2)."""
    from dynarig.core.mechanism import planar

    given = {} if n is None else {"n": n}
    along = np.array([1.0, 0.0] if n is None else n) / np.linalg.norm(
        [1.0, 0.0] if n is None else n
    )
    for component in ("PointOnLine", "PrismaticConstraint"):
        mechanism = two_bodies("planar", getattr(planar, component)("line", **given))
        compiled = mechanism.compile()
        q, v = state_of(compiled.model)
        names, residual, jacobian, *_ = rows_of(
            compiled.model, compiled.system.constraints[0], (q, v)
        )
        (x_a, y_a, phi_a), (x_b, y_b, phi_b) = q[:3], q[3:]

        def turn(phi: float) -> Any:
            return np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])

        start = np.array([x_a, y_a]) + turn(phi_a) @ AT_A[:2]
        point = np.array([x_b, y_b]) + turn(phi_b) @ AT_B[:2]
        apart = turn(-phi_a) @ (point - start)
        left = along[0] * apart[1] - along[1] * apart[0]
        expected = [left, 2 * np.tan(0.5 * (phi_b - phi_a))]
        assert_close(residual, expected[: len(names)], atol=1e-13)
        assert names == ("line.across", "line.turn")[: len(names)]
        assert len(names) == (1 if component == "PointOnLine" else 2)
        assert jacobian.shape == (len(names), 6)


def test_cables_run_through_their_frames_in_order() -> None:
    from dynarig.core.dynamics import constraints
    from dynarig.core.mechanism import spatial

    a, b = constraints.Port.at("one", AT_A), constraints.Port.at("two", AT_B)
    over = constraints.Port.at(None, [0.0, 0.0, 2.0])
    cable = spatial.Cable("cable", length=4.0, through=1)
    assert [frame.name for frame in cable.frames] == ["frame_a", "frame_1", "frame_b"]
    pulley = spatial.FixedTranslation("pulley", r=(0, 0, 2))
    parts = list(two_bodies("spatial", spatial.Ball("unused")).components.values())[:-1]
    world, one, two, arm_a, arm_b = parts
    mechanism = joined(
        "over",
        [*parts, pulley, cable],
        (world.frame_b, pulley.frame_a),
        (one.frame_a, arm_a.frame_a),
        (two.frame_a, arm_b.frame_a),
        (arm_a.frame_b, cable.frame_a),
        (pulley.frame_b, cable.frame("frame_1")),
        (arm_b.frame_b, cable.frame_b),
    )
    check_same(mechanism, constraints.Cable(name="cable", points=[a, over, b], length=4.0))


def test_motions_may_give_what_is_followed_alone() -> None:
    """A position or an orientation in place of a pose, and constants in place of functions."""
    from dynarig.core.mechanism import planar, spatial

    pose, shift = turned_target(1.0), np.eye(4)
    shift[:3, 3] = 0.1, 0.2, 0.3
    for kinds, rows, whole, part in (
        (spatial, "position", shift, shift[:3, 3]),
        (spatial, "orientation", pose, pose[:3, :3]),
        (planar, "position", (0.1, 0.2, 0.0), (0.1, 0.2)),
        (planar, "orientation", (0.1, 0.2, 0.4), 0.4),
    ):
        space = "spatial" if kinds is spatial else "planar"
        own = kinds.PrescribedFrame("drive", motion=lambda t, part=part: part, rows=rows)
        same = kinds.PrescribedFrame("drive", motion=whole, rows=rows)
        (expected,) = two_bodies(space, same).compile().system.constraints
        check_same(two_bodies(space, own), expected)


def test_a_coordinate_vector_passes_all_on() -> None:
    """Every parameter of the kind, under its own name."""
    from dataclasses import fields

    from dynarig.core.dynamics.constraints import CoordinateVector, Switch
    from dynarig.core.mechanism import planar

    def function(*arguments: Any) -> Any:
        return [0.0]

    given = {
        "X0": [[1.0]],
        "X1": [[2.0, 0.5]],
        "Y0": [[3.0]],
        "Y1": [[4.0, 0.1]],
        "offset": [5.0],
        "offset_function": function,
        "offset_function_t": function,
        "velocity_level": True,
        "constraint_function": function,
        "jacobian_function": function,
        "active": False,
        "switches": (Switch.at(1.0, True),),
        "show": False,
        "color": (0.1, 0.2, 0.3),
    }
    markers = [planar.CoordinateMarker("a", "x0"), planar.CoordinateMarker("b", ["x0", "y0"])]
    own = planar.CoordinateVector("c", marker0=markers[0], marker1="b", **given)
    (made,) = slides([1.0], *markers, own).compile().system.constraints
    everything = {"name": "c", "marker0": "a", "marker1": "b", **given}
    assert set(everything) == {field.name for field in fields(CoordinateVector)}
    for name, value in everything.items():
        there = getattr(made, name)
        assert np.array_equal(there, value) if isinstance(value, list) else there == value


def test_markers_name_coordinates_of_joints_bodies_and_links() -> None:
    from dynarig.core.mechanism import spatial

    world, ball = spatial.World("world"), spatial.Spherical("ball")
    arm, body = spatial.FixedTranslation("arm", r=(1, 0, 0)), spatial.Body("body", I=0.1)
    slide, load = spatial.Cylindrical("slide"), spatial.Body("load", I=0.1)
    free = spatial.Body("free", orientation_state="euler")
    quaternion = ["ball.qw", "ball.qx", "ball.qy", "ball.qz"]
    pose = ["free.free.x", "free.free.y", "free.free.z"]
    pose += ["free.free.phi1", "free.free.phi2", "free.free.phi3"]
    cases = (
        (ball, quaternion),
        ("ball", quaternion),
        ("body", quaternion),
        (body, quaternion),
        (arm.frame_b, quaternion),
        ("arm.frame_b", quaternion),
        ("ball.qz", quaternion[3:]),
        (slide.edge, ["slide.turn", "slide.slide"]),
        (["slide.s", "slide.phi"], ["slide.slide", "slide.turn"]),
        ("slide.turn", ["slide.turn"]),
        (free, pose),
        (["free.phi2", "free.y"], [pose[4], pose[1]]),
        ((), []),
    )
    markers = [spatial.CoordinateMarker(f"m{k}", given) for k, (given, _) in enumerate(cases)]
    parts = [world, ball, arm, body, slide, load, free, *markers]
    chains = [(world, ball, arm, body), (world, slide, load)]
    compiled = joined("marked", parts, chains=chains).compile()
    for made, (_, names) in zip(compiled.system.markers, cases, strict=True):
        assert list(made.coordinates) == names


@pytest.mark.parametrize("rows", ["pose", "position", "orientation"])
def test_driven_frames(rows: Any) -> None:
    from dynarig.core.dynamics import constraints
    from dynarig.core.mechanism import planar, spatial

    for space, at, picked in (
        (spatial, AT_B, {"pose": None, "position": None, "orientation": None}),
        (planar, AT_B * [1, 1, 0], {"pose": [0, 1, 5], "position": [0, 1], "orientation": [2]}),
    ):

        def flat(t: Any, space: Any = space) -> Any:
            if space is spatial:
                return turned_target(t)
            return [0.1 * t, 0.2, 0.4 * t]

        def lifted(t: Any, space: Any = space) -> Any:
            pose = turned_target(t)
            if space is planar:
                pose[2, 3] = 0.0
            return pose

        own = space.PrescribedFrame("drive", motion=flat, rows=rows)
        name = "spatial" if space is spatial else "planar"
        port = constraints.Port.at("two", at)
        expected = constraints.PrescribedFrame(name="drive", port=port, motion=lifted, rows=rows)
        check_same(two_bodies(name, own), expected, picked[rows])


def test_wheels() -> None:
    from dynarig.core.dynamics import constraints
    from dynarig.core.mechanism import planar, spatial

    a, b = constraints.Port.at("one", AT_A), constraints.Port.at("two", AT_B)
    for given, options in (
        ({}, {"axis": (0, 1, 0), "normal": (0, 0, 1)}),
        (
            {"n": SKEW, "normal": OTHER, "touches": False},
            {"axis": SKEW, "normal": OTHER, "touches": False},
        ),
        ({"grips_sideways": False}, {"axis": (0, 1, 0), "grips_sideways": False}),
    ):
        own = spatial.RollingWheel("wheel", radius=0.4, **given)
        expected = constraints.RollingWheel(name="wheel", wheel=b, plane=a, radius=0.4, **options)
        check_same(two_bodies("spatial", own), expected)
    flat = [1.0, 1.0, 0.0]
    a, b = constraints.Port.at("one", AT_A * flat), constraints.Port.at("two", AT_B * flat)
    for given, normal in (({}, (0, 1, 0)), ({"n": (0.6, 0.8)}, (-0.8, 0.6, 0))):
        own = planar.RollingWheel("wheel", radius=0.4, **given)
        expected = constraints.RollingWheel(
            name="wheel", wheel=b, plane=a, radius=0.4, axis=(0, 0, -1), normal=normal
        )
        check_same(two_bodies("planar", own), expected, [0, 1])


def test_a_hold_is_a_weld_to_where_it_starts() -> None:
    from dynarig.core.mechanism import planar, spatial

    for name, kinds, rows in (("spatial", spatial, 6), ("planar", planar, 3)):
        compiled = two_bodies(name, kinds.Hold("hold")).compile()
        (own,) = compiled.system.constraints
        state = state_of(compiled.model)
        names, residual, jacobian, *_ = rows_of(
            compiled.model, own.at(compiled.model, state[0]), state
        )
        assert len(names) == rows
        assert_close(residual, np.zeros(rows), atol=1e-13)
        assert np.linalg.matrix_rank(jacobian) == rows


RELATIONS = {
    "Gear": (
        "Gear",
        {"joint_a": "shaft0", "joint_b": "shaft1", "ratio": -2.0, "offset": 0.1},
        {"driver": "shaft0", "driven": "shaft1", "ratio": -2.0, "offset": 0.1},
    ),
    "Mimic": (
        "Mimic",
        {"leader": "shaft1", "follower": "shaft0", "multiplier": 0.3, "offset": -0.2},
        {"leader": "shaft1", "follower": "shaft0", "multiplier": 0.3, "offset": -0.2},
    ),
    "LinearRelation": (
        "LinearRelation",
        {"coefficients": {"shaft0": 1.0, "shaft1": 2.0, "wheel0": 0.5}, "offset": 0.7},
        {"coefficients": {"shaft0": 1.5, "shaft1": 2.0}, "offset": 0.7},
    ),
    "PrescribedCoordinate": (
        "PrescribedCoordinate",
        {"coordinate": "shaft1", "motion": lambda t: np.sin(2 * t)},
        {"coordinate": "shaft1", "motion": lambda t: np.sin(2 * t)},
    ),
}


@pytest.mark.parametrize("component", RELATIONS)
def test_relations_between_joints(component: str) -> None:
    from dynarig.core.dynamics import constraints
    from dynarig.core.mechanism import planar

    kind, given, options = RELATIONS[component]
    own = getattr(planar, component)("couple", **given)
    check_same(shafts(2, own), getattr(constraints, kind)(name="couple", **options))


def test_what_every_constraint_takes_is_passed_on() -> None:
    from dynarig.core.dynamics.constraints import Switch
    from dynarig.core.mechanism import planar

    switches = (Switch.at(1.0, True), Switch.at(2.0, False))
    own = planar.Hinge("loop", active=False, switches=switches)
    (constraint,) = two_bodies("planar", own).compile().system.constraints
    assert constraint.active is False and constraint.switches == switches
