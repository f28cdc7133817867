"""Find a Python of a wanted version, or get one through uv."""

import functools
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .places import cache_folder, locked
from .terminal import DevError, NoInterpreter, output_of, run_quietly

UV = "uv==0.13.8"
RUNNING = "{}.{}".format(*sys.version_info)
# prints the version, and whether virtual environments with pip can be made
PROBE = (
    "import sys, importlib.util as u;"
    "print('%d.%d' % sys.version_info[:2], 'venv' if u.find_spec('ensurepip') else 'bare')"
)


def find_python(version: str) -> Path:
    """Return a Python of this version ("3.11") that can make virtual environments.

    Raises:
        NoInterpreter: there is none, and none can be had.
    """
    return first_python([version])


@functools.cache
def installed_python(version: str) -> Path | None:
    """An interpreter of this version on this machine; each candidate is run to be sure."""
    for candidate in candidates(version):
        if output_of([candidate, "-c", PROBE], timeout=20) == f"{version} venv":
            return candidate
    return None


def first_python(versions: Sequence[str]) -> Path:
    """The first of these versions that is installed, else the first that uv can get."""
    for version in versions:
        python = installed_python(version)
        if python:
            return python
    for version in versions:
        python = python_from_uv(version)
        if python:
            return python
    raise NoInterpreter(how_to_install(versions[0]))


def candidates(version: str) -> Iterator[Path]:
    """Interpreters that may fit, best first; a pyenv shim among them may still refuse to run."""
    if version == RUNNING:
        yield Path(sys.executable)
    for folder in os.get_exec_path():
        for name in (f"python{version}", "python3", "python"):
            found = shutil.which(name, path=folder)
            if found:
                yield Path(found)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for release in sorted(pyenv.glob(f"versions/{version}.*"), key=micro_version, reverse=True):
        yield release / "bin" / "python3"
    if sys.platform == "win32":
        found = output_of(["py", f"-{version}", "-c", "import sys; print(sys.executable)"])
        if found:
            yield Path(found)


def micro_version(folder: Path) -> int:
    """The last number of a folder named 3.11.7, or -1 where it is not a plain release."""
    last = folder.name.rpartition(".")[2]
    return int(last) if last.isdigit() else -1


@functools.cache
def python_from_uv(version: str) -> Path | None:
    """Let uv, kept in the cache, find or download this Python; None where it cannot."""
    place = cache_folder() / "uv"
    uv = place / ("Scripts/uv.exe" if sys.platform == "win32" else "bin/uv")
    try:
        with locked(place):
            if not uv.exists():
                run_quietly(
                    [sys.executable, "-m", "venv", "--clear", place],
                    f"Python {version} is not installed: asking uv for one",
                )
                python = uv.with_name("python")
                run_quietly([python, "-m", "pip", "install", "--quiet", UV], "installing uv")
            pythons = {"UV_PYTHON_INSTALL_DIR": str(cache_folder() / "python")}
            run_quietly(
                [uv, "python", "install", "--no-bin", version],
                f"downloading Python {version} with uv",
                env=pythons,
            )
            os.environ.update(pythons)
            found = output_of([uv, "python", "find", "--managed-python", version])
    except DevError:
        return None
    return Path(found) if found else None


def how_to_install(version: str) -> str:
    """What to say when no interpreter fits."""
    if not sys.platform.startswith("linux"):
        return f"no Python {version} found, and uv could not get one. Install it from python.org"
    for candidate in candidates(version):
        if output_of([candidate, "-c", PROBE], timeout=20) == f"{version} bare":
            return (
                f"{candidate} cannot make virtual environments. Install that part of it with\n\n"
                f"    sudo apt-get install python{version}-venv\n"
            )
    return (
        f"no Python {version} found, and uv could not get one. Install it where it is found: on "
        f"PATH (`sudo apt-get install python{version} python{version}-venv` where the "
        f"distribution has it) or among pyenv's versions (`pyenv install {version}`)"
    )
