"""What a motion answers at any time obeys mechanics: rates, power, inverse dynamics."""

import sys

import numpy as np
import pytest
from dynarig.core.dynamics import (
    System,
    compile_tree,
    forward_dynamics,
    link_poses,
    link_velocities,
    q_derivative,
)
from dynarig.core.dynamics.system import Prescribed
from dynarig.core.integrate.slopes import slope
from dynarig.core.schemes import CONTROLLED, FIXED
from dynarig.core.simulate import run, simulate
from dynarig.core.trajectory import Trajectory

from ..close import assert_close

KINDS = [
    *("universal", "screw", "spherical", "cylindrical", "spherical ZXZ", "floating YZX"),
    *("floating", "planar", "prismatic", "revolute"),
]
JOINTS = {"damping": 0.2}
SCALAR = {"friction": 0.1, "stiffness": 3.0, "rest": 0.2}


class Band:
    """A spring of no length from a frame's origin to the world's: force -k p."""

    def __init__(self, frame, k):
        self.frames, self.k = np.array([frame]), k

    def wrenches(self, at):
        # through the world's origin, so without a moment there
        force = -self.k * at.poses[..., :3, 3][..., self.frames, :]
        return np.concatenate((np.zeros_like(force), force), axis=-1)

    def stored_energy(self, at):
        point = at.poses[..., self.frames[0], :3, 3]
        return 0.5 * self.k * (point * point).sum(axis=-1)


class Resistance:
    """tau = -c v."""

    def __init__(self, c):
        self.c = c

    def joint_forces(self, at):
        return -self.c * at.v


@pytest.fixture(scope="module")
def system(random_tree):
    """All kinds of joints and of forces; the last joint but one is driven."""
    model = compile_tree(random_tree(5, ["revolute", "universal", "spherical", "prismatic"]))
    place = model.q_index("j4").start, model.v_index("j4").start
    drive = Prescribed(*place, lambda t: (0.1 * np.sin(t), 0.1 * np.cos(t), -0.1 * np.sin(t)))
    return System(model, (Resistance(0.3),), (Band(len(model.path) - 1, 5.0),), (drive,))


@pytest.fixture(scope="module")
def motion(system):
    model = system.model
    v = np.linspace(-1.0, 1.0, model.nv)
    return run(
        simulate(
            system,
            np.linspace(0.0, 1.0, 13),
            v=v,
            tau=lambda t, q, v: 0.5 * np.sin(3.0 * t) - 0.1 * v,
            damping=0.05,
            rtol=1e-9,
            atol=1e-10,
        )
    )


@pytest.fixture(scope="module")
def springy(random_tree):
    """Springs, friction and rotors in the joints, with a tau; every joint free to move."""
    kinds = ["revolute", "prismatic", "universal", "cylindrical", "screw", "planar"]
    model = compile_tree(random_tree(6, kinds, **JOINTS, **SCALAR))
    v = np.linspace(-1.0, 1.0, model.nv)
    return run(simulate(model, (0.0, 0.3), v=v, tau=lambda t, q, v: 1.0 - v, rtol=1e-9, atol=1e-9))


TIMES = np.linspace(0.02, 0.29, 8).reshape(2, 4)


def rate_of(function, t, step=1e-4):
    """The derivative of a function of time, by differences of fourth order."""
    near = function(t + step) - function(t - step)
    return (8 * near - (function(t + 2 * step) - function(t - 2 * step))) / (12 * step)


@pytest.mark.parametrize("name", ["motion", "springy"])
def test_accelerations_are_the_rates_of_the_velocities(request, name):
    motion = request.getfixturevalue(name)
    assert_close(rate_of(lambda t: motion.sample(t)[1], TIMES), motion.accelerations(TIMES), 2e-5)
    q, v = motion.sample(TIMES)
    assert_close(
        rate_of(lambda t: motion.sample(t)[0], TIMES), q_derivative(motion.model, q, v), 1e-6
    )


def test_accelerations_at_the_samples_are_those_at_their_times(motion):
    assert_close(motion.a, motion.accelerations(motion.times), atol=1e-13)
    assert not motion.a.flags.writeable


@pytest.mark.parametrize("name", ["motion", "springy"])
def test_power_is_the_rate_of_energy(request, name):
    motion = request.getfixturevalue(name)
    _, v = motion.sample(TIMES)
    forces = motion.joint_forces(TIMES)

    def mechanical(t):
        energies = motion.energies(t)
        return energies.kinetic + energies.potential

    power = (forces.total * v).sum(axis=-1)
    assert_close(rate_of(mechanical, TIMES), power, atol=1e-4)
    assert np.abs(power).max() > 1.0
    assert_close(mechanical(motion.times), motion.energy, atol=1e-12)


