"""Velocities, Jacobians, momentum and steps of q against differences and each other."""

import numpy as np
import pytest
from dynarig.core.dynamics import (
    center_of_mass,
    compile_tree,
    difference_q,
    forward_dynamics,
    gravity_forces,
    integrate_q,
    inverse_dynamics,
    jacobian,
    kinetic_energy,
    link_poses,
    link_velocities,
    mass_matrix,
    momentum,
    potential_energy,
    q_derivative,
)
from dynarig.core.errors import ModelError
from dynarig.core.frames import rotation_vector_from_rotation

from ...close import assert_close

STEP = 1e-6


@pytest.fixture(params=["fixed base", "floating base", "mimic", "every other joint"])
def model(request, random_tree):
    if request.param == "every other joint":
        types = ["universal", "screw", "spherical", "cylindrical", "spherical ZXZ", "floating YZX"]
        return compile_tree(random_tree(4, types))
    if request.param == "mimic":
        return compile_tree(random_tree(2, ["revolute", "prismatic"] * 2, mimic=True))
    types = ["revolute", "prismatic", "planar", "fixed", "continuous"]
    return compile_tree(random_tree(3, types), floating_base=request.param == "floating base")


@pytest.fixture
def state(model, rng):
    return rng.uniform(-1, 1, model.nq), rng.normal(size=model.nv)


def test_link_velocities_are_the_derivative_of_the_poses(model, state):
    q, v = state
    q_dot = q_derivative(model, q, v)
    before, after = link_poses(model, q - STEP * q_dot), link_poses(model, q + STEP * q_dot)
    linear = (after - before)[:, :3, 3] / (2 * STEP)
    turns = after[:, :3, :3] @ before[:, :3, :3].swapaxes(-1, -2)
    angular = rotation_vector_from_rotation(turns) / (2 * STEP)
    assert_close(link_velocities(model, q, v), np.concatenate((angular, linear), axis=1), atol=1e-7)


def test_jacobians_give_the_link_velocities(model, state):
    q, v = state
    velocities = link_velocities(model, q, v)
    for link, velocity in zip(model.link_names, velocities, strict=True):
        assert_close(jacobian(model, q, link) @ v, velocity, atol=1e-12)


def test_columns_of_jacobians_are_rates_of_the_poses_along_unit_velocities(model, state):
    q, _ = state
    h = 2e-3
    steps = h * np.array([1.0, -1.0, 2.0, -2.0])[:, None, None] * np.eye(model.nv)
    moved = link_poses(
        model, integrate_q(model, np.broadcast_to(q, (4, model.nv, model.nq)), steps, 1.0)
    )
    start = link_poses(model, q)
    turns = rotation_vector_from_rotation(moved[..., :3, :3] @ start[:, :3, :3].swapaxes(-1, -2))
    path = np.concatenate((turns, moved[..., :3, 3] - start[:, :3, 3]), axis=-1)
    # of fourth order
    rates = (8.0 * (path[0] - path[1]) - (path[2] - path[3])) / (12.0 * h)
    for index, link in enumerate(model.link_names):
        assert_close(jacobian(model, q, link), rates[:, index].T, atol=1e-10, err_msg=link)


def test_inverse_dynamics_undoes_forward_dynamics(model, state, rng):
    q, v = state
    tau = rng.normal(size=model.nv)
    a = forward_dynamics(model, q, v, tau)
    assert_close(inverse_dynamics(model, q, v, a), tau, atol=1e-10)


def test_columns_of_the_mass_matrix_are_inverse_dynamics(model, state):
    q, _ = state
    still, gravity = np.zeros((model.nv, model.nv)), gravity_forces(model, q)
    states = np.tile(q, (model.nv, 1))
    columns = inverse_dynamics(model, states, still, np.eye(model.nv)) - gravity
    assert_close(columns, mass_matrix(model, q), atol=1e-11)


