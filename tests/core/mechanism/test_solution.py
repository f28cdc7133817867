"""What a solution answers: any time, any shape of times, in one batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from dynarig.core.frames import get_rot, ori, ori_2d
from dynarig.core.mechanism import Mechanism, planar, spatial

from ...close import assert_close


@pytest.fixture(scope="module")
def flat() -> Any:
    world, hinge = planar.World(), planar.Revolute("hinge", w0=9.0)
    arm, second = planar.BodyShape("arm"), planar.Revolute("second")
    mechanism = Mechanism("flat", [world, hinge, arm, second, planar.Body("body", r_cm=(0.3, 0))])
    mechanism.chain(world, hinge, arm, second, mechanism.components["body"])
    return mechanism.simulate(1.5, tolerance=1e-10)


@pytest.fixture(scope="module")
def solid() -> Any:
    world, ball = spatial.World(), spatial.Spherical("ball", w0=(1, 2, 3))
    body = spatial.BodyShape("body", r=(1, 0, 0), I=0.1)
    mechanism = Mechanism(
        "solid", [world, ball, body, extra := spatial.Body("extra", r0=(1, 1, 1))]
    )
    mechanism.chain(world, ball, body)
    assert extra.frame_a.path == "extra.frame_a"
    return mechanism.simulate(1.0)


@pytest.mark.parametrize("which", ["flat", "solid"])
def test_times_of_any_shape_give_what_each_time_gives(
    which: str, request: pytest.FixtureRequest
) -> None:
    sol = request.getfixturevalue(which)
    times = np.linspace(0, 1, 6).reshape(2, 3)
    for name in sol.names:
        whole = sol(times, name)
        single = sol(0.6, name)
        assert whole.shape == (2, 3, *single.shape), name
        assert_close(whole[1, 0], single, atol=1e-9, err_msg=name)
        assert sol(times.tolist(), name).shape == whole.shape


def test_an_answer_is_the_callers_own(flat: Any) -> None:
    first = flat(0.5, "body.r")
    first += 100.0
    assert abs(flat(0.5, "body.r")).max() < 50.0


def test_planar_angles_are_not_wrapped(flat: Any) -> None:
    assert flat(1.5, "hinge.phi") > 2 * np.pi
    frame = flat.mechanism.components["arm"].frame_b
    assert_close(flat(1.5, "arm.frame_b.phi"), flat(1.5, "hinge.phi"), atol=0.0)
    assert_close(flat.frame(frame, 1.5).phi, flat(1.5, "hinge.phi"), atol=0.0)


def test_a_frame_of_the_solution_is_taken_by_the_functions_of_frames(flat: Any, solid: Any) -> None:
    port = flat.mechanism.components["body"].frame_a
    frame = flat.frame(port, [0.2, 0.4])
    local_to_world = get_rot(flat, port, [0.2, 0.4])
    assert local_to_world.shape == (2, 2, 2)
    assert_close(ori_2d(frame), local_to_world.swapaxes(-1, -2), atol=1e-14)
    assert_close(get_rot(frame)[:, :2, :2], local_to_world, atol=1e-14)
    port = solid.mechanism.components["body"].frame_b
    assert_close(ori(solid.frame(port, 0.3)).R, get_rot(solid, port, 0.3).T, atol=1e-15)
    with pytest.raises(Exception, match="wanted a frame of a planar mechanism"):
        ori_2d(solid.frame(port, 0.3))


def test_velocities_and_accelerations_are_rates(flat: Any, solid: Any) -> None:
    h, t = 1e-4, 0.37
    pairs = [
        (flat, f"{key}", rate) for key, rate in (("hinge.phi", "hinge.w"), ("hinge.w", "hinge.a"))
    ]
    for body, sol in (("body", flat), ("body", solid)):
        for value, rate in (
            ("r", "v"),
            ("v", "a"),
            ("r_cm", "v_cm"),
            ("v_cm", "a_cm"),
            ("w", "wd"),
        ):
            pairs.append((sol, f"{body}.{value}", f"{body}.{rate}"))
    pairs.append((flat, "body.phi", "body.w"))
    pairs.append((solid, "body.frame_b.r_0", "body.frame_b.v_0"))
    for sol, value, rate in pairs:
        slope = (sol(t + h, value) - sol(t - h, value)) / (2 * h)
        assert_close(sol(t, rate), slope, atol=2e-4, err_msg=f"{value} {rate}")


@contextmanager
def counted() -> Iterator[list[int]]:
    """Count calls of numpy's functions from here on, by the profiler of the interpreter."""
    import sys

    count = [0]

    def profile(_: Any, event: str, argument: Any) -> None:
        if event == "c_call" and "numpy" in str(getattr(argument, "__module__", "") or ""):
            count[0] += 1

    sys.setprofile(profile)
    try:
        yield count
    finally:
        sys.setprofile(None)


