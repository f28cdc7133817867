"""Whether files are there and can be written: asked before the long work, not after it."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dynarig.core.errors import DynarigError

from .options import Options


class InputError(DynarigError):
    """A file or folder that is not there."""


class OutputError(DynarigError):
    """A product that cannot be written; the message names the file and the reason."""


def check_inputs(options: Options) -> None:
    """Check that what is to be read is there.

    Raises:
        InputError: for the first that is not.
    """
    if not options.robot.is_file():
        raise InputError(f"{options.robot}: is no file; wanted a URDF file")
    if options.trajectory and not options.trajectory.is_file():
        raise InputError(f"--trajectory {options.trajectory}: is no file; wanted a .csv or .npz")
    if options.loops and not options.loops.is_file():
        raise InputError(f"--loops {options.loops}: is no file; wanted a .json")
    contact = options.contact
    if contact.surfaces and not contact.surfaces.is_file():
        raise InputError(f"--surfaces {contact.surfaces}: is no file; wanted a .json")
    for path in contact.ground_files:
        if not path.is_file():
            raise InputError(f"--ground {path}: is no file; wanted none, floor or a mesh file")
    for folder in options.imports.package_dirs:
        if not folder.is_dir():
            raise InputError(f"--package-dir {folder}: is no folder")


def check_outputs(options: Options) -> None:
    """Check that every product can be written, is a file of its own, and overwrites no input.

    Raises:
        OutputError: for the first one that does not fit.
    """
    contact = options.contact
    given = (options.robot, options.trajectory, options.loops, contact.surfaces)
    inputs = [*contact.ground_files, *(path for path in given if path is not None)]
    taken = [(path, f"{path}, which is read") for path in inputs]
    for name, path in options.products().items():
        _check_writable(f"--{name} {path}", path)
        for other, what in taken:
            if is_same_file(path, other):
                raise OutputError(f"--{name} {path}: is also {what}; wanted a file of its own")
        taken.append((path, f"the file of --{name}"))


@contextmanager
def naming(name: str, path: Path) -> Iterator[None]:
    """Let an error of the system, such as a full disk, say which product it is about."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"--{name} {path}: cannot be written: {reason}") from error


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, by whatever links; they need not exist."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def _check_writable(label: str, path: Path) -> None:
    folder = path.absolute().parent
    if not folder.exists():
        raise OutputError(f"{label}: the folder {folder} does not exist; make it first")
    if not folder.is_dir():
        raise OutputError(f"{label}: {folder} is not a folder")
    if path.is_dir():
        raise OutputError(f"{label}: is a folder; wanted a file name")
    try:
        kind = os.stat(path).st_mode
    except FileNotFoundError:
        pass  # also a link to what is not there yet
    except OSError as error:
        raise OutputError(f"{label}: cannot be written: {error.strerror}") from error
    else:
        if not stat.S_ISREG(kind):
            raise OutputError(f"{label}: is a device or pipe; wanted a file name")
        if not os.access(path, os.W_OK):
            raise OutputError(f"{label}: the file is there and cannot be written")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(f"{label}: cannot write into {folder}: {error.strerror}") from error
