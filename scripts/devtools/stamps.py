"""A stamp in a folder says what was put there, so that nothing is done twice."""

import json
from pathlib import Path

STAMP = ".dynarig.json"


def read_stamp(folder: Path) -> dict[str, str]:
    """What the folder holds, or nothing where it was not finished."""
    try:
        return dict(json.loads((folder / STAMP).read_text()))
    except (OSError, ValueError):
        return {}


def write_stamp(folder: Path, content: dict[str, str]) -> None:
    """Mark the folder as finished: the last thing that a set-up step does."""
    (folder / STAMP).write_text(json.dumps(content, indent=2) + "\n")
