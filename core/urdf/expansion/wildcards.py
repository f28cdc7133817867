"""Files by a name with wildcards, looked for among a bounded number of folder entries."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

WILDCARDS = re.compile(r"[*?[]")
MOST_ENTRIES = 20_000  # of folders looked at in one expansion: 0.1 s, ten times a large package


def matching(folder: Path, pattern: str, count: Callable[[], None]) -> list[Path]:
    """The paths that a pattern (* ? [a-z]) means, in alphabetical order.

    Names that begin with a dot are found by patterns that do; `**` is read as `*`.

    Args:
        folder: where a relative pattern starts.
        pattern: a path, each part a name or a pattern of names.
        count: is called for each entry of a folder.
    """
    path = Path(pattern)
    found = [Path(path.anchor) if path.is_absolute() else folder]
    for part in path.parts[1:] if path.is_absolute() else path.parts:
        if WILDCARDS.search(part):
            found = [below for above in found for below in _below(above, part, count)]
        else:
            found = [above / part for above in found]
    return sorted(path for path in found if os.path.exists(path))


def _below(folder: Path, pattern: str, count: Callable[[], None]) -> Iterator[Path]:
    matches = re.compile(fnmatch.translate(os.path.normcase(pattern))).match
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                count()
                hidden = entry.name.startswith(".") and not pattern.startswith(".")
                if not hidden and matches(os.path.normcase(entry.name)):
                    yield folder / entry.name
    except OSError:
        return  # no folder, or one that may not be read
