"""Get Python packages with pip: into an environment, into a folder, or as wheels."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from .places import REQUIREMENTS, ROOT, cache_folder, digest, locked
from .pure_wheel import make_pure
from .stamps import read_stamp, write_stamp
from .terminal import run_quietly

ADVICE = (
    "Is the network up? pip takes its index, proxy and certificates from its own settings: "
    "see `pip config list`"
)
WHEELS = ROOT / "wheels"
PURE = "-none-any.whl"
OLDEST_PYTHON = "3.11"  # of the Blenders that the extension is for
# PyYAML comes as pure Python only inside wheels for some system; any of them would do
ONE_SYSTEM = "manylinux2014_x86_64"


def pip(python: Path, *options: str | Path, what: str, into: Path) -> None:
    """Run pip, with downloads and the filling folder counted in the sign of life."""
    # beside their goal: /tmp may be too small for 400 MB, and a later try clears this away
    downloads = into / ".download"
    downloads.mkdir(parents=True, exist_ok=True)
    run_quietly(
        [python, "-m", "pip", "--disable-pip-version-check", *options],
        what,
        advice=ADVICE,
        growing=[into],
        env={"TMPDIR": str(downloads)},
    )
    shutil.rmtree(downloads, ignore_errors=True)


def fetch_wheels() -> list[Path]:
    """The wheels that the extension bundles, in `wheels/`, checked against their hashes.

    One that is for a single system is made pure after the check.
    """
    pins = REQUIREMENTS / "wheels.txt"
    key = {"pins": digest(pins), "packing": digest(Path(__file__).with_name("pure_wheel.py"))}
    with locked(WHEELS):
        if read_stamp(WHEELS) != key:
            shutil.rmtree(WHEELS, ignore_errors=True)
            # they are for Blender's Python, whichever runs this
            options = ["--no-deps", "--require-hashes", "--only-binary=:all:"]
            options += ["--python-version", OLDEST_PYTHON, "--platform", ONE_SYSTEM]
            what = "downloading the wheels that the extension bundles"
            python = Path(sys.executable)
            pip(python, "download", *options, "-d", WHEELS, "-r", pins, what=what, into=WHEELS)
            for wheel in sorted(WHEELS.glob("*.whl")):
                if not wheel.name.endswith(PURE):
                    make_pure(wheel)
            write_stamp(WHEELS, key)
    return sorted(WHEELS.glob("*.whl"))


def fetch_robots() -> Path:
    """The folder of example robots from PyPI, in the cache: 410 MB."""
    pins = REQUIREMENTS / "robots.txt"
    folder = robots_place()
    what = f"downloading the example robots into {folder}"
    install_apart(folder, ["-r", pins], {"pins": digest(pins)}, what)
    return robots_folder(folder)


def robots_place() -> Path:
    """The folder of the cache that holds the pinned example robots."""
    return cache_folder() / f"robots-{digest(REQUIREMENTS / 'robots.txt')}"


def robots_folder(packages: Path) -> Path:
    """Where example-robot-data keeps its robots, in a folder of installed packages."""
    return packages / "cmeel.prefix" / "share" / "example-robot-data" / "robots"


def fetch_pytest(python_version: str) -> Path:
    """A folder with the test runner for a Python that is not ours, such as Blender's own."""
    pins = REQUIREMENTS / "test.txt"
    key = {"pins": digest(pins), "python": python_version}
    folder = cache_folder() / f"pytest-{python_version}-{digest(*key.values())}"
    options = ("--only-binary=:all:", f"--python-version={python_version}", "-r", pins)
    install_apart(folder, options, key, f"downloading pytest for Python {python_version}")
    return folder


def install_apart(
    folder: Path, options: Sequence[str | Path], key: dict[str, str], what: str
) -> None:
    """Install packages, without what they depend on, into a folder of their own."""
    with locked(folder):
        if read_stamp(folder) != key:
            shutil.rmtree(folder, ignore_errors=True)
            python = Path(sys.executable)
            pip(python, "install", "--no-deps", "-t", folder, *options, what=what, into=folder)
            write_stamp(folder, key)
