"""Where trajectories go to and what they are of: files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ..dynamics import Model, System
from ..errors import TrajectoryError

FOLDER_OR_DEVICE = "is no file but a folder or a device"


@contextmanager
def whole_file(path: Path | str) -> Iterator[BinaryIO]:
    """A file to write to, which takes its place under `path` when all is written.

    Until then it stands beside it under another name. Where anything fails it is removed, and what
    stood under `path` before is as it was.

    Raises:
        TrajectoryError: for what is no path, and for a file that cannot be written, naming it.
    """
    place = checked_path(path)
    try:
        target = Path(os.path.realpath(place))  # a link stays one
        if target.exists():
            if not target.is_file():
                raise OSError(FOLDER_OR_DEVICE)
            if not os.access(target, os.W_OK):
                raise PermissionError("is protected against writing")
        part = target.with_name(f".dynarig-{secrets.token_hex(8)}.part")
        with open(part, "xb") as file:
            try:
                yield file
                file.close()  # a full disk may show only here
                if target.exists():
                    shutil.copymode(target, part)
                os.replace(part, target)
            except BaseException:
                with suppress(OSError):
                    file.close()
                with suppress(OSError):
                    part.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise TrajectoryError(f"{path}: cannot be written: {error}") from error


def checked_path(path: object) -> Path:
    """A path as a caller gives it.

    Raises:
        TrajectoryError: for anything but text and paths.
    """
    given = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(given, str) or not given or "\0" in given:
        raise TrajectoryError(f"path: wanted the path of a file, got {path!r}")
    return Path(given)


def checked_system(model: object) -> System:
    """A model or a system as a System.

    Raises:
        TrajectoryError: for anything else.
    """
    if isinstance(model, System):
        return model
    if isinstance(model, Model):
        return System(model)
    raise TrajectoryError(
        f"model: wanted a Model or a System, got {model!r}; of a mechanism that is "
        "mechanism.compile().system"
    )
