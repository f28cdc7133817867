"""The equations of motion do not depend on where the world's origin is."""

import numpy as np
import pytest
from dynarig.core.dynamics import (
    bias_forces,
    compile_tree,
    forward_dynamics,
    inverse_dynamics,
    link_poses,
    mass_matrix,
)
from dynarig.core.mechanism import Body, Tree, TreeJoint
from dynarig.core.simulate import run, simulate

from ...close import assert_close

FAR = np.array([1e6, -3e5, 2e5])
TREES = {
    "a robot on a quaternion": ["revolute", "prismatic", "spherical", "universal"],
    "a robot that throws a body": ["revolute", "floating", "continuous"],
}


@pytest.fixture(params=TREES)
def robot(request, random_tree):
    tree = random_tree(4, TREES[request.param])
    return compile_tree(tree, floating_base=True, gravity=(1.0, -2.0, -9.0))


@pytest.fixture
def swarm():
    """Two bodies that float on their own, one with Euler angles."""
    bodies = [Body("world", 0.0, np.zeros(3), np.zeros((3, 3)))]
    bodies += [Body(f"b{n}", 1.0 + n, np.array([0.1, 0.2, 0.0]), np.eye(3)) for n in range(2)]
    joints = [
        TreeJoint(f"j{n}", "floating", "world", f"b{n}", np.eye(4), np.zeros(3), sequence=sequence)
        for n, sequence in enumerate((None, "XYZ"))
    ]
    return compile_tree(Tree("swarm", tuple(bodies), tuple(joints), "world"))


def quantities(model, q, v, a):
    return {
        "mass": mass_matrix(model, q),
        "bias": bias_forces(model, q, v),
        "forces": inverse_dynamics(model, q, v, a),
        "accelerations": forward_dynamics(model, q, v, a),
    }


def assert_the_same_far_away(model, roots, rng, count):
    """Positions of the roots' joints moved by FAR; others keep theirs, by an exact grid."""
    q = model.neutral() + np.round(rng.uniform(-0.5, 0.5, (count, model.nq)), 3)
    q[:, roots] = np.round(64.0 * q[:, roots]) / 64.0  # exact at FAR too
    v, a = rng.normal(size=(2, count, model.nv))
    away = q.copy()
    away[:, roots] += np.tile(FAR, len(roots) // 3)
    together = quantities(model, away, v, a)
    for name, expected in quantities(model, q, v, a).items():
        bound = 1e-9 * np.abs(expected).max()
        assert_close(together[name], expected, atol=bound, err_msg=name)
    one = quantities(model, away[0], v[0], a[0])
    for name, expected in quantities(model, q[0], v[0], a[0]).items():
        bound = 1e-9 * np.abs(expected).max()
        assert_close(one[name], expected, atol=bound, err_msg=name)
    # poses are where they are
    moved = link_poses(model, away)[..., :3, 3] - link_poses(model, q)[..., :3, 3]
    assert_close(moved[:, -1], np.broadcast_to(FAR, (count, 3)), atol=1e-8)


def test_a_floating_robot_moves_the_same_far_away(robot, rng):
    assert_the_same_far_away(robot, [0, 1, 2], rng, 5)


def test_bodies_that_float_side_by_side_move_the_same_far_away(swarm, rng):
    roots = [*swarm.floating_q[0], *swarm.floating_q[1]]
    assert_the_same_far_away(swarm, roots, rng, 5)


@pytest.mark.parametrize("distance", [2e3, 1e6])
def test_a_light_body_far_from_a_fixed_origin_moves_inertia(distance):
    from dynarig.core.dynamics.inertia_facts import with_inertia_facts

    bodies = (
        Body("world", 0.0, np.zeros(3), np.zeros((3, 3))),
        Body("b", 1.0, np.zeros(3), 1e-3 * np.eye(3)),
    )
    free = TreeJoint("j", "floating", "world", "b", np.eye(4), np.zeros(3))
    model = compile_tree(Tree("t", bodies, (free,), "world"))
    assert with_inertia_facts(model, np.array([distance, 0, 0, 1, 0, 0, 0])).massless == ()
    # and one that hangs on a hinge there, whose twist is taken at the world's origin
    place = np.eye(4)
    place[0, 3] = 2e3
    hinge = TreeJoint("j", "continuous", "world", "b", place, axis=np.array([0.0, 0.0, 1.0]))
    assert compile_tree(Tree("t", bodies, (hinge,), "world")).massless == ()
    nothing = (bodies[0], Body("b", 1.0, np.zeros(3), np.zeros((3, 3))))
    assert compile_tree(Tree("t", nothing, (hinge,), "world")).massless == ("j",)


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.3, 0.2, -0.4)])
def test_a_fast_body_takes_about_as_many_steps_as_a_slow_one(swarm, turn):
    def steps(speed):
        v = np.zeros(swarm.nv)
        for where in swarm.v_slices.values():
            v[where] = (*turn, speed, 0.0, 0.0)
        simulation = simulate(swarm, (0.0, 30.0), swarm.neutral(), v, tolerance=1e-9)
        return run(simulation).steps

    # errors of a scheme of order eight that are as many times as large where the body turns too
    assert steps(7500.0) < 7500.0**0.125 * steps(1.0)
