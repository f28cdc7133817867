"""Simulated motion: against closed forms and independent numbers, energy, limits, and the loop."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from dynarig.core.dynamics import Prescribed, System, compile_tree, link_poses
from dynarig.core.errors import ModelError, SimulationError
from dynarig.core.frames import transform_from_xyz_rpy
from dynarig.core.mechanism import Body, Tree, TreeJoint
from dynarig.core.simulate import Simulation, run, simulate

from ..close import assert_close

DOWN = (0.0, 0.0, -9.80665)


def test_pendulum_follows_the_reference(pendulum, data):
    truth = json.loads((data / "planar_and_3d" / "planar_pendulum.json").read_text())["truth"]
    model = compile_tree(pendulum(), gravity=DOWN)
    motion = run(simulate(model, truth["t"], tolerance=1e-11))
    # the reference turns about -y, so its angle is minus ours
    assert_close(-motion.q[:, 0], truth["phi"], atol=1e-9)
    assert motion.q[4, 0] == pytest.approx(2.88130447131128, abs=1e-9)


def test_furuta_pendulum_follows_the_reference(data):
    case = json.loads((data / "planar_and_3d" / "furuta_pendulum.json").read_text())
    motion = run(simulate(furuta(), [s["t"] for s in case["truth"]], (0.0, 0.1), tolerance=1e-11))
    arms = link_poses(motion.model, motion.q)
    for state, q, poses in zip(case["truth"], motion.q, arms, strict=True):
        assert_close(q, state["q"], atol=1e-8)
        elbow, tip = transform_from_xyz_rpy((0, 0, 0.6), np.zeros(3)), np.array([0, 0.6, 0, 1.0])
        assert_close((poses[1] @ elbow)[:3, 3], state["upper_arm_tip"], atol=1e-8)
        assert_close((poses[2] @ tip)[:3], state["lower_arm_tip"], atol=1e-8)


def furuta():
    def body(name, mass, center):
        return Body(name, mass, np.array(center), 0.001 * np.eye(3))

    def joint(name, kind, parent, child, axis, z, damping=0.07):
        at = transform_from_xyz_rpy((0.0, z[0], z[1]), np.zeros(3))
        return TreeJoint(name, kind, parent, child, at, np.array(axis), damping=damping)

    tree = Tree(
        "furuta",
        (
            Body("base", 0.0, np.zeros(3), np.zeros((3, 3))),
            body("upper", 1.0, (0, 0, 0.3)),
            body("lower", 1.0, (0, 0.3, 0)),
            body("tip", 0.3, (0, 0, 0)),
        ),
        (
            joint("shoulder", "continuous", "base", "upper", (0.0, 1.0, 0.0), (0.0, 0.0)),
            joint("elbow", "continuous", "upper", "lower", (0.0, 0.0, 1.0), (0.0, 0.6)),
            joint("weld", "fixed", "lower", "tip", (1.0, 0.0, 0.0), (0.6, 0.0)),
        ),
        "base",
    )
    return compile_tree(tree, gravity=(0.0, -9.81, 0.0))


def test_a_thrown_body_follows_its_parabola_and_keeps_its_angular_momentum(random_tree):
    model = compile_tree(random_tree(1, []), floating_base=True, gravity=DOWN)
    center = random_tree(1, []).bodies[0].center_of_mass
    times, q, v = np.linspace(0.0, 1.0, 9), model.neutral(), np.array([3.0, -2.0, 5.0, 1, 2, 3])
    q[3:] *= 1.7  # a state quaternion of any length
    motion = run(simulate(model, times, q, v, tolerance=1e-10))
    points = (link_poses(model, motion.q)[:, 0] @ np.append(center, 1.0))[:, :3]
    start = v[3:] + np.cross(v[:3], center)
    expected = points[0] + times[:, None] * start + 0.5 * times[:, None] ** 2 * np.array(DOWN)
    assert_close(points, expected, atol=1e-8)
    assert motion.energy_drift < 1e-8


@pytest.mark.parametrize("method", ["dormand-prince", "dop853", "rosenbrock"])
def test_energy_and_work_are_conserved_and_the_drift_falls_with_the_tolerance(random_tree, method):
    tree = random_tree(5, ["revolute", "prismatic", "planar", "revolute"], damping=0.3)
    model = compile_tree(tree, floating_base=True)
    drifts = [
        run(simulate(model, (0.0, 0.5, 1.0), method=method, tolerance=tolerance)).energy_drift
        for tolerance in (1e-4, 1e-7)
    ]
    assert drifts[1] < 1e-3 * max(drifts[0], 1e-3)


def test_both_schemes_find_the_same_motion(random_tree):
    model = compile_tree(random_tree(7, ["revolute"] * 3, damping=0.5, friction=0.2))
    ends = [
        run(simulate(model, (0.0, 1.0), method=method, tolerance=1e-8)).q[-1]
        for method in ("dormand-prince", "rosenbrock")
    ]
    assert_close(ends[0], ends[1], atol=1e-5)


FIXED = {
    "semi-implicit-euler": (0.01, 0.2),
    "rk4": (0.01, 1e-6),
    "implicit-midpoint": (0.01, 3e-3),
    "generalized-alpha": (0.01, 1e-2),
}


@pytest.mark.parametrize("method", FIXED)
def test_schemes_of_one_step_size_find_the_same_motion(random_tree, method):
    step, bound = FIXED[method]
    model = compile_tree(random_tree(7, ["revolute", "spherical"], damping=0.5))
    times = np.linspace(0.0, 0.5, 4)  # no multiples of the step
    motion = run(simulate(model, times, method=method, step=step))
    truth = run(simulate(model, times, tolerance=1e-10))
    assert motion.method == method
    assert motion.steps == 50
    assert_close(motion.q, truth.q, atol=bound)
    assert motion.energy_drift < 10.0 * bound


def test_damping_and_friction_act_only_as_passive_forces(pendulum):
    model = compile_tree(pendulum(damping=2.0, friction=0.5))
    free, held = (run(simulate(model, (0.0, 1.0), passive=passive)) for passive in (False, True))
    assert free.work[-1] == 0.0
    assert held.work[-1] > 0.1
    assert held.q[-1, 0] < free.q[-1, 0]


def test_viscous_damping_decays_as_its_closed_form(pendulum):
    # without gravity: v = v0 exp(-d t / I), with I = 1.1 about the hinge
    model = compile_tree(pendulum(), gravity=(0, 0, 0))
    motion = run(simulate(model, (0.0, 1.0), v=[2.0], damping=0.7, tolerance=1e-10))
    assert motion.v[-1, 0] == pytest.approx(2.0 * np.exp(-0.7 / 1.1), abs=1e-8)


def test_stiff_damping_is_recognised_and_passed_quickly(pendulum):
    model = compile_tree(pendulum(damping=1e5))
    motion = run(simulate(model, (0.0, 5.0)))
    assert motion.method == "rosenbrock"
    assert motion.evaluations < 2000
    # the rod creeps: d q' = m g cos q
    assert motion.q[-1, 0] == pytest.approx(9.81 / 1e5 * 5.0, rel=1e-3)


def test_limits_stop_a_joint_and_may_be_switched_off(pendulum):
    model = compile_tree(pendulum(type="revolute", lower=-0.5, upper=0.8))
    times = np.linspace(0.0, 4.0, 97)
    held = run(simulate(model, times, (0.0,)))
    assert 0.8 < held.q.max() < 0.8 + 0.02
    assert held.q[-1, 0] == pytest.approx(0.8, abs=1e-3)
    assert abs(held.v[-1, 0]) < 1e-3
    assert held.energy_drift < 1e-4
    free = run(simulate(model, times, (0.0,), limits=False))
    assert free.q.max() > 3.0


def test_a_follower_at_its_limit_stops_its_leader(random_tree):
    tree = random_tree(2, ["continuous", "revolute"], mimic=True)
    leader, follower = tree.joints
    tree = replace(tree, joints=(leader, replace(follower, lower=-0.3, upper=0.3)))
    model = compile_tree(tree)
    motion = run(simulate(model, np.linspace(0, 1.5, 37), damping=0.2))
    values = model.joint_values(motion.q)["j2"]
    assert np.abs(values).max() < 0.3 + 0.03
    loose = run(simulate(model, np.linspace(0, 1.5, 37), damping=0.2, limits=False))
    assert np.abs(model.joint_values(loose.q)["j2"]).max() > 0.4


def test_a_torque_that_holds_gravity_keeps_the_arm_still(pendulum):
    model = compile_tree(pendulum())
    motion = run(simulate(model, (0.0, 2.0), tau=lambda t, q, v: np.array([-9.81 * np.cos(q[0])])))
    assert_close(motion.q, 0.0, atol=1e-12)
    assert motion.is_still
    assert not run(simulate(model, (0.0, 2.0))).is_still


def test_output_times_do_not_change_the_motion(random_tree):
    model = compile_tree(random_tree(4, ["revolute", "revolute"]))
    coarse = run(simulate(model, (0.0, 2.0)))
    fine = run(simulate(model, np.linspace(0.0, 2.0, 241)))
    np.testing.assert_array_equal(coarse.q[-1], fine.q[-1])
    assert coarse.evaluations == fine.evaluations
    np.testing.assert_array_equal(coarse.sample(fine.times)[0], fine.q)


def test_the_generator_yields_each_time_and_can_be_left(pendulum):
    model = compile_tree(pendulum())
    times = [0.0, 0.1, 0.25, 1.0]
    samples = []
    simulation = simulate(model, times)
    while True:
        try:
            samples.append(next(simulation))
        except StopIteration as end:
            motion = end.value
            break
    assert [(sample.index, sample.time) for sample in samples] == list(enumerate(times))
    # samples are worked out one at a time, and the trajectory all at once
    assert_close([sample.q for sample in samples], motion.q, atol=1e-14)
    assert_close([sample.v for sample in samples], motion.v, atol=1e-14)
    left = simulate(model, times)
    next(left)
    left.close()


def test_progress_comes_with_every_step_however_long_a_frame_is(random_tree):
    model = compile_tree(random_tree(5, ["revolute"] * 3))
    simulation = Simulation(model, (0.0, 5.0))
    reached = []
    steps = simulation.steps()
    while True:
        try:
            reached.append(next(steps))
        except StopIteration as end:
            motion = end.value
            break
    assert len(reached) == motion.steps + 1
    assert reached[0] == 0.0
    assert reached[-1] == 5.0
    assert (np.diff(reached) > 0.0).all()
    np.testing.assert_array_equal(motion.q, run(simulation.samples()).q)


def two_axes_in_line(turn):
    """Two hinges with a massless link between, whose axes are `turn` apart, and a body."""
    axis = np.array([np.sin(turn), np.cos(turn), 0.0])
    return Tree(
        "gimbal",
        (
            Body("base", 0.0, np.zeros(3), np.zeros((3, 3))),
            Body("ring", 0.0, np.zeros(3), np.zeros((3, 3))),
            Body("rod", 1.0, np.array([0.5, 0.0, 0.2]), 0.01 * np.eye(3)),
        ),
        (
            TreeJoint("outer", "continuous", "base", "ring", np.eye(4), np.array([0.0, 1.0, 0.0])),
            TreeJoint("inner", "continuous", "ring", "rod", np.eye(4), axis),
        ),
        "base",
    )


def test_a_singular_mass_matrix_is_told_by_its_joints():
    model = compile_tree(two_axes_in_line(0.0))
    with pytest.raises(
        ModelError,
        match=r"joints 'outer', 'inner' move no inertia against each other .*; link 'ring' has no "
        "mass; give mass",
    ):
        run(simulate(model, (0.0, 1.0)))


def test_a_floating_base_without_mass_is_named():
    tree = two_axes_in_line(0.0)
    one_joint = Tree(
        "hopper",
        (tree.bodies[0], tree.bodies[2]),
        (replace(tree.joints[1], parent="base"),),
        "base",
    )
    model = compile_tree(one_joint, floating_base=True)
    with pytest.raises(ModelError, match=r"'floating_base', 'inner' move no .* 'base' has no mass"):
        run(simulate(model, (0.0, 1.0)))


def test_a_motion_into_a_singularity_is_told_by_time_and_joints():
    model = compile_tree(two_axes_in_line(1e-5))
    with pytest.raises(
        SimulationError, match=r"gimbal: at t = .* 'outer', 'inner' move hardly any"
    ):
        run(simulate(model, (0.0, 1.0), tau=lambda t, q, v: np.array([1.0, -2.0])))


def test_inertia_of_no_real_body_is_refused(pendulum):
    tree = pendulum()
    rod = replace(tree.bodies[1], inertia=-5.0 * np.eye(3))
    with pytest.raises(ModelError, match="joint 'hinge' is not that of real bodies"):
        run(simulate(compile_tree(replace(tree, bodies=(tree.bodies[0], rod))), (0.0, 1.0)))


def test_inertia_beyond_all_numbers_is_refused(pendulum):
    tree = pendulum()
    rod = replace(tree.bodies[1], mass=1e300, center_of_mass=np.array([1e300, 0.0, 0.0]))
    with pytest.raises(ModelError, match="beyond what numbers can hold"):
        compile_tree(replace(tree, bodies=(tree.bodies[0], rod)))


def test_forces_without_bound_end_in_an_error_with_time_and_joint(pendulum):
    model = compile_tree(pendulum())
    with pytest.raises(SimulationError, match=r"at t = .* joint 'hinge' moves at .* rad/s"):
        run(simulate(model, (0.0, 1.0), tau=lambda t, q, v: v * v * 1e3 + 1e3))
    with pytest.raises(SimulationError, match=r"at t = .* joint 'hinge' moves at .* rad/s"):
        run(simulate(model, (0.0, 50.0), tau=lambda t, q, v: 50.0 * v + 1.0))
    with pytest.raises(SimulationError, match=r"tau at t = 0 s: .* got nan for joint 'hinge'"):
        run(simulate(model, (0.0, 1.0), tau=lambda t, q, v: v + np.nan))


@pytest.mark.parametrize("method", ["auto", "dormand-prince", "rosenbrock"])
def test_what_acts_for_a_short_time_is_not_stepped_over(pendulum, method):
    # a torque of 1 N m for a second, long after the start, on 1.1 kg m^2 without weight
    model = compile_tree(pendulum(), gravity=(0.0, 0.0, 0.0))

    def push(t, q, v):
        return np.ones(1) if 5.0 <= t < 6.0 else np.zeros(1)

    assert run(simulate(model, (0.0, 10.0), tau=push, method=method)).v[-1, 0] == pytest.approx(
        1.0 / 1.1, abs=1e-3
    )
    blind = run(simulate(model, (0.0, 10.0), tau=push, method=method, max_step=10.0))
    assert blind.steps < 30

    def tap(t, q, v):  # of a millisecond
        return np.full(1, 1e3) if 0.5 <= t < 0.501 else np.zeros(1)

    seen = run(simulate(model, (0.0, 0.6), tau=tap, method=method, max_step=1e-3))
    assert seen.v[-1, 0] == pytest.approx(1.0 / 1.1, abs=1e-3)


def test_where_nothing_depends_on_time_steps_are_as_long_as_they_may(pendulum):
    model = compile_tree(pendulum(), gravity=(0.0, 0.0, 0.0))
    assert run(simulate(model, (0.0, 10.0), v=(1.0,))).steps < 20
    short = run(simulate(model, (0.0, 10.0), v=(1.0,), max_step=0.1))
    assert short.steps >= 100


CORNERS = {
    "corner": lambda t: (2.0 * max(t - 0.5, 0.0), 2.0 * (t > 0.5), 0.0),
    "jump": lambda t: (float(t > 0.3), 0.0, 0.0),
    "wrong rate": lambda t: (np.sin(t), 7.0, -np.sin(t)),
    "wrong acceleration": lambda t: (np.sin(t), np.cos(t), 3.0),
}


@pytest.mark.parametrize("motion", CORNERS)
def test_prescribed_motions_that_their_rates_do_not_lead_to_are_refused(random_tree, motion):
    model = compile_tree(random_tree(3, ["revolute", "revolute"]))
    system = System(model, prescribed=(Prescribed(0, 0, CORNERS[motion]),))
    with pytest.raises(SimulationError, match=r"at t = .* motion of joint 'j1' is not smooth"):
        run(simulate(system, (0.0, 1.0)))


def test_a_gimbal_lock_on_the_way_is_told_by_time_and_joint(random_tree):
    tree = random_tree(6, ["spherical XYZ"])
    model = compile_tree(tree, gravity=(0.0, 0.0, 0.0))
    body = replace(tree.bodies[1], center_of_mass=np.zeros(3), inertia=0.1 * np.eye(3))
    model = compile_tree(replace(tree, bodies=(tree.bodies[0], body)), gravity=(0.0, 0.0, 0.0))
    start = (0.0, np.pi / 2 - 1e-9, 0.0)
    with pytest.raises(SimulationError, match=r"at t = 0 s .* joint 'j1' .* gimbal lock"):
        run(simulate(model, (0.0, 1.0), start, (1.0, 0.0, 0.0)))


def test_a_spinning_body_flies_straight_by_semi_implicit_euler(random_tree):
    tree = random_tree(1, [])
    body = replace(tree.bodies[0], center_of_mass=np.zeros(3))
    model = compile_tree(replace(tree, bodies=(body,)), floating_base=True, gravity=(0, 0, 0))
    v = (0.0, 0.0, 10.0, 1.0, 0.0, 0.0)
    motion = run(simulate(model, (0.0, 20.0), v=v, method="semi-implicit-euler", step=0.01))
    assert_close(motion.q[-1, :3], (20.0, 0.0, 0.0), atol=1e-9)


def test_arguments_are_checked_before_the_first_step(pendulum):
    with pytest.raises(SimulationError, match="tolerance"):
        simulate(compile_tree(pendulum()), (0.0, 1.0), tolerance=2.0)


class Damper:
    """A force element on the joints, -d v."""

    def __init__(self, damping):
        self.damping = damping

    def joint_forces(self, at):
        return -self.damping * at.v


@pytest.mark.parametrize("method", ["dop853", "rosenbrock"])
def test_a_system_moves_as_the_model_that_it_is_equal_to(random_tree, method):
    model = compile_tree(random_tree(4, ["revolute", "spherical", "prismatic"]))
    times = np.linspace(0.0, 0.5, 6)
    options = {"method": method, "limits": False, "tolerance": 1e-7}
    bare = run(simulate(System(model), times, **options))
    np.testing.assert_array_equal(bare.q, run(simulate(model, times, **options)).q)
    damped = run(simulate(System(model, joint_forces=(Damper(0.4),)), times, **options))
    alike = run(simulate(model, times, damping=0.4, **options))
    by_hand = run(simulate(model, times, tau=lambda t, q, v: -0.4 * v, **options))
    bound = 1e-5 if method == "dop853" else 1e-4  # their Jacobians differ
    for other in (alike, by_hand):
        assert_close(damped.q, other.q, atol=bound)
        assert_close(damped.work, other.work, atol=bound)
    assert np.abs(damped.q - bare.q).max() > 1e-2


def test_starting_later_shifts_the_motion(pendulum):
    model = compile_tree(pendulum())
    early, late = (run(simulate(model, (t, t + 1.0))) for t in (0.0, 5.0))
    assert_close(early.q, late.q, atol=1e-12)


def test_a_robot_without_joints_stays_where_it_is(random_tree):
    model = compile_tree(random_tree(1, ["fixed"]))
    motion = run(simulate(model, (0.0, 1.0)))
    assert motion.q.shape == (2, 0)
    assert motion.energy_drift == 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"times": (1.0, 0.0)}, "times: wanted a list of finite, increasing times"),
        ({"times": (0.0, np.inf)}, "times: wanted"),
        ({"times": ()}, "times: wanted"),
        ({"damping": "much"}, "damping: wanted a number"),
        ({"damping": np.nan}, "damping: wanted a number"),
        ({"tolerance": "fine"}, "tolerance: wanted a number in"),
        ({"method": "euler"}, "method: wanted one of auto, dormand-prince, dop853, rosenbrock"),
        ({"damping": -1.0}, "damping: wanted a number from 0 to"),
        ({"tolerance": 0.0}, "tolerance: wanted a number in"),
        ({"tolerance": 1e-14}, "tolerance: wanted a number in"),
        ({"tolerance": 1e-6, "rtol": 1e-6}, "tolerance: wanted either tolerance, or rtol and atol"),
        ({"max_step": 0.0}, "max_step: wanted a positive number"),
        ({"max_step": 1.0, "method": "rk4", "step": 0.1}, "max_step: method 'rk4' makes steps"),
        ({"rtol": 1e-14}, r"rtol: wanted numbers in \[1e-13, 0.1\], got 1e-14"),
        ({"rtol": [1e-6, 1.0]}, r"rtol: wanted numbers in .*, got 1.0 at \[1\]"),
        ({"atol": 0.0}, "atol: wanted positive numbers, got 0.0"),
        ({"atol": [1e-6, np.nan]}, r"atol: wanted positive numbers, got nan at \[1\]"),
        ({"atol": [1e-6] * 3}, r"atol: wanted a number, or 2 for the entries of \(q, v\)"),
        ({"atol": "tight"}, "atol: wanted numbers"),
        ({"step": 0.1}, "step: method 'auto' chooses its steps by tolerance; .* taken by semi-"),
        ({"method": "rk4"}, "step: method 'rk4' makes steps of one size: wanted that size"),
        ({"method": "rk4", "step": 0.0}, "step: .* a positive number of seconds, got 0.0"),
        ({"method": "rk4", "step": "short"}, "step: .* a positive number of seconds, got 'short'"),
        (
            {"method": "rk4", "step": 0.1, "tolerance": 1e-6},
            "tolerance: method 'rk4' makes steps of one size and has no tolerance; it is taken by "
            "auto, dormand-prince, dop853, rosenbrock",
        ),
        ({"spectral_radius": 0.5}, "spectral_radius: wanted only for method 'generalized-alpha'"),
        (
            {"method": "generalized-alpha", "step": 0.1, "spectral_radius": 1.5},
            "spectral_radius: wanted a number from 0 to 1, got 1.5",
        ),
    ],
)
def test_wrong_arguments_are_refused_at_once(pendulum, options, message):
    settings = {"times": (0.0, 1.0), **options}
    with pytest.raises(SimulationError, match=message):
        simulate(compile_tree(pendulum()), **settings)


def test_wrong_states_are_refused(pendulum):
    model = compile_tree(pendulum())
    with pytest.raises(ModelError, match="q: wanted shape"):
        run(simulate(model, (0.0, 1.0), q=(0.0, 1.0)))
    with pytest.raises(SimulationError, match="q: wanted finite numbers"):
        run(simulate(model, (0.0, 1.0), q=(np.nan,)))


def test_damping_that_turns_stiff_on_the_way_changes_the_scheme():
    # a thin rod sinks onto the axis of the ring that carries it: less and less inertia is damped
    tree = two_axes_in_line(0.0)
    rod = Body("rod", 1.0, np.array([0.0, -0.5, 0.0]), np.diag([1e-3, 1e-6, 1e-3]))
    outer, inner = tree.joints
    inner = replace(inner, axis=np.array([0.0, 0.0, 1.0]))
    tree = replace(tree, bodies=(*tree.bodies[:2], rod), joints=(outer, inner))
    model = compile_tree(tree, gravity=(0.0, -9.81, 0.0))
    start, spin = (0.0, 1.2), (3.0, 0.0)
    motion = run(simulate(model, (0.0, 20.0), start, spin, damping=0.5))
    assert motion.method == "dop853, then rosenbrock"
    (remark,) = motion.remarks
    assert re.fullmatch(r"stiff from t = [\d.]+ s: (forces decay|stability).*", remark)
    assert motion.steps < 1000
    assert abs(motion.q[-1, 1]) < 1e-3
    fixed = run(simulate(model, (0.0, 1.0), start, spin, damping=0.5, method="rosenbrock"))
    assert_close(motion.sample(1.0)[0], fixed.q[-1], atol=1e-3)
