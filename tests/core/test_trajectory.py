"""Trajectories as tables: given, written, read back, and refused with a clear word."""

from xml.sax.saxutils import escape

import numpy as np
import pytest
from dynarig.core.dynamics import compile_robot, compile_tree, link_poses
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
from dynarig.core.trajectory_csv import columns, read_csv, table_columns, write_csv
from dynarig.core.urdf import parse_urdf

from ..close import assert_close


@pytest.fixture(scope="module")
def model(random_tree):
    return compile_tree(random_tree(3, ["revolute", "planar", "prismatic"]), floating_base=True)


@pytest.fixture(scope="module")
def motion(model):
    v = 0.5 * np.arange(model.nv)
    return run(simulate(model, np.linspace(0.5, 1.5, 25), v=v))


def test_a_motion_written_and_read_is_the_same(model, motion, tmp_path):
    write_csv(motion, tmp_path / "motion.csv")
    back = read_csv(model, tmp_path / "motion.csv")
    np.testing.assert_array_equal(back.times, motion.times)
    assert_close(link_poses(model, back.q), link_poses(model, motion.q), atol=1e-12)
    assert back.energy_drift is None


def test_columns_are_named_by_joint_and_coordinate(model):
    assert columns(model) == [
        *(f"floating_base.{part}" for part in ("x", "y", "z", "qw", "qx", "qy", "qz")),
        "j1",
        "j2.x",
        "j2.y",
        "j2.theta",
        "j3",
    ]


def test_a_table_is_straight_lines_and_may_leave_joints_out(model, tmp_path):
    file = tmp_path / "table.csv"
    file.write_text("time, j3 ,j1\n0,0.1,1\n1,0.3,2\n\n3,0.3,-2\n", encoding="utf-8-sig")
    motion = read_csv(model, file)
    q, _ = motion.sample((0.5, 2.0, 99.0))
    np.testing.assert_allclose(q[:, model.q_index("j3")][:, 0], (0.2, 0.3, 0.3))
    np.testing.assert_allclose(q[:, model.q_index("j1")][:, 0], (1.5, 0.0, -2.0))
    np.testing.assert_array_equal(q[0, model.q_index("floating_base")], [0, 0, 0, 1, 0, 0, 0])


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


def two_joints(first, second, kind="revolute"):
    links = "".join(
        f'<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" '
        'ixy="0" ixz="0" iyz="0"/></inertial></link>'
        for name in "abc"
    )
    joints = "".join(
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for name, kind, parent, child in ((first, kind, "a", "b"), (second, "revolute", "b", "c"))
    )
    return compile_robot(parse_urdf(f'<robot name="r">{links}{joints}</robot>'))


@pytest.mark.parametrize(
    ("first", "second", "kind", "column"),
    [
        ("time", "b", "revolute", "time"),
        ("p", "p.x", "planar", "p.x"),
        ("b", "time", "planar", "time"),
    ],
)
def test_columns_of_one_name_are_refused_in_both_directions(tmp_path, first, second, kind, column):
    model = two_joints(first, second, kind)
    motion = Trajectory.from_table(model, (0.0, 1.0), np.zeros((2, model.nq)))
    file = tmp_path / "table.csv"
    for work in (
        lambda: write_csv(motion, file),
        lambda: read_csv(model, file),
        lambda: table_columns(model),
    ):
        with pytest.raises(TrajectoryError, match=f"columns of a table would be called '{column}'"):
            work()
        file.write_text("time,b\n0,0\n1,1\n")
    assert file.read_text() == "time,b\n0,0\n1,1\n"


@pytest.mark.parametrize("first", ["b ", " b", "b\t", 'a"b', "a,b", "x\ny", "é 🤖", "#"])
def test_names_of_every_kind_come_back_as_they_were(tmp_path, first):
    model = two_joints(escape(first, {'"': "&quot;", "\n": "&#10;", "\t": "&#9;"}), "b")
    assert model.joint_names == (first, "b")
    q = np.array([[0.1, 0.2], [0.3, 0.4]])
    write_csv(Trajectory.from_table(model, (0.0, 1.0), q), tmp_path / "table.csv")
    np.testing.assert_array_equal(read_csv(model, tmp_path / "table.csv").q, q)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; wanted a header row with 'time'"),
        ("time,elbow\n0,1\n1,1\n", ":1: unknown column 'elbow'; allowed: time, floating_base.x"),
        ("time,j1,j1\n0,1,1\n", ":1: column 'j1' stands twice"),
        ("j1\n0\n", ":1: wanted a column 'time'"),
        ("time,j1\n0,1\n1,a\n", ":3: column 'j1': wanted a finite number, got 'a'"),
        ("time,j1\n0,1\n1,nan\n", ":3: column 'j1': wanted a finite number"),
        ("time,j1\n0,1\n1\n", ":3: wanted 2 columns, got 1"),
        ("time,j1\n0,1\n", "wanted at least two rows of numbers, got 1"),
        ("time,j1\n0,1\n2,1\n1,1\n", ":4: column 'time' must increase"),
        ("time,floating_base.qw\n0,0\n1,0\n", "must not be zero"),
    ],
)
def test_broken_tables_are_refused_with_file_and_line(model, tmp_path, text, message):
    file = tmp_path / "broken.csv"
    file.write_text(text)
    with pytest.raises(TrajectoryError) as caught:
        read_csv(model, file)
    assert message in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_missing_or_binary_table_is_refused(model, tmp_path):
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00\x01")
    for name in ("absent.csv", "binary.csv"):
        with pytest.raises(TrajectoryError, match=f"{name}: cannot be read as a CSV table"):
            read_csv(model, tmp_path / name)


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
    assert repr(motion) == (
        "<Trajectory of 'random': 25 times from 0.5 s to 1.5 s, by dormand-prince>"
    )


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
