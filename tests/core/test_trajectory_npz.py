"""Trajectories as .npz: what is read is what was written, bit for bit, and nothing else."""

import io
import time
import zipfile

import numpy as np
import pytest
from dynarig.core.dynamics import System, compile_tree
from dynarig.core.dynamics.system import Prescribed
from dynarig.core.errors import TrajectoryError
from dynarig.core.simulate import run, simulate
from dynarig.core.trajectory import Trajectory, load_trajectory, read_npz, write_npz

from ..close import assert_close

KINDS = [
    *("universal", "screw", "spherical", "cylindrical", "spherical ZXZ", "floating YZX"),
    *("floating", "planar", "prismatic", "revolute"),
]
T = np.linspace(-0.1, 0.4, 33).reshape(3, 11)


class Pull:
    """A constant force on each joint."""

    def joint_forces(self, at):
        return np.full_like(at.v, 0.3)


def tau(t, q, v):
    return np.cos(t) - 0.5 * v


@pytest.fixture(scope="module")
def model(random_tree):
    return compile_tree(random_tree(5, KINDS, damping=0.1))


def moved(model, **options):
    tree = model.model if isinstance(model, System) else model
    q = np.where(tree.neutral() == 0.0, 0.5, 1.0)
    return run(simulate(model, np.linspace(0, 0.3, 7), q, np.ones(tree.nv), rtol=1e-5, **options))


@pytest.fixture(scope="module")
def motion(model):
    return moved(model, damping=0.05)


