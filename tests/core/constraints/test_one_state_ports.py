"""Single states of constraints with port a on the world, with port b on it, and with neither."""

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import COUPLER, CRANK, GRAVITY, GROUND, ROCKER, four_bar_angles, tree, turned
from .test_one_state import turn_of

ENDS = ["a on the world", "b on the world", "both on links", "both on links, swapped"]
# with joints of one, two and three degrees of freedom in a frame
JOINTS = ["revolute", "universal", "prismatic", "spherical", "revolute", "spherical ZXZ"]
AXES = {"axis": [0.3, -0.5, 0.8], "axis_b": [0.1, 0.9, 0.2]}
KINDS = {
    "Ball": {},
    "PlanarHinge": AXES,
    "Hinge": AXES,
    "Weld": {},
    "Universal": {"axis_a": [1, 2, 0], "axis_b": [0, 1, 1]},
    "Prismatic": AXES,
    "Cylindrical": AXES,
    "PointOnLine": AXES,
    "PointOnPlane": {"axis": [1, 2, 3]},
}
# all of whose rows are linear in the pose
LINEAR = {"Ball", "PlanarHinge", "Universal", "PointOnLine", "PointOnPlane"}
# those of a loop in a plane, with rows that move something: what turns out of it never does
IN_PLANE = {
    "Ball": (2, {}),
    "PlanarHinge": (2, {}),
    "Hinge": (2, {}),
    "Cylindrical": (2, {}),
    "Universal": (2, {"axis_a": [0, 0, 1], "axis_b": [1, 0, 0]}),
    "PointOnLine": (1, {"axis": [1, 0, 0]}),
    "Prismatic": (2, {"axis": [1, 0, 0]}),
    "Weld": (3, {}),
}
TURNING = {"Prismatic", "Weld"}  # one of their rows in the plane is no linear one


@pytest.fixture(scope="module")
def mixed(random_tree):
    from dynarig.core.dynamics import compile_tree

    return compile_tree(random_tree(7, JOINTS))


