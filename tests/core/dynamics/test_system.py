"""Forces on joints and frames, and prescribed motions, against what they are equal to."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_tree, forward_dynamics, inverse_dynamics, jacobian
from dynarig.core.dynamics.system import Prescribed, System

from ...close import assert_close


class Pull:
    """A force (3,) in world axes at the origin of frames, held by each of them."""

    def __init__(self, frames, force):
        self.frames, self.force = np.array(frames), np.array(force)

    def wrenches(self, at):
        points = at.poses[..., :3, 3][..., self.frames, :]
        force = np.broadcast_to(self.force, points.shape)
        return np.concatenate((np.cross(points, force), force), axis=-1)


class Proportional:
    """tau = -k v."""

    def __init__(self, k):
        self.k = k

    def joint_forces(self, at):
        return -self.k * at.v


KINDS = ["revolute", "universal", "spherical", "prismatic", "planar"]


@pytest.fixture(params=[KINDS, ["revolute", "prismatic", "revolute", "revolute"]])
def model(request, random_tree):
    return compile_tree(random_tree(3, request.param, mimic=len(request.param) == 4))


@pytest.fixture
def state(model, rng):
    return rng.uniform(-1, 1, (2, 3, model.nq)), rng.normal(size=(2, 3, model.nv))


def test_a_force_on_a_frame_acts_through_its_jacobian(model, state):
    q, v = state
    link = model.link_names[-1]
    frame, force = model.link_frame[-1], np.array([3.0, -2.0, 5.0])
    system = System(model, frame_forces=(Pull([frame, frame], 0.5 * force),))
    tau = jacobian(model, q, link)[..., 3:, :].swapaxes(-1, -2) @ force
    assert_close(system.applied_forces(system.moment(0.0, q, v)), tau, atol=1e-12)
    assert_close(system.accelerations(0.0, q, v), forward_dynamics(model, q, v, tau), atol=1e-9)


def test_elements_add_up(model, state):
    q, v = state
    system = System(model, joint_forces=(Proportional(0.3), Proportional(0.2)))
    expected = forward_dynamics(model, q, v, -0.5 * v + 1.0)
    assert_close(system.accelerations(0.0, q, v, np.ones(model.nv)), expected, atol=1e-10)


def test_a_force_on_the_world_moves_nothing(model, state):
    q, v = state
    system = System(model, frame_forces=(Pull([0], [1.0, 2.0, 3.0]),))
    assert_close(system.applied_forces(system.moment(0.0, q, v)), 0.0, atol=0.0)


def test_prescribed_coordinates_keep_their_motion_and_the_drive_does_what_is_needed(model, state):
    q, v = state
    t = np.linspace(0.0, 1.0, 6).reshape(2, 3)
    where = model.plain_v[1], model.plain_q[1]
    drive = Prescribed(where[1], where[0], lambda t: (np.sin(t), np.cos(t), -np.sin(t)))
    system = System(model, (Proportional(0.4),), prescribed=(drive,))
    held_q, held_v = system.held(t, q, v)
    assert_close(held_q[..., where[1]], np.sin(t), atol=0.0)
    assert_close(held_v[..., where[0]], np.cos(t), atol=0.0)
    at = system.moment(t, held_q, held_v)
    a, forces = system.solve(at, system.applied_forces(at))
    assert_close(a[..., where[0]], -np.sin(t), atol=1e-15)
    assert_close(a, system.accelerations(t, q, v), atol=1e-13)
    # the same motion by inverse dynamics: the drive's force is all that is needed besides
    needed = inverse_dynamics(model, held_q, held_v, a) + 0.4 * held_v
    assert_close(forces, needed, atol=1e-10)
    assert np.abs(forces[..., where[0]]).min() > 0.0
    others = np.delete(forces, where[0], axis=-1)
    assert_close(others, 0.0, atol=0.0)


def test_a_system_of_prescribed_joints_only_has_nothing_to_solve(pendulum):
    model = compile_tree(pendulum(), gravity=(0.0, 0.0, -10.0))
    system = System(model, prescribed=(Prescribed(0, 0, lambda t: (0.5 * t * t, t, 1.0)),))
    at = system.moment(2.0, *system.held(2.0, np.zeros(1), np.zeros(1)))
    a, drive = system.solve(at, np.zeros(1))
    # I = 1.1 about the hinge; gravity's moment is m g L cos(2)
    assert_close(a, [1.0], atol=0.0)
    assert_close(drive, [1.1 - 10.0 * np.cos(2.0)], atol=1e-13)
