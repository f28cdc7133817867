"""A four-bar of components: the same motion and forces wherever its loop is cut."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ...close import assert_close
from .loop_benches import BARS, GRAVITY, HINGES, INERTIA, POST, cut, four_bar, tight

TIMES = np.linspace(0.0, 1.0, 9)
ROUNDED = {"a": 1e-7, "f": 1e-7, "t": 1e-7}  # accelerations and forces; motion to 1e-8
LOADED = {
    name: {"d": 0.1 * n, "friction": 0.05, "friction_speed": 0.5, "stiffness": 0.3, "rest": 0.2}
    | {"rotor_inertia": 0.02 * n}
    for n, name in enumerate(HINGES, 1)
}


def check_same(sol: Any, expected: Any, motion: float = 1e-8, forces: float = 1e-7) -> None:
    """All variables, whole turns included, but those of the joint that is cut alone."""
    for name in expected.names:
        key = name.split(".")[-1]
        if key in ("equation", "force"):
            continue
        loose = key.startswith(("f", "t", "a")) or key == "wd"
        bound = forces if loose else motion
        assert_close(sol(TIMES, name), expected(TIMES, name), atol=bound, err_msg=name)


@pytest.fixture(scope="module")
def plain() -> Any:
    return tight(four_bar(), TIMES)


@pytest.fixture(scope="module")
def loaded() -> Any:
    return tight(four_bar(loads=LOADED), TIMES)


def test_it_moves_as_the_system_of_the_core_does(plain: Any) -> None:
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics.constraints import PlanarHinge, Port
    from dynarig.core.simulate import run, simulate
    from dynarig.core.tree import Body, Tree, TreeJoint

    bodies, joints, place, below = [Body("world", 0.0, np.zeros(3), np.zeros((3, 3)))], [], 0.0, ""
    for index, (name, length, mass) in enumerate(BARS):
        center = np.array([0.5 * length, 0.0, 0.0])
        inertia = np.diag([0.5 * INERTIA, 0.5 * INERTIA, INERTIA])
        bodies.append(Body(name, mass, center, inertia))
        pose = np.eye(4)
        pose[0, 3] = place
        axis = np.array([0.0, 0.0, 1.0])
        joints.append(TreeJoint(f"h{index}", "continuous", below or "world", name, pose, axis))
        place, below = length, name
    model = compile_tree(
        Tree("four-bar", tuple(bodies), tuple(joints), "world"), gravity=(0.0, -GRAVITY, 0.0)
    )
    closing = PlanarHinge(
        name="h3", a=Port.at("rocker", (1.3, 0.0, 0.0)), b=Port.at(None, (*POST, 0.0))
    )
    system = System(model, constraints=(closing,))
    start = plain.compiled
    own = run(simulate(system, TIMES, start.q, start.v, tolerance=1e-12, method="dop853"))
    assert_close(plain.trajectory.q, own.q, atol=1e-9)
    assert_close(plain.trajectory.v, own.v, atol=1e-9)
    assert_close(
        plain.at(TIMES).constraint("h3").force, own.constraint("h3", TIMES).force, atol=1e-7
    )


@pytest.mark.parametrize(
    ("order", "closing"), [(("h0", "h1", "h3", "h2"), "h2"), (("h3", "h2", "h0", "h1"), "h1")]
)
def test_cut_elsewhere_it_is_the_same(plain: Any, order: Any, closing: str) -> None:
    mechanism = four_bar(order)
    assert cut(four_bar()) == ["h3"]
    assert cut(mechanism) == [closing]
    check_same(tight(mechanism, TIMES), plain)


def test_a_joint_with_a_start_is_cut_only_where_nothing_was_given() -> None:
    assert cut(four_bar(("h1", "h2", "h3", "h0"))) == ["h3"]
    assert cut(four_bar(loads={"h3": {"d": 1.0}})) == ["h2"]
    assert cut(four_bar(loads={"h0": {"phi0": None, "w0": None}})) == ["h3"]
    assert cut(four_bar(("h3", "h1", "h2", "h0"), {"h0": {"phi0": None, "w0": None}})) == ["h0"]


@pytest.mark.parametrize(
    "order", [HINGES[::-1], ("h0", "h1", "h3", "h2"), ("h0", "h2", "h3", "h1")]
)
def test_where_all_joints_carry_something_a_body_is_shared(loaded: Any, order: Any) -> None:
    mechanism = four_bar(order, LOADED)
    assert cut(mechanism) == [order[-1]]
    assert mechanism.compile().freedom == 1
    check_same(tight(mechanism, TIMES), loaded)


def test_a_load_acts_the_same_on_a_joint_that_closes_the_loop() -> None:
    # the first is cut at h2; in the second every joint carries something, and h3 closes it
    load = {"h3": {"d": 0.5, "rotor_inertia": 0.1}}
    tiny = {name: {"d": 1e-300} for name in ("h1", "h2")}
    first, second = four_bar(loads=load), four_bar(loads=load | tiny)
    assert (cut(first), cut(second)) == (["h2"], ["h3"])
    check_same(tight(second, TIMES), tight(first, TIMES))


@pytest.mark.parametrize("what", ["TorqueMotor", "PrescribedMotion", "PositionServo"])
def test_a_motor_at_the_joint_that_closes_the_loop(plain: Any, what: str) -> None:
    from dynarig.core.mechanism import planar

    start = float(plain(0.0, "h3.phi"))

    def driven(loads: Any) -> Any:
        motor = {
            "TorqueMotor": lambda: planar.TorqueMotor("m", joint="h3", tau=lambda t: np.sin(t)),
            "PositionServo": lambda: planar.PositionServo("m", joint="h3", phi_ref=-1.0, kp=5.0),
            "PrescribedMotion": lambda: planar.PrescribedMotion(
                "m",
                joint="h3",
                phi=lambda t: start - 0.3 * np.sin(t),
                w=lambda t: -0.3 * np.cos(t),
                a=lambda t: 0.3 * np.sin(t),
            ),
        }[what]()
        given: Any = {"h0": {"w0": None}} if what == "PrescribedMotion" else {}
        return four_bar(loads=given | loads, extra=[motor])

    first, second = driven({}), driven({name: {"d": 1e-300} for name in ("h1", "h2")})
    assert (cut(first), cut(second)) == (["h2"], ["h3"])
    sol = tight(first, TIMES)
    assert np.abs(sol(TIMES, "m.tau")).max() > 0.1
    check_same(tight(second, TIMES), sol)


def test_a_stop_at_the_joint_that_closes_the_loop_feels_all_that_moves_with_it() -> None:
    load: Any = {"h3": {"limits": (1.0, 2.5)}}
    first = four_bar(loads=load)
    second = four_bar(loads=load | {n: {"d": 1e-300} for n in ("h1", "h2")})
    assert (cut(first), cut(second)) == (["h2"], ["h3"])
    felt = [own.compile().model.stop_inertia[-1] for own in (first, second)]
    assert_close(felt[1], felt[0], atol=1e-8)
    sol = tight(second, TIMES, tolerance=1e-7)
    assert 0.99 < sol(TIMES, "h3.phi").min() < 1.01


def test_in_space_redundant_rows_change_nothing_in_the_plane(plain: Any) -> None:
    mechanism = four_bar(space="spatial")
    compiled = mechanism.compile()
    assert (len(compiled.system.rows), compiled.redundant, compiled.freedom) == (5, 3, 1)
    assert "1 degrees of freedom" in repr(compiled)
    assert "5 constraint rows (3 redundant)" in repr(compiled)
    sol = tight(mechanism, TIMES)
    for name in ("h0.phi", "h1.w", "h2.a", "h3.phi", "h3.w", "h3.a"):
        assert_close(sol(TIMES, name), plain(TIMES, name), atol=1e-8, err_msg=name)
    for frame in ("h1.frame_b", "h3.frame_b", "post.frame_b"):
        own, flat = sol(TIMES, f"{frame}.f"), [plain(TIMES, f"{frame}.f{axis}") for axis in "xy"]
        assert_close(own, np.stack([*flat, 0.0 * flat[0]], axis=-1), atol=1e-7, err_msg=frame)


def test_energy_stays_over_twenty_turns() -> None:
    times = np.linspace(0.0, 4.6, 24)
    sol = tight(four_bar(w0=45.0, g=0.0), times, tolerance=1e-9)
    assert sol(4.6, "h0.phi") > 20.0 * 2.0 * np.pi
    trajectory = sol.trajectory
    assert trajectory.energy_drift < 1e-8 * trajectory.energy[0]


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_cut_joint_counts_its_turns(space: str) -> None:
    times = np.linspace(0.0, 0.6, 61)
    expected = tight(four_bar(w0=30.0), times, tolerance=1e-10)
    given = {
        name: {"phi0": float(expected(0.0, f"{name}.phi")), "w0": float(expected(0.0, f"{name}.w"))}
        for name in ("h1", "h2")
    }
    given["h0"] = {"phi0": None, "w0": None}
    mechanism = four_bar(("h1", "h2", "h3", "h0"), given, space)
    assert cut(mechanism) == ["h0"]
    turns = tight(mechanism, times, tolerance=1e-10)(times, "h0.phi")
    assert np.ptp(turns) > 3.5 * np.pi
    assert_close(turns, expected(times, "h0.phi"), atol=1e-6)
    # in any order, and one at a time
    sol = tight(mechanism, 0.6, tolerance=1e-9)
    assert_close(sol(times[::-7], "h0.phi"), turns[::-7], atol=1e-6)
    assert_close(sol(0.57, "h0.phi"), expected(0.57, "h0.phi"), atol=1e-6)


def test_a_saved_motion_answers_as_it_did(plain: Any, tmp_path: Any) -> None:
    plain.save(tmp_path / "motion.npz")
    back = four_bar().load(tmp_path / "motion.npz")
    for name in ("h3.phi", "h3.a", "h3.frame_b.fx", "crank.r"):
        assert_close(back(TIMES, name), plain(TIMES, name), atol=0.0, err_msg=name)


@pytest.mark.parametrize(("method", "index"), [("generalized-alpha", 2), ("newmark", 2)])
def test_other_indices_come_near(plain: Any, method: str, index: int) -> None:
    sol = tight(four_bar(), TIMES, method=method, index=index, step=4e-3, tolerance=None)
    for name in ("h3.phi", "h1.w"):
        assert_close(sol(TIMES, name), plain(TIMES, name), atol=8e-3, err_msg=name)
