"""Trajectories as CSV tables: written, read back, and refused with a clear word."""

from xml.sax.saxutils import escape

import numpy as np
import pytest
from dynarig.core.dynamics import System, compile_robot, compile_tree, link_poses
from dynarig.core.errors import TrajectoryError
from dynarig.core.simulate import run, simulate
from dynarig.core.trajectory import Trajectory, read_csv, table_columns, write_csv
from dynarig.core.urdf import parse_urdf

from ..close import assert_close


@pytest.fixture(scope="module")
def model(random_tree):
    return compile_tree(random_tree(3, ["revolute", "planar", "prismatic"]), floating_base=True)


@pytest.fixture(scope="module")
def motion(model):
    v = 0.5 * np.arange(model.nv)
    return run(simulate(model, np.linspace(0.5, 1.5, 25), v=v))


KINDS = ["universal", "screw", "spherical", "cylindrical", "spherical ZXZ", "floating YZX"]


def test_a_motion_written_and_read_is_the_same(model, motion, tmp_path):
    write_csv(motion, tmp_path / "motion.csv")
    back = read_csv(model, tmp_path / "motion.csv")
    np.testing.assert_array_equal(back.times, motion.times)
    np.testing.assert_array_equal(back.v, motion.v)
    assert_close(back.a, motion.a, atol=1e-10)
    assert_close(link_poses(model, back.q), link_poses(model, motion.q), atol=1e-14)
    assert back.energy_drift is None
    # and between the rows as near as quintics are
    t = np.linspace(0.5, 1.5, 301)
    assert_close(back.link_poses(t), motion.link_poses(t), atol=1e-4)


def test_motions_of_all_joints_keep_every_digit(random_tree, tmp_path):
    """Quaternions are made unit; all else is the same number, and a second turn the same text."""
    model = compile_tree(random_tree(5, [*KINDS, "floating", "planar", "prismatic", "continuous"]))
    q = np.where(model.neutral() == 0.0, 0.5, 1.0)
    motion = run(simulate(model, np.linspace(0.0, 0.3, 7), q, np.ones(model.nv), rtol=1e-5))
    write_csv(motion, tmp_path / "a.csv")
    back = read_csv(model, tmp_path / "a.csv")
    others = np.setdiff1d(np.arange(model.nq), model.quaternion_q)
    np.testing.assert_array_equal(back.q[:, others], motion.q[:, others])
    np.testing.assert_array_equal(back.v, motion.v)
    assert_close(back.a, motion.a, atol=1e-11 * np.abs(motion.a).max())
    assert_close(link_poses(model, back.q), link_poses(model, motion.q), atol=1e-13)
    for name in ("b.csv", "c.csv"):
        write_csv(back, tmp_path / name)
    assert (tmp_path / "b.csv").read_bytes() == (tmp_path / "c.csv").read_bytes()


def test_the_header_names_columns_and_units(model, motion, tmp_path):
    write_csv(motion, tmp_path / "motion.csv")
    header = (tmp_path / "motion.csv").read_text().splitlines()[0].split(",")
    base = [f"floating_base.{part}" for part in ("x", "y", "z")]
    turn = [f"floating_base.{part}" for part in ("qw", "qx", "qy", "qz")]
    assert header[0] == "time [s]"
    assert header[1:13] == [
        *(f"{name} [m]" for name in base),
        *(f"{name} [1]" for name in turn),
        *("j1 [rad]", "j2.x [m]", "j2.y [m]", "j2.theta [rad]", "j3 [m]"),
    ]
    rates = [
        *(f"floating_base.{part}.v [rad/s]" for part in ("wx", "wy", "wz")),
        *(f"floating_base.{part}.v [m/s]" for part in ("vx", "vy", "vz")),
        *("j1.v [rad/s]", "j2.x.v [m/s]", "j2.y.v [m/s]", "j2.theta.v [rad/s]", "j3.v [m/s]"),
    ]
    assert header[13:24] == rates
    assert header[24:] == [f"{text[:-1]}^2]".replace(".v [", ".a [") for text in rates]


def test_units_may_be_left_out(model, motion, tmp_path):
    file = tmp_path / "motion.csv"
    write_csv(motion, file)
    expected = read_csv(model, file)
    header, rows = file.read_text().split("\n", 1)
    for text in (
        ",".join(cell.split(" [")[0] for cell in header.split(",")),
        header.replace(" [", "["),
        header.replace(" [", "  [ ").replace("]", " ] "),
    ):
        file.write_text(f"{text}\n{rows}")
        back = read_csv(model, file)
        for name in ("times", "q", "v", "a"):
            np.testing.assert_array_equal(getattr(back, name), getattr(expected, name))


