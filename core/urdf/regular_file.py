"""Reading files that a description names: regular ones only, and never more than is allowed.

A name may lead to a pipe, a device or a file of the system's, such as /proc/kmsg, which claims to
be a regular file of no bytes and whose reading never ends.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

BLOCK = 1 << 20  # bytes


def has_content(path: Path) -> bool:
    """Whether a path leads to a regular file with at least one byte, as the system says."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size > 0


def read_regular(path: Path, most: int) -> bytes:
    """The bytes of a regular file, at most `most + 1` of them: one more tells that it is larger.

    A file is empty where its size is 0, whatever reading it would give.

    Raises:
        OSError: it cannot be read, or is a folder, pipe or device.
        ValueError: the path holds what no path may hold.
    """
    # a pipe would be waited for already when it is opened
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "is no file", str(path))
        blocks, left = [], most + 1 if status.st_size else 0
        while left > 0:
            block = os.read(descriptor, min(left, BLOCK))
            if not block:
                break
            blocks.append(block)
            left -= len(block)
        return b"".join(blocks)
    finally:
        os.close(descriptor)
