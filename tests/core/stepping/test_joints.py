"""Joints by time stepping: limits, servos and their limits, dry friction, loops, given motions."""

import numpy as np
import pytest
from dynarig.core.dynamics import Prescribed, System, compile_tree, gravity_forces, link_poses
from dynarig.core.errors import ModelError
from dynarig.core.simulate import run, simulate

from ...close import assert_close
from ..constraints.mechanisms import (
    COUPLER,
    CRANK,
    GROUND,
    ROCKER,
    chain,
    four_bar,
    four_bar_angles,
    turned,
)
from .benches import G, ball, box, ground, stepped

DOWN = (0.0, 0.0, -G)


def limited(pendulum, **options):
    """The pendulum with limits at -0.5 and 1 rad."""
    settings = {"type": "revolute", "lower": -0.5, "upper": 1.0, **options}
    return compile_tree(pendulum(**settings), gravity=DOWN)


def colliding(model, *colliders, **options):
    from dynarig.core.dynamics.friction import CollisionSystem

    return CollisionSystem(model, colliders=colliders, **options)


def servo(joint, *gains, **options):
    from dynarig.core.dynamics.servo import Servo

    return Servo(joint, *gains, **options)


def loop_ends(motion, times):
    """x (n,) of the end of a four-bar's rocker, after a check of y."""
    poses = motion.link_poses(times)[:, motion.model.link_names.index("rod2")]
    ends = poses @ np.array([ROCKER, 0.0, 0.0, 1.0])
    assert_close(ends[:, 1], np.zeros(len(times)), atol=1e-9)
    return ends[:, 0]


def test_a_limit_holds_and_what_hits_it_stays(pendulum):
    motion = stepped(limited(pendulum), np.linspace(0.0, 2.0, 201))
    assert motion.q.max() < 1.0 + 1e-9
    assert_close(motion.q[-1], [1.0], atol=1e-6)
    assert_close(motion.v[-1], [0.0], atol=1e-6)


def test_limits_off_do_not_act(pendulum):
    motion = stepped(limited(pendulum), np.linspace(0.0, 1.0, 21), limits=False)
    assert motion.q.max() > 1.5


def test_a_stop_with_restitution_keeps_the_energy_of_its_bounce(pendulum):
    from dynarig.core.dynamics.contact import JointLimit

    model = limited(pendulum)
    stops = (JointLimit(joint="hinge", restitution=1.0),)
    motion = stepped(colliding(model, joint_stops=stops), np.linspace(0.0, 2.0, 1001))
    assert motion.q.max() < 1.0 + 1e-9
    assert motion.v.min() < -3.0
    assert np.ptp(motion.energy) < 2e-3 * G


def test_only_the_stops_that_are_given_act():
    from dynarig.core.dynamics.contact import JointLimit
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    none, axis = np.zeros(3), np.array([0.0, 0.0, 1.0])
    bodies = [Body("base", 0.0, none, np.zeros((3, 3)))]
    joints = []
    for name, x in (("left", 0.0), ("right", 1.0)):
        at = np.eye(4)
        at[0, 3] = x
        bodies.append(Body(name, 1.0, none, np.eye(3)))
        joints.append(
            TreeJoint(f"{name} slide", "prismatic", "base", name, at, axis, lower=-0.2, upper=9.0)
        )
    model = compile_tree(Tree("slides", tuple(bodies), tuple(joints), "base"), gravity=DOWN)
    stops = (JointLimit(joint="left slide"),)
    motion = stepped(colliding(model, joint_stops=stops), (0.0, 1.0), [0.0, 0.0])
    assert_close(motion.q[-1], [-0.2, -0.5 * G], atol=1e-6)


def test_a_stop_of_a_joint_without_limits_is_refused(pendulum):
    from dynarig.core.dynamics.contact import JointLimit

    model = compile_tree(pendulum(), gravity=DOWN)
    system = colliding(model, joint_stops=(JointLimit(joint="hinge"),))
    with pytest.raises(ModelError, match="wanted a joint of one coordinate that has limits"):
        stepped(system, (0.0, 1.0))


@pytest.mark.parametrize("gains", [(1e4, 1e2), (1e8, 1e5), (1e8, 0.0), (0.0, 1e6)])
def test_servos_of_any_gains_are_stable(pendulum, gains):
    model = compile_tree(pendulum(), gravity=DOWN)
    system = System(model, joint_forces=(servo("hinge", *gains, position=0.4),))
    motion = stepped(system, np.linspace(0.0, 1.0, 51), [0.0])
    assert np.abs(motion.q).max() < 0.5
    assert_close(motion.v[-1], [0.0], atol=1e-4)
    if gains[0]:
        # it hangs through by what gravity takes
        assert_close(motion.q[-1], [0.4 + G * np.cos(0.4) / gains[0]], atol=1e-6)


