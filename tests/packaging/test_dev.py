"""dev.py: what it says, what it finds, and that nothing half-made is taken for whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from devtools import environments, interpreters, libraries, places, stamps, terminal
from devtools.demo import Demo, run_demo
from devtools.pins import PYTHON_OF_BPY, default_order, python_of
from devtools.suites import with_default

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="shell scripts stand for Pythons")
RUNNING = "{}.{}".format(*sys.version_info)


def dev(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "scripts" / "dev.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_help_names_every_command(root: Path) -> None:
    text = dev(root, "--help").stdout
    assert all(command in text for command in ("demo", "test", "build", "docs"))
    assert all(option in dev(root, "test", "--help").stdout for option in PYTHON_OF_BPY)


def test_every_option_is_explained_and_so_are_the_columns(root: Path) -> None:
    fuzz, robots = dev(root, "fuzz", "--help").stdout, dev(root, "robots", "--help").stdout
    assert "same seed makes the same files" in " ".join(fuzz.split())
    for name in ("valid", "broken", "damaged", "broken real, damaged real"):
        assert f"{name}: " in " ".join(fuzz.split())
    for name in ("off", "peer"):
        assert f"{name}: how far" in " ".join(robots.split())
    for text in (fuzz, robots):
        options = [line.split() for line in text.splitlines() if line.startswith("  -")]
        assert all(len(words) > 2 for words in options), options


def test_an_unknown_wheel_is_refused_with_those_that_exist(root: Path) -> None:
    done = dev(root, "test", "--bpy", "9.9.9")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        "dev.py: no bpy 9.9.9: wanted one of 4.2.23, 4.5.15, 5.0.1, 5.2.3, 5.3.0\n"
    )


def test_the_default_wheel_fits_the_running_python_where_one_does() -> None:
    first = default_order()[0]
    assert first in PYTHON_OF_BPY
    assert python_of(first) == RUNNING or RUNNING not in {"3.11", "3.13"}


@linux_only
def test_an_interpreter_that_does_not_run_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # as a pyenv shim does when the version is there but not chosen
    program(tmp_path / "shims" / "python3.77", "#!/bin/sh\nexit 127\n")
    good = program(tmp_path / "pyenv/versions/3.77.2/bin/python3", "#!/bin/sh\necho 3.77 venv\n")
    program(tmp_path / "pyenv/versions/3.77.1/bin/python3", "#!/bin/sh\necho 3.77 venv\n")
    monkeypatch.setenv("PATH", str(tmp_path / "shims"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    assert interpreters.installed_python("3.77") == good


@linux_only
def test_a_python_without_venv_is_told_apart_from_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert "pyenv install 3.78" in interpreters.how_to_install("3.78")
    program(tmp_path / "python3.78", "#!/bin/sh\necho 3.78 bare\n")
    assert interpreters.installed_python("3.78") is None
    assert "sudo apt-get install python3.78-venv" in interpreters.how_to_install("3.78")


@linux_only
def test_missing_libraries_are_named_with_the_command_that_installs_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(libraries, "PACKAGES", {"libnone7": "libdynarig-none.so.7"})
    assert libraries.missing_packages()[0] == "libnone7"
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(terminal.DevError, match=r"sudo apt-get install .* libnone7\n"):
        libraries.apt_install(["libnone7"], "a test")


def test_an_unfinished_environment_is_not_ready(tmp_path: Path) -> None:
    key = {"bpy": "5.0.1", "pins": "abc"}
    python = program(environments.interpreter_in(tmp_path), "")
    assert not environments.is_ready(tmp_path, key)
    stamps.write_stamp(tmp_path, key)
    assert environments.is_ready(tmp_path, key)
    assert not environments.is_ready(tmp_path, {**key, "pins": "other"})
    python.unlink()
    assert not environments.is_ready(tmp_path, key)


def test_a_damaged_stamp_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / stamps.STAMP).write_text('{"bpy": ')
    assert stamps.read_stamp(tmp_path) == {}


@linux_only
def test_the_cache_is_where_the_system_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert places.cache_folder() == tmp_path / "dynarig"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert places.cache_folder() == Path.home() / ".cache" / "dynarig"


def test_a_short_step_that_succeeds_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.run_quietly([sys.executable, "-c", "print('noise')"], "a step")
    assert capsys.readouterr() == ("", "")


def test_a_step_that_fails_shows_its_output_and_what_to_do() -> None:
    code = "import sys; print('the reason'); sys.exit(7)"
    with pytest.raises(terminal.DevError) as caught:
        terminal.run_quietly([sys.executable, "-c", code], "a step", advice="try this")
    assert str(caught.value) == "a step: failed with exit code 7\n    the reason\ntry this"


def test_a_long_step_gives_signs_of_life(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(terminal, "SHORT", 0.05)
    monkeypatch.setattr(terminal, "HEARTBEAT", 0.05)
    wait = [sys.executable, "-c", "import time; time.sleep(1.0)"]
    terminal.run_quietly(wait, "a long step", growing=[tmp_path])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "a long step …"
    assert lines[1] == "    0 s, 0 MB"


def test_the_demo_names_its_files_after_the_robot(tmp_path: Path) -> None:
    files = Demo(out=tmp_path).products("ur5").values()
    assert {file.name for file in files} == {"ur5.blend", "ur5.csv", "ur5.mp4", "ur5.png"}
    files = Demo(out=tmp_path, render=False).products("ur5").values()
    assert {file.name for file in files} == {"ur5.blend", "ur5.csv"}


def test_arguments_for_pytest_may_name_tests_or_not(root: Path) -> None:
    assert with_default(["-k", "core"], ["all"]) == ["-k", "core", "all"]
    assert with_default(["tests/core"], ["all"]) == [str(root / "tests/core")]
    left_out = ["--ignore=tests/core", "-x"]
    assert with_default(left_out, ["all"]) == [f"--ignore={root / 'tests/core'}", "-x", "all"]


@pytest.mark.parametrize("value", ["", " ", "0.0"])
def test_a_wheel_without_a_name_runs_no_other_tests(root: Path, value: str) -> None:
    done = dev(root, "test", "--bpy", value)
    assert done.returncode == 1
    assert "wanted one of" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_demo_into_a_file_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, robot = tmp_path / "file", tmp_path / "robot.urdf"
    taken.touch()
    robot.touch()
    monkeypatch.setattr("devtools.demo.default_environment", lambda: None)
    for out in (taken, taken / "below"):
        with pytest.raises(terminal.DevError, match=f"--out {out}: cannot be made a folder"):
            run_demo(Demo(robot, out))
