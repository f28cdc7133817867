"""What lies between the rows of a table: order of convergence, rates, orientations, errors."""

import numpy as np
import pytest
from dynarig.core.dynamics import (
    compile_tree,
    link_poses,
    q_derivative,
    v_from_q_derivative,
)
from dynarig.core.errors import ModelError, TrajectoryError
from dynarig.core.frames import euler_from_rotation, rotation_from_rotation_vector
from dynarig.core.integrate.slopes import slope
from dynarig.core.simulate import run, simulate
from dynarig.core.trajectory import Trajectory

from ..close import assert_close

KINDS = [
    *("universal", "screw", "spherical", "cylindrical", "spherical ZXZ", "floating YZX"),
    *("floating", "planar", "prismatic", "revolute"),
]


@pytest.fixture(scope="module")
def truth(random_tree):
    """A motion of a tree of all kinds of joints, off gimbal lock."""
    model = compile_tree(random_tree(5, KINDS))
    q = np.where(model.neutral() == 0.0, 0.5, 1.0)
    v = np.linspace(-1.0, 1.0, model.nv)
    return run(simulate(model, np.linspace(0.0, 0.4, 3), q, v, rtol=1e-11, atol=1e-12))


def table(truth, rows, *given):
    """The motion as a table; given are those of v and a that it tells."""
    times = np.linspace(0.0, 0.4, rows)
    q, v = truth.sample(times)
    rates = {"v": v, "a": truth.accelerations(times)}
    return Trajectory.from_table(truth.model, times, q, **{name: rates[name] for name in given})


@pytest.mark.parametrize(
    ("given", "order", "order_of_v"), [((), 2, 1), (("v",), 4, 3), (("v", "a"), 6, 5)]
)
def test_what_is_known_at_the_rows_sets_the_order_between_them(truth, given, order, order_of_v):
    t = np.linspace(0.0, 0.4, 161)
    errors = []
    for rows in (11, 21):
        motion = table(truth, rows, *given)
        poses = np.abs(motion.link_poses(t) - truth.link_poses(t)).max()
        errors.append((poses, np.abs(motion.sample(t)[1] - truth.sample(t)[1]).max()))
    orders = np.log2(np.array(errors[0]) / np.array(errors[1]))
    assert orders[0] > order - 0.4
    assert orders[1] > order_of_v - 0.4


def test_rows_are_met_exactly(truth):
    times = np.linspace(0.0, 0.4, 11)
    for given in ((), ("v",), ("v", "a")):
        motion = table(truth, 11, *given)
        q, v = motion.sample(times)
        np.testing.assert_array_equal(q, motion.q)
        np.testing.assert_array_equal(v, motion.v)
        assert_close(link_poses(truth.model, q), truth.link_poses(times), atol=1e-13)
        if given:
            np.testing.assert_array_equal(v, truth.sample(times)[1])
        np.testing.assert_array_equal(motion.accelerations(times), motion.a)
    assert_close(motion.a, truth.accelerations(times), atol=1e-9)


def test_between_rows_v_is_the_velocity_of_q(truth):
    """Of scalar joints exactly, of free ones to the order of the interpolation."""
    t = np.linspace(0.0, 0.4, 81)
    model = truth.model
    for given, atol in ((("v",), 3e-2), (("v", "a"), 3e-4)):
        motion = table(truth, 21, *given)
        q, v = motion.sample(t)
        own = v_from_q_derivative(model, q, slope(motion.dense, t)[:, : model.nq])
        assert_close(own[:, model.plain_v], v[:, model.plain_v], atol=1e-11)
        assert_close(own, v, atol=atol)
        assert_close(slope(motion.dense, t)[:, model.nq :], motion.accelerations(t), atol=0.0)


def test_joints_without_velocities_follow_straight_lines_beside_those_with(truth):
    model, times = truth.model, np.linspace(0.0, 0.4, 11)
    q, v = truth.sample(times)
    a = truth.accelerations(times)
    # j1 knows both, j5 nothing, the rest only v
    a[:, model.v_index("j1").stop :] = np.nan
    v[:, model.v_index("j5")] = np.nan
    mixed = Trajectory.from_table(model, times, q, v, a)
    t = np.linspace(0.0, 0.4, 41)
    for motion, joints in (
        (table(truth, 11, "v", "a"), ["j1"]),
        (table(truth, 11), ["j5"]),
        (table(truth, 11, "v"), ["j2", "j3", "j4", "j6", "j7", "j8", "j9", "j10"]),
    ):
        for joint in joints:
            for ours, theirs, where in zip(
                mixed.sample(t), motion.sample(t), (model.q_index, model.v_index), strict=True
            ):
                assert_close(ours[:, where(joint)], theirs[:, where(joint)], atol=1e-13)


def test_accelerations_of_straight_lines_are_by_differences(pendulum):
    model = compile_tree(pendulum())
    motion = Trajectory.from_table(model, (0.0, 1.0, 2.0, 3.0), np.array([[0.0], [1], [4], [9]]))
    # v is 1, 2, 4, 5 at the rows and straight between them
    assert_close(motion.v[:, 0], (1.0, 2.0, 4.0, 5.0), atol=0.0)
    assert_close(motion.accelerations((0.5, 1.5))[:, 0], (1.0, 2.0), atol=0.0)
    assert_close(motion.a[:, 0], (1.0, 1.5, 1.5, 1.0), atol=0.0)


