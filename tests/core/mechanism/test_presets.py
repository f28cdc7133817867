"""Mechanisms of the menu: each one runs as it comes, and the jack in the box has its numbers."""

import inspect
import json

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError
from dynarig.core.mechanism import Mechanism
from dynarig.core.mechanism.picture import picture
from dynarig.core.mechanism.presets import PRESETS, jack_in_a_box

from ...close import assert_close


@pytest.fixture(scope="module")
def cases(data):
    return json.loads((data / "impact" / "jack_in_a_box.json").read_text())


@pytest.mark.parametrize("preset", PRESETS, ids=lambda own: own.name)
def test_a_preset_runs_as_it_comes(preset):
    assert preset.make.__name__ == preset.name
    for parameter in inspect.signature(preset.make).parameters.values():
        assert parameter.kind is parameter.KEYWORD_ONLY
        assert parameter.default is not parameter.empty
    assert preset.title
    assert "\n" not in preset.text
    assert preset.duration > 0.0
    made = preset.make()
    assert isinstance(made, Mechanism)
    sol = made.simulate(0.2)
    assert sol.times[-1] == 0.2
    assert picture(made.compile()).solids


def test_names_and_titles_are_unique():
    for own in ("name", "title"):
        assert len({getattr(preset, own) for preset in PRESETS}) == len(PRESETS)


def test_the_defaults_are_those_of_the_case(cases):
    """The first impacts; tests/core/contact/test_jack_in_a_box.py has all of them."""
    case = cases["sets"]["A"]
    given = jack_in_a_box(**case["params"], q0=case["q0"], v0=case["v0"])
    hits = given.simulate(0.95, tolerance=1e-11).trajectory.impacts
    for hit, wanted in zip(hits, case["impacts"][:3], strict=True):
        assert hit.contacts == (f"wall {wanted['wall']} corner {wanted['corner']}",)
        assert_close(hit.time, wanted["t"], 1e-8)
        assert_close(hit.v_right, wanted["v_plus"], 1e-6)
    one, two = given.compile(), jack_in_a_box().compile()
    assert_close(one.q, two.q, 0.0)
    assert_close(one.v, two.v, 0.0)
    states = (0.3, 0.2 + one.q, one.v)
    assert_close(one.system.accelerations(*states), two.system.accelerations(*states), 1e-10)


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [("joint", "joint_elastic"), ("sequential", "repeated_until_separating")],
)
def test_two_corners_at_once_by_both_rules(cases, rule, wanted):
    case = cases["simultaneous"]
    # a little before: up along the motion, with neither gravity nor springs
    back, v = 0.01, np.array(case["v_minus"])
    still = {**case["params"], "g": 0.0, "kx": 0.0, "ky": 0.0, "kth": 0.0, "Ax": 0.0}
    start = np.array(case["q"]) - back * v
    made = jack_in_a_box(**still, q0=start, v0=v, impacts=rule)
    (hit,) = made.simulate(2.0 * back).trajectory.impacts
    assert set(hit.contacts) == {"wall 3 corner 2", "wall 3 corner 3"}
    assert_close(hit.time, back, 1e-12)
    assert_close(hit.v_right, case[wanted]["v_plus"], 1e-10)


def test_energy_is_kept_by_elastic_impacts_and_lost_by_others():
    sol = jack_in_a_box().simulate(1.5, tolerance=1e-11)
    assert sol.trajectory.energy_drift < 1e-7
    assert all(abs(hit.lost) < 1e-10 for hit in sol.trajectory.impacts)
    sol = jack_in_a_box(restitution=0.5).simulate(1.5)
    assert all(hit.lost > 0.0 for hit in sol.trajectory.impacts)


def test_with_friction_it_is_for_time_stepping():
    made = jack_in_a_box(friction=0.3, restitution=0.2)
    with pytest.raises(ArgumentError, match="friction: exact impacts are frictionless"):
        made.simulate(1.0)
    sol = made.simulate(1.5, method="time-stepping")
    # the tips stay inside
    gaps = [sol(sol.times, f"wall {k} corner {n}.gap") for k in range(4) for n in range(4)]
    assert np.min(gaps) > -1e-3
    walls = [own for own in picture(made.compile()).solids if own.component.startswith("wall")]
    assert [own.size[0] for own in walls] == [2.0] * 4


@pytest.mark.parametrize("name", ["mb", "mj", "Lb", "Lj", "kx", "g", "restitution", "q0"])
def test_wrong_parameters_are_refused_by_name(name):
    wrong = np.zeros(5) if name == "q0" else -1.0
    with pytest.raises(ArgumentError, match=f"{name}: wanted"):
        jack_in_a_box(**{name: wrong})


def test_a_jack_that_starts_outside_is_refused():
    # with its arms along the box's its tips touch the walls, askew they are inside
    fits = 2.0**0.5
    for lean in (0.0, 0.2, np.pi / 4.0):
        jack_in_a_box(Lj=fits, q0=(0.3, 0.1, 0.5, 0.3, 0.1, 0.5 + lean))
    with pytest.raises(ArgumentError, match=r"q0: wanted the tips .* 0.002 m beyond a wall"):
        jack_in_a_box(Lj=fits, q0=(0.3, 0.0, 0.0, 0.302, 0.0, 0.0))
    with pytest.raises(ArgumentError, match="all inside the box"):
        jack_in_a_box(Lj=3.0)