def test_springs_store_what_they_take(motion, springy, system):
    """The rate of all energy is the power of what does not store it."""
    for motion_, losses in ((motion, None), (springy, springy.model)):
        _, v = motion_.sample(TIMES)
        forces = motion_.joint_forces(TIMES)
        if losses is None:
            others = forces.passive - 0.3 * v + forces.tau + forces.drive
        else:
            bend = np.tanh(v / losses.friction_speed)
            others = forces.tau - losses.damping * v - losses.friction * bend
        rate = rate_of(lambda t, m=motion_: m.energies(t).total, TIMES)
        assert_close(rate, (others * v).sum(axis=-1), atol=1e-4)


def test_inverse_dynamics_gives_the_joint_forces(motion, springy):
    for each in (motion, springy):
        forces = each.joint_forces(TIMES)
        assert_close(forces.total, each.inverse_dynamics(TIMES), atol=1e-10)


def test_each_joint_force_stands_under_its_cause(motion, system):
    q, v = motion.sample(TIMES)
    forces, model = motion.joint_forces(TIMES), system.model
    assert_close(forces.tau, 0.5 * np.sin(3.0 * TIMES)[..., None] - 0.1 * v, atol=1e-15)
    assert_close(forces.passive, -0.05 * v, atol=1e-14)
    where = model.v_index("j4").start
    assert_close(np.delete(forces.drive, where, axis=-1), 0.0, atol=0.0)
    assert np.abs(forces.drive[..., where]).min() > 0.0
    expected = system.applied_forces(system.moment(TIMES, q, v))
    assert_close(forces.applied, expected, atol=0.0)
    # and the sum of all moves the tree
    a = forward_dynamics(model, q, v, forces.total)
    assert_close(a, motion.accelerations(TIMES), atol=1e-10)


def test_prescribed_coordinates_are_exact_at_any_time(motion, system):
    where = system.model.q_index("j4").start
    assert_close(motion.sample(TIMES)[0][..., where], 0.1 * np.sin(TIMES), atol=1e-16)
    at = system.model.v_index("j4").start
    assert_close(motion.accelerations(TIMES)[..., at], -0.1 * np.sin(TIMES), atol=1e-16)


def test_links_move_as_their_poses(motion):
    origins = rate_of(lambda t: motion.link_poses(t)[..., :3, 3], TIMES)
    assert_close(motion.link_velocities(TIMES)[..., 3:], origins, atol=1e-6)
    twists = rate_of(motion.link_velocities, TIMES)
    assert_close(motion.link_accelerations(TIMES), twists, atol=2e-5)


def test_one_call_answers_all_times_as_each_alone(motion):
    functions = (
        *(motion.accelerations, motion.inverse_dynamics, motion.link_poses),
        *(motion.link_velocities, motion.link_accelerations),
        lambda t: motion.joint_forces(t).drive,
        lambda t: motion.energies(t).total,
    )
    for function in functions:
        one, all_times = function(TIMES[1, 2]), function(TIMES)
        assert all_times.shape == (2, 4, *one.shape)
        assert_close(all_times[1, 2], one, atol=1e-11)


def test_outside_the_motion_everything_is_as_at_its_end(motion):
    for function in (
        *(motion.accelerations, motion.link_accelerations, motion.inverse_dynamics),
        lambda t: motion.joint_forces(t).total,
        lambda t: motion.energies(t).total,
    ):
        np.testing.assert_array_equal(function(7.0), function(1.0))
        np.testing.assert_array_equal(function(-7.0), function(0.0))


