"""Servos that hold a pose: their gains, and that the pose is held."""

import numpy as np
import pytest
from dynarig.core.dynamics import System, compile_robot, compile_tree, hold_pose, mass_matrix
from dynarig.core.dynamics.holding import HOLD_FREQUENCY
from dynarig.core.errors import ArgumentError, ModelError
from dynarig.core.simulate import run, simulate
from dynarig.core.tree import Body, Tree, TreeJoint
from dynarig.core.urdf import parse_urdf

from ...close import assert_close

RATE = 2.0 * np.pi * HOLD_FREQUENCY


def test_gains_come_from_the_inertia_that_each_joint_moves(random_tree, rng):
    model = compile_tree(random_tree(4, ["revolute", "prismatic", "spherical", "screw", "planar"]))
    q = rng.uniform(-0.5, 0.5, model.nq)
    servos = hold_pose(model, q, frequency=2.0, damping_ratio=0.5)
    assert [own.joint for own in servos] == ["j1", "j2", "j4"]
    rate = 2.0 * np.pi * 2.0
    inertia = np.diagonal(mass_matrix(model, q))
    for own in servos:
        size = inertia[model.v_index(own.joint)][0]
        assert_close(own.stiffness, size * rate**2, 1e-9)
        assert_close(own.damping, size * rate, 1e-9)
        assert_close(own.position, q[model.q_index(own.joint)][0], 0.0)


def test_a_joint_by_itself_swings_at_the_frequency():
    base = Body("base", 0.0, np.zeros(3), np.zeros((3, 3)))
    rod = Body("rod", 2.0, np.array([0.3, 0.0, 0.0]), 0.1 * np.eye(3))
    hinge = TreeJoint("a", "continuous", "base", "rod", np.eye(4), np.array([0.0, 0.0, 1.0]))
    model = compile_tree(Tree("rod", (base, rod), (hinge,), "base"))
    system = System(model, joint_forces=hold_pose(model, [0.5], frequency=2.0, damping_ratio=0.0))
    t = np.linspace(0.0, 2.0, 41)
    motion = run(simulate(system, t, [0.7], tolerance=1e-10))
    assert_close(motion.q[:, 0], 0.5 + 0.2 * np.cos(4.0 * np.pi * t), 1e-6)


def test_the_body_that_floats_counts_where_it_is_the_larger():
    # a leg below a body: the joint turns about y through the origin of both
    heavy = Body("body", 5.0, np.array([0.0, 0.0, 0.2]), np.diag([0.3, 0.2, 0.1]))
    light = Body("leg", 0.5, np.array([0.0, 0.0, -0.1]), np.diag([0.01, 0.02, 0.03]))
    for first, second in ((heavy, light), (light, heavy)):
        knee = TreeJoint(
            "knee", "revolute", first.name, second.name, np.eye(4), np.array([0.0, 1.0, 0.0])
        )
        tree = Tree("robot", (first, second), (knee,), first.name)
        model = compile_tree(tree, floating_base=True)
        q = model.neutral()
        q[model.q_index("knee")] = 0.4
        (own,) = hold_pose(model, q)
        assert_close(own.stiffness, (0.2 + 5.0 * 0.2**2) * RATE**2, 1e-9)
        # with its base fixed a robot moves what follows alone
        (own,) = hold_pose(compile_tree(tree), [0.4])
        out = 0.2 + 5.0 * 0.2**2 if second is heavy else 0.02 + 0.5 * 0.1**2
        assert_close(own.stiffness, out * RATE**2, 1e-9)


FINGERS = """<robot name="hand"><link name="base"/>
  <link name="one"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="two"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="a" type="revolute"><parent link="base"/><child link="one"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="7" velocity="1"/></joint>
  <joint name="b" type="revolute"><parent link="base"/><child link="two"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="7" velocity="1"/><mimic joint="a"/></joint>
</robot>"""


def test_followers_have_no_servo_and_limits_are_those_of_the_file():
    robot = parse_urdf(FINGERS)
    model = compile_robot(robot)
    (own,) = hold_pose(model, [0.3])
    assert own.joint == "a"
    assert own.effort is None
    # what follows is moved too
    assert_close(own.stiffness, 2.0 * (0.01 + 0.01) * RATE**2, 1e-9)
    both = hold_pose(compile_robot(robot, mimic="independent"), [0.3, 0.2], effort=2.0)
    assert [own.joint for own in both] == ["a", "b"]
    assert both[1].effort == 2.0


def test_a_pose_is_held_under_weight(robots):
    from dynarig.core.urdf import load_urdf

    model = compile_robot(load_urdf(robots / "ur_description" / "urdf" / "ur5_robot.urdf"))
    q = np.array([0.2, -1.0, 1.2, -0.4, 0.3, 0.1])
    system = System(model, joint_forces=hold_pose(model, q))
    motion = run(simulate(system, np.linspace(0.0, 1.0, 11), q, tolerance=1e-4))
    assert np.abs(motion.q - q).max() < 0.06


def test_given_gains_and_chosen_joints():
    model = compile_robot(parse_urdf(FINGERS), mimic="independent")
    (own,) = hold_pose(model, [0.3, 0.2], stiffness=5.0, damping=0.5, joints=["b"])
    assert (own.joint, own.stiffness, own.damping, own.position) == ("b", 5.0, 0.5, 0.2)


def test_wrong_arguments_are_refused():
    model = compile_robot(parse_urdf(FINGERS))
    with pytest.raises(ModelError, match="joint 'b' follows 'a'"):
        hold_pose(model, [0.0], joints=["b"])
    with pytest.raises(ModelError, match="no moving joint 'c'"):
        hold_pose(model, [0.0], joints=["c"])
    with pytest.raises(ArgumentError, match="joints: wanted a list of names, got 'a'"):
        hold_pose(model, [0.0], joints="a")
    with pytest.raises(ArgumentError, match=r"frequency: wanted a number from 0 to 1e\+06, got -1"):
        hold_pose(model, [0.0], frequency=-1.0)
    with pytest.raises(ModelError, match=r"q: wanted shape \(…, 1\), got \(2,\)"):
        hold_pose(model, [0.0, 1.0])
    with pytest.raises(ModelError, match=r"q: wanted finite numbers of shape \(1,\)"):
        hold_pose(model, [[0.0]])
    floating = compile_robot(parse_urdf(FINGERS), floating_base=True)
    with pytest.raises(ModelError, match="got 'floating_base', which is floating; there are: a"):
        hold_pose(floating, floating.neutral(), joints=["floating_base"])