def test_a_servo_follows_a_motion_that_is_a_function_of_time(pendulum):
    model = compile_tree(pendulum(), gravity=DOWN)

    def aim(t):
        return np.sin(3.0 * t), 3.0 * np.cos(3.0 * t)

    system = System(model, joint_forces=(servo("hinge", 1e7, 1e4, position=aim),))
    times = np.linspace(0.0, 2.0, 41)
    motion = stepped(system, times, [0.0], [3.0])
    assert_close(motion.q[:, 0], np.sin(3.0 * times), atol=1e-4)


@pytest.mark.parametrize("gains", [(1e4, 1e2), (1e7, 1e4)])
def test_a_servo_never_exerts_more_than_its_effort(pendulum, gains):
    model = compile_tree(pendulum(), gravity=DOWN)
    system = System(model, joint_forces=(servo("hinge", *gains, position=-0.5, effort=6.0),))
    step = 0.002
    knots = step * np.arange(501)
    motion = stepped(system, knots, [1.3])
    # what it has exerted between the middles of steps, by the equation of motion
    middles = motion.dense(knots[:-1] + 0.5 * step)[:, 1]
    gains = 1.1 * np.diff(middles) / step
    forces = gains + gravity_forces(model, motion.q[1:-1])[:, 0]
    assert np.abs(forces).max() < 6.0 * (1.0 + 2e-3)
    assert forces.min() < -5.9
    truth = run(simulate(system, knots, [1.3]))
    assert_close(motion.q[:200], truth.q[:200], atol=2e-3)


def test_a_servo_without_damping_keeps_to_its_effort_to_the_end(pendulum):
    model = compile_tree(pendulum(), gravity=(0.0, 0.0, 0.0))
    system = System(model, joint_forces=(servo("hinge", 1e6, 0.0, position=5.0, effort=2.2),))
    motion = stepped(system, np.linspace(0.0, 1.0, 11), [0.0])
    assert_close(motion.v[:, 0], 2.0 * motion.times, atol=1e-9)
    assert_close(motion.q[:, 0], motion.times**2, atol=1e-9)


def test_dry_friction_holds_a_joint_and_slows_it(pendulum):
    held = compile_tree(pendulum(friction=11.0), gravity=DOWN)
    motion = stepped(held, np.linspace(0.0, 1.0, 11))
    assert_close(motion.q, np.zeros((11, 1)), atol=1e-9)
    # without gravity: v = v0 - c t / I until it stands
    free = compile_tree(pendulum(friction=2.2), gravity=(0.0, 0.0, 0.0))
    motion = stepped(free, np.linspace(0.0, 2.0, 21), [0.0], [2.0])
    assert_close(motion.v[:10, 0], 2.0 - 2.0 * motion.times[:10], atol=1e-6)
    assert_close(motion.q[-1], [1.0], atol=1e-5)
    assert_close(motion.v[-1], [0.0], atol=1e-9)


def test_damping_and_springs_act(pendulum):
    model = compile_tree(pendulum(damping=0.7, stiffness=3.0, rest=0.2), gravity=(0, 0, 0))
    times = np.linspace(0.0, 1.0, 11)
    truth = run(simulate(model, times, [1.0], tolerance=1e-10))
    errors = [
        np.abs(stepped(model, times, [1.0], step=step).q - truth.q).max() for step in (0.004, 0.002)
    ]
    assert errors[0] < 0.01
    assert errors[1] < 0.6 * errors[0]


def test_torques_and_element_forces_act(pendulum):
    model = compile_tree(pendulum(), gravity=(0, 0, 0))
    times = np.linspace(0.0, 1.0, 11)
    motion = stepped(model, times, tau=lambda t, q, v: np.array([1.1 * np.cos(2.0 * t)]))
    assert_close(motion.q[:, 0], (1.0 - np.cos(2.0 * times)) / 4.0, atol=1e-5)


def test_a_prescribed_joint_follows_its_function():
    model = chain([1.0, 1.0])
    given = Prescribed(0, 0, lambda t: (np.sin(t), np.cos(t), -np.sin(t)))
    system = System(model, prescribed=(given,))
    times = np.linspace(0.0, 1.0, 11)
    motion = stepped(system, times, [0.0, 0.3])
    truth = run(simulate(system, times, [0.0, 0.3], tolerance=1e-10))
    assert_close(motion.q[:, 0], np.sin(times), atol=1e-12)
    assert_close(motion.v[:, 0], np.cos(times), atol=1e-12)
    assert_close(motion.q, truth.q, atol=1e-4)


def test_a_four_bar_converges_with_the_square_of_the_step():
    system, q = four_bar()
    times = np.linspace(0.0, 1.0, 11)
    truth = run(simulate(system, times, q, tolerance=1e-10))
    errors = []
    for step in (0.004, 0.002):
        motion = stepped(system, times, q, step=step)
        errors.append(np.abs(motion.q - truth.q).max())
        assert_close(loop_ends(motion, np.linspace(0.0, 1.0, 37)), GROUND, atol=1e-9)
    assert errors[0] < 2e-3
    assert errors[1] < 0.3 * errors[0]


