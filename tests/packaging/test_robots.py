"""dev.py robots: which files it takes, what it calls a fault, and that a crash is one finding."""

import subprocess
import sys
from pathlib import Path

import pytest
from devtools import robot_files, robots_report, terminal, workers
from robots_table.chosen_options import choice_for

GOOD = {
    "label": "arm.urdf",
    "package": "arms",
    "robot": "arm",
    "links": 3,
    "bones": 2,
    "parts": 5,
    "shown": 4,
    "absent": 1,
    "meshes": 2,
    "missing": ["package://arm/lost.stl"],
    "triangles": 1000,
    "materials": 1,
    "textures": 0,
    "empty_textures": [],
    "drivers": 0,
    "warnings": ["one"],
    "seconds": 0.5,
    "links_off": 2e-7,
    "parts_off": 3e-7,
    "excess": -1e-5,
    "peer": {"loads": True, "difference": 1e-15},
}
# stands for a Blender that becomes ready, tells of each file, and crashes or hangs on some
PROGRAM = """
import json, os, sys, time
task = json.load(open(sys.argv[1]))
print("chatter")
print({mark!r} + json.dumps({{"ready": True}}), flush=True)
for file in task["files"]:
    print("at", file, flush=True)
    if file == "crash":
        os.abort()
    if file == "leave":
        os._exit(3)
    if file == "hang":
        time.sleep(600)
    print({mark!r} + json.dumps({{"file": file, "word": task["word"]}}), flush=True)
os.abort()  # some Blenders crash when they end
"""


def program(folder: Path, text: str = PROGRAM) -> list[str | Path]:
    path = folder / "program.py"
    path.write_text(text.format(mark=workers.MARK))
    return [sys.executable, path]


def found(folder: Path, *files: str, patience: float = 60.0) -> list[dict]:
    return list(workers.findings(program(folder), files, {"word": "yes"}, {}, patience))


def test_every_file_is_told_of_in_order_whatever_crashes(tmp_path: Path) -> None:
    findings = found(tmp_path, "a", "crash", "b", "leave", "crash2", "c")
    assert [finding["file"] for finding in findings] == ["a", "crash", "b", "leave", "crash2", "c"]
    assert [finding.get("word") for finding in findings] == ["yes", None, "yes", None, "yes", "yes"]
    assert findings[1]["crash"] == "ended by SIGABRT"
    assert findings[1]["output"].endswith("    at crash")
    assert findings[3]["crash"] == "ended with exit code 3"


def test_a_file_that_hangs_is_given_up(tmp_path: Path) -> None:
    findings = found(tmp_path, "a", "hang", "b", patience=2.0)
    assert [finding.get("word") for finding in findings] == ["yes", None, "yes"]
    assert findings[1]["crash"] == "no end within 2 s"


def test_a_program_that_does_not_start_is_no_finding(tmp_path: Path) -> None:
    command = program(tmp_path, "raise SystemExit('no Blender here')")
    with pytest.raises(
        terminal.DevError, match=r"does not start \(ended with exit code 1\)\n .*no B"
    ):
        list(workers.findings(command, ["a"], {}, {}))


def test_a_robot_that_came_in_whole_has_no_fault() -> None:
    assert robots_report.faults(GOOD) == []
    assert robots_report.remarks({**GOOD, "faults": []}) == ["  missing: package://arm/lost.stl"]


