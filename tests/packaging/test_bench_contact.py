"""When the benchmark of contact fails, what it measures, and that both engines get the same."""

import struct
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from benchmarks.contact import REAL_TIME, landing_faults, landing_speeds, real_time_fault
from benchmarks.contact_cases import (
    BALL,
    BOUNCE,
    CASES,
    DROP,
    EDGE,
    FALLING,
    ROLLS,
    ROUGH,
    SPEED,
    STACK,
    STEEP,
    bounce_error,
    drift,
    on_slope,
    rolling_error,
    rolling_speed_error,
    rolls_after,
)
from benchmarks.contact_scenes import (
    ACCURATE,
    STEP,
    G,
    Played,
    bouncing,
    model_text,
    our_system,
    ours,
)
from benchmarks.solo12 import POSE, Landed, for_mujoco, moved, stl_points
from devtools.bench import BENCHMARKS, ENVIRONMENTS, OF_ROBOTS

from ..close import assert_close


def played(times: Any, place: Any, velocity: Any, spin: Any = 0.0) -> Played:
    """A motion of one piece by (n, 3) each."""
    shape = (len(times), 1, 3)
    parts = [
        np.broadcast_to(np.asarray(own, dtype=float), (len(times), 3)).reshape(shape)
        for own in (place, velocity, spin)
    ]
    return Played("ideal", times, *parts)


def test_the_bench_is_known_and_needs_robots_and_the_environment_of_the_dynamics() -> None:
    assert "contact" in BENCHMARKS
    assert ENVIRONMENTS["contact"] == "dynamics"
    assert "contact" in OF_ROBOTS


def test_slower_than_real_time_is_a_fault_beyond_noise() -> None:
    assert REAL_TIME == 1.0
    # the median misses it, but a quarter of the rounds keeps to it
    assert real_time_fault("it", np.array([0.9, 0.9, 0.9, 1.1, 1.1])) is None
    fault = real_time_fault("it", np.array([0.9, 0.9, 0.9, 0.9, 1.1]))
    assert fault == "it: 0.90 times as fast as real time, wanted at least 1"


def test_a_landing_that_seems_too_slow_is_measured_again(monkeypatch: Any) -> None:
    asked = []

    def measure(works: Any, _: float, rounds: int) -> Any:
        asked.append(rounds)
        return np.full((rounds, len(works)), 0.5 if len(asked) == 1 else 2.0)

    monkeypatch.setattr("benchmarks.contact.speeds", measure)
    factors, faults = landing_speeds([int, int])
    assert faults == []
    assert factors.tolist() == [2.0, 2.0]
    assert asked[1] > asked[0]


def test_a_robot_that_sinks_in_shakes_or_does_not_converge_is_a_fault() -> None:
    good = Landed("dynarig", deepest=1e-5, jitter=1e-6, height=0.2)
    assert landing_faults(good, 0) == []
    assert "sinks in by 2.0e-03" in landing_faults(replace(good, deepest=2e-3), 0)[0]
    assert "shakes by 2.0e-04" in landing_faults(replace(good, jitter=2e-4), 0)[0]
    assert "3 steps" in landing_faults(good, 3)[0]
    assert len(landing_faults(replace(good, deepest=np.nan, jitter=np.nan), 0)) == 2


def test_a_case_fails_by_its_limit() -> None:
    case = CASES[0]
    assert case.fault(0.5 * case.limit) is None
    assert case.fault(2.0 * case.limit) is not None
    assert case.fault(float("nan")) is not None
    assert len({own.name for own in CASES}) == len(CASES)


def test_a_ball_by_its_closed_form_is_not_off() -> None:
    times = np.linspace(0.0, ROLLS, 401)
    rolls = rolls_after(SPEED, ROUGH)
    assert rolls == pytest.approx(2.0 * SPEED / (7.0 * ROUGH * G))
    until = np.minimum(times, rolls)
    speed = SPEED - ROUGH * G * until
    spin = 2.5 * ROUGH * G * until / EDGE
    zero = np.zeros_like(times)

    def motion(of_speed: float) -> Played:
        velocity = np.stack((of_speed * speed, zero, zero), axis=1)
        return played(times, 0.0, velocity, np.stack((zero, of_speed * spin, zero), axis=1))

    assert_close(rolling_error(motion(1.0)), 0.0, 1e-9)
    assert_close(rolling_speed_error(motion(1.0)), 0.0, 1e-9)
    assert rolling_speed_error(motion(1.05)) == pytest.approx(0.05)


