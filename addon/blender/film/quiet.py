"""Keep what Blender prints while it renders ("Saved: …" for each frame) out of the output."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import bpy


@contextmanager
def quiet() -> Iterator[None]:
    """Inside the block what this process prints is lost; only in a Blender without a window.

    Blender prints from C, so this has to work on the file descriptors.
    """
    if not bpy.app.background:
        yield
        return
    _flush()
    saved = [(descriptor, os.dup(descriptor)) for descriptor in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for descriptor, _ in saved:
            os.dup2(nowhere, descriptor)
        yield
    finally:
        _flush()
        for descriptor, copy in saved:
            os.dup2(copy, descriptor)
            os.close(copy)
        os.close(nowhere)


def _flush() -> None:
    """Let Python and C print what they hold back."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # no stream, or a closed one
            stream.flush()
    with suppress(OSError, TypeError, AttributeError):  # no C library by that name
        ctypes.CDLL(None).fflush(None)
