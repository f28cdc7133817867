"""When the benchmark of the dynamics fails, and that both packages get the same robot."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

import pytest
from benchmarks.dynamics import FRAMES, LIMITS, Line
from benchmarks.robots import ROBOTS, bare_text, tree_text
from benchmarks.rounds import Compared, compared

TEXT = """<robot name="r">
<link name="a"><visual/><collision/><inertial/></link><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><mimic joint="k"/></joint>
<joint name="k" type="revolute"><parent link="a"/><child link="b"/></joint></robot>"""


@pytest.fixture
def line() -> Line:
    return Line("Panda", "forward dynamics", 1, int, int, difference=1e-12)


def test_a_line_fails_by_a_difference_or_by_a_limit_missed_beyond_noise(line: Line) -> None:
    assert line.limit == 25.0
    # the median misses the limit, but a quarter of the rounds keeps to it
    assert line.fault(Compared(1.0, 1.0, ratio=26.0, at_best=24.0)) is None
    assert line.fault(Compared(1.0, 1.0, 27.0, 26.0)) == "ratio 27.00, wanted at most 25"
    off = replace(line, difference=1e-7).fault(Compared(1.0, 1.0, 1.0, 1.0))
    assert off == "results differ by 1.0e-07 of the largest entry"
    assert replace(line, difference=float("nan")).fault(Compared(1.0, 1.0, 1.0, 1.0)) is not None
    # without a promise nothing is too slow
    assert replace(line, states=1024).fault(Compared(1.0, 1.0, 99.0, 99.0)) is None


def test_what_the_issue_promises_is_checked() -> None:
    assert LIMITS["Panda", "forward dynamics", 1] == 25.0
    assert LIMITS["G1", "forward dynamics", 1] == 8.0
    assert LIMITS["Panda", "forward dynamics", 64] == 2.5
    assert all(LIMITS[name, "poses, kept", FRAMES] == 1.0 for name in ROBOTS)


def test_a_line_that_seems_too_slow_is_measured_again(monkeypatch: Any, line: Line) -> None:
    asked = []

    def measure(_: Any, __: Any, seconds: float) -> Compared:
        asked.append(seconds)
        return Compared(1.0, 1.0, 30.0, 30.0 if len(asked) == 1 else 20.0)

    monkeypatch.setattr("benchmarks.dynamics.compared", measure)
    assert line.fault(line.measured()) is None
    assert len(asked) == 2
    assert asked[1] > asked[0]


def test_a_ratio_is_ours_over_theirs(monkeypatch: Any) -> None:
    # work that says itself how long it takes
    monkeypatch.setattr("benchmarks.rounds.timed", lambda work, repeats: work())
    assert compared(lambda: 3.0, lambda: 2.0, seconds=0.0) == Compared(3.0, 2.0, 1.5, 1.5)


def test_a_bare_robot_has_nothing_to_draw_and_its_held_joints_are_fixed() -> None:
    root = ElementTree.fromstring(bare_text(TEXT, ("j",)))
    assert [part.tag for part in root.findall("link")[0]] == ["inertial"]
    held, free = root.findall("joint")
    assert (held.get("type"), held.find("mimic")) == ("fixed", None)
    assert free.get("type") == "revolute"


@pytest.mark.parametrize(("bush", "depth"), [(False, 15), (True, 4)])
def test_grown_trees_have_the_depth_of_their_kind(bush: bool, depth: int) -> None:
    from dynarig.core.dynamics import compile_robot
    from dynarig.core.dynamics.pose_plan import depths
    from dynarig.core.urdf import parse_urdf

    model = compile_robot(parse_urdf(tree_text(15, bush)))
    assert (model.nv, int(depths(model).max())) == (15, depth)