def assert_same(back, motion, with_equations=True):
    """Every answer is the same to the last bit."""
    for name in ("times", "q", "v", "a", "energy", "work"):
        expected = getattr(motion, name)
        if expected is None:
            assert getattr(back, name) is None
        else:
            np.testing.assert_array_equal(getattr(back, name), expected)
            assert not getattr(back, name).flags.writeable
    for name in ("method", "steps", "evaluations", "energy_drift"):
        assert getattr(back, name) == getattr(motion, name)
    answers = ["sample", "link_poses", "link_velocities"]
    if with_equations:
        assert back.given == motion.given
        answers += ["accelerations", "inverse_dynamics", "link_accelerations"]
        for part in ("passive", "applied", "tau", "drive"):
            ours, theirs = (getattr(each.joint_forces(T), part) for each in (back, motion))
            np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(back.energies(T).total, motion.energies(T).total)
    for answer in answers:
        for ours, theirs in zip(getattr(back, answer)(T), getattr(motion, answer)(T), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_a_simulated_motion_comes_back_bit_for_bit(model, motion, tmp_path):
    motion.save(tmp_path / "motion.npz")
    assert_same(load_trajectory(tmp_path / "motion.npz", model), motion)


@pytest.mark.parametrize("given", [0, 1, 2])
def test_a_table_comes_back_bit_for_bit(model, motion, tmp_path, given):
    table = Trajectory.from_table(model, motion.times, motion.q, *(motion.v, motion.a)[:given])
    write_npz(table, tmp_path / "table.npz")
    assert_same(read_npz(model, tmp_path / "table.npz"), table)


@pytest.mark.parametrize("method", ["rosenbrock", "rk4", "generalized-alpha"])
def test_the_polynomials_of_every_scheme_come_back(random_tree, tmp_path, method):
    model = compile_tree(random_tree(1, ["revolute", "spherical"]))
    step = {} if method == "rosenbrock" else {"step": 0.03}
    motion = run(simulate(model, (0.0, 0.3), v=np.ones(4), method=method, **step))
    write_npz(motion, tmp_path / "motion.npz")
    assert_same(read_npz(model, tmp_path / "motion.npz"), motion)


def test_a_single_time_and_a_model_without_joints_come_back(random_tree, tmp_path):
    for kinds in (["revolute"], []):
        model = compile_tree(random_tree(1, kinds))
        motion = run(simulate(model, 0.5))
        write_npz(motion, tmp_path / "motion.npz")
        assert_same(read_npz(model, tmp_path / "motion.npz"), motion)


@pytest.fixture(scope="module")
def driven(random_tree):
    """A system with a force element and a prescribed joint, and its motion with a tau."""
    model = compile_tree(random_tree(2, ["revolute", "spherical", "prismatic"]))
    drive = Prescribed(0, 0, lambda t: (np.sin(t), np.cos(t), -np.sin(t)))
    system = System(model, (Pull(),), (), (drive,))
    return system, moved(system, tau=tau)


def test_system_and_tau_that_are_handed_in_act_again(driven, tmp_path):
    system, motion = driven
    write_npz(motion, tmp_path / "motion.npz")
    assert_same(read_npz(system, tmp_path / "motion.npz", tau), motion)


def test_without_them_the_motion_counts_as_given(driven, tmp_path):
    system, motion = driven
    write_npz(motion, tmp_path / "motion.npz")
    back = read_npz(system.model, tmp_path / "motion.npz")
    assert back.given
    np.testing.assert_array_equal(back.a, motion.a)
    # prescribed coordinates as the polynomials have them
    assert_close(back.sample(T)[0], motion.sample(T)[0], atol=1e-6)
    assert_close(back.accelerations(T), motion.accelerations(T), atol=1e-2)
    # what is not known to be passive is the work of motors
    ours, theirs = back.joint_forces(T), motion.joint_forces(T)
    assert_close(ours.drive, theirs.total - theirs.passive, atol=1e-2)


def test_equations_that_do_not_make_the_motion_are_refused(driven, tmp_path):
    system, motion = driven
    write_npz(motion, tmp_path / "motion.npz")
    for other, torque, message in (
        (system, None, "was made with a tau, got none; wanted those of the file, or the Model"),
        (system.model, tau, r"with \[1, 0, 1\] joint forces, .* got \[0, 0, 0\]"),
        (system, lambda t, q, v: 0.0 * v, r"accelerations that differ by up to \d"),
    ):
        with pytest.raises(TrajectoryError, match=message):
            read_npz(other, tmp_path / "motion.npz", torque)


def test_a_model_with_other_inertia_only_moves_along(random_tree, tmp_path, pendulum):
    motion = run(simulate(compile_tree(pendulum()), (0.0, 0.5)))
    write_npz(motion, tmp_path / "motion.npz")
    moon = compile_tree(pendulum(), gravity=(0.0, 0.0, -1.62))
    back = read_npz(moon, tmp_path / "motion.npz")
    np.testing.assert_array_equal(back.sample(0.2)[0], motion.sample(0.2)[0])
    assert back.given
    # on the moon the same motion takes a motor that pushes down
    assert abs(back.joint_forces(0.2).drive[0]) > 1.0


def test_the_same_motion_gives_the_same_bytes(model, motion, tmp_path, monkeypatch):
    write_npz(motion, tmp_path / "a.npz")
    later = time.localtime(2_000_000_000)
    monkeypatch.setattr(time, "localtime", lambda *_: later)
    write_npz(moved(model, damping=0.05), tmp_path / "b.npz")
    write_npz(read_npz(model, tmp_path / "a.npz"), tmp_path / "c.npz")
    first = (tmp_path / "a.npz").read_bytes()
    assert first == (tmp_path / "b.npz").read_bytes()
    assert first == (tmp_path / "c.npz").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.npz") as file:
        assert {entry.date_time for entry in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_numpy_alone_reads_names_units_and_numbers(model, motion, tmp_path):
    write_npz(motion, tmp_path / "motion.npz")
    with np.load(tmp_path / "motion.npz", allow_pickle=False) as file:
        content = dict(file)
    assert str(content["model"]) == "random"
    assert list(content["q_names"][:3]) == ["j1.first", "j1.second", "j2"]
    units = dict(zip(content["q_names"], content["q_units"], strict=True))
    assert (units["j2"], units["j3.qw"], units["j4.slide"]) == ("rad", "1", "m")
    assert (units["j5.phi2"], units["j6.x"], units["j8.theta"]) == ("rad", "m", "rad")
    rates = dict(zip(content["v_names"], content["v_units"], strict=True))
    assert (rates["j3.wx.v"], rates["j7.vz.v"]) == ("rad/s", "m/s")
    assert dict(zip(content["a_names"], content["a_units"], strict=True))["j9.a"] == "m/s^2"
    np.testing.assert_array_equal(content["q"], motion.q)
    assert not any(array.dtype.hasobject for array in content.values())


@pytest.fixture
def file(motion, tmp_path):
    write_npz(motion, tmp_path / "motion.npz")
    return tmp_path / "motion.npz"


def rewritten(path, **changes):
    """The file with some entries changed, or left out where the change is None."""
    with np.load(path) as file:
        content = {**file, **changes}
    np.savez(path, **{name: value for name, value in content.items() if value is not None})
    return path


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": None}, "is no trajectory of Dynarig: has no entry 'format'"),
        ({"format": np.array("numpy")}, "'format': wanted 'dynarig trajectory', got 'numpy'"),
        ({"version": np.array(2)}, "is of version 2; this Dynarig reads 1"),
        ({"version": np.array("one")}, "'version': wanted finite numbers of shape"),
        ({"method": np.array(3)}, "'method': wanted a text"),
        ({"joints": np.array(3)}, "'joints': wanted a list of texts"),
        ({"joint_types": np.array(["revolute"])}, "'joint_types': wanted one for each joint"),
        ({"q": np.zeros((7, 2))}, r"'q': wanted finite numbers of shape \(7, 30\), got float64"),
        ({"a": None}, "has no entry 'a'"),
        ({"work": None}, "has no entry 'work'"),
        ({"times": np.arange(7.0)[::-1]}, "'times': wanted increasing times"),
        ({"times": np.full(7, np.nan)}, "'times': wanted finite numbers"),
        ({"knots": np.zeros(0)}, "'knots': wanted increasing times, at least 1"),
        ({"start": np.zeros((3, 59))}, r"'start': wanted finite numbers of shape \(\d+, any\)"),
        ({"powers": np.zeros(3)}, "'powers': wanted finite numbers of shape"),
        ({"given": np.array(1.0)}, "'given': wanted true or false"),
        ({"damping": np.array([1.0])}, r"'damping': wanted finite numbers of shape \(\)"),
        ({"steps": np.array(-1)}, "'steps': wanted a whole number, got -1"),
        ({"q_units": np.array(["deg"] * 30)}, "'q_units': wanted rad, rad, rad, rad, m"),
        ({"v_names": np.array(["x"] * 28)}, r"'v_names': wanted j1.first.v, j1.second.v"),
    ],
)
def test_files_that_are_no_trajectories_are_refused(model, file, changes, message):
    with pytest.raises(TrajectoryError, match=message) as caught:
        read_npz(model, rewritten(file, **changes))
    assert str(file) in str(caught.value)


