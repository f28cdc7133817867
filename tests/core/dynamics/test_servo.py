"""Servos: where they come to rest, how fast they turn, how hard they push, and what they refuse."""

import math

import numpy as np
import pytest
from dynarig.core.dynamics import Servo, System, compile_tree
from dynarig.core.dynamics.servo import ServoBank
from dynarig.core.errors import ArgumentError, ModelError, SimulationError
from dynarig.core.simulate import run, simulate
from dynarig.core.tree import Body, Mimic, Tree, TreeJoint

from ...close import assert_close

G, MASS, LENGTH, TURN = 9.81, 2.0, 0.5, 0.1  # of a pendulum: kg, m, and kg m^2 about its centre


def body(name, mass=MASS, turn=TURN, at=LENGTH):
    return Body(name, mass, np.array([at, 0.0, 0.0]), turn * np.eye(3))


def joint(name, parent, child, kind="continuous", axis=(0.0, -1.0, 0.0), **own):
    pose = np.eye(4)
    pose[0, 3] = 0.0 if parent == "base" else 2.0 * LENGTH
    return TreeJoint(name, kind, parent, child, pose, np.array(axis), **own)


def pendulum(gravity=G, **own):
    """Level at 0; its angle grows upwards."""
    tree = Tree(
        "arm", (body("base", 0.0, 0.0), body("rod")), (joint("a", "base", "rod", **own),), "base"
    )
    return compile_tree(tree, gravity=(0.0, 0.0, -gravity))


def two_rods(gravity=G, **second):
    joints = (joint("a", "base", "one"), joint("b", "one", "two", **second))
    bodies = (body("base", 0.0, 0.0), body("one"), body("two"))
    return compile_tree(Tree("arm", bodies, joints, "base"), gravity=(0.0, 0.0, -gravity))


def moved(model, servos, end=1.0, q=None, v=None, **options):
    times = np.linspace(0.0, end, 51)
    return run(simulate(System(model, joint_forces=tuple(servos)), times, q, v, **options))


INERTIA = TURN + MASS * LENGTH**2  # of the pendulum about its pivot


def test_a_position_servo_rests_where_its_stiffness_bears_the_load():
    stiffness, aim = 150.0, 0.3
    motion = moved(pendulum(), [Servo("a", stiffness, 20.0, position=aim)], 6.0, tolerance=1e-9)
    x = motion.q[-1, 0]
    assert_close(motion.v[-1], 0.0, 1e-7)
    assert_close(stiffness * (aim - x), MASS * G * LENGTH * math.cos(x), 1e-6)


def test_a_velocity_servo_turns_at_its_speed_less_what_friction_takes():
    model = pendulum(gravity=0.0, damping=0.5)
    motion = moved(model, [Servo("a", 0.0, 2.0, velocity=3.0)], 8.0, tolerance=1e-9)
    assert_close(motion.v[-1], 3.0 * 2.0 / 2.5, 1e-7)
    # the way there: an exponential
    t = motion.times
    assert_close(motion.v[:, 0], 2.4 * (1.0 - np.exp(-2.5 * t / INERTIA)), 1e-6)


def test_a_servo_moves_as_a_spring_and_damper_do():
    k, d, rest = 40.0, 1.5, 0.2
    described = pendulum(stiffness=k, damping=d, rest=rest)
    start = {"q": [0.5], "v": [1.0], "tolerance": 1e-10}
    spring = moved(described, [], 2.0, **start)
    servo = moved(pendulum(), [Servo("a", k, d, position=rest)], 2.0, **start)
    assert_close(servo.q, spring.q, 1e-7)
    assert_close(servo.v, spring.v, 1e-7)


def test_no_servo_pushes_harder_than_its_effort():
    model, effort = pendulum(gravity=0.0, effort=3.0), 3.0
    motion = moved(model, [Servo("a", 1e3, 50.0, position=1.0)], 0.4, tolerance=1e-9)
    forces = motion.joint_forces(np.linspace(0.0, 0.4, 401)).applied
    assert np.abs(forces).max() <= effort
    # at first it is cut off, and the joint speeds up evenly
    early = motion.times < 0.3
    assert_close(motion.q[early, 0], 0.5 * effort / INERTIA * motion.times[early] ** 2, 1e-8)
    # a servo's own limit goes before that of its joint
    for own, wanted in ((1.0, 1.0), (5.0, 5.0), (np.inf, 1e3), (None, 3.0)):
        bank = ServoBank(model, [Servo("a", 1e3, 0.0, position=1.0, effort=own)])
        at = System(model).moment(0.0, np.zeros(1), np.zeros(1))
        assert_close(bank.joint_forces(at), [wanted], 1e-12)
        assert bank.effort[0] == (3.0 if own is None else own)


