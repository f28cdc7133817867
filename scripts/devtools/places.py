"""Where things are: the checkout, and the cache outside of it."""

import contextlib
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ROOT / "requirements"
BUILD = ROOT / "build"
VENV = ROOT / ".venv"


def cache_folder() -> Path:
    """The user's cache folder for Dynarig, by the custom of the system."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "dynarig"


def digest(*parts: str | Path) -> str:
    """A short fingerprint of texts, and of the contents of files."""
    sha = hashlib.sha256()
    for part in parts:
        sha.update(part.read_bytes() if isinstance(part, Path) else part.encode())
        sha.update(b"\0")
    return sha.hexdigest()[:12]


@contextlib.contextmanager
def locked(place: Path) -> Iterator[None]:
    """Let one process at a time make `place`; others wait (on systems with POSIX locks)."""
    locks = cache_folder() / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    with open(locks / digest(str(place)), "w") as file:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