def test_chosen_options_are_told_with_their_reason() -> None:
    choice = choice_for(Path("/robots/icub_description/robots/icub.urdf"))
    assert choice is not None and choice.told() == "collada_up=APPLY"
    record = {**GOOD, "missing": [], "options": choice.told(), "reason": choice.reason}
    (line,) = robots_report.remarks({**record, "faults": []})
    assert line.startswith("  options: collada_up=APPLY: its Collada files")
    assert choice_for(Path("/robots/arm_description/arm.urdf")) is None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"excess": 1e-9}, "poses differ from the core's: links 2.0e-07, shapes 3.0e-07"),
        ({"shown": 3}, "1 of 5 shapes did not come in"),
        ({"empty_textures": ["lost.png"]}, "textures hold nothing: lost.png"),
        ({"peer": {"loads": True, "difference": 2e-9}}, "core and pinocchio differ by 2.0e-09"),
        ({"peer": {"loads": True, "difference": float("nan")}}, "core and pinocchio differ"),
        ({"peer": {"crash": "ended by SIGSEGV", "output": ""}}, "beside pinocchio: ended by"),
        ({"peer": {"exception": "Traceback …"}}, "beside pinocchio: Traceback"),
    ],
)
def test_each_fault_is_told(change: dict, fault: str) -> None:
    (told,) = robots_report.faults({**GOOD, **change})
    assert told.startswith(fault)


def test_a_file_that_does_not_come_in_is_a_fault_where_another_reads_it() -> None:
    refused = {"label": "x.urdf", "package": "x", "refused": "x.urdf:1: why"}
    assert robots_report.faults({**refused, "peer": {"loads": True}}) == [
        "pinocchio loads it; refused: x.urdf:1: why"
    ]
    record = {**refused, "peer": {"loads": False}, "faults": []}
    assert robots_report.faults(record) == []
    assert robots_report.remarks(record) == ["  refused, by pinocchio too: x.urdf:1: why"]
    crashed = {"label": "x.urdf", "package": "x", "crash": "no end", "output": "", "peer": {}}
    assert robots_report.faults(crashed)
    assert "does not come in" in robots_report.row(crashed)


def test_the_sums_name_the_robots_with_faults() -> None:
    bad = {**GOOD, "label": "bad.urdf", "links_off": 0.5, "faults": ["poses differ"]}
    lines = robots_report.summary([{**GOOD, "faults": []}, bad], 3.0)
    assert "2 of 2 files come in, 6 links, 4 meshes and 2 missing" in lines[1]
    assert "Blender is 5.0e-01 from the core" in lines[1]
    assert lines[-1] == "FAIL: bad.urdf"
    assert robots_report.summary([{**GOOD, "faults": []}], 3.0)[-1] == "nothing is wrong"


def test_rows_are_as_long_as_their_heading() -> None:
    long = {**GOOD, "label": "deep/" * 30 + "arm.urdf"}
    assert len(robots_report.row(GOOD)) == len(robots_report.HEAD) == len(robots_report.row(long))


def test_a_folder_gives_robots_and_no_parts_of_them(tmp_path: Path) -> None:
    texts = {
        "b/arm.urdf": '<robot name="arm"/>',
        "a.xacro": '<robot name="a"><xacro:include filename="parts/named.xacro"/></robot>',
        "parts/named.xacro": '<robot name="part"/>',
        "parts/macro.xacro": '<robot xmlns:xacro="http://ros.org/wiki/xacro"/>',
        "c.txt": '<robot name="c"/>',
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    files = robot_files.robot_files(str(tmp_path), None)
    assert [file.label for file in files] == ["a.xacro", "b/arm.urdf"]
    assert [file.label for file in robot_files.robot_files(str(tmp_path), "b/a*f")] == [
        "b/arm.urdf"
    ]
    with pytest.raises(terminal.DevError, match=f"no robot file like panda in {tmp_path}"):
        robot_files.robot_files(str(tmp_path), "panda")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--package", "nowhere"), "--package nowhere: wanted one of example-robot-data, jvrc-"),
        (("--package", "nowhere", "--bpy", "1.0"), "no bpy 1.0: wanted one of 4.2.23"),
    ],
)
def test_what_is_not_there_is_refused_first(
    root: Path, arguments: tuple[str, ...], message: str
) -> None:
    command = [sys.executable, root / "scripts" / "dev.py", "robots", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"dev.py: {message}")


def test_every_package_is_pinned(root: Path) -> None:
    pins = (root / "requirements" / "more-robots.txt").read_text()
    names = [line.split("==")[0] for line in pins.splitlines() if not line.startswith("#")]
    assert sorted(names) == sorted(robot_files.MORE)
    assert pins.count("--hash=sha256:") == len(names)
