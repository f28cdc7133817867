"""Files written all or none: each beside its place first, then moved there."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ...errors import RigError

MODE = 0o666  # of a new file, before the user's mask


def write_files(files: Mapping[Path, bytes]) -> None:
    """Write files, in order; their folders are made where only the last part is missing.

    Until all of them are on the disk under other names, nothing that is there is touched.

    Raises:
        RigError: naming the file that cannot be written.
    """
    waiting: dict[Path, Path] = {}
    made: list[Path] = []
    path = Path()
    try:
        for path, content in files.items():
            # not where a link leads: it may lead anywhere
            if not os.path.lexists(path.parent):
                path.parent.mkdir()
                made.append(path.parent)
            place = checked_place(path)
            waiting[place] = _written_beside(place, content)
        for path, temporary in waiting.items():
            os.replace(temporary, path)
    except BaseException as error:
        for temporary in waiting.values():
            with contextlib.suppress(OSError):
                temporary.unlink()
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        if isinstance(error, OSError):
            raise _unwritable(path, error) from error
        raise


def checked_place(path: Path) -> Path:
    """Where a file is written: what a link leads to, else the path itself.

    Raises:
        RigError: for a place that can have no file: its folder is not there, a folder, device or
            pipe stands there, links lead in a circle, or the system knows no such path.
    """
    try:
        place = Path(os.path.realpath(path))
        where = "" if place == path else f" (a link leads to '{place}')"
        if not os.path.isdir(place.parent):
            os.stat(place.parent)  # where the system says why, its own words
            raise NotADirectoryError(f"'{place.parent}' is no folder{where}")
        found = _kind(place)
    except FileNotFoundError as error:
        raise RigError(
            f"{path}: its folder '{place.parent}' does not exist; make it first"
        ) from error
    except (OSError, ValueError) as error:  # ValueError: a null character
        raise _unwritable(path, error) from error
    if stat.S_ISDIR(found):
        raise RigError(f"{path}: is a folder; wanted the name of a file{where}")
    if stat.S_ISLNK(found):
        raise RigError(f"{path}: is a link that leads in a circle; wanted a file")
    if not stat.S_ISREG(found):
        raise RigError(f"{path}: is a device or pipe; wanted a file{where}")
    return place


def _kind(place: Path) -> int:
    """The mode of what stands there; that of a file where there is nothing."""
    try:
        return os.lstat(place).st_mode
    except FileNotFoundError:
        return stat.S_IFREG


def _unwritable(path: Path, error: OSError | ValueError) -> RigError:
    reason = getattr(error, "strerror", None) or " ".join(str(error).split())
    return RigError(f"{path}: cannot be written: {reason}")


def _written_beside(place: Path, content: bytes) -> Path:
    handle, name = tempfile.mkstemp(prefix=f".{place.stem[:20]}.", dir=place.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, _mode(place))
        return temporary
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _mode(place: Path) -> int:
    """The rights that a file there has or would have."""
    if place.exists():
        return place.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return MODE & ~mask