def test_energy_and_work_balance():
    servos = [Servo("a", 60.0, 4.0, position=0.4, effort=25.0), Servo("b", 30.0, 2.0, velocity=1.0)]
    motion = moved(two_rods(), servos, 2.0, q=[0.2, -0.5], tolerance=1e-9)
    assert motion.energy_drift < 1e-6
    # the work is the integral of force times velocity
    t = np.linspace(0.0, 2.0, 4001)
    forces, (_, v) = motion.joint_forces(t).applied, motion.sample(t)
    power = (forces * v).sum(axis=-1)
    given = np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(t))
    energy = motion.energy
    assert_close(energy[-1] - energy[0], given, 1e-4)


def test_a_moving_aim_is_followed_with_its_rate():
    servo = Servo("a", 30.0, 2.0, position=lambda t: (0.5 * t, 0.5))
    motion = moved(pendulum(gravity=0.0), [servo], 3.0, v=[0.5])
    assert_close(motion.q[:, 0], 0.5 * motion.times, 1e-12)
    # a given rate without a place that moves: the velocity is followed alone
    servo = Servo("a", 0.0, 2.0, velocity=lambda t: math.sin(t))
    assert System(pendulum(), joint_forces=(servo,)).timed
    assert not System(pendulum(), joint_forces=(Servo("a", 1.0, 1.0),)).timed
    at = System(pendulum()).moment(0.7, np.zeros(1), np.array([0.1]))
    assert_close(servo.joint_forces(at), [2.0 * (math.sin(0.7) - 0.1)], 1e-15)


def test_stiff_gains_are_no_trouble_for_auto():
    servos = [Servo("a", 1e7, 1e6, position=0.3), Servo("b", 1e7, 1e6, position=-0.3)]
    motion = moved(two_rods(), servos, 2.0, q=[0.3, -0.3], v=[0.5, 0.0])
    assert "rosenbrock" in motion.method
    assert len(motion.dense.knots) < 500
    assert_close(motion.q[-1], [0.3, -0.3], 1e-4)


def test_forces_of_many_states_are_those_of_each(rng):
    model = two_rods()
    servos = [
        Servo("b", 30.0, 2.0, position=lambda t: (math.sin(t), math.cos(t)), effort=9.0),
        Servo("a", 60.0, 4.0, position=0.4, velocity=lambda t: t),
    ]
    system = System(model, joint_forces=tuple(servos))
    t, q, v = rng.uniform(0, 1, (2, 3)), rng.normal(size=(2, 3, 2)), rng.normal(size=(2, 3, 2))
    forces = system.applied_forces(system.moment(t, q, v))
    for place in np.ndindex(t.shape):
        at = system.moment(t[place], q[place], v[place])
        assert_close(forces[place], system.applied_forces(at), 1e-13)
        # together as each by itself
        assert_close(forces[place], sum(own.joint_forces(at) for own in servos), 1e-13)
    # many states of one time
    assert system.applied_forces(system.moment(0.2, q, v)).shape == (2, 3, 2)


def test_what_time_stepping_takes_is_the_force_and_its_slopes(rng):
    model = two_rods()
    bank = ServoBank(model, [Servo("b", 30.0, 2.0, position=0.1, effort=1.0)])
    q, v = rng.normal(size=2), rng.normal(size=2)
    system, tiny = System(model), 1e-6

    def free(q, v):
        return bank.implicit(system.moment(0.0, q, v))[0]

    force, damping, stiffness = bank.implicit(system.moment(0.0, q, v))
    assert_close(force, [0.0, 30.0 * (0.1 - q[1]) - 2.0 * v[1]], 1e-13)
    for index in range(2):
        step = tiny * np.eye(2)[index]
        assert_close(damping * step, free(q, v - step) - force, 1e-12)
        assert_close(stiffness * step, free(q - step, v) - force, 1e-12)
    assert_close(bank.effort[1], 1.0, 0.0)
    assert bank.effort[0] == np.inf
    assert_close(
        np.clip(force, -bank.effort, bank.effort), bank.joint_forces(system.moment(0.0, q, v)), 0.0
    )


