"""Gaps: their values by hand, their gradients and curvature by differences."""

import numpy as np
import pytest

from ...close import assert_close
from .benches import free_bodies


def port(link, *point):
    from dynarig.core.dynamics.constraints import Port

    return Port.at(link, point)


@pytest.fixture(scope="module")
def tree(random_tree):
    from dynarig.core.dynamics import compile_tree

    return compile_tree(
        random_tree(3, ["floating", "revolute", "spherical", "prismatic"], lower=-1.0, upper=2.0)
    )


@pytest.fixture(scope="module")
def gaps(tree):
    from dynarig.core.dynamics.contact import (
        Box,
        Contact,
        Gaps,
        Plane,
        Point,
        Sphere,
        Wall,
        joint_limits,
    )

    contacts = [
        Contact(
            name="floor", a=Sphere(port("b4", 0.1, 0.2, 0), 0.3), b=Plane(port(None, 0, 0, -1))
        ),
        Contact(
            name="balls", a=Sphere(port("b1", 0.1, 0, 0), 0.1), b=Sphere(port("b3", 0, 1, 0), 0.2)
        ),
        Contact(
            name="boxes",
            a=Box(port("b2", 3, 0, 0), (0.1, 0.2, 0.3)),
            b=Box(port("b4", 0, 0, 0), (1, 2, 3)),
        ),
        Contact(
            name="wall",
            a=Point(port("b2", 1, 0, 0)),
            b=Wall(port("b3", 0, 2, 0), (0, 1, 1), along=(1, 0, 0), length=2.0, double_sided=True),
        ),
        Contact(
            name="ball on box",
            a=Sphere(port("b1", 0, 0.4, 0.2), 0.3),
            b=Box(port("b3", 0.1, 0, 0), (0.3, 0.2, 0.1)),
        ),
        Contact(
            name="strip",
            a=Box(port("b4", 1, 0, 0), (0.3, 0.2, 0.1)),
            b=Wall(port("b1", 0, 0, 1), (0, 1, 1), along=(1, 0, 0), length=1.0),
        ),
        Contact(
            name="end of strip",
            a=Sphere(port("b4", 0, 1, 0), 0.2),
            b=Wall(port("b1", 0, 0, 1), (0, 1, 1), along=(1, 0, 0), length=1.0),
        ),
        *joint_limits(tree),
    ]
    return Gaps(tree, contacts)


def test_rates_and_curvature_are_those_of_the_gaps_along_a_motion(tree, gaps):
    from dynarig.core.dynamics import System, integrate_q

    rng = np.random.default_rng(4)
    q, v = tree.neutral() + rng.uniform(-0.3, 0.3, tree.nq), rng.uniform(-1, 1, tree.nv)
    moment = System(tree).moment(0.0, q, v)
    # with a = 0 a free frame keeps its twist in its own axes, which is its screw
    h = 4e-4
    ahead, here, behind = gaps.at(integrate_q(tree, q, v, [[h], [0.0], [-h]])[:, 0]).gap
    far, near = gaps.at(integrate_q(tree, q, v, [[2 * h], [-2 * h]])[:, 0]).gap
    rate = (8 * (ahead - behind) - (far - near)) / (12 * h)
    second = (16 * (ahead + behind) - (far + near) - 30 * here) / (12 * h * h)
    assert_close(gaps.jacobian(q) @ v, rate, 1e-9)
    assert_close(gaps.bend(moment), second, 1e-7)


def test_many_states_are_each_as_one(tree, gaps):
    rng = np.random.default_rng(1)
    q = tree.neutral() + rng.uniform(-0.3, 0.3, (5, tree.nq))
    many = gaps.at(q)
    for index, state in enumerate(q):
        one = gaps.at(state)
        assert_close(many.gap[index], one.gap, 1e-14)
        assert_close(many.margin[index], one.margin, 1e-14)
        assert_close(gaps.jacobian(q)[index], gaps.jacobian(state), 1e-14)


def test_gaps_by_hand():
    from dynarig.core.dynamics.contact import Box, Contact, Gaps, Plane, Sphere, Wall

    model = free_bodies([("ball", 1.0, 0.1), ("crate", 1.0, 0.1)])
    contacts = [
        Contact(
            name="floor",
            a=Sphere(port("ball", 0, 0, 0), 0.25),
            b=Plane(port(None, 0, -1, 0), (0, 1, 0)),
        ),
        Contact(
            name="crate",
            a=Sphere(port("ball", 0, 0, 0), 0.25),
            b=Box(port("crate", 0, 0, 0), (1, 0.5)),
        ),
        Contact(
            name="wall",
            a=Sphere(port("ball", 0, 0, 0), 0.25),
            b=Wall(port(None, 0, 0, 0), (0, 1, 0), along=(1, 0, 0), length=4, double_sided=True),
        ),
    ]
    gaps = Gaps(model, contacts)
    state = gaps.at(np.array([3.0, 1.0, 0.2, 3.0, 3.0, 0.5 * np.pi]))
    gap, margin = (
        dict(zip(gaps.names, values, strict=True)) for values in (state.gap, state.margin)
    )
    assert_close(gap["floor"], 1.75, 1e-14)
    # the crate stands upright: its -x face looks down, at y = 2
    assert_close(gap["crate -x"], 0.75, 1e-14)
    assert_close(margin["crate -x"], 0.5, 1e-14)
    assert_close(gap["crate corner 0"], np.hypot(0.5, 1.0) - 0.25, 1e-14)
    assert_close(gap["wall"], 0.75, 1e-14)
    assert_close(gap["wall back"], -1.25, 1e-14)
    assert_close(margin["wall"], -1.0, 1e-14)
    assert_close(gap["wall end"], np.hypot(1.0, 1.0) - 0.25, 1e-14)


