"""A robot description as a component: placed, freed, held elsewhere, extended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dynarig.core.dynamics import compile_robot, forward_dynamics, link_poses
from dynarig.core.errors import ArgumentError, ModelError, UrdfError
from dynarig.core.frames import rotation_from_axis_angle, transform
from dynarig.core.mechanism import Mechanism, get_frame, spatial
from dynarig.core.urdf import load_urdf, parse_urdf

from ...close import assert_close

G = 9.80665
DOWN = np.array([0.0, 0.0, -G])
TIMES = np.linspace(0.0, 0.2, 5)
START: dict[str, Any] = {
    "q0": {"shoulder": 0.4, "elbow": -0.7, "grip": 0.02},
    "v0": {"shoulder": 0.5, "elbow": 1.0},
}


@pytest.fixture(scope="module")
def arm_file(data: Path) -> Path:
    return data / "arm" / "arm.urdf"


def placed(arm: Any, *before: Any) -> Any:
    world = spatial.World()
    mechanism = Mechanism("cell", [world, *before, arm])
    mechanism.chain(world, *before, arm)
    return mechanism


def accelerations(sol: Any, t: float) -> list[float]:
    return [float(sol(t, f"arm.{name}")) for name in ("shoulder.a", "elbow.a", "grip.a")]


def test_on_the_world_it_moves_as_the_description_compiled(arm_file: Path, bench: Any) -> None:
    sol = bench.solve(placed(spatial.Robot("arm", arm_file, **START)), TIMES)
    model = compile_robot(load_urdf(arm_file), gravity=(0, 0, -G))
    q, v = np.array([0.4, -0.7, 0.02]), np.array([0.5, 1.0, 0.0])
    expected = forward_dynamics(model, q, v, passive=True)
    assert_close(accelerations(sol, 0.0), expected, atol=1e-10)
    poses = link_poses(model, q)
    for link, pose in zip(model.link_names, poses, strict=True):
        frame = sol.mechanism.components["arm"].frame(link)
        assert_close(get_frame(sol, frame, 0.0), pose, atol=1e-14)
    bench.check_connections(sol, TIMES)


def test_a_follower_goes_with_its_leader(arm_file: Path, bench: Any) -> None:
    sol = bench.solve(placed(spatial.Robot("arm", arm_file, **START)), TIMES)
    for key in ("s", "v", "a"):
        leader, follower = sol(TIMES, f"arm.grip.{key}"), sol(TIMES, f"arm.grip_other.{key}")
        assert_close(follower, leader, atol=1e-14)


def test_damping_is_what_its_joints_pass_on(arm_file: Path, bench: Any) -> None:
    arm = spatial.Robot("arm", arm_file, **START)
    sol = bench.solve(placed(arm), TIMES)
    assert_close(sol(TIMES, "arm.shoulder.tau"), -0.2 * sol(TIMES, "arm.shoulder.w"), atol=1e-9)
    # and what hangs on the shoulder is carried there
    weight = 2 * (sol.at(TIMES).acceleration(arm.frame("upper"), (0, 0, 0.2)) - DOWN)
    assert_close(
        sol(TIMES, "arm.shoulder.f_cut") - sol(TIMES, "arm.elbow.f_cut"), weight, atol=1e-9
    )
    assert_close(sol(TIMES, "arm.elbow.tau"), -0.05 * sol(TIMES, "arm.elbow.w"), atol=1e-9)


def test_it_stands_where_it_is_placed(arm_file: Path, bench: Any) -> None:
    turn = spatial.FixedRotation("turn", n=(1, 1, 0), angle=1.0, r=(1, 2, 3))
    sol = bench.solve(placed(spatial.Robot("arm", arm_file, **START), turn), TIMES)
    rotation = rotation_from_axis_angle((1, 1, 0), 1.0)
    model = compile_robot(load_urdf(arm_file), gravity=rotation.T @ [0, 0, -G])
    q, v = np.array([0.4, -0.7, 0.02]), np.array([0.5, 1.0, 0.0])
    expected = forward_dynamics(model, q, v, passive=True)
    assert_close(accelerations(sol, 0.0), expected, atol=1e-10)
    base = sol.mechanism.components["arm"].frame("base")
    assert_close(get_frame(sol, base, 0.2), transform(rotation, (1, 2, 3)), atol=1e-14)
    bench.check_connections(sol, TIMES)


def test_free_it_moves_as_with_a_floating_base(arm_file: Path, bench: Any) -> None:
    arm = spatial.Robot("arm", arm_file, q0=START["q0"], v0=START["v0"], Q0=(1, 0.2, 0, 0.1))
    sol = bench.solve(Mechanism("space", [spatial.World(), arm]), TIMES)
    model = compile_robot(load_urdf(arm_file), floating_base=True, gravity=(0, 0, -G))
    q = np.array([0, 0, 0, 1, 0.2, 0, 0.1, 0.4, -0.7, 0.02])
    v = np.array([0, 0, 0, 0, 0, 0, 0.5, 1.0, 0.0])
    expected = forward_dynamics(model, q, v, passive=True)
    assert_close(accelerations(sol, 0.0), expected[6:], atol=1e-9)
    assert_close(sol(TIMES, "arm.base.f"), np.zeros((5, 3)), atol=1e-8)
    bench.check_connections(sol, TIMES, atol=1e-8)


def test_held_by_another_link_its_joints_keep_their_meaning(arm_file: Path, bench: Any) -> None:
    arm = spatial.Robot("arm", arm_file, q0=START["q0"], v0=START["v0"])
    world, post = spatial.World(), spatial.FixedTranslation("post", r=(0, 0, 2))
    mechanism = Mechanism("held", [world, post, arm])
    mechanism.chain(world, post)
    mechanism.connect(post.frame_b, arm.frame("fore"))
    sol = bench.solve(mechanism, TIMES)
    assert_close(sol(0.0, "arm.elbow.phi"), -0.7, atol=0.0)
    assert_close(sol(TIMES, "arm.fore.r_0"), np.broadcast_to([0, 0, 2.0], (5, 3)), atol=0.0)
    upper, fore = sol(TIMES, "arm.upper.R"), sol(TIMES, "arm.fore.R")
    axis = np.array([0, 1, 0.2]) / np.hypot(1, 0.2)
    for t, a, b in zip(TIMES, upper, fore, strict=True):
        turned = rotation_from_axis_angle(axis, float(sol(t, "arm.elbow.phi")))
        assert_close(a.T @ b, turned, atol=1e-11)
    assert_close(sol(TIMES, "arm.elbow.tau"), -0.05 * sol(TIMES, "arm.elbow.w"), atol=1e-9)
    bench.check_connections(sol, TIMES)
    # the post carries all that the robot needs
    needed = 0.0
    for link, mass, center in (("base", 3, 0), ("upper", 2, 0.2), ("fore", 1, 0.15)):
        at = sol.at(TIMES)
        gained = at.acceleration(arm.frame(link), (0, 0, center))
        needed = needed + mass * (gained - DOWN)
    for link in ("finger", "thumb"):
        needed = needed + 0.1 * (sol.at(TIMES).acceleration(arm.frame(link)) - DOWN)
    assert_close(sol(TIMES, "post.frame_a.f"), needed, atol=1e-9)


def test_a_load_at_a_link_is_as_if_the_link_were_heavier(arm_file: Path, bench: Any) -> None:
    arm = spatial.Robot("arm", arm_file, **START)
    load = spatial.Body("load", m=0.5, I=0.001)
    mechanism = placed(arm)
    mechanism.add(load)
    mechanism.connect(arm.frame("finger"), load.frame_a)
    sol = bench.solve(mechanism, TIMES)
    robot = load_urdf(arm_file)
    links = [
        replace(
            link,
            inertial=replace(link.inertial, mass=0.6, inertia=(0.0011, 0, 0, 0.0011, 0, 0.0011)),
        )
        if link.name == "finger"
        else link
        for link in robot.links
    ]
    heavier = spatial.Robot("arm", replace(robot, links=tuple(links)), **START)
    expected = bench.solve(placed(heavier), TIMES)
    for name in ("arm.shoulder.phi", "arm.elbow.a", "arm.grip.f", "arm.elbow.tau_cut"):
        assert_close(sol(TIMES, name), expected(TIMES, name), atol=1e-8, err_msg=name)
    carried = sol(TIMES, "load.frame_a.f")
    assert_close(sol(TIMES, "arm.finger.f"), -carried, atol=1e-9)


def test_two_robots_in_one_mechanism(arm_file: Path) -> None:
    arms = [spatial.Robot(name, load_urdf(arm_file)) for name in ("left", "right")]
    world, gap = spatial.World(), spatial.FixedTranslation("gap", r=(1, 0, 0))
    mechanism = Mechanism("pair", [world, gap, *arms])
    mechanism.chain(world, arms[0])
    mechanism.chain(world, gap, arms[1])
    compiled = mechanism.compile()
    assert compiled.model.nv == 6
    assert set(compiled.model.followers) == {"left.grip_other", "right.grip_other"}
    assert {"left.elbow.phi", "right.elbow.phi", "right.finger.r_0"} <= set(compiled.outputs)


def test_a_joint_of_the_name_of_a_link_is_told_apart() -> None:
    text = (
        '<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="b" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
    )
    robot = spatial.Robot("r", parse_urdf(text))
    outputs = placed(robot).compile().outputs
    assert {"r.b_joint.w", "r.b.w", "r.b.r_0", "r.b_joint.phi"} <= set(outputs)
    assert robot.joint("b").name == "r.b"


def test_floating_and_planar_joints_of_a_description(bench: Any) -> None:
    inertial = (
        '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial>"
    )
    text = (
        f'<robot name="r"><link name="a"/><link name="b">{inertial}</link>'
        f'<link name="c">{inertial}</link>'
        '<joint name="fly" type="floating"><parent link="a"/><child link="b"/></joint>'
        '<joint name="slip" type="planar"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>'
        "</joint></robot>"
    )
    robot = spatial.Robot(
        "r", parse_urdf(text), q0={"fly": (1, 2, 3, 1, 0, 0, 0)}, v0={"slip": (0.5, 0, 2)}
    )
    sol = bench.solve(placed(robot), TIMES)
    fall = 3 - 0.5 * G * TIMES**2
    middle = (sol(TIMES, "r.b.r_0") + sol(TIMES, "r.c.r_0"))[:, 2] / 2
    assert_close(middle, fall, atol=1e-10)
    assert_close(sol(0.0, "r.slip.w"), 2.0, atol=0.0)
    assert_close(sol(TIMES, "r.fly.r"), sol(TIMES, "r.b.r_0"), atol=1e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"q0": {"wrist": 1}}, "Robot 'arm': q0: no moving joint 'wrist'; there are: shoulder"),
        ({"v0": {"grip_other": 1}}, "v0: joint 'grip_other' follows 'grip'; give that"),
        ({"q0": {"elbow": (1, 2)}}, r"q0\['elbow'\]: wanted 1 finite numbers"),
        ({"place": 1}, "Robot 'arm': no parameter 'place'; for its free motion"),
    ],
)
def test_arguments_that_do_not_fit(arm_file: Path, given: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        spatial.Robot("arm", arm_file, **given)


def test_links_joints_and_files_that_are_not_there(arm_file: Path) -> None:
    arm = spatial.Robot("arm", arm_file)
    with pytest.raises(ArgumentError, match="Robot 'arm': no link 'tool'; there are: base, upper"):
        arm.frame("tool")
    with pytest.raises(ArgumentError, match="no moving joint 'tool'; there are: shoulder, elbow"):
        arm.joint("tool")
    with pytest.raises(UrdfError, match="does not exist"):
        spatial.Robot("arm", "nowhere.urdf")


def test_an_initial_state_of_a_placed_root_is_refused(arm_file: Path) -> None:
    arm = spatial.Robot("arm", arm_file, r0=(1, 0, 0))
    with pytest.raises(ModelError, match="Robot 'arm': initial position and velocity follow"):
        placed(arm).compile()


def test_a_link_without_mass_at_a_moving_end_is_named_with_its_joint() -> None:
    text = (
        '<robot name="r"><link name="a"/><link name="tip"/>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="tip"/></joint></robot>'
    )
    with pytest.raises(ModelError, match=r"Robot 'r': joint 'j' moves nothing.*r\.tip"):
        placed(spatial.Robot("r", parse_urdf(text))).compile()


def test_a_joint_called_free_and_a_free_root_are_two() -> None:
    inertial = (
        '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial>"
    )
    text = (
        f'<robot name="r"><link name="a">{inertial}</link><link name="b">{inertial}</link>'
        '<joint name="free" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
    )
    robot = spatial.Robot("r", parse_urdf(text))
    compiled = Mechanism("m", [spatial.World(), robot]).compile()
    assert [joint.name for joint in compiled.tree.joints] == ["r.free_root", "r.free"]


def test_what_is_no_name_of_a_link_or_joint(arm_file: Path) -> None:
    arm = spatial.Robot("arm", arm_file)
    for name in ([], None, 3, {}):
        with pytest.raises(ArgumentError, match=r"Robot 'arm': no link .*; there are: "):
            arm.frame(name)
        with pytest.raises(ArgumentError, match=r"Robot 'arm': no moving joint .*; there are: "):
            arm.joint(name)


@pytest.mark.parametrize("parameter", ["q0", "v0"])
def test_starts_that_are_no_values_by_joint(arm_file: Path, parameter: str) -> None:
    for given in ([1, 2], 3.0, "elbow"):
        with pytest.raises(
            ArgumentError, match=rf"{parameter}: wanted values by joint, such as {{'"
        ):
            spatial.Robot("arm", arm_file, **{parameter: given})
    for value in ([[1], [2, 3]], "x", None, (1, 2), 10**400):
        with pytest.raises(ArgumentError, match=rf"{parameter}\['elbow'\]: wanted"):
            spatial.Robot("arm", arm_file, **{parameter: {"elbow": value}})
    for value in (0.5, [0.5], np.array([0.5]), np.float64(0.5), np.array(0.5)):
        arm = spatial.Robot("arm", arm_file, **{parameter: {"elbow": value}})
        edge = arm.joint("elbow").edge
        assert_close(edge.q if parameter == "q0" else edge.v, [0.5], atol=0.0)