def test_a_bounce_by_its_closed_form_is_not_off() -> None:
    hit = np.sqrt(2.0 * DROP / G)
    times = np.linspace(0.0, 0.8, 1601)

    def motion(e: float) -> Played:
        after = np.maximum(times - hit, 0.0)
        z = np.where(
            times < hit, DROP - 0.5 * G * times**2, e * G * hit * after - 0.5 * G * after**2
        )
        v = np.where(times < hit, -G * times, e * G * hit - G * after)
        zero = np.zeros_like(z)
        return played(times, np.stack((zero, zero, z + EDGE), 1), np.stack((zero, zero, v), 1))

    assert bounce_error(motion(BOUNCE)) < 1e-4
    assert bounce_error(motion(0.8)) == pytest.approx(1.0 - (0.8 / BOUNCE) ** 2, abs=1e-3)


def test_drift_and_jitter_are_the_furthest_ways() -> None:
    places = np.zeros((3, 2, 3))
    places[1, 1] = (3.0, 4.0, 0.0)
    assert drift(Played("it", np.arange(3.0), places, places, places)) == 5.0
    assert moved(places) == 5.0


@pytest.mark.parametrize("scene", [STACK, BALL, FALLING, on_slope(float(STEEP))])
def test_both_engines_get_the_same_scene(scene: Any) -> None:
    system, q, v = our_system(scene)
    root = ElementTree.fromstring(model_text(scene, ACCURATE))
    bodies = root.findall("worldbody/body")
    assert len(bodies) == len(scene.pieces) == len(system.colliders) - 1
    for index, (body, piece) in enumerate(zip(bodies, scene.pieces, strict=True)):
        assert floats(body.get("pos")) == q[7 * index : 7 * index + 3].tolist() == [*piece.place]
        geom, inertial = body.find("geom"), body.find("inertial")
        assert geom is not None
        assert inertial is not None
        assert floats(geom.get("size")) == [*piece.size]
        assert floats(inertial.get("diaginertia")) == piece.inertia.tolist()
        assert float(geom.get("friction", "")) == scene.friction
        assert v[6 * index + 3 : 6 * index + 6].tolist() == [*piece.velocity]
    option = root.find("option")
    assert option is not None
    assert floats(option.get("gravity")) == [*scene.gravity]
    assert float(option.get("timestep", "")) == STEP


def floats(text: str | None) -> list[float]:
    """The numbers of an attribute."""
    return [float(word) for word in (text or "").split()]


def test_the_default_step_is_that_of_the_bench() -> None:
    from dynarig.core.stepping import STEP as OURS

    assert OURS == STEP


def test_ours_plays_a_scene() -> None:
    motion = ours(FALLING, 0.1)
    assert motion.times.tolist() == pytest.approx((STEP * np.arange(51)).tolist())
    fall = EDGE + DROP - 0.5 * G * motion.times**2
    assert_close(motion.place[:, 0, 2], fall, 1e-4)
    assert_close(motion.velocity[:, 0, 2], -G * motion.times, 1e-9)


def test_the_peers_spring_bounces_as_it_should() -> None:
    stiffness, damping = (-value for value in floats(bouncing(0.9)))
    # a damped half swing from the meeting to the parting
    rate = np.sqrt(stiffness - 0.25 * damping**2)
    assert np.exp(-0.5 * damping * np.pi / rate) == pytest.approx(0.9)


ROBOT = """<robot name="r"><link name="base"><visual/><collision/></link><link name="leg"/>
<joint name="j" type="revolute"><parent link="base"/><child link="leg"/></joint></robot>"""


def test_the_robot_floats_for_the_peer_and_is_not_drawn() -> None:
    root = ElementTree.fromstring(for_mujoco(ROBOT))
    assert root.findall(".//visual") == []
    assert len(root.findall(".//collision")) == 1
    joint = root.find("joint[@name='root']")
    assert joint is not None
    assert joint.get("type") == "floating"
    ends = [joint.find(end) for end in ("parent", "child")]
    assert [end.get("link") for end in ends if end is not None] == ["world", "base"]


def test_the_pose_is_of_all_knees_and_hips() -> None:
    assert len(POSE) == 8
    assert POSE["FL_KFE"] == -POSE["HR_KFE"] == -2.0 * POSE["FR_HFE"]


def test_points_of_a_mesh_are_each_there_once(tmp_path: Any) -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], dtype="<f4")
    data = bytes(80) + struct.pack("<I", 2)
    for triangle in ((0, 1, 2), (1, 3, 2)):
        data += np.zeros(3, "<f4").tobytes() + corners[list(triangle)].tobytes() + b"\0\0"
    (tmp_path / "two.stl").write_bytes(data)
    assert sorted(stl_points(tmp_path / "two.stl").tolist()) == sorted(corners.tolist())
