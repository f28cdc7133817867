"""Each joint type against joints it is made of, and what a joint adds: rotors and springs."""

from dataclasses import replace

import numpy as np
import pytest
from dynarig.core.dynamics import (
    bias_forces,
    compile_tree,
    forward_dynamics,
    kinetic_energy,
    link_poses,
    link_velocities,
    mass_matrix,
    q_derivative,
)
from dynarig.core.dynamics.coordinate_names import (
    coordinate_names,
    coordinate_units,
    velocity_names,
    velocity_units,
)
from dynarig.core.dynamics.passive import passive_forces, spring_energy
from dynarig.core.errors import ModelError
from dynarig.core.frames import (
    inverse_transform,
    quaternion_from_rotation,
    rotation_from_axis_angle,
    rotation_from_euler,
)
from dynarig.core.mechanism import Body, Tree, TreeJoint

from ...close import assert_close

X, Y, Z = np.eye(3)
NOTHING = (0.0, np.zeros(3), np.zeros((3, 3)))


@pytest.fixture
def joint_of(random_tree):
    """A function (type, …) -> model of one body on such a joint, all random."""

    def make(kind, **options):
        tree = random_tree(6, [kind])
        (joint,) = (replace(joint, **options) for joint in tree.joints)
        return compile_tree(replace(tree, joints=(joint,)))

    return make


def motion_of(model, q):
    """joint_from_child (4, 4) of the only joint."""
    neutral = link_poses(model, model.neutral())[1]
    return inverse_transform(neutral) @ link_poses(model, q)[1]


def chain_of(model_tree, first, second):
    """The tree with its only joint replaced by two, with a body without inertia between."""
    (joint,) = model_tree.joints
    upper = replace(joint, name="upper", child="between", second_axis=None, **first)
    lower = replace(
        joint,
        name="lower",
        parent="between",
        parent_from_joint=np.eye(4),
        second_axis=None,
        **second,
    )
    bodies = (*model_tree.bodies, Body("between", *NOTHING))
    return compile_tree(Tree("chain", bodies, (upper, lower), model_tree.root))


@pytest.mark.parametrize("kind", ["universal", "cylindrical"])
def test_a_joint_of_two_is_a_chain_of_two_joints(random_tree, rng, kind):
    tree = random_tree(6, [kind])
    (joint,) = tree.joints
    second = {"type": "continuous", "axis": joint.second_axis}
    if kind == "cylindrical":
        second = {"type": "prismatic"}
    one, two = compile_tree(tree), chain_of(tree, {"type": "continuous"}, second)
    assert (one.nq, one.nv) == (2, 2)
    q, v, tau = rng.normal(size=(3, 5, 2))
    assert_close(link_poses(one, q), link_poses(two, q)[:, :2], atol=1e-14)
    assert_close(link_velocities(one, q, v), link_velocities(two, q, v)[:, :2], atol=1e-13)
    assert_close(forward_dynamics(one, q, v, tau), forward_dynamics(two, q, v, tau), atol=1e-11)


def test_a_screw_travels_by_its_pitch_as_it_turns(random_tree):
    tree = random_tree(6, ["screw"])
    axis = tree.joints[0].axis
    tree = replace(tree, joints=(replace(tree.joints[0], pitch=0.05),))
    moved = motion_of(compile_tree(tree), [2.0])
    assert_close(moved[:3, :3], rotation_from_axis_angle(axis, 2.0), atol=1e-14)
    assert_close(moved[:3, 3], 0.1 * axis, atol=1e-15)


def test_a_screw_feels_mass_through_its_pitch():
    # about its own axis: I + m p^2, and gravity along the axis acts with m g p
    body = Body("nut", 3.0, np.zeros(3), np.diag([1.0, 1.0, 0.2]))
    joint = TreeJoint("thread", "screw", "base", "nut", np.eye(4), Z, pitch=0.1)
    model = compile_tree(
        Tree("press", (Body("base", *NOTHING), body), (joint,), "base"), gravity=(0, 0, -10)
    )
    assert_close(mass_matrix(model, [0.7]), [[0.2 + 3.0 * 0.01]], atol=1e-15)
    assert_close(bias_forces(model, [0.7], [4.0]), [3.0 * 10.0 * 0.1], atol=1e-14)


def test_a_spherical_joint_turns_as_its_quaternion_of_any_length_says(joint_of, rng):
    model = joint_of("spherical")
    assert (model.nq, model.nv) == (4, 3)
    angles = rng.normal(size=3)
    rotation = rotation_from_euler(angles, "XYZ")
    moved = motion_of(model, 1.7 * quaternion_from_rotation(rotation))
    assert_close(moved[:3, :3], rotation, atol=1e-14)
    assert_close(moved[:3, 3], 0.0, atol=1e-15)