def lines_run(function, *arguments):
    """How many lines of Python a call runs: each numpy call stands in one."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return count


def test_the_number_of_times_does_not_change_the_number_of_calls(random_tree):
    model = compile_tree(random_tree(5, KINDS))
    q = np.where(model.neutral() == 0.0, 0.5, 1.0)  # off gimbal lock
    motion = run(simulate(model, (0.0, 0.1), q, np.ones(model.nv), rtol=1e-4, atol=1e-4))
    few, many = np.linspace(0.0, 0.1, 2), np.linspace(0.0, 0.1, 20)
    for function in (
        *(motion.sample, motion.accelerations, motion.joint_forces, motion.inverse_dynamics),
        *(motion.energies, motion.link_poses, motion.link_velocities, motion.link_accelerations),
    ):
        function(few), function(many)  # memory for so many is made once
        assert lines_run(function, few) == lines_run(function, many)


FRAMES = np.linspace(0.0, 1.0, 25)


@pytest.fixture(scope="module")
def start(random_tree):
    """A tree, its velocities at the start, and its true motion."""
    model = compile_tree(random_tree(4, ["universal", "spherical", "prismatic"]))
    v = np.linspace(-1.0, 1.0, model.nv)
    return model, v, run(simulate(model, FRAMES, v=v, rtol=1e-12, atol=1e-12))


@pytest.mark.parametrize("method", [*CONTROLLED, *FIXED])
def test_poses_between_frames_are_as_accurate_as_at_frames(start, method):
    model, v, truth = start
    options = {"step": 0.01} if method in FIXED else {"rtol": 1e-5, "atol": 1e-5}
    motion = run(simulate(model, FRAMES, v=v, method=method, **options))
    between = np.linspace(0.0, 1.0, 401)
    errors = [
        np.abs(motion.link_poses(t) - truth.link_poses(t)).max()
        for t in (motion.dense.knots, FRAMES, between)
    ]
    assert errors[2] <= 1.2 * errors[0]
    assert errors[2] <= 1.2 * errors[1]


# the order at which the slope of v nears the accelerations, as the step becomes smaller
ORDERS = {
    "semi-implicit-euler": 1,
    "rk4": 3,
    "implicit-midpoint": 2,
    "generalized-alpha": 2,
    "newmark": 2,
}


@pytest.mark.parametrize("method", FIXED)
def test_dense_velocities_have_the_accelerations_as_slopes(random_tree, method):
    model = compile_tree(random_tree(4, ["universal", "spherical", "revolute"]))
    v, t = np.linspace(-1.0, 1.0, model.nv), np.linspace(0.0, 0.2, 41)
    errors = []
    for step in (0.01, 0.005):
        motion = run(simulate(model, t, v=v, method=method, step=step))
        slopes = slope(motion.dense, t)[..., model.nq : model.nq + model.nv]
        errors.append(np.abs(slopes - motion.accelerations(t)).max())
    assert np.log2(errors[0] / errors[1]) > ORDERS[method] - 0.3


def test_a_given_motion_says_what_its_motors_need(pendulum):
    """A pendulum held level: m g r; swung at 2 rad/s^2: I alpha more; damped: d omega more."""
    model = compile_tree(pendulum(damping=0.3), gravity=(0.0, 0.0, -10.0))
    times = np.linspace(0.0, 1.0, 11)
    still = Trajectory.from_table(model, times, np.zeros((11, 1)))
    assert_close(still.joint_forces(times).drive, -10.0, atol=1e-13)
    x, v = times[:, None] ** 2, 2.0 * times[:, None]
    swung = Trajectory.from_table(model, times, x, v, np.full((11, 1), 2.0))
    forces = swung.joint_forces(times)
    assert_close(forces.drive, 1.1 * 2.0 - 10.0 * np.cos(x) + 0.3 * v, atol=1e-12)
    assert_close(forces.total, swung.inverse_dynamics(times), atol=1e-13)
    assert_close(forces.tau, 0.0, atol=0.0)


def test_force_elements_count_in_a_given_motion(system):
    model = system.model
    times = np.linspace(0.0, 1.0, 5)
    q = np.tile(model.neutral(), (5, 1))
    alone, pulled = (
        Trajectory.from_table(m, times, q).joint_forces(times) for m in (model, system)
    )
    assert np.abs(pulled.applied).max() > 0.1
    assert_close(pulled.drive, alone.drive - pulled.applied, atol=1e-12)


def test_link_quantities_agree_with_the_functions_of_the_core(motion):
    q, v = motion.sample(TIMES)
    np.testing.assert_array_equal(motion.link_poses(TIMES), link_poses(motion.model, q))
    np.testing.assert_array_equal(
        motion.link_velocities(TIMES), link_velocities(motion.model, q, v)
    )


def test_many_samples_are_evaluated_in_blocks(pendulum, monkeypatch):
    from dynarig.core.trajectory import trajectory

    model = compile_tree(pendulum())
    times = np.linspace(0.0, 0.5, 11)
    whole = run(simulate(model, times))
    monkeypatch.setattr(trajectory, "BLOCK", 4)
    parts = run(simulate(model, times))
    assert_close(parts.a, whole.a, atol=1e-13)
    assert_close(parts.energy, whole.energy, atol=1e-13)