def test_a_ball_falls_onto_a_closed_four_bar():
    from dynarig.core.dynamics import constraints
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    bodies = [Body("base", 0.0, np.zeros(3), np.zeros((3, 3)))]
    joints, before, parent = [], 0.0, "base"
    for index, length in enumerate((CRANK, COUPLER, ROCKER)):
        inertia = length**2 / 12.0
        bodies.append(
            Body(
                f"rod{index}", 1.0, np.array([0.5 * length, 0, 0]), np.diag([0.01, 1, 1]) * inertia
            )
        )
        place = turned(np.eye(3), [before, 0.0, 0.0])
        axis = np.array([0.0, 0.0, 1.0])
        joints.append(TreeJoint(f"hinge{index}", "continuous", parent, f"rod{index}", place, axis))
        parent, before = f"rod{index}", length
    bodies.append(Body("ball", 1.0, np.zeros(3), 0.004 * np.eye(3)))
    joints.append(TreeJoint("fly", "floating", "base", "ball", np.eye(4), np.zeros(3)))
    model = compile_tree(
        Tree("four bar", tuple(bodies), tuple(joints), "base"), gravity=(0.0, -G, 0.0)
    )
    loop = constraints.PlanarHinge(
        name="loop",
        a=constraints.Port(None, turned(np.eye(3), [GROUND, 0.0, 0.0])),
        b=constraints.Port.at("rod2", [ROCKER, 0.0, 0.0]),
    )
    port = constraints.Port.at("rod1", [0.5 * COUPLER, 0.0, 0.0])
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.contact import Box

    system = colliding(
        model,
        Collider(name="bar", shape=Box(port, [0.5 * COUPLER, 0.05, 0.2]), restitution=0.3),
        ball("ball", 0.1),
        constraints=(loop,),
        pairs=(("bar", "ball"),),
    )
    q = model.neutral()
    q[:3] = four_bar_angles(1.0)
    middle = link_poses(model, q)[model.link_names.index("rod1")] @ port.link_from_port
    q[3:6] = middle[:3, 3] + [0.0, 0.6, 0.0]
    times = np.linspace(0.0, 1.0, 101)
    motion = stepped(system, times, q)
    assert_close(loop_ends(motion, times), GROUND, atol=1e-9)
    assert motion.touches.deepest < 1e-3
    assert np.linalg.norm(motion.touches.impulse, axis=1).max() > 0.1
    assert motion.energy.max() < motion.energy[0] + 0.02


def test_a_chain_of_thirty_links_falls_on_the_floor():
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Capsule
    from dynarig.core.frames import rotation_from_rpy

    count, length = 30, 0.1
    model = chain([length] * count, axis=(0.0, 1.0, 0.0), gravity=DOWN, mass=0.1)
    lying = turned(rotation_from_rpy([0.0, 0.5 * np.pi, 0.0]), [0.5 * length, 0.0, 0.0])
    links = [
        Collider(name=f"rod{k}", shape=Capsule(Port(f"rod{k}", lying), 0.02, length - 0.04))
        for k in range(count)
    ]
    place = np.eye(4)
    place[2, 3] = -0.5
    pairs = tuple(("ground", own.name) for own in links)
    system = colliding(model, ground(place), *links, pairs=pairs)
    motion = stepped(system, np.linspace(0.0, 1.0, 21), damping=0.002)
    assert motion.touches.deepest < 1e-3
    assert motion.touches.unconverged == 0
    assert motion.energy[-1] < motion.energy[0]
    tips = link_poses(model, motion.q[-1])[-5:, 2, 3]
    assert_close(tips, np.full(5, -0.48), atol=0.02)


def test_a_box_on_a_slide_pushes_a_free_one(pendulum):
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    none = np.zeros((3, 3))
    bodies = (
        Body("base", 0.0, np.zeros(3), none),
        Body("pusher", 1.0, np.zeros(3), none),
        Body("load", 1.0, np.zeros(3), 0.0067 * np.eye(3)),
    )
    joints = (
        TreeJoint("slide", "prismatic", "base", "pusher", np.eye(4), np.array([1.0, 0, 0])),
        TreeJoint("fly", "floating", "base", "load", np.eye(4), np.zeros(3)),
    )
    model = compile_tree(Tree("push", bodies, joints, "base"), gravity=DOWN)
    given = Prescribed(0, 0, lambda t: (0.5 * t, 0.5, 0.0))
    half = [0.1, 0.1, 0.1]
    system = colliding(
        model,
        ground(friction=0.3),
        box("pusher", half, friction=0.0),
        box("load", half, friction=0.3),
        prescribed=(given,),
        pairs=(("ground", "load"), ("pusher", "load")),
    )
    q = model.neutral()
    q[1:4] = [0.25, 0.0, 0.1]
    times = np.linspace(0.0, 1.0, 21)
    motion = stepped(system, times, q)
    assert_close(motion.q[:, 0], 0.5 * times, atol=1e-12)
    assert_close(motion.q[-1, 1], 0.7, atol=1e-4)
    assert_close(motion.touches.force("load", 0.8, "pusher")[0], 0.3 * G, atol=0.02)
