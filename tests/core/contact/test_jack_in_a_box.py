"""The jack in the box against 14 impacts of a replay with 40 digits."""

import json
from pathlib import Path

import numpy as np
import pytest

from ...close import assert_close
from .benches import jack_contacts, jack_model

CASES = Path(__file__).parents[2] / "data" / "impact" / "jack_in_a_box.json"


@pytest.fixture(scope="module")
def case():
    return json.loads(CASES.read_text())["sets"]["A"]


@pytest.fixture(scope="module")
def motion(case):
    from dynarig.core.dynamics.contact import ContactSystem
    from dynarig.core.simulate import run, simulate

    p = case["params"]

    def drive(t, q, v):
        along = -p["kx"] * (q[0] - p["Ax"] * np.sin(2 * np.pi * t))
        up = p["mb"] * p["g"] - p["ky"] * q[1]
        return np.array([along, up, -p["kth"] * q[2], 0.0, 0.0, 0.0])

    system = ContactSystem(jack_model(p), contacts=jack_contacts(p))
    end = case["impacts"][-1]["t"] + 1e-3
    times = [0.0, *(own["t"] for own in case["samples"] if own["t"] < end), end]
    return run(simulate(system, times, case["q0"], case["v0"], tau=drive, tolerance=1e-13))


def bounds(impact):
    error = abs(impact["dop853_minus_mp_t"])
    return max(1e-10, 100 * error), max(1e-9, 1e4 * error)


def test_all_impacts_are_met(case, motion):
    assert len(motion.impacts) == len(case["impacts"]) == 14
    for hit, wanted in zip(motion.impacts, case["impacts"], strict=True):
        of_time, of_speed = bounds(wanted)
        assert hit.contacts == (f"wall {wanted['wall']} corner {wanted['corner']}",)
        assert_close(hit.time, wanted["t"], of_time)
        assert_close(hit.q, wanted["q"], of_speed)
        assert_close(hit.v_left, wanted["v_minus"], of_speed)
        assert_close(hit.v_right, wanted["v_plus"], of_speed)
        assert_close(hit.impulses, abs(wanted["lam"]), of_speed)
        assert_close(hit.speeds_right, -hit.speeds_left, 1e-12)
        assert_close(hit.lost, 0.0, 1e-12)


def test_states_between_impacts(case, motion):
    for own in case["samples"]:
        before = [hit for hit in case["impacts"] if hit["t"] < own["t"]]
        if own["t"] <= motion.times[-1]:
            bound = bounds(before[-1])[1] if before else 1e-9
            q, v = motion.sample(own["t"])
            assert_close(q, own["q"], bound)
            assert_close(v, own["v"], bound)


def test_velocities_left_and_right_of_impacts(motion):
    hit = motion.impacts[0]
    assert_close(motion.sample(hit.time, "left")[1], hit.v_left, 1e-12)
    assert_close(motion.sample(hit.time)[1], hit.v_right, 1e-12)
    assert motion.jumps[0].causes == ("impact of 'wall 3 corner 2'",)


@pytest.mark.parametrize(
    ("rule", "first", "answer"),
    [
        ("joint", None, "joint_elastic"),
        ("sequential", 2, "seed_rule_ascending"),
        ("sequential", 3, "seed_rule_descending"),
    ],
)
def test_two_corners_at_once_in_a_motion(rule, first, answer):
    from dynarig.core.dynamics.contact import ContactSystem
    from dynarig.core.simulate import run, simulate

    case = json.loads(CASES.read_text())["simultaneous"]
    contacts = jack_contacts(case["params"])
    names = [own.name for own in contacts]
    order = None
    if first is not None:
        wall = case["touching"][0][0]
        leading = f"wall {wall} corner {first}"
        order = (leading, *(name for name in names if name != leading))
    system = ContactSystem(jack_model(case["params"]), contacts=contacts, impacts=rule, order=order)
    motion = run(simulate(system, [0.0, 1e-3], case["q"], case["v_minus"], tolerance=1e-12))
    hit = motion.impacts[0]
    assert hit.time == 0.0
    assert set(hit.contacts) == {f"wall {wall} corner {c}" for wall, c in case["touching"]}
    assert_close(hit.v_right, case[answer]["v_plus"], 1e-12)
    assert_close(hit.lost, 0.0, 1e-11)
