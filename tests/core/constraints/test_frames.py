"""Constraints between any two frames: links that move, the world, and one body twice."""

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import GRAVITY, chain, four_bar, tree

PAIRS = [
    *("Ball", "Weld", "Hinge", "PlanarHinge", "Universal", "Cylindrical", "Prismatic"),
    *("PointOnLine", "PointOnPlane", "Distance", "Cable", "ScrewJoint", "RollingWheel"),
]


def between(kind, a, b):
    from dynarig.core.dynamics import constraints as c

    more = {"ScrewJoint": {"pitch": 0.1}, "Distance": {"length": 0.5}}.get(kind, {})
    if kind == "Cable":
        return c.Cable(name="own", points=[a, b], length=0.5)
    if kind == "RollingWheel":
        return c.RollingWheel(name="own", wheel=b, plane=a, radius=0.2)
    return getattr(c, kind)(name="own", a=a, b=b, **more)


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("link", ["rod1", None])
def test_one_body_twice_is_refused(kind, link):
    from dynarig.core.dynamics.constraints import ConstraintRows, Port
    from dynarig.core.errors import ModelError

    own = between(kind, Port.at(link, [0.1, 0, 0]), Port.at(link, [0, 0.2, 0]))
    body = f"link '{link}'" if link else "the world"
    with pytest.raises(ModelError, match=f"{kind} 'own': all its ports are on one body .{body}"):
        ConstraintRows(chain([1.0, 1.0]), [own])


def test_a_cable_may_run_through_two_points_of_one_body():
    from dynarig.core.dynamics.constraints import Cable, ConstraintRows, Port

    points = [Port(None), Port.at("rod1", [0.1, 0.3, 0]), Port.at("rod1", [0.4, 0.3, 0])]
    rows = ConstraintRows(chain([1.0, 1.0]), [Cable(name="rope", points=points, length=2.0)])
    assert rows.names == ("rope",)


@pytest.mark.parametrize("kind", PAIRS)
def test_forces_of_a_pair_are_action_and_reaction(kind):
    """Two free bodies: what a constraint does to them changes no momentum, whatever its kind."""
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics.constraints import ConstraintRows, Port
    from dynarig.core.dynamics.quantities import integrate_q
    from dynarig.core.frames import rotation_from_rpy, transform
    from dynarig.core.mechanism import Body, TreeJoint

    inertia = np.diag([0.02, 0.03, 0.04])
    bodies = [Body(name, mass, np.zeros(3), inertia) for name, mass in (("a", 2.0), ("b", 3.0))]
    joints = [
        TreeJoint(f"free {own.name}", "floating", "base", own.name, np.eye(4), np.zeros(3))
        for own in bodies
    ]
    model = compile_tree(tree("pair", bodies, joints), gravity=(0, 0, 0))
    own = between(
        kind,
        Port("a", transform(rotation_from_rpy([0.4, -0.3, 0.8]), [0.1, 0.2, -0.1])),
        Port("b", transform(rotation_from_rpy([-0.5, 0.2, 0.3]), [-0.2, 0.1, 0.3])),
    )
    rng = np.random.default_rng(8)
    q = integrate_q(model, model.neutral(), 0.3 * rng.normal(size=model.nv), 1.0)
    at = System(model).moment(0.0, q, rng.normal(size=model.nv))
    forces = ConstraintRows(model, [own]).at(at).jacobian
    # of each row on each body: torque, then force, in the body's axes about its origin
    total_force, total_torque = np.zeros((2, len(forces), 3))
    for index, name in enumerate("ab"):
        frame = model.link_frame[model.link_names.index(name)]
        rotation, origin = at.poses[frame, :3, :3], at.poses[frame, :3, 3]
        torque = forces[:, 6 * index : 6 * index + 3] @ rotation.T
        force = forces[:, 6 * index + 3 : 6 * index + 6] @ rotation.T
        total_force += force
        total_torque += torque + np.cross(origin, force)
    assert_close(total_force, 0.0, atol=1e-14)
    assert_close(total_torque, 0.0, atol=1e-14)


def test_multipliers_have_sign_unit_and_name():
    """A rod hangs by its end: M a + J^T lambda = f, so lambda pulls along -J^T lambda."""
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics.constraints import Port, Weld
    from dynarig.core.mechanism import Body, TreeJoint

    body = Body("rod", 2.0, np.array([0.5, 0, 0]), 0.1 * np.eye(3))
    free = TreeJoint("free", "floating", "base", "rod", np.eye(4), np.zeros(3))
    model = compile_tree(tree("held", [body], [free]), gravity=GRAVITY)
    system = System(model, constraints=(Weld(name="clamp", a=Port(None), b=Port("rod")),))
    assert system.rows.names == tuple(
        f"clamp.{row}" for row in ("x", "y", "z", "turn x", "turn y", "turn z")
    )
    assert system.rows.units == ("m",) * 3 + ("rad",) * 3
    at = system.moment(0.0, model.neutral(), np.zeros(6))
    answer = system.respond(at, np.zeros(6))
    assert_close(answer.a, 0.0, atol=1e-12)
    # the clamp lifts by 2 g and turns by 2 g / 2; lambda has the other sign
    weight = 2.0 * 9.81
    assert_close(answer.multipliers, [0, -weight, 0, 0, 0, -0.5 * weight], atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_redundancy_does_not_depend_on_axes(seed):
    """A four-bar in any plane of space: three of five rows redundant, one and the same motion."""
    from dynarig.core.dynamics.constraints.near_singular import usual_rank
    from dynarig.core.frames import rotation_from_rpy

    turn = rotation_from_rpy(np.random.default_rng(seed).uniform(-3.0, 3.0, 3))
    flat, q = four_bar("PlanarHinge")
    system, _ = four_bar("Hinge", turn)
    at = system.moment(0.0, q, np.zeros(3))
    assert len(system.rows) == 5 and usual_rank(system.projection, at) == 2
    expected = flat.accelerations(0.0, q, np.zeros(3))
    assert_close(system.accelerations(0.0, q, np.zeros(3)), expected, atol=1e-11)
