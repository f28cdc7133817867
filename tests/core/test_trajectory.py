"""Motions that are given, and frames of them."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_tree
from dynarig.core.errors import TrajectoryError
from dynarig.core.frames import (
    PlanarFrame,
    SpatialFrame,
    get_rot,
    ori,
    ori_2d,
    rotation_from_axis_angle,
)
from dynarig.core.mechanism import Body, Tree, TreeJoint
from dynarig.core.simulate import run, simulate
from dynarig.core.trajectory import Trajectory

from ..close import assert_close


@pytest.fixture(scope="module")
def model(random_tree):
    return compile_tree(random_tree(3, ["revolute", "planar", "prismatic"]), floating_base=True)


@pytest.fixture(scope="module")
def motion(model):
    v = 0.5 * np.arange(model.nv)
    return run(simulate(model, np.linspace(0.5, 1.5, 25), v=v))


def test_quaternions_of_a_table_are_made_unit_and_continuous(random_tree):
    model = compile_tree(random_tree(1, []), floating_base=True)
    q = np.tile(model.neutral(), (3, 1))
    q[1, 3:] = (-2.0, 0.0, 0.0, -0.2)  # the far sign of a small turn, not unit
    motion = Trajectory.from_table(model, (0.0, 1.0, 2.0), q)
    assert motion.q[1, 3] > 0.99
    np.testing.assert_allclose(np.linalg.norm(motion.q[:, 3:], axis=1), 1.0)


def test_velocities_of_a_table_are_those_of_its_motion(random_tree):
    model = compile_tree(random_tree(1, []), floating_base=True)
    times = np.linspace(0.0, 1.0, 201)
    q = np.zeros((201, 7))
    q[:, 3], q[:, 6] = np.cos(1.5 * times), np.sin(1.5 * times)  # 3 rad/s about z
    q[:, 0] = 2.0 * times
    motion = Trajectory.from_table(model, times, q)
    _, v = motion.sample(0.5)
    assert_close(v[:3], (0.0, 0.0, 3.0), atol=1e-3)
    world_from_body = rotation_from_axis_angle((0.0, 0.0, 1.0), 1.5)
    assert_close(world_from_body @ v[3:], (2.0, 0.0, 0.0), atol=1e-3)


@pytest.mark.parametrize(
    ("times", "shape", "message"),
    [
        ((0.0,), (1, 12), "at least two times"),
        ((0.0, 1.0), (3, 12), "at least two times"),
        ((1.0, 1.0), (2, 12), "finite and increasing"),
    ],
)
def test_tables_of_the_wrong_form_are_refused(model, times, shape, message):
    with pytest.raises(TrajectoryError, match=message):
        Trajectory.from_table(model, times, np.ones(shape))


def test_models_and_motions_print_in_one_line(model, motion):
    assert repr(model) == "<Model 'random': 4 links, 4 moving joints, nq 12, nv 11>"
    assert repr(motion) == ("<Trajectory of 'random': 25 times from 0.5 s to 1.5 s, by dop853>")


def test_what_is_handed_out_is_read_only(motion):
    for array in (motion.q, motion.v, motion.times, motion.energy):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


@pytest.fixture(scope="module")
def planar_motion():
    """A pendulum in the world's xy plane, which falls from level."""
    bodies = (
        Body("base", 0.0, np.zeros(3), np.zeros((3, 3))),
        Body("body", 1.0, np.array([1.0, 0.0, 0.0]), 0.1 * np.eye(3)),
    )
    axis = np.array([0.0, 0.0, 1.0])
    hinge = TreeJoint("hinge", "continuous", "base", "body", np.eye(4), axis=axis)
    model = compile_tree(Tree("pendulum", bodies, (hinge,), "base"), gravity=(0.0, -9.80665, 0.0))
    return run(simulate(model, (0.0, 1.0), tolerance=1e-12))


def test_a_planar_frame_of_a_solution_has_one_angle(planar_motion):
    frame = planar_motion.frame("body", 1.0)
    # the published angle at one second
    assert_close(frame.phi, -2.88130447131128, atol=1e-11)
    assert isinstance(frame, SpatialFrame)
    assert isinstance(frame, PlanarFrame)
    # world to local is the transpose of local to world
    np.testing.assert_array_equal(ori_2d(frame), ori_2d(frame.phi))
    assert_close(ori_2d(frame), get_rot(frame)[:2, :2].T, atol=1e-15)
    np.testing.assert_array_equal(ori(frame).R, get_rot(frame).T)
    # the rod's end, by the columns
    assert_close(get_rot(frame)[:2, 0], (np.cos(frame.phi), np.sin(frame.phi)), atol=1e-15)


def test_a_frame_takes_any_times(planar_motion):
    times = np.linspace(0.0, 1.0, 6).reshape(2, 3)
    frame = planar_motion.frame("body", times)
    assert frame.world_from_frame.shape == (2, 3, 4, 4)
    assert not frame.world_from_frame.flags.writeable
    assert_close(frame.phi, planar_motion.sample(times)[0][..., 0], atol=1e-12)
    assert_close(ori_2d(frame), get_rot(frame)[..., :2, :2].swapaxes(-1, -2), atol=1e-15)
    assert_close(planar_motion.frame("base", times).phi, 0.0, atol=0.0)


def test_frames_in_space_have_no_single_angle(motion):
    frame = motion.frame("b1", (0.6, 0.9))
    poses = motion.link_poses((0.6, 0.9))
    np.testing.assert_array_equal(get_rot(frame), poses[:, 1, :3, :3])
    with pytest.raises(TrajectoryError, match="link 'b1': wanted a motion in the world's xy plane"):
        ori_2d(frame)
    with pytest.raises(TrajectoryError, match="no link 'hand'; there are: b0, b1"):
        motion.frame("hand", 1.0)
