"""The script takes .xacro files and their arguments."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Script = Callable[..., CompletedProcess[str]]
SHORT = ("--duration", "0.2", "--fps", "10")


@pytest.fixture
def heron(root: Path) -> Path:
    return root / "tests" / "data" / "urdf" / "16_xacro_arm" / "urdf" / "heron.urdf.xacro"


def test_a_xacro_file_with_arguments(script: Script, heron: Path, tmp_path: Path) -> None:
    files = ("--csv", tmp_path / "x.csv", "--report", tmp_path / "x.json")
    arguments = ("--xacro-arg", "prefix:=l_", "gripper:=false", "typo:=1")
    done = script(heron, *files, *SHORT, *arguments)
    assert done.returncode == 0, done.stderr
    assert "typo" in done.stdout
    header = (tmp_path / "x.csv").read_text().splitlines()[0].split(",")
    joints = [name.split(" [")[0] for name in header[1:]]
    assert [name for name in joints if "." not in name] == ["l_upper_joint", "l_lower_joint"]
    assert json.loads((tmp_path / "x.json").read_text())["links"] == 3


def test_an_error_names_element_file_and_line(script: Script, tmp_path: Path) -> None:
    robot = tmp_path / "arm.xacro"
    robot.write_text('<robot name="r">\n<link name="a"/>\n<xacro:hand/></robot>')
    done = script(robot, "--csv", tmp_path / "x.csv", *SHORT)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert f"{robot}:3: <xacro:hand>: unknown macro name" in line
    assert not (tmp_path / "x.csv").exists()
