"""dev.py fuzz: its table, what it keeps of a fault, and a short run."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from devtools import fuzz
from devtools.terminal import DevError


def record(number: int, outcome: str, **more: Any) -> dict[str, Any]:
    return {
        "file": str(number),
        "kind": "valid",
        "outcome": outcome,
        "seconds": 0.01 * number,
        "fault": "",
        **more,
    }


def test_the_table_counts_and_names_the_slowest() -> None:
    records = [record(1, "loaded"), record(2, "loaded"), record(3, "refused: number")]
    records.append(record(4, "fault", kind="?", fault="ended by SIGSEGV"))
    lines = [line.split() for line in fuzz.report(records, 7.0)]
    assert ["?", "valid", "all"] in lines
    told = [" ".join(words) for words in lines[: lines.index(["?", "valid", "all"])]]
    assert all(line in told for line in fuzz.LEGEND)
    assert ["loaded", "2", "2"] in lines
    assert ["refused:", "number", "1", "1"] in lines
    assert " ".join(lines[-2]) == (
        "slowest to read: 0.040 s (file 4), 0.030 s (file 3), 0.020 s (file 2)"
    )
    assert " ".join(lines[-1]) == "4 files, 1 faults, 7 s"


def test_the_file_of_a_fault_is_kept_with_its_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "FOLDER", tmp_path)
    current = tmp_path / "robot.urdf"
    current.write_bytes(b"<robot")
    bad = record(12, "loaded", fault="x" * 5000)
    kept = fuzz.keep(current, bad, 3)
    assert (kept.name, kept.read_bytes()) == ("seed-3-12.urdf", b"<robot")
    line = fuzz.fault_line(bad, 3, kept)
    assert line.startswith(f"FAULT seed 3, file 12 (valid), {kept}: xxx")
    assert len(line) < 1000


@pytest.mark.parametrize(
    ("ending", "fault"),
    [
        ("raise ValueError('broken')", "ValueError: broken"),
        ("os.kill(os.getpid(), 9)", "ended by SIGKILL"),
        ("time.sleep(100)", "no end within 3 s"),
    ],
)
def test_a_file_that_ends_or_holds_up_the_program_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path, ending: str, fault: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        f"import os, sys, time\nsys.path.insert(0, {str(root / 'scripts')!r})\n"
        "from robots_table.task import work_through\n"
        "def look(name):\n    if name.name == '1':\n"
        f"        {ending}\n"
        "    return {'kind': 'valid', 'outcome': 'loaded', 'seconds': 0.0, 'fault': ''}\n"
        "work_through(lambda task: look)\n"
    )
    monkeypatch.setattr(fuzz, "PROGRAM", program)
    monkeypatch.setattr(fuzz, "PATIENCE", 3.0)
    found = list(fuzz.tried(Path(sys.executable), [], 3, 1, tmp_path / "robot.urdf"))
    assert [item["file"] for item in found] == ["0", "1", "2"]
    assert [bool(item["fault"]) for item in found] == [False, True, False]
    assert fault in found[1]["fault"]


def test_a_run_without_files_is_refused() -> None:
    with pytest.raises(DevError, match="--count 0: wanted 1 or more"):
        fuzz.run_fuzz(0, 1)


def test_a_short_run_of_the_command(root: Path) -> None:
    command = [sys.executable, str(root / "scripts" / "dev.py"), "fuzz", "--count", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "20 files of seed 1 on bpy" in done.stdout
    assert "\n20 files, 0 faults, " in done.stdout
