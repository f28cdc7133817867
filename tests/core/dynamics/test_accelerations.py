"""Accelerations of links and of coordinates are the rates of the velocities."""

import numpy as np
import pytest
from dynarig.core.dynamics import (
    compile_tree,
    link_accelerations,
    link_velocities,
    q_derivative,
    q_second_derivative,
)
from dynarig.core.errors import ModelError

from ...close import assert_close

STEP = 2e-5
KINDS = {
    "fixed base": ["revolute", "prismatic", "planar", "fixed", "continuous"],
    "every other joint": [
        *("universal", "screw", "spherical", "cylindrical", "spherical ZXZ", "floating YZX"),
        "floating",
    ],
}


@pytest.fixture(params=[*KINDS, "mimic"])
def model(request, random_tree):
    if request.param == "mimic":
        return compile_tree(random_tree(2, ["revolute", "prismatic"] * 2, mimic=True))
    return compile_tree(random_tree(4, KINDS[request.param]))


@pytest.fixture
def state(model, rng):
    return rng.uniform(-1, 1, model.nq), *rng.normal(size=(2, model.nv))


def rate(function, model, q, v, a):
    """The derivative of function(model, q, v) along the motion, by differences of fourth order."""
    q_dot, q_ddot = q_derivative(model, q, v), q_second_derivative(model, q, v, a)

    def at(t):
        return function(model, q + t * q_dot + 0.5 * t * t * q_ddot, v + t * a)

    return (8 * (at(STEP) - at(-STEP)) - (at(2 * STEP) - at(-2 * STEP))) / (12 * STEP)


def test_second_derivatives_are_those_of_q(model, state):
    q, v, a = state
    expected = rate(q_derivative, model, q, v, a)
    assert_close(q_second_derivative(model, q, v, a), expected, atol=2e-9)


def test_link_accelerations_are_the_rates_of_link_velocities(model, state):
    q, v, a = state
    expected = rate(link_velocities, model, q, v, a)
    assert_close(link_accelerations(model, q, v, a), expected, atol=2e-9)


def test_a_point_on_a_wheel_is_drawn_to_its_axle(pendulum):
    from dynarig.core.frames import transform_from_xyz_rpy
    from dynarig.core.mechanism import TreeJoint

    tree = pendulum()
    at = transform_from_xyz_rpy((0.5, 0.0, 0.0), np.zeros(3))
    tip = TreeJoint("weld", "fixed", "rod", "tip", at, np.array([1.0, 0.0, 0.0]))
    bodies = (*tree.bodies, type(tree.bodies[0])("tip", 0.0, np.zeros(3), np.zeros((3, 3))))
    model = compile_tree(type(tree)("wheel", bodies, (*tree.joints, tip), "base"))
    acceleration = link_accelerations(model, [0.0], [3.0], [2.0])
    # along x to the axle with r w^2, and down with r alpha
    assert_close(acceleration[2], (0.0, 2.0, 0.0, -0.5 * 9.0, 0.0, -0.5 * 2.0), atol=1e-14)


def test_leading_axes_broadcast(model, state, rng):
    q, v, a = rng.uniform(-1, 1, (2, 1, model.nq)), rng.normal(size=(3, model.nv)), state[2]
    for function in (link_accelerations, q_second_derivative):
        one = function(model, q[1, 0], v[2], a)
        assert_close(function(model, q, v, a)[1, 2], one, atol=1e-12)


def test_gimbal_lock_names_the_joint(random_tree):
    model = compile_tree(random_tree(0, ["spherical XYZ"]))
    with pytest.raises(ModelError, match="joint 'j1' is at the gimbal lock"):
        q_second_derivative(model, [0.0, np.pi / 2, 0.0], np.ones(3), np.ones(3))
