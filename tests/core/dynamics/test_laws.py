"""Laws that hold for every tree: kinematics, energy, momentum, and how coordinates are laid out."""

import numpy as np
import pytest
from dynarig.core.dynamics import (
    bias_forces,
    compile_tree,
    forward_dynamics,
    kinetic_energy,
    link_poses,
    mass_matrix,
    potential_energy,
    q_derivative,
    v_from_q_derivative,
)
from dynarig.core.dynamics.evaluation import frame_poses
from dynarig.core.frames import inverse_transform, rotation_from_axis_angle

from ...close import assert_close

MIXED = ["revolute", "prismatic", "planar", "floating", "continuous", "fixed", "revolute"]
EVERY = ["universal", "screw", "spherical", "cylindrical", "spherical ZXZ", "floating YZX"]
TREES = {
    "every other joint": (EVERY, False),
    "every other joint on a floating base": (EVERY, True),
    "arm": (["revolute"] * 6, False),
    "slides": (["prismatic", "revolute", "fixed", "prismatic"], False),
    "mixed": (MIXED, False),
    "mixed on a floating base": (MIXED, True),
    "planar": (["planar", "planar"], False),
    "one free body": ([], True),
}


@pytest.fixture(params=TREES)
def model(request, random_tree):
    types, floating = TREES[request.param]
    return compile_tree(random_tree(3, types), floating_base=floating, gravity=(1.0, -2.0, -9.0))


def random_state(model, rng, *shape):
    q, v = rng.uniform(-1.5, 1.5, (*shape, model.nq)), rng.normal(size=(*shape, model.nv))
    return q, v  # quaternions are not unit, on purpose


def numerical_rate(function, model, q, v, h=1e-6):
    q_dot = q_derivative(model, q, v)
    return (function(model, q + h * q_dot) - function(model, q - h * q_dot)) / (2.0 * h)


def test_mass_matrix_is_symmetric_and_positive(model, rng):
    q, _ = random_state(model, rng, 20)
    mass = mass_matrix(model, q)
    assert_close(mass, mass.swapaxes(-1, -2), atol=1e-14 * np.abs(mass).max())
    assert np.linalg.eigvalsh(mass).min() > 0.0


def test_kinetic_energy_is_the_sum_over_bodies(model, random_tree, rng):
    # 1/2 tr(X' J X'^T) of each frame's pseudo-inertia, with X' by a central difference
    q, v = random_state(model, rng)
    rates = numerical_rate(frame_poses, model, q, v)
    total = 0.5 * sum(
        np.trace(rate @ pseudo @ rate.T)
        for rate, pseudo in zip(rates, model.frame_pseudo_inertia, strict=True)
    )
    assert kinetic_energy(model, q, v) == pytest.approx(total, rel=1e-7)


def test_power_of_gravity_and_inertia_balance(model, rng):
    # dT/dt + dU/dt = v . tau along the motion, with the derivatives by central differences
    q, v = random_state(model, rng)
    tau, h = rng.normal(size=model.nv), 1e-6
    a, q_dot = forward_dynamics(model, q, v, tau), q_derivative(model, q, v)

    def energy(step):
        there = q + step * q_dot
        return kinetic_energy(model, there, v + step * a) + potential_energy(model, there)

    assert (energy(h) - energy(-h)) / (2.0 * h) == pytest.approx(v @ tau, abs=2e-6)


def test_bias_is_gravity_at_rest(model, rng):
    # g . v = dU/dt for every v
    q, v = random_state(model, rng)
    gravity = bias_forces(model, q, np.zeros(model.nv))
    assert gravity @ v == pytest.approx(numerical_rate(potential_energy, model, q, v), abs=1e-7)


def test_forward_dynamics_solves_the_equation_of_motion(model, rng):
    q, v = random_state(model, rng, 4)
    tau = rng.normal(size=v.shape)
    a = forward_dynamics(model, q, v, tau)
    residual = (mass_matrix(model, q) @ a[..., None])[..., 0] + bias_forces(model, q, v) - tau
    assert_close(residual, 0.0, atol=1e-10)


