"""The test runs: everything, the core alone, another wheel, a real Blender."""

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from .blender import find_blender
from .environments import default_environment, environment_for, plain_environment
from .extension import build, tool_of
from .packages import fetch_pytest, fetch_robots, fetch_wheels
from .places import ROOT
from .terminal import DevError, say
from .threads import with_one_thread

RUNNER = ROOT / "scripts" / "devtools" / "run_tests.py"
TESTS = ROOT / "tests"
ALL = (str(TESTS),)
# what depends on the Blender it runs in, or on the numpy that comes with it
IN_BLENDER = (*ALL, f"--ignore={TESTS / 'packaging'}")
CORE = (str(TESTS / "core"), str(TESTS / "docs"))
TIMEOUT = 45 * 60.0  # s for one run: far above the slowest, to end a Blender that hangs


def test_all(options: Sequence[str]) -> int:
    """Every test, with the default Blender wheel; return pytest's exit code."""
    environment = default_environment()
    robots = fetch_robots()
    build(tool_of(environment))
    return run([environment.python, RUNNER, *with_default(options, ALL)], robots)


def test_core(options: Sequence[str]) -> int:
    """The tests of the core and of its documents' numbers, with numpy, pytest and our wheels."""
    fetch_wheels()
    return run([plain_environment(), "-m", "pytest", *with_default(options, CORE)])


def test_wheel(bpy: str, options: Sequence[str]) -> int:
    """The tests of add-on, scripts and core on a given Blender wheel."""
    environment = environment_for(bpy)
    robots = fetch_robots()
    build(tool_of(environment))
    say(f"tests on bpy {bpy}")
    return run([environment.python, RUNNER, *with_default(options, IN_BLENDER)], robots)


def test_blender(options: Sequence[str]) -> int:
    """The same tests inside a real `blender --background`."""
    blender = find_blender()
    packages = fetch_pytest(blender.python_version())
    robots = fetch_robots()
    # temporary files go to this machine's folder for them, not into the chroot
    bind = [ROOT, packages, robots, Path(tempfile.gettempdir())]
    build(blender.command("--command", "extension", bind=bind))
    where = f"in {blender.chroot}" if blender.chroot else blender.program
    say(f"tests on Blender {blender.version()} {where}")
    start = ("--background", "--factory-startup", "--python-exit-code", "1", "--python", RUNNER)
    arguments = (f"--rootdir={ROOT}", *with_default(options, IN_BLENDER))
    env = {"DYNARIG_TEST_PACKAGES": str(packages)}
    return run(blender.command(*start, "--", *arguments, bind=bind), robots, env)


def with_default(options: Sequence[str], default: Sequence[str]) -> list[str]:
    """Pytest's arguments: the given ones, and those of the run where they name no tests."""
    given = [absolute(option) for option in options]
    named = any(option.startswith(str(TESTS)) for option in given)
    return [*given, *([] if named else default)]


def absolute(option: str) -> str:
    """An argument with the path of tests made absolute: a Blender in a chroot starts elsewhere."""
    name, equals, path = option.rpartition("=")
    return f"{name}{equals}{ROOT / path}" if path.startswith("tests/") else option


def run(
    command: Sequence[str | Path], robots: Path | None = None, env: Mapping[str, str] | None = None
) -> int:
    """Run tests in the foreground, with Blender's settings in a folder that is deleted after."""
    with tempfile.TemporaryDirectory(prefix="dynarig-user-") as settings:
        variables = {**(env or {}), "BLENDER_USER_RESOURCES": settings}
        if robots:
            variables["DYNARIG_ROBOTS"] = str(robots)
        command = [str(part) for part in command]
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                env=with_one_thread(variables),
                stdin=subprocess.DEVNULL,
                timeout=TIMEOUT,
            )
        except subprocess.TimeoutExpired as error:
            raise DevError(f"the tests did not end within {TIMEOUT / 60:.0f} minutes") from error
    return done.returncode