def test_dense_output_that_does_not_fit_is_refused(model, file):
    with np.load(file) as content:
        knots, start, powers = content["knots"], content["start"], content["powers"]
    for changes, message in (
        ({"start": np.zeros((len(knots), 57))}, "'start': wanted at least 58 columns"),
        ({"powers": powers[..., :0]}, "'powers': wanted at least one power"),
        ({"powers": powers[1:]}, "'powers': wanted finite numbers of shape"),
    ):
        with pytest.raises(TrajectoryError, match=message):
            read_npz(model, rewritten(file, **{"start": start, "powers": powers, **changes}))


def test_damaged_files_and_pickles_are_refused(model, file, tmp_path):
    whole = file.read_bytes()
    pickled = io.BytesIO()
    np.save(pickled, np.array([{}], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(tmp_path / "pickle.npz", "w") as archive:
        archive.writestr("format.npy", pickled.getvalue())
    (tmp_path / "text.npz").write_text("time,j1\n0,0\n")
    (tmp_path / "empty.npz").write_bytes(b"")
    (tmp_path / "cut.npz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "bits.npz").write_bytes(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
    (tmp_path / "folder.npz").mkdir()
    names = ("pickle", "text", "empty", "cut", "bits", "folder", "absent")
    for name in names:
        with pytest.raises(TrajectoryError, match=f"{name}.npz: cannot be read as a trajectory"):
            read_npz(model, tmp_path / f"{name}.npz")


def test_whatever_bytes_are_damaged_the_error_is_ours(random_tree, tmp_path, rng):
    model = compile_tree(random_tree(1, ["revolute"]))
    write_npz(run(simulate(model, 0.0)), tmp_path / "whole.npz")
    whole = np.frombuffer((tmp_path / "whole.npz").read_bytes(), dtype=np.uint8)
    refused = 0
    for _ in range(300):
        bad = whole.copy()
        bad[rng.integers(0, len(bad), 3)] = rng.integers(0, 256, 3)
        (tmp_path / "bad.npz").write_bytes(bad.tobytes())
        try:
            read_npz(model, tmp_path / "bad.npz")
        except TrajectoryError:
            refused += 1
    assert refused > 200


def test_another_robots_joints_are_named(random_tree, file):
    others = {
        "missing": (KINDS[:-1], "'j10' is missing here"),
        "more": ([*KINDS, "revolute"], "'j11' is missing there"),
        "type": (["cylindrical", *KINDS[1:]], "'j1' is universal there and cylindrical here"),
        "state": (
            [*KINDS[:2], "spherical XYZ", *KINDS[3:]],
            "'j3' has other coordinates there",
        ),
    }
    for kinds, message in others.values():
        with pytest.raises(TrajectoryError, match="whose joints are not those of") as caught:
            read_npz(compile_tree(random_tree(5, kinds)), file)
        assert str(caught.value).endswith(f"'random': {message}")


def test_joints_in_another_order_are_refused(random_tree, tmp_path):
    tree = random_tree(1, ["revolute", "revolute"])
    first, second = tree.joints
    swapped = type(tree)(tree.name, tree.bodies, (second, first), tree.root)
    models = [compile_tree(each) for each in (tree, swapped)]
    if models[0].joint_names == models[1].joint_names:
        pytest.skip("compiled in one order")
    write_npz(run(simulate(models[0], 0.0)), tmp_path / "motion.npz")
    with pytest.raises(TrajectoryError, match="they stand in another order"):
        read_npz(models[1], tmp_path / "motion.npz")


def test_a_tau_for_a_given_motion_is_refused(model, motion, tmp_path):
    write_npz(Trajectory.from_table(model, motion.times, motion.q), tmp_path / "table.npz")
    with pytest.raises(TrajectoryError, match="tau: wanted none, the motion was given"):
        read_npz(model, tmp_path / "table.npz", tau)


def test_files_of_other_suffixes_are_refused(model, motion, tmp_path):
    for work in (
        lambda: motion.save(tmp_path / "motion.txt"),
        lambda: load_trajectory(tmp_path / "motion", model),
    ):
        with pytest.raises(TrajectoryError, match=r"wanted a file name that ends in .npz or .csv"):
            work()
    assert not list(tmp_path.iterdir())
    motion.save(tmp_path / "motion.CSV")
    assert load_trajectory(tmp_path / "motion.CSV", model).method == "table"
    with pytest.raises(TrajectoryError, match="tau: wanted none, a table is a motion"):
        load_trajectory(tmp_path / "motion.CSV", model, tau)


@pytest.fixture(scope="module")
def bounced():
    """A ball that falls into a corner and bounces, hitting both walls at once, until it rests."""
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Sphere

    from .contact.benches import free_bodies

    ball = Sphere(Port.at("ball", (0.0, 0.0, 0.0)), 0.1)
    origin = Port.at(None, (0.0, 0.0, 0.0))
    walls = tuple(
        Contact(name=name, a=ball, b=Plane(origin, normal), restitution=0.5)
        for name, normal in (("floor", (0, 1, 0)), ("wall", (1, 0, 0)))
    )
    system = ContactSystem(free_bodies([("ball", 1.0, 0.1)]), contacts=walls)
    start = [1.1, 0.1 + 0.125 * 9.81, 0.0], [-2.0, 0.0, 0.0]
    return system, run(simulate(system, np.linspace(0.0, 1.1, 5), *start))


def assert_same_impacts(back, motion):
    assert len(back.impacts) == len(motion.impacts) > 1
    for ours, theirs in zip(back.impacts, motion.impacts, strict=True):
        assert (ours.time, ours.contacts, ours.lost) == (theirs.time, theirs.contacts, theirs.lost)
        for name in ("impulses", "speeds_left", "speeds_right", "q", "v_left", "v_right"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
            assert not getattr(ours, name).flags.writeable


def test_impacts_come_back_bit_for_bit(bounced, tmp_path):
    system, motion = bounced
    assert len(motion.impacts[0].contacts) == 2
    write_npz(motion, tmp_path / "motion.npz")
    back = read_npz(system, tmp_path / "motion.npz")
    assert_same(back, motion)
    assert_same_impacts(back, motion)
    assert [own.causes for own in back.jumps] == [own.causes for own in motion.jumps]
    # the model alone does not know the contacts, but the file tells what happened
    assert_same_impacts(read_npz(system.model, tmp_path / "motion.npz"), motion)


def test_files_from_before_there_were_impacts_are_read(bounced, tmp_path):
    system, motion = bounced
    write_npz(motion, tmp_path / "motion.npz")
    with np.load(tmp_path / "motion.npz") as content:
        none = {name: None for name in content if name.startswith("impact_")}
    assert len(none) == 6
    back = read_npz(system, rewritten(tmp_path / "motion.npz", **none))
    assert back.impacts == ()
    assert_same(back, motion)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("impact_times", lambda x: x[::-1], "'impact_times': wanted times in order"),
        ("impact_times", lambda x: x * np.nan, "'impact_times': wanted finite numbers"),
        ("impact_lost", lambda x: x[1:], "'impact_lost': wanted finite numbers of shape"),
        ("impact_lost", lambda x: None, "has no entry 'impact_lost'"),
        ("impact_states", lambda x: x[:, 1:], r"'impact_states': .* of shape \(\d+, 9\)"),
        ("impact_counts", lambda x: x + 1, "'impact_counts': wanted how many of"),
        ("impact_counts", lambda x: x + 0.5 - np.arange(len(x)) % 2, "'impact_counts': wanted"),
        ("impact_counts", lambda x: np.append(x[:-2], [-1, x[-2:].sum() + 1]), "'impact_counts'"),
        ("impact_contacts", lambda x: np.arange(len(x)), "'impact_contacts': wanted a list"),
        ("impact_gaps", lambda x: x[:, :2], r"'impact_gaps': .* of shape \(\d+, 3\)"),
    ],
)
def test_impacts_that_do_not_fit_are_refused(bounced, tmp_path, name, change, message):
    system, motion = bounced
    write_npz(motion, tmp_path / "motion.npz")
    with np.load(tmp_path / "motion.npz") as content:
        given = content[name]
    with pytest.raises(TrajectoryError, match=message):
        read_npz(system, rewritten(tmp_path / "motion.npz", **{name: change(given)}))
