"""The robot files of packages on PyPI, fetched into the cache, and of any folder."""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from .packages import fetch_robots, install_apart
from .places import REQUIREMENTS, cache_folder, digest
from .terminal import DevError

EXAMPLES = "example-robot-data"
# package on PyPI -> the folder that it installs
MORE = {
    "jvrc-description": "jvrc_description",
    "dexmate-urdf": "dexmate_urdf",
    "hello-robot-stretch-urdf": "stretch_urdf",
}
PACKAGES = (EXAMPLES, *MORE)
# in .xacro files; a part that others include may lack the name
NAMED_ROBOT = re.compile(r"<robot\b[^>]*\sname\s*=")


@dataclass(frozen=True)
class RobotFile:
    """A robot file: the package it is from, its path, and its path inside the package."""

    package: str
    path: Path
    label: str


def robot_files(package: str | None, only: str | None) -> list[RobotFile]:
    """The robot files of one package or folder, or of all packages.

    Args:
        package: one of PACKAGES, or a folder; all packages if none.
        only: a pattern that a part of the label has to match; `*` and `?` are as in file names.

    Raises:
        DevError: for what is neither, and where nothing is left.
    """
    places = {name: folder_of(name) for name in ([package] if package else PACKAGES)}
    files = [file for name, folder in places.items() for file in files_below(name, folder)]
    if only is not None:
        files = [file for file in files if fnmatchcase(file.label, f"*{only}*")]
    if not files:
        folders = ", ".join(map(str, places.values()))
        raise DevError(f"no robot file{f' like {only}' if only else ''} in {folders}")
    return files


def folder_of(package: str) -> Path:
    """The folder of a package, fetched where it is not in the cache; or the folder itself."""
    if package == EXAMPLES:
        return fetch_robots()
    if package in MORE:
        return fetch_more_robots() / MORE[package]
    folder = Path(package)
    if not folder.is_dir():
        raise DevError(f"--package {package}: wanted one of {', '.join(PACKAGES)}, or a folder")
    return folder.resolve()


def fetch_more_robots() -> Path:
    """The folder with the packages of more-robots.txt, in the cache: 65 MB to load, 200 MB."""
    pins = REQUIREMENTS / "more-robots.txt"
    key = {"pins": digest(pins)}
    folder = cache_folder() / f"robots-more-{digest(pins)}"
    options = ("--require-hashes", "-r", pins)
    install_apart(folder, options, key, f"downloading more robots into {folder}")
    return folder


def files_below(package: str, folder: Path) -> list[RobotFile]:
    """All robot files below a folder, by their names."""
    found = [*folder.rglob("*.urdf"), *whole_robots(folder)]
    return [RobotFile(package, path, path.relative_to(folder).as_posix()) for path in sorted(found)]


def whole_robots(folder: Path) -> list[Path]:
    """The .xacro files below a folder that are a robot with a name, and no part of another."""
    texts = {
        path: path.read_text(encoding="utf-8", errors="replace") for path in folder.rglob("*.xacro")
    }
    return [
        path
        for path, text in texts.items()
        if NAMED_ROBOT.search(text)
        and not any(path.name in other for file, other in texts.items() if file != path)
    ]