@pytest.mark.parametrize("sequence", ["XYZ", "ZYX", "YZX", "ZXZ", "XYX"])
@pytest.mark.parametrize("kind", ["spherical", "floating"])
def test_euler_angles_and_quaternions_move_alike(joint_of, rng, kind, sequence):
    by_angles, by_quaternion = joint_of(kind, sequence=sequence), joint_of(kind)
    assert by_angles.nq == by_quaternion.nq - 1
    position = rng.normal(size=by_angles.nq - 3)
    angles, v = np.array([0.4, 0.7, -1.1]), rng.normal(size=by_angles.nv)
    q = np.concatenate((position, angles))
    rotation = rotation_from_euler(angles, sequence)
    other = np.concatenate((position, quaternion_from_rotation(rotation)))
    assert_close(motion_of(by_angles, q)[:3, :3], rotation, atol=1e-14)
    assert_close(
        forward_dynamics(by_angles, q, v), forward_dynamics(by_quaternion, other, v), 1e-12
    )
    # both states turn by the same angular velocity
    h = 1e-6
    ahead = link_poses(by_angles, q + h * q_derivative(by_angles, q, v))
    there = link_poses(by_quaternion, other + h * q_derivative(by_quaternion, other, v))
    assert_close(ahead, there, atol=1e-11)


@pytest.mark.parametrize(("sequence", "second"), [("XYZ", np.pi / 2), ("ZXZ", 0.0)])
def test_gimbal_lock_names_the_joint_and_the_way_out(joint_of, sequence, second):
    model = joint_of("spherical", sequence=sequence)
    with pytest.raises(ModelError, match=r"joint 'j1' .* gimbal lock .* quaternion"):
        q_derivative(model, [0.3, second, 0.2], [1.0, 0.0, 0.0])


def test_a_spherical_joint_holds_its_body_by_the_point(random_tree, rng):
    # the joint's dynamics is Euler's equation about the joint: I_o a + w x I_o w = -m c x R^T g
    tree = random_tree(6, ["spherical"])
    model = compile_tree(tree, gravity=(0.0, 0.0, -10.0))
    body, q, w = tree.bodies[1], rng.normal(size=4), rng.normal(size=3)
    c = body.center_of_mass
    about = body.inertia + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
    pull = link_poses(model, q)[1, :3, :3].T @ np.array([0.0, 0.0, -10.0])
    expected = np.linalg.solve(about, body.mass * np.cross(c, pull) - np.cross(w, about @ w))
    assert_close(forward_dynamics(model, q, w), expected, atol=1e-11)


def test_a_rotor_adds_its_inertia_by_the_square_of_the_gear(random_tree, rng):
    tree = random_tree(3, ["revolute", "universal", "prismatic"])
    joints = tuple(
        replace(joint, rotor_inertia=0.02, gear_ratio=10.0 if joint.type == "revolute" else 1.0)
        for joint in tree.joints
    )
    plain, geared = compile_tree(tree), compile_tree(replace(tree, joints=joints))
    q, v = rng.normal(size=(2, plain.nq))
    added = np.diag([2.0, 0.02, 0.02, 0.02])
    assert_close(mass_matrix(geared, q), mass_matrix(plain, q) + added, atol=1e-13)
    energy = kinetic_energy(plain, q, v) + 0.5 * v @ added @ v
    assert kinetic_energy(geared, q, v) == pytest.approx(energy, rel=1e-12)


def test_a_rotor_on_a_follower_is_felt_by_its_leader(random_tree):
    tree = random_tree(2, ["revolute", "revolute"], mimic=True)
    follower = tree.joints[1]
    geared = (tree.joints[0], replace(follower, rotor_inertia=0.5))
    plain, with_rotor = compile_tree(tree), compile_tree(replace(tree, joints=geared))
    added = 0.5 * follower.mimic.multiplier**2
    assert_close(mass_matrix(with_rotor, [0.3]), mass_matrix(plain, [0.3]) + added, atol=1e-13)


def test_joint_springs_pull_to_their_rest_value_and_store_energy(random_tree, rng):
    tree = random_tree(3, ["revolute", "cylindrical"])
    joints = (
        replace(tree.joints[0], stiffness=3.0, rest=0.5),
        replace(tree.joints[1], stiffness=(2.0, 100.0), rest=(0.0, 0.1)),
    )
    model = compile_tree(replace(tree, joints=joints))
    q = rng.normal(size=3)
    k, rest = np.array([3.0, 2.0, 100.0]), np.array([0.5, 0.0, 0.1])
    passive = passive_forces(model, q, np.zeros(3))
    assert_close(passive.force, -k * (q - rest), atol=1e-13)
    assert_close(passive.stiffness, k, atol=0.0)
    assert spring_energy(model, q) == pytest.approx(0.5 * k @ (q - rest) ** 2, rel=1e-14)


def test_friction_is_smoothed_over_the_joints_own_speed(pendulum):
    model = compile_tree(pendulum(friction=2.0, friction_speed=0.5))
    force = passive_forces(model, np.zeros(1), np.array([0.25])).force
    assert_close(force, [-2.0 * np.tanh(0.5)], atol=1e-15)


