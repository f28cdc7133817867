"""The file that a picture or a scene goes to: asked for before the work, filled after it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..core.errors import ArgumentError
from .errors import RenderError


def target_file(path: str | os.PathLike[str], suffixes: tuple[str, ...]) -> Path:
    """The path of a file that can be written there; one that is there stays as it is.

    Raises:
        ArgumentError: for what is no path, or has another suffix.
        RenderError: where no file can be written.
    """
    try:
        target = Path(path)
    except TypeError as error:
        raise ArgumentError(f"path: wanted the name of a file, got {path!r}") from error
    if target.suffix.lower() not in suffixes or "\0" in str(target):
        endings = " or ".join(suffixes)
        raise ArgumentError(f"path: wanted a file name that ends in {endings}, got {str(target)!r}")
    if not os.path.isdir(target.absolute().parent):
        raise RenderError(f"{target}: its folder does not exist; make it first")
    with naming(target):
        _try_to_write(target)
    return target


@contextmanager
def naming(target: Path) -> Iterator[None]:
    """Turn what the system says inside the block into an error that names the file.

    Raises:
        RenderError: in the place of an OSError.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or " ".join(str(error).split())
        raise RenderError(f"{target}: cannot be written: {reason}") from error


def _try_to_write(target: Path) -> None:
    """Open a file for writing, and leave everything as it was.

    Raises:
        OSError: where that cannot be done.
    """
    # what a link points to is what is written
    place = Path(os.path.realpath(target))
    try:
        with place.open("xb"):
            pass
    except FileExistsError:
        if not place.is_file():
            raise OSError("what is there is no file") from None
        with place.open("r+b"):  # changes neither content nor time
            pass
    else:
        place.unlink()