def test_batches_equal_single_states(model, rng):
    q, v = random_state(model, rng, 2, 3)
    np.testing.assert_allclose(
        forward_dynamics(model, q, v)[1, 2], forward_dynamics(model, q[1, 2], v[1, 2]), rtol=1e-10
    )
    poses = link_poses(model, q)
    assert poses.shape == (2, 3, len(model.link_names), 4, 4)
    assert_close(poses[0, 1], link_poses(model, q[0, 1]), atol=1e-13)


def test_velocities_and_coordinate_rates_are_inverse(model, rng):
    q, v = random_state(model, rng, 7)
    assert_close(v_from_q_derivative(model, q, q_derivative(model, q, v)), v, atol=1e-12)


def test_link_poses_follow_the_joints_one_by_one(random_tree, rng):
    # the same by a plain loop over joints: world_from_child = world_from_parent offset motion
    tree = random_tree(5, ["revolute", "prismatic", "fixed", "continuous", "prismatic"])
    model = compile_tree(tree)
    q = rng.uniform(-1, 1, model.nq)
    poses = {tree.root: np.eye(4)}
    for joint in tree.joints_from_root():
        motion = np.eye(4)
        if joint.type != "fixed":
            value = q[model.q_index(joint.name)][0]
            if joint.type == "prismatic":
                motion[:3, 3] = value * joint.axis
            else:
                motion[:3, :3] = rotation_from_axis_angle(joint.axis, value)
        poses[joint.child] = poses[joint.parent] @ joint.parent_from_joint @ motion
    computed = link_poses(model, q)
    for name, pose in zip(model.link_names, computed, strict=True):
        assert_close(pose, poses[name], atol=1e-14)


def test_planar_joint_slides_along_fixed_axes_and_turns_about_its_normal(random_tree):
    tree = random_tree(8, ["planar"])
    model, joint = compile_tree(tree), tree.joints[0]
    start = link_poses(model, np.zeros(3))[1]
    moved = inverse_transform(start) @ link_poses(model, (0.3, -0.2, 0.7))[1]
    # in the joint frame: the turn is about the normal and the slide is in the plane
    assert_close(moved[:3, :3], rotation_from_axis_angle(joint.axis, 0.7), atol=1e-14)
    assert joint.axis @ moved[:3, 3] == pytest.approx(0.0, abs=1e-14)
    assert np.linalg.norm(moved[:3, 3]) == pytest.approx(np.hypot(0.3, 0.2))


def test_a_floating_robot_keeps_its_momentum(random_tree, rng):
    # without gravity, d/dt of total linear and angular momentum vanishes
    model = compile_tree(random_tree(9, ["revolute", "planar", "prismatic"]), True, (0, 0, 0))
    q, v = random_state(model, rng)
    a, q_dot = forward_dynamics(model, q, v), q_derivative(model, q, v)

    def momentum(step):
        here, rate = q + step * q_dot, v + step * a
        h2 = 1e-6
        forward = frame_poses(model, here + h2 * q_derivative(model, here, rate))
        backward = frame_poses(model, here - h2 * q_derivative(model, here, rate))
        rates, poses = (forward - backward) / (2.0 * h2), frame_poses(model, here)
        # X' J X^T holds the linear momentum (last column) and the angular one (skew part)
        outer = sum(
            x_dot @ pseudo @ x.T
            for x_dot, pseudo, x in zip(rates, model.frame_pseudo_inertia, poses, strict=True)
        )
        skew = outer[:3, :3] - outer[:3, :3].T
        return np.array([*outer[:3, 3], skew[2, 1], skew[0, 2], skew[1, 0]])

    # a second-order difference in time, small against momentum's own size
    change = (momentum(1e-4) - momentum(-1e-4)) / 2e-4
    assert_close(change, 0.0, atol=1e-5)