def test_joints_that_cannot_have_a_servo_are_refused():
    model = two_rods(mimic=Mimic("a", 2.0, 0.0), kind="revolute")

    def refused(model, *servos):
        system = System(model, joint_forces=servos)
        system.accelerations(0.0, model.neutral(), np.zeros(model.nv))

    with pytest.raises(ModelError, match="joint 'b' follows 'a'"):
        refused(model, Servo("b", 1.0, 1.0))
    with pytest.raises(ModelError, match="no moving joint 'c'; there are: a, b"):
        refused(model, Servo("c", 1.0, 1.0))
    with pytest.raises(ModelError, match="joint 'a': wanted one servo, got two"):
        refused(model, Servo("a", 1.0, 1.0), Servo("a", 0.0, 1.0))
    rod = Tree("rod", (body("rod"),), (), "rod")
    with pytest.raises(
        ModelError, match=r"joint 'floating_base': wanted a joint of one.*are: none"
    ):
        refused(compile_tree(rod, floating_base=True), Servo("floating_base", 1.0, 1.0))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"joint": ""}, "joint: wanted the name of a joint, got ''"),
        ({"stiffness": -1.0}, "joint 'a': stiffness: wanted a finite number from 0 on, got -1"),
        ({"damping": math.nan}, "joint 'a': damping: wanted a finite number from 0 on, got nan"),
        ({"damping": True}, "damping: wanted a finite number"),
        ({"position": "up"}, "position: wanted a finite number or a function of t"),
        ({"velocity": math.inf}, "velocity: wanted a finite number or a function of t"),
        ({"effort": 0.0}, "effort: wanted a number above 0, inf for no limit or None"),
        ({"position": lambda t: (t, 1.0), "velocity": 1.0}, "velocity: wanted none beside"),
    ],
)
def test_wrong_arguments_are_refused(given, told):
    with pytest.raises(ArgumentError, match=told):
        Servo(**{"joint": "a", "stiffness": 1.0, "damping": 1.0, **given})


def test_functions_that_fail_are_told_with_the_joint():
    at = System(pendulum()).moment(0.5, np.zeros(1), np.zeros(1))
    with pytest.raises(ArgumentError, match=r"joint 'a': position: wanted 2 numbers, got 0\.5"):
        Servo("a", 1.0, 1.0, position=lambda t: t).joint_forces(at)
    with pytest.raises(
        SimulationError, match=r"joint 'a': velocity: the function failed at t = 0\.5"
    ):
        Servo("a", 1.0, 1.0, velocity=lambda t: 1.0 / 0.0).joint_forces(at)
    with pytest.raises(SimulationError, match="joint 'a': velocity: wanted finite values"):
        Servo("a", 1.0, 1.0, velocity=lambda t: math.nan).joint_forces(at)


def test_a_servo_presses_a_joint_against_its_limit():
    from dynarig.core.dynamics.contact import ContactSystem, JointLimit

    axis = np.array([0.0, -1.0, 0.0])
    hinge = TreeJoint("a", "revolute", "base", "rod", np.eye(4), axis, lower=-1.0, upper=0.5)
    bodies = (body("base", 0.0, 0.0), body("rod"))
    model = compile_tree(Tree("arm", bodies, (hinge,), "base"), gravity=(0.0, 0.0, -G))
    servo = Servo("a", 200.0, 20.0, position=1.0, effort=30.0)
    system = ContactSystem(model, (servo,), contacts=(JointLimit(joint="a"),))
    motion = run(simulate(system, np.linspace(0.0, 2.0, 21), [0.0]))
    assert_close(motion.q[-1], 0.5, 1e-9)
    # the limit bears what the servo exerts beyond the weight
    (impact, *_) = motion.impacts
    assert impact.contacts == ("limit of a, upper",)
    force = motion.constraint("limit of a, upper", 1.5).force
    assert_close(np.abs(force), 30.0 - MASS * G * LENGTH * math.cos(0.5), 1e-6)