def test_momentum_is_mass_times_the_velocity_of_the_centre(model, state):
    q, v = state
    q_dot = q_derivative(model, q, v)
    ahead, behind = center_of_mass(model, q + STEP * q_dot), center_of_mass(model, q - STEP * q_dot)
    mass = model.frame_pseudo_inertia[1:, 3, 3].sum()
    linear = momentum(model, q, v)[3:]
    assert_close(linear, mass * (ahead - behind) / (2 * STEP), atol=1e-6)


def test_energy_of_gravity_is_that_of_the_centre(model, state):
    q, _ = state
    mass = model.frame_pseudo_inertia[1:, 3, 3].sum()
    assert potential_energy(model, q) == pytest.approx(
        -mass * model.gravity @ center_of_mass(model, q)
    )


def test_angular_momentum_of_one_body_is_inertia_times_spin(random_tree):
    tree = random_tree(1, [])
    model = compile_tree(tree, floating_base=True)
    spin, velocity = np.array([0.3, -2.0, 1.0]), np.array([0.5, 0.1, -0.4])
    result = momentum(model, model.neutral(), np.concatenate((spin, velocity)))
    body = tree.bodies[0]
    assert_close(result[:3], body.inertia @ spin, atol=1e-14)
    carried = velocity + np.cross(spin, body.center_of_mass)
    assert_close(result[3:], body.mass * carried, atol=1e-14)


def test_a_step_of_q_is_the_flow_of_constant_velocity(model, state):
    q, v = state
    h = 1e-3
    walked = q.copy()
    for _ in range(500):  # Runge-Kutta steps of q' = N(q) v
        first = q_derivative(model, walked, v)
        second = q_derivative(model, walked + 0.5 * h * first, v)
        third = q_derivative(model, walked + 0.5 * h * second, v)
        fourth = q_derivative(model, walked + h * third, v)
        walked = walked + h / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)
    end = link_poses(model, integrate_q(model, q, v, 0.5))
    assert_close(end, link_poses(model, walked), atol=1e-7)


def test_differences_and_steps_are_inverse(model, state, rng):
    q, v = state
    end = integrate_q(model, q, v, 0.7)
    assert_close(difference_q(model, q, end), 0.7 * v, atol=1e-12)
    other = rng.uniform(-1, 1, model.nq)
    there = integrate_q(model, q, difference_q(model, q, other), 1.0)
    assert_close(link_poses(model, there), link_poses(model, other), atol=1e-11)


def test_everything_takes_leading_axes(model, rng):
    q, v = rng.uniform(-1, 1, (2, 3, model.nq)), rng.normal(size=(2, 3, model.nv))
    for value, single in (
        (link_velocities(model, q, v), link_velocities(model, q[1, 2], v[1, 2])),
        (momentum(model, q, v), momentum(model, q[1, 2], v[1, 2])),
        (center_of_mass(model, q), center_of_mass(model, q[1, 2])),
        (integrate_q(model, q, v, 0.3), integrate_q(model, q[1, 2], v[1, 2], 0.3)),
        (difference_q(model, q, q[::-1]), difference_q(model, q[1, 2], q[0, 2])),
        (inverse_dynamics(model, q, v, v), inverse_dynamics(model, q[1, 2], v[1, 2], v[1, 2])),
        (kinetic_energy(model, q, v), kinetic_energy(model, q[1, 2], v[1, 2])),
        (
            jacobian(model, q, model.link_names[-1]),
            jacobian(model, q[1, 2], model.link_names[-1]),
        ),
    ):
        assert_close(value[1, 2], single, atol=1e-11)


def test_an_unknown_link_and_a_tree_without_mass_are_named(model, pendulum):
    with pytest.raises(ModelError, match="no link 'hand'; there are: b0"):
        jacobian(model, model.neutral(), "hand")
    from dataclasses import replace

    tree = pendulum()
    weightless = replace(tree, bodies=tuple(replace(body, mass=0.0) for body in tree.bodies))
    with pytest.raises(ModelError, match="nothing that moves has mass"):
        center_of_mass(compile_tree(weightless), (0.0,))