def test_a_spherical_joint_is_damped_in_all_directions(joint_of, rng):
    model, w = joint_of("spherical", damping=0.4), rng.normal(size=3)
    assert_close(passive_forces(model, model.neutral(), w).force, -0.4 * w, atol=1e-15)
    free = joint_of("floating", damping=0.4)
    assert_close(passive_forces(free, free.neutral(), np.ones(6)).force, 0.0, atol=0.0)


def test_several_roots_stand_on_the_world(random_tree, rng):
    # two robots on one world move as each by itself
    first, second = random_tree(1, ["revolute", "spherical"]), random_tree(2, ["prismatic"])

    def renamed(tree, prefix):
        bodies = tuple(replace(body, name=prefix + body.name) for body in tree.bodies)
        joints = tuple(
            replace(j, name=prefix + j.name, parent=prefix + j.parent, child=prefix + j.child)
            for j in tree.joints
        )
        return bodies, joints

    bodies, joints = zip(renamed(first, "a_"), renamed(second, "b_"), strict=True)
    held = tuple(
        TreeJoint(f"{name}_foot", kind, "world", f"{name}_b0", np.eye(4), Z)
        for name, kind in (("a", "fixed"), ("b", "floating"))
    )
    world = Tree(
        "world", (Body("world", *NOTHING), *sum(bodies, ())), held + sum(joints, ()), "world"
    )
    both = compile_tree(world)
    one, two = compile_tree(first), compile_tree(second, floating_base=True)
    assert (both.nq, both.nv) == (one.nq + two.nq, one.nv + two.nv)
    q = [rng.normal(size=model.nq) for model in (one, two)]
    v = [rng.normal(size=model.nv) for model in (one, two)]
    apart = [forward_dynamics(model, *at) for model, *at in zip((one, two), q, v, strict=True)]
    together = forward_dynamics(both, np.concatenate(q), np.concatenate(v))
    assert_close(together, np.concatenate(apart), atol=1e-11)


def test_entries_of_q_and_v_have_names_and_units(random_tree):
    kinds = ["revolute", "prismatic", "cylindrical", "universal", "spherical", "floating ZYX"]
    model = compile_tree(random_tree(6, kinds))
    units = dict(zip(coordinate_names(model), coordinate_units(model), strict=True))
    assert len(units) == model.nq and units == {
        **dict.fromkeys(["j1", "j3.turn", "j4.first", "j4.second"], "rad"),
        **dict.fromkeys(["j2", "j3.slide"], "m"),
        **dict.fromkeys(["j5.qw", "j5.qx", "j5.qy", "j5.qz"], "1"),
        **dict.fromkeys(["j6.x", "j6.y", "j6.z"], "m"),
        **dict.fromkeys(["j6.phi1", "j6.phi2", "j6.phi3"], "rad"),
    }
    rates = dict(zip(velocity_names(model), velocity_units(model), strict=True))
    assert len(rates) == model.nv and rates == {
        **dict.fromkeys(["j1", "j3.turn", "j4.first", "j4.second"], "rad/s"),
        **dict.fromkeys(["j2", "j3.slide"], "m/s"),
        **dict.fromkeys(["j5.wx", "j5.wy", "j5.wz", "j6.wx", "j6.wy", "j6.wz"], "rad/s"),
        **dict.fromkeys(["j6.vx", "j6.vy", "j6.vz"], "m/s"),
    }
    order = coordinate_names(model)
    assert order[model.q_index("j5").start] == "j5.qw" and order[model.q_index("j2").start] == "j2"


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("universal", {"second_axis": None}, "second_axis, a unit vector"),
        ("universal", {"axis": X, "second_axis": X}, "must not be parallel"),
        ("cylindrical", {"damping": (1.0, 2.0, 3.0)}, "damping: wanted a finite number, or 2"),
        ("revolute", {"stiffness": np.nan}, "stiffness: wanted a finite number"),
        ("spherical", {"sequence": "XXZ"}, "XXZ"),
    ],
)
def test_joints_that_cannot_be_are_refused_by_name(joint_of, kind, options, message):
    with pytest.raises(ValueError if kind == "spherical" else ModelError, match=message) as told:
        joint_of(kind, **options)
    assert "j1" in str(told.value) or kind == "spherical"


def test_rates_of_euler_angles_take_leading_axes_of_either_argument(joint_of, rng):
    model = joint_of("floating", sequence="YZX")
    q, v = rng.uniform(-1.0, 1.0, (4, model.nq)), rng.normal(size=(4, model.nv))
    single = np.array([q_derivative(model, q[i], v[0]) for i in range(4)])
    assert_close(q_derivative(model, q, v[0]), single, atol=1e-14)
    single = np.array([q_derivative(model, q[0], v[i]) for i in range(4)])
    assert_close(q_derivative(model, q[0], v), single, atol=1e-14)
