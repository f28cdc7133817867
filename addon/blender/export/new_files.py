"""Files written all or none: each beside its place first, then moved there."""

from __future__ import annotations

import contextlib
import os
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
            # what a link points to is what is written
            place = Path(os.path.realpath(path))
            if not place.parent.is_dir():
                place.parent.mkdir()
                made.append(place.parent)
            waiting[place] = _written_beside(place, content)
        for path, temporary in waiting.items():
            os.replace(temporary, path)
    except OSError as error:
        for temporary in waiting.values():
            with contextlib.suppress(OSError):
                temporary.unlink()
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        reason = error.strerror or " ".join(str(error).split())
        raise RigError(f"{path}: cannot be written: {reason}") from error


def _written_beside(place: Path, content: bytes) -> Path:
    handle, name = tempfile.mkstemp(prefix=f".{place.name[:40]}.", dir=place.parent)
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