@pytest.mark.parametrize("sequence", ["ZYX", "XYZ", "ZXZ", "YXY"])
def test_euler_angles_of_a_table_do_not_jump(random_tree, sequence):
    """Angles read off rotations jump by whole turns and from branch to branch; poses stay."""
    model = compile_tree(random_tree(1, [f"spherical {sequence}"]))
    times = np.linspace(0.1, 10.0, 401)
    rate = np.array([1.0, 0.4, -2.0])
    rotations = rotation_from_rotation_vector(np.multiply.outer(times, rate))
    given = euler_from_rotation(rotations, sequence)
    # every third row told on the other branch, some turns away
    middle = 0.0 if sequence[0] == sequence[2] else np.pi
    given[::3] = given[::3] * (1, -1, 1) + (np.pi, middle, np.pi) + 2 * np.pi * np.array([1, 0, -3])
    motion = Trajectory.from_table(model, times, given)
    assert np.abs(np.diff(given, axis=0)).max() > 6.0
    assert np.abs(np.diff(motion.q, axis=0)).max() < 1.0
    assert_close(link_poses(model, motion.q), link_poses(model, given), atol=1e-13)
    # between the rows too it is the same turning body
    half = 0.5 * (times[1:] + times[:-1])
    turns = rotation_from_rotation_vector(np.multiply.outer(half, rate))
    first = link_poses(model, model.neutral())[1, :3, :3]
    assert_close(motion.link_poses(half)[:, 1, :3, :3], first @ turns, atol=3e-2)


def test_continuous_angles_stay_as_they_are(truth):
    times = np.linspace(0.0, 0.4, 11)
    q, v = truth.sample(times)
    where = truth.model.euler_q.ravel()
    for rates in (None, v):
        motion = Trajectory.from_table(truth.model, times, q, rates)
        np.testing.assert_array_equal(motion.q[:, where], q[:, where])


@pytest.mark.parametrize("kind", ["spherical", "spherical ZYX"])
def test_velocities_tell_how_often_a_body_turns_between_rows(random_tree, kind):
    """At 1.4 turns from row to row the orientations alone look like 0.4."""
    model = compile_tree(random_tree(1, [kind]))
    times, rate = np.linspace(0.0, 4.0, 5), 2.8 * np.pi  # about the child's x axis
    still = np.zeros_like(times)
    if kind == "spherical":
        half = 0.5 * rate * times
        truth = np.stack((np.cos(half), np.sin(half), still, still), axis=-1)
        told = truth * np.array([1, -1, 1, 1, -1])[:, None]
    else:
        truth = np.stack((still + 0.2, still + 0.1, rate * times), axis=-1)
        told = truth - 2 * np.pi * np.round(truth / (2 * np.pi))
    v = np.stack((still + rate, still, still), axis=-1)
    motion = Trajectory.from_table(model, times, told, v)
    assert_close(motion.q, truth, atol=1e-13)
    alone = Trajectory.from_table(model, times, told)
    assert np.abs(alone.q - truth).max() > 1.0
    assert_close(link_poses(model, alone.q), link_poses(model, truth), atol=1e-14)


def test_gimbal_lock_is_no_matter_where_velocities_are_not_told(random_tree):
    model = compile_tree(random_tree(1, ["spherical XYZ", "revolute"]))
    q = np.array([[0.1, np.pi / 2, 0.3, 0.0], [0.2, np.pi / 2, 0.3, 1.0]])
    v = np.full((2, 4), np.nan)
    v[:, 3] = 1.0
    motion = Trajectory.from_table(model, (0.0, 1.0), q, v)
    assert_close(motion.sample(0.5)[0], (0.15, np.pi / 2, 0.3, 0.5), atol=1e-15)
    with pytest.raises(ModelError, match="joint 'j1' is at the gimbal lock"):
        Trajectory.from_table(model, (0.0, 1.0), q, np.ones((2, 4)))


def test_a_quaternion_of_zero_length_names_its_joint(random_tree):
    model = compile_tree(random_tree(1, ["revolute", "spherical", "floating"]))
    q = np.tile(model.neutral(), (2, 1))
    q[1, -4:] = 0.0
    with pytest.raises(TrajectoryError, match=r"joint 'j3': a quaternion .* must not be zero"):
        Trajectory.from_table(model, (0.0, 1.0), q)


def test_rates_that_do_not_fit_are_refused(random_tree):
    model = compile_tree(random_tree(1, ["revolute", "planar"]))
    q, v = np.zeros((2, 4)), np.ones((2, 4))
    part, partly = v.copy(), v.copy()
    part[:, 2] = np.nan
    partly[1, 0] = np.inf
    nothing = np.full((2, 4), np.nan)
    for rates, message in (
        ((v[:1],), r"wanted v of shape \(2, 4\), got \(1, 4\)"),
        ((v, v[:, :3]), r"a: wanted shape"),
        ((part,), "v of joint 'j2': wanted finite numbers, or nan in all of its columns"),
        ((v, partly), "a of joint 'j1': wanted finite numbers"),
        ((None, v), "joint 'j1': wanted v where a is given"),
        ((nothing, v), "joint 'j1': wanted v where a is given"),
    ):
        with pytest.raises(TrajectoryError, match=message):
            Trajectory.from_table(model, (0.0, 1.0), q, *rates)


def test_slopes_of_q_and_v_belong_together_at_the_rows(truth):
    motion = table(truth, 11, "v", "a")
    slopes = slope(motion.dense, motion.times)[:, : truth.model.nq]
    assert_close(slopes, q_derivative(truth.model, motion.q, motion.v), atol=1e-11)
