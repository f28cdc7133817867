"""Time stepping without contact: order 2, and what free bodies keep."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_tree, integrate_q, kinetic_energy, momentum
from dynarig.core.simulate import run, simulate

from ...close import assert_close
from .benches import G, placed, scene, stepped

TIMES = np.linspace(0.0, 1.0, 11)


def test_a_thrown_body_follows_its_parabola_at_any_step():
    system = scene([("stone", 2.0, 0.1)], [])
    v = np.array([0.0, 0.0, 0.0, 1.0, -2.0, 3.0])
    for step in (0.002, 0.03):
        motion = stepped(system, TIMES, v=v, step=step)
        expected = TIMES[:, None] * v[3:] - 0.5 * G * TIMES[:, None] ** 2 * np.array([0, 0, 1.0])
        assert_close(motion.q[:, :3], expected, atol=1e-12)
        assert motion.energy_drift < 1e-12


def test_a_spinning_body_keeps_its_momentum_and_its_energy():
    system = scene([("top", 1.0, (0.02, 0.05, 0.06))], [])
    for spin, bound in ((12.0, 1e-9), (1200.0, 1e-6)):
        v = np.array([0.01 * spin, spin, 0.02 * spin, 1.0, 2.0, 3.0])
        motion = stepped(system, TIMES, v=v)
        turning = momentum(system.model, motion.q, motion.v)[:, :3]
        size = np.linalg.norm(turning[0])
        assert_close(turning / size, np.broadcast_to(turning[0] / size, turning.shape), bound)
        assert_close(motion.energy / motion.energy[0], np.ones(len(TIMES)), bound)


def test_a_body_off_its_frame_turns_about_its_centre_of_mass(random_tree):
    tree = random_tree(1, [])
    model = compile_tree(tree, floating_base=True, gravity=(0.0, 0.0, -G))
    v = np.array([30.0, -20.0, 50.0, 1.0, 2.0, 3.0])
    motion = stepped(model, TIMES, v=v)
    centre = np.append(tree.bodies[0].center_of_mass, 1.0)
    points = (motion.link_poses(TIMES)[:, 0] @ centre)[:, :3]
    start = v[3:] + np.cross(v[:3], centre[:3])
    down = 0.5 * G * TIMES[:, None] ** 2 * np.array([0, 0, 1.0])
    assert_close(points, points[0] + TIMES[:, None] * start - down, atol=1e-11)
    turning = momentum(model, motion.q, motion.v)[:, :3]
    assert_close(turning, np.broadcast_to(turning[0], turning.shape), atol=1e-9)


def test_free_rotation_converges_with_the_square_of_the_step():
    system = scene([("top", 1.0, (0.02, 0.05, 0.06))], [])
    v = np.array([2.0, 12.0, 1.0, 0.0, 0.0, 0.0])
    truth = run(simulate(system.model, (0.0, 1.0), None, v, tolerance=1e-11)).q[-1]
    errors = [
        np.abs(stepped(system, (0.0, 1.0), v=v, step=step).q[-1] - truth).max()
        for step in (0.01, 0.005)
    ]
    assert errors[0] < 0.02
    assert errors[1] == pytest.approx(errors[0] / 4.0, rel=0.1)


@pytest.mark.parametrize(
    ("types", "mimic"),
    [
        (["revolute", "universal"], False),
        (["spherical", "prismatic"], False),
        (["floating", "planar"], False),
        (["revolute", "prismatic", "revolute", "revolute"], True),
    ],
)
def test_trees_converge_with_the_square_of_the_step(random_tree, types, mimic):
    tree = random_tree(3, types, mimic=mimic)
    model = compile_tree(tree, floating_base=True, gravity=(0.0, 0.0, -G))
    v = np.random.default_rng(4).normal(size=model.nv)
    options = {"limits": False, "passive": False}
    truth = run(simulate(model, (0.0, 0.5), None, v, tolerance=1e-11, **options)).q[-1]
    errors = [
        np.abs(stepped(model, (0.0, 0.5), None, v, step=step, **options).q[-1] - truth).max()
        for step in (0.004, 0.002)
    ]
    assert errors[0] < 5e-3
    assert errors[1] < 0.32 * errors[0]


def test_euler_states_move_as_quaternions_do(random_tree):
    ends = []
    for kind in ("floating", "floating ZYX"):
        model = compile_tree(random_tree(5, [kind]), gravity=(0.0, 0.0, -G))
        v = np.zeros(model.nv)
        v[model.v_index("j1")] = [1.0, -2.0, 0.5, 0.3, 0.2, 0.1]
        ends.append(stepped(model, (0.0, 0.4), v=v).link_poses(0.4))
    assert_close(ends[0], ends[1], atol=1e-10)


def test_the_energy_of_a_double_pendulum_does_not_drift(random_tree):
    model = compile_tree(random_tree(2, ["continuous"] * 2), gravity=(0.0, 0.0, -G))
    motion = stepped(model, np.linspace(0.0, 10.0, 501), np.array([0.3, 0.2]))
    total = motion.energy
    kinetic = kinetic_energy(model, motion.q, motion.v).max()
    assert np.ptp(total) < 1e-3 * kinetic
    assert motion.energy_drift < 1e-3 * kinetic


def test_states_between_steps_lie_on_the_parabola():
    system = scene([("stone", 1.0, 0.1)], [])
    motion = stepped(system, (0.0, 0.1), v=np.array([0, 0, 0, 0, 0, 1.0]), step=0.01)
    t = np.linspace(0.0, 0.1, 38)
    q, v = motion.sample(t)
    assert_close(q[:, 2], t - 0.5 * G * t**2, atol=1e-13)
    assert_close(v[:, 5], 1.0 - G * t, atol=1e-13)
    assert_close(motion.accelerations(t)[:, 5], np.full(len(t), -G), atol=1e-9)


def test_results_do_not_depend_on_output_times():
    system = scene([("top", 1.0, (0.02, 0.05, 0.06))], [])
    v = np.array([2.0, 12.0, 1.0, 0.3, 0.2, 0.1])
    few = stepped(system, (0.0, 0.5), v=v)
    many = stepped(system, np.linspace(0.0, 0.5, 77), v=v)
    assert_close(few.q[-1], many.q[-1], atol=0.0)
    assert few.steps == many.steps == 250


def test_the_last_step_ends_at_the_last_time():
    system = scene([("stone", 1.0, 0.1)], [])
    motion = stepped(system, (1.0, 1.0071), v=np.array([0, 0, 0, 0, 0, 1.0]))
    assert motion.steps == 4
    assert motion.dense.knots[-1] == 1.0071
    assert_close(motion.q[-1, 2], 0.0071 - 0.5 * G * 0.0071**2, atol=1e-14)


def test_one_time_is_a_motion_of_one_state():
    system = scene([("stone", 1.0, 0.1)], [])
    q = placed(system, [1.0, 2.0, 3.0])
    motion = stepped(system, [0.5], q)
    assert_close(motion.q, q[None], atol=0.0)
    assert motion.steps == 0


def test_a_slide_of_constant_twist_turns_as_its_screw():
    # the turn is exact where the moments of inertia are equal
    system = scene([("ball", 1.0, 0.1)], [], gravity=(0.0, 0.0, 0.0))
    v = np.array([3.0, -1.0, 2.0, 0.0, 0.0, 0.0])
    motion = stepped(system, TIMES, v=v, step=0.02)
    expected = integrate_q(system.model, motion.q[0], v, TIMES)
    assert_close(motion.q, expected, atol=1e-12)
