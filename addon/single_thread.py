"""One thread for the linear algebra of numpy while a motion is computed.

A robot's matrices are small: OpenBLAS takes longer to wake its threads than one of them takes for
the work, and where the other cores are busy it waits for them besides. How many it has can be
chosen by a variable of the environment, which must be there before numpy is loaded and which
nobody sets for Blender, or while it runs, as here, by the library threadpoolctl.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


@contextmanager
def single_thread() -> Iterator[None]:
    """Inside, BLAS uses one thread; after it, as many as before.

    A decorator too, and it may be nested. It takes some 20 µs, and does nothing where threadpoolctl
    is missing and where numpy has no BLAS with threads of its own, as in Debian's Blender. The
    threads of BLAS belong to the whole process, so nothing may be yielded from within: other
    add-ons get theirs between two slices of work.
    """
    blas = _blas()
    if blas is None:
        yield
        return
    with blas.limit(limits=1, user_api="blas"):
        yield


@cache
def _blas() -> Any:
    """What sets the threads of all BLAS that are loaded, or None where there is none to set."""
    try:
        with _no_byte_code():
            from threadpoolctl import ThreadpoolController
        found = ThreadpoolController().select(user_api="blas")
    # what is there to save time must not cost a motion
    except (ImportError, OSError):
        return None
    return found if len(found) else None


@contextmanager
def _no_byte_code() -> Iterator[None]:
    """Inside, Python keeps no compiled file of what it imports.

    Of a wheel that is a single file Blender removes that file alone, and would leave the other.
    """
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before