def test_columns_of_some_joints_and_rates_are_enough(model, tmp_path):
    file = tmp_path / "table.csv"
    file.write_text(
        "j1.v [rad/s],time [s],j1,j3 [m],j3.v,j3.a [m/s^2]\n0,0,0,0,0,2\n1,1,1,1,2,2\n0,2,0,4,4,2\n"
    )
    motion = read_csv(model, file)
    q, v = motion.sample((0.5, 1.5))
    # j1 by cubics, j3 = t^2, the rest stays
    assert_close(q[:, model.q_index("j1")][:, 0], (0.375, 0.625), atol=1e-15)
    assert_close(q[:, model.q_index("j3")][:, 0], (0.25, 2.25), atol=1e-15)
    assert_close(v[:, model.v_index("j3")][:, 0], (1.0, 3.0), atol=1e-14)
    assert_close(motion.a[:, model.v_index("j3")][:, 0], 2.0, atol=1e-13)
    assert_close(v[:, model.v_index("j2")], 0.0, atol=0.0)


def test_a_system_may_stand_for_its_model(model, motion, tmp_path):
    write_csv(motion, tmp_path / "motion.csv")
    system = System(model)
    assert read_csv(system, tmp_path / "motion.csv").equations.system is system


def test_a_table_is_straight_lines_and_may_leave_joints_out(model, tmp_path):
    file = tmp_path / "table.csv"
    file.write_text("time, j3 ,j1\n0,0.1,1\n1,0.3,2\n\n3,0.3,-2\n", encoding="utf-8-sig")
    motion = read_csv(model, file)
    q, _ = motion.sample((0.5, 2.0, 99.0))
    np.testing.assert_allclose(q[:, model.q_index("j3")][:, 0], (0.2, 0.3, 0.3))
    np.testing.assert_allclose(q[:, model.q_index("j1")][:, 0], (1.5, 0.0, -2.0))
    np.testing.assert_array_equal(q[0, model.q_index("floating_base")], [0, 0, 0, 1, 0, 0, 0])


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
        ("b.v", "b", "revolute", "b.v"),
        ("b", "b.a", "revolute", "b.a"),
        ("b [rad]", "b", "revolute", "b [rad]"),
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
        with pytest.raises(TrajectoryError) as caught:
            work()
        assert f"columns of a table would be called '{column}'" in str(caught.value)
        file.write_text("time,b\n0,0\n1,1\n")
    assert file.read_text() == "time,b\n0,0\n1,1\n"


@pytest.mark.parametrize(
    "first", ["b ", " b", "b\t", 'a"b', "a,b", "x\ny", "é 🤖", "#", "a[0]", "b [deg]"]
)
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
        ("time,floating_base.qw\n0,0\n1,0\n", "joint 'floating_base': a quaternion"),
        ("time,j1 [deg]\n0,1\n1,1\n", ":1: column 'j1': wanted the unit rad, got 'deg'"),
        ("time [ms],j1\n0,1\n1,1\n", ":1: column 'time': wanted the unit s, got 'ms'"),
        ("\ntime,j3 [rad]\n0,1\n1,1\n", ":2: column 'j3': wanted the unit m, got 'rad'"),
        ("time,j1,j1.v [rad]\n0,1,1\n", ":1: column 'j1.v': wanted the unit rad/s, got 'rad'"),
        ("time,j1,j1.a [rad/s]\n0,1,1\n", "'j1.a': wanted the unit rad/s^2, got 'rad/s'"),
        ("time,elbow [rad]\n0,1\n1,1\n", ":1: unknown column 'elbow [rad]'; allowed: time, "),
        ("time,j1.w\n0,1\n1,1\n", "velocities floating_base.wx.v, "),
        ("time,j1,j1 [rad]\n0,1,1\n", ":1: column 'j1' stands twice"),
        ("time,j1.v\n0,1\n1,1\n", ":1: joint 'j1' has velocities; wanted columns j1 beside"),
        (
            "time,j1,j1.a\n0,1,1\n1,1,1\n",
            ":1: joint 'j1' has accelerations; wanted columns j1.v beside them",
        ),
        (
            "time,j2.x,j2.x.v\n0,1,1\n1,1,1\n",
            "joint 'j2' has velocities; wanted columns j2.y, j2.theta, j2.y.v, j2.theta.v beside",
        ),
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
