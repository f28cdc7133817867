"""Virtual environments with a pinned content, made once and renewed when a pin changes."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .interpreters import find_python, first_python
from .libraries import ensure_libraries
from .packages import fetch_wheels, pip
from .pins import default_order, python_of
from .places import REQUIREMENTS, VENV, cache_folder, digest, locked
from .stamps import read_stamp, write_stamp
from .terminal import run_quietly

NO_VENV = "The package python3-venv of the system may be missing: sudo apt-get install python3-venv"


@dataclass(frozen=True)
class Environment:
    """A virtual environment with Blender's wheel in it."""

    folder: Path
    bpy: str

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return interpreter_in(self.folder)


def interpreter_in(folder: Path) -> Path:
    """The interpreter of a virtual environment."""
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def default_environment() -> Environment:
    """`.venv` in the checkout: Blender's wheel, the test runner, lint and type checkers."""
    order = default_order()
    kept = read_stamp(VENV).get("bpy")
    if kept in order:
        return blender_environment(VENV, kept, ["test.txt", "static.txt"])
    python = first_python([python_of(bpy) for bpy in order])
    bpy = next(bpy for bpy in order if find_python(python_of(bpy)) == python)
    return blender_environment(VENV, bpy, ["test.txt", "static.txt"])


def environment_for(bpy: str) -> Environment:
    """The environment of another Blender, in the cache; `.venv` where it has that Blender."""
    if read_stamp(VENV).get("bpy") == bpy:
        return default_environment()
    key = digest(REQUIREMENTS / "test.txt")
    folder = cache_folder() / f"bpy-{bpy}-python-{python_of(bpy)}-{key}"
    return blender_environment(folder, bpy, ["test.txt"])


def blender_environment(folder: Path, bpy: str, pins: Sequence[str]) -> Environment:
    """An environment with a bpy wheel and pinned packages; wheels/ and libraries beside it."""
    files = [REQUIREMENTS / name for name in pins]
    environment = Environment(folder, bpy)
    key = {"bpy": bpy, "pins": digest(*files)}
    fetch_wheels()
    ensure_libraries()
    with locked(folder):
        if not is_ready(folder, key):
            make_venv(folder, find_python(python_of(bpy)))
            options = [f"bpy=={bpy}", *requirement_options(files)]
            what = f"installing bpy {bpy} (400 MB to load) into {folder}"
            pip(environment.python, "install", *options, what=what, into=folder)
            run_quietly([environment.python, "-c", "import bpy"], "starting Blender once")
            write_stamp(folder, key)
    return environment


def plain_environment() -> Path:
    """The interpreter of an environment in the cache with numpy and pytest, nothing else."""
    return environment_without_blender("core", ["numpy>=1.26"], "test.txt")


def bench_environment(name: str) -> Path:
    """The interpreter of an environment in the cache with what a benchmark compares with."""
    return environment_without_blender(f"bench-{name}", [], f"bench-{name}.txt")


def environment_without_blender(name: str, packages: Sequence[str], pins: str) -> Path:
    """The interpreter of an environment in the cache, of the Python that runs this."""
    version = "{}.{}".format(*sys.version_info)
    files = [REQUIREMENTS / pins]
    key = {"python": version, "pins": digest(*files)}
    folder = cache_folder() / f"{name}-python-{version}-{digest(*files)}"
    with locked(folder):
        if not is_ready(folder, key):
            make_venv(folder, Path(sys.executable))
            options = [*packages, *requirement_options(files)]
            what = f"installing the packages of {pins} into {folder}"
            pip(interpreter_in(folder), "install", *options, what=what, into=folder)
            write_stamp(folder, key)
    return interpreter_in(folder)


def is_ready(folder: Path, key: dict[str, str]) -> bool:
    """True when the folder was finished with this content and its Python is still there."""
    return read_stamp(folder) == key and interpreter_in(folder).exists()


def make_venv(folder: Path, python: Path) -> None:
    """Make an empty environment, over whatever an interrupted run left."""
    run_quietly([python, "-m", "venv", "--clear", folder], f"making {folder}", advice=NO_VENV)


def requirement_options(files: Sequence[Path]) -> list[str | Path]:
    """The options that make pip read requirement files."""
    return [option for file in files for option in ("-r", file)]