def loop(kind, ends, link, other, place, options):
    """A constraint; link and other carry its ports, `place` is that of one on the world."""
    from dynarig.core.dynamics import constraints as c

    first, second = c.Port(None, place) if "world" in ends else other, link
    if ends in ("b on the world", "both on links, swapped"):
        first, second = second, first
    return getattr(c, kind)(name="loop", a=first, b=second, **options)


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_those_of_many_states(kind, ends, mixed, rng):
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Port

    link, other = (Port(name, turned(turn_of(rng), rng.normal(size=3))) for name in ("b6", "b3"))
    own = loop(kind, ends, link, other, turned(turn_of(rng), rng.normal(size=3)), KINDS[kind])
    system, bare = System(mixed, constraints=(own,)), System(mixed)
    fewer = system.rows.one_state
    for _ in range(3):
        q, v = rng.uniform(-1, 1, mixed.nq), rng.normal(size=mixed.nv)
        q[mixed.quaternion_q] = rng.normal(size=(len(mixed.quaternion_q), 4))
        at, apart = system.moment(0.0, q, v), bare.moment(0.0, q, v)
        # in the tree's own pass, where that can be
        assert (at.one.owner is fewer) == (kind in LINEAR)
        jacobian, gamma = fewer.at(at, at.one)
        positions = system.rows.at(apart)
        assert_close(jacobian, fewer.gather @ positions.jacobian, atol=1e-12)
        expected = fewer.gather @ system.rows.gamma(apart, positions)
        assert_close(gamma, expected, atol=1e-12 * max(1.0, np.abs(expected).max()))
        again, residual = fewer.positions(at, at.one)
        assert_close(again, jacobian, atol=1e-12)
        assert_close(residual, fewer.gather @ positions.residual, atol=1e-12)
        # and the tree is none the wiser
        assert_close(at.one.mass, apart.one.mass, atol=1e-12)
        assert_close(at.one.bias, apart.one.bias, atol=1e-11)
        assert_close(at.one.speeds, apart.one.speeds, atol=1e-13)
        assert_close(at.one.gains, apart.one.gains, atol=1e-12)


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("roots", [1, 2])
def test_rows_of_what_floats_do_not_depend_on_where_it_is(roots, ends, rng):
    """Near the origin they are those of many states; a metre and a kilometre away the same."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Port

    model = floating_arms(roots)
    link, other = (Port(name, turned(turn_of(rng), rng.normal(size=3))) for name in ("t1", "t0"))
    own = loop("Universal", ends, link, other, np.eye(4), KINDS["Universal"])
    system = System(model, constraints=(own,))
    fewer = system.rows.one_state
    q, v = rng.uniform(-1, 1, model.nq), rng.normal(size=model.nv)
    q[model.quaternion_q] = rng.normal(size=(roots, 4))
    told = []
    for far in (0.0, 1.0, 1000.0):
        there = q.copy()
        there[model.floating_q] += far * np.array([1.0, -0.5, 0.3])
        at = system.moment(0.0, there, v)
        # what is tied to the world is worked out where it stands
        assert (at.one.owner is fewer) == ("links" in ends)
        apart = System(model).moment(0.0, there, v)
        told.append((*fewer.at(at, at.one), at.one.mass, at.one.bias))
        positions = system.rows.at(apart)
        size = 1.0 + far**2  # of what cancels where rows are taken as they stand
        slopes, bends = positions.jacobian, system.rows.gamma(apart, positions)
        rows = fewer.gather @ slopes, fewer.gather @ bends
        expected = *rows, apart.one.mass, apart.one.bias
        for found, wanted in zip(told[-1], expected, strict=True):
            assert_close(found, wanted, atol=1e-12 * size * max(1.0, np.abs(wanted).max()))
        assert_close(at.one.poses, apart.one.poses, atol=0.0)
        assert_close(at.one.speeds, apart.one.speeds, atol=1e-12 * size)
    if "links" in ends:
        for found, near in zip(told[2], told[0], strict=True):
            # places of two robots are known to 1e-13 m a kilometre away
            bound = 1e-12 if roots == 1 else 1e-10
            assert_close(found, near, atol=bound * max(1.0, np.abs(near).max()))


def floating_arms(roots):
    """Two arms, whose ends are t0 and t1, on one floating body or on one each."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.mechanism import Body, TreeJoint

    bodies, joints = [], []

    def add(kind, parent, child, place, **options):
        bodies.append(Body(child, 1.0, np.array([0.1, 0.2, 0]), np.diag([0.1, 0.2, 0.25])))
        pose, axis = turned(np.eye(3), place), np.array([0, 0, 1.0])
        joints.append(TreeJoint(f"to {child}", kind, parent, child, pose, axis, **options))

    for root in range(roots):
        add("floating", "base", f"body{root}", [0, 0, 0])
    for arm in range(2):
        add("revolute", f"body{min(arm, roots - 1)}", f"u{arm}", [0.3, 0.4 * arm, 0.1])
        second = np.array([1.0, 0, 0])
        add("universal", f"u{arm}", f"t{arm}", [0.5, 0, 0.2], second_axis=second)
    return compile_tree(tree("arms", bodies, joints), gravity=GRAVITY)


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("kind", IN_PLANE)
def test_a_four_bar_answers_as_many_states_do(kind, ends, rng):
    """Closed at its last hinge, or cut at its knee, in any orientation and at any speed."""
    from dynarig.core.dynamics import System

    model, link, other, ground, q, turn = four_bar_cut(ends, turn_of(rng))
    count, options = IN_PLANE[kind]
    own = loop(kind, ends, link, other, turned(turn, turn @ ground), options)
    system = System(model, constraints=(own,))
    fewer = system.rows.one_state
    assert len(fewer.gather) == count
    states = q + 1e-9 * rng.normal(size=(4, 3))
    rates, force = rng.normal(size=(2, 4, 3))
    many = system.moment(np.zeros(4), states, rates)
    answer = system.respond(many, force)
    for index in range(4):
        at = system.moment(0.0, states[index], rates[index])
        assert (at.one.owner is fewer) == (kind not in TURNING)
        one = system.respond(at, force[index])
        for name in ("a", "multipliers", "pull"):
            size = np.abs(getattr(answer, name)).max()
            assert_close(getattr(one, name), getattr(answer, name)[index], atol=1e-10 * size)


def four_bar_cut(ends, turn):
    """(model, link's port, the other's, place on the world, q, turn) of a closed four-bar.

    With both ports on links, coupler and rocker meet at the knee; else the rocker meets the world.
    """
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.mechanism import Body, TreeJoint

    at_knee = "links" in ends
    angles = four_bar_angles(1.0)
    if at_knee:
        angles[2] = angles.sum() + np.pi
    last = ("base", [GROUND, 0, 0]) if at_knee else ("rod1", [COUPLER, 0, 0])
    bars = [(CRANK, "base", [0.0, 0, 0]), (COUPLER, "rod0", [CRANK, 0, 0]), (ROCKER, *last)]
    bodies, joints = [], []
    for index, (length, parent, place) in enumerate(bars):
        inertia = length**2 / 12.0 * np.diag([0.01, 1.0, 1.0])
        bodies.append(Body(f"rod{index}", 1.0, np.array([0.5 * length, 0, 0]), inertia))
        pose = turned(turn, turn @ place) if parent == "base" else turned(np.eye(3), place)
        axis = np.array([0, 0, 1.0])
        joints.append(TreeJoint(f"pin{index}", "continuous", parent, f"rod{index}", pose, axis))
    model = compile_tree(tree("four-bar", bodies, joints), gravity=turn @ np.asarray(GRAVITY))
    link, other = Port.at("rod2", [ROCKER, 0, 0]), Port.at("rod1", [COUPLER, 0, 0])
    return model, link, other, np.array([GROUND, 0, 0]), angles, turn