def test_depths_are_those_of_the_nearest_face():
    from dynarig.core.dynamics.contact import Box, Contact, Gaps, Point

    model = free_bodies([("dot", 1.0, 0.1)])
    pair = Contact(name="in", a=Point(port("dot", 0, 0, 0)), b=Box(port(None, 0, 0, 0), (1.0, 0.5)))
    gaps = Gaps(model, [pair])
    depth = gaps.depth(gaps.at(np.array([0.2, 0.4, 0.0])))
    assert_close(depth.max(), 0.1, 1e-14)
    assert not gaps.depth(gaps.at(np.array([1.2, 0.4, 0.0]))).any()


@pytest.mark.parametrize("given", [-0.1, 1.1, np.nan, "half", None, True])
def test_restitution_is_from_0_to_1(given):
    from dynarig.core.dynamics.contact import Contact, JointLimit, Plane, Point
    from dynarig.core.errors import ArgumentError

    with pytest.raises(ArgumentError, match="'hit': restitution: wanted a number from 0 to 1"):
        Contact(
            name="hit", a=Point(port("a", 0, 0, 0)), b=Plane(port(None, 0, 0, 0)), restitution=given
        )
    with pytest.raises(ArgumentError, match="'elbow': restitution: wanted a number from 0 to 1"):
        JointLimit(joint="elbow", restitution=given)


def test_friction_is_for_another_scheme():
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Point
    from dynarig.core.errors import ArgumentError

    dot, floor = Point(port("dot", 0, 0, 0)), Plane(port(None, 0, 0, 0))
    rough = Contact(name="hit", a=dot, b=floor, friction=0.3)
    assert rough.friction == 0.3
    model = free_bodies([("dot", 1.0, 0.1)])
    match = r"Contact 'hit': friction: wanted 0, got 0.3: .*method=\"time-stepping\""
    with pytest.raises(ArgumentError, match=match):
        ContactSystem(model, contacts=(rough,))
    for wrong in (-0.1, np.nan, np.inf, "much", None, True):
        with pytest.raises(ArgumentError, match="'hit': friction: wanted a number from 0"):
            Contact(name="hit", a=dot, b=floor, friction=wrong)


def test_other_shapes_are_for_another_scheme():
    from dynarig.core.dynamics.contact import Contact, Gaps, Plane
    from dynarig.core.dynamics.contact.shapes import Capsule, Cylinder, Hull, TriangleMesh
    from dynarig.core.errors import ArgumentError

    points = np.vstack((np.zeros(3), np.eye(3)))
    floor, dot = Plane(port(None, 0, 0, 0)), port("dot", 0, 0, 0)
    for shape in (
        Cylinder(dot, 0.1, 0.2),
        Capsule(dot, 0.1, 0.2),
        Hull(dot, points),
        TriangleMesh(port(None, 0, 0, 0), points, [[0, 2, 1]]),
    ):
        own = Contact(name="odd", a=shape, b=floor)
        kind = type(shape).__name__
        match = rf"Contact 'odd': {kind}: exact impacts take .*boxes.*method=\"time-stepping\""
        with pytest.raises(ArgumentError, match=match):
            Gaps(free_bodies([("dot", 1.0, 0.1)]), [own])


def test_bad_shapes_and_pairs_are_refused():
    from dynarig.core.dynamics.contact import (
        Box,
        Contact,
        Gaps,
        JointLimit,
        Plane,
        Point,
        Sphere,
        Wall,
    )
    from dynarig.core.errors import ArgumentError, ModelError

    with pytest.raises(ArgumentError, match="radius: wanted a positive number"):
        Sphere(port("a", 0, 0, 0), -1.0)
    with pytest.raises(ArgumentError, match="half_sizes: wanted 2 or 3 positive numbers"):
        Box(port("a", 0, 0, 0), (1.0, 0.0))
    with pytest.raises(ArgumentError, match="right angles"):
        Wall(port(None, 0, 0, 0), (0, 1, 0), along=(0, 1, 0), length=1.0)
    model = free_bodies([("dot", 1.0, 0.1)])
    dot, plane = Point(port("dot", 0, 0, 0)), Plane(port(None, 0, 0, 0))
    pairs = [
        (Contact(name="x", a=dot, b=dot), ArgumentError, "two points never meet"),
        (Contact(name="x", a=plane, b=plane), ArgumentError, "got Plane and Plane"),
        (
            Contact(name="x", a=dot, b=Plane(port("dot", 0, 0, 0))),
            ModelError,
            "fixed to each other",
        ),
        (Contact(name="x", a=Point(port("cat", 0, 0, 0)), b=plane), ModelError, "no link 'cat'"),
        (JointLimit(joint="dot joint"), ModelError, "one coordinate that has limits"),
    ]
    for contact, error, match in pairs:
        with pytest.raises(error, match=match):
            Gaps(model, [contact])
