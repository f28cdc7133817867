"""Case 15: what other readers stumble on comes in, or says what is wrong."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from ..importing.test_importer import run

FOLDER = Path(__file__).resolve().parents[3] / "data" / "urdf" / "15_xml_oddities"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
LOADING = [text.split()[0] for text in (*EXPECTED["must_load"], *EXPECTED["load_or_clear_error"])]
TOLD = {"commas.urdf": "commas", "decl_not_first.urdf": "line 2: <?xml?>"}


def test_every_file_is_in_a_list():
    listed = {*LOADING, *EXPECTED["must_refuse"]}
    assert {path.name for path in FOLDER.glob("*.urdf")} == listed


@pytest.mark.parametrize("name", LOADING)
def test_files_that_load(cases, name):
    robot = cases.load("15", name)
    (counts,) = (text for text in EXPECTED["must_load"] if " links, " in text)
    links, joints = re.search(r"(\d+) links, (\d+) joint", counts).groups()
    assert (robot.result.links, robot.result.joints) == (int(links), int(joints))
    turn = EXPECTED["b_yaw"]
    wanted = np.eye(4)
    wanted[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    wanted[:3, 3] = EXPECTED["b_xyz"]
    assert robot.links()["b"] == pytest.approx(wanted, abs=1e-6)
    assert bool(robot.result.warnings) == (name in TOLD)
    assert all(TOLD[name] in line for line in robot.result.warnings)


@pytest.mark.parametrize("name", EXPECTED["must_refuse"])
def test_files_that_are_refused(name, inventory):
    before = inventory()
    with pytest.raises(RuntimeError) as caught:
        run(FOLDER / name)
    (wanted,) = re.findall(r"\$\{\w+\}", EXPECTED["must_refuse"][name])
    message = str(caught.value)
    assert name in message
    assert wanted in message
    assert "xacro" in message
    assert "could not convert" not in message
    assert inventory() == before