def test_the_number_of_calls_does_not_depend_on_the_number_of_times(flat: Any) -> None:
    counts = []
    for times in (np.linspace(0, 1, 7), np.linspace(0, 1, 301)):
        flat(times, "hinge.a")  # memory for so many is made once
        with counted() as count:
            for name in ("body.r", "arm.frame_b.fx", "hinge.a"):
                flat(times, name)
        counts.append(count[0])
    assert counts[0] == counts[1] > 0


def test_a_mechanism_and_its_solution_say_what_they_are(flat: Any) -> None:
    assert repr(flat.mechanism) == (
        "<Mechanism 'flat': world, hinge, arm, second, body; 4 connections>"
    )
    assert "flat" in repr(flat)
    assert "0 s to 1.5 s" in repr(flat)
    assert "2 degrees of freedom" in repr(flat.compiled)
    assert repr(flat.mechanism.components["arm"]) == "<BodyShape 'arm' with frame_a, frame_b>"
    assert repr(flat.mechanism.components["arm"].frame_b) == "<frame arm.frame_b>"


def test_times_may_begin_anywhere() -> None:
    body = planar.Body("body", v0=(1, 0))
    sol = Mechanism("late", [planar.World(g=0), body]).simulate([5.0, 6.0, 8.0])
    assert_close(sol([5.0, 7.0, 8.0], "body.r")[:, 0], [0, 2, 3], atol=1e-6)
    assert_close(sol.times, [5, 6, 8], atol=0.0)


def test_the_same_mechanism_gives_the_same_bits(flat: Any) -> None:
    again = flat.mechanism.simulate(1.5, tolerance=1e-10)
    np.testing.assert_array_equal(again.trajectory.q, flat.trajectory.q)


def test_a_saved_solution_answers_as_before(tmp_path):
    from dynarig.core.errors import TrajectoryError
    from dynarig.core.mechanism import Mechanism, planar

    def pendulum(m=1.0):
        world, rod = planar.World("world"), planar.FixedTranslation("rod", r=(1, 0))
        hinge = planar.Revolute("hinge", d=0.1, limits=(-1.0, 1.0))
        body = planar.Body("body", m=m, I=0.1)
        made = Mechanism("pendulum", [world, hinge, rod, body])
        made.chain(world, hinge, rod, body)
        return made

    sol = pendulum().simulate(0.5, damping=0.2, passive=False)
    sol.save(tmp_path / "motion.npz")
    loaded = pendulum().load(tmp_path / "motion.npz")
    t = np.linspace(0.0, 0.5, 7)
    for name in sol.names:
        np.testing.assert_array_equal(loaded(t, name), sol(t, name), err_msg=name)
    # what a table holds is a motion without its forces, and another body has other forces
    sol.save(tmp_path / "motion.csv")
    for mechanism, file in ((pendulum(), "motion.csv"), (pendulum(m=2.0), "motion.npz")):
        with pytest.raises(TrajectoryError, match="forces are not those of the mechanism"):
            mechanism.load(tmp_path / file)


def test_components_tell_what_they_take():
    from inspect import signature

    from dynarig.core.mechanism import planar, spatial

    assert list(signature(planar.Body).parameters)[:3] == ["name", "m", "I"]
    assert signature(spatial.Body).parameters["I_11"].default == 0.001
