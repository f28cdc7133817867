"""What a .npz file of a trajectory holds, each entry checked when it is asked for."""

from __future__ import annotations

import io
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray, frozen
from ..dynamics import Model
from ..errors import TrajectoryError
from .columns import columns_of

FORMAT, VERSION = "dynarig trajectory", 1
# a joint whose limits were taken away, or which was given some, still moves as it did
ALIKE = {"revolute": "continuous"}
Array = NDArray[Any]
# what zipfile and numpy raise for files that are none, or damaged
UNREADABLE = (
    *(OSError, EOFError, ValueError, RuntimeError, MemoryError, ArithmeticError, TypeError),
    *(KeyError, zipfile.BadZipFile, zlib.error, tokenize.TokenError),
)


@dataclass(frozen=True)
class Content:
    """The arrays of a file, by name. Whatever does not fit is a TrajectoryError with the file."""

    path: str
    arrays: Mapping[str, Array]

    def error(self, reason: str) -> TrajectoryError:
        """That the file is not what it should be."""
        return TrajectoryError(f"{self.path}: is no trajectory of Dynarig: {reason}")

    def numbers(self, name: str, shape: tuple[int | None, ...]) -> FloatArray:
        """Finite numbers of a shape, in which None is any size."""
        array = self._get(name)
        fits = array.ndim == len(shape) and all(
            size in (None, given) for size, given in zip(shape, array.shape, strict=True)
        )
        if not fits or array.dtype.kind not in "fi" or not np.isfinite(array).all():
            wanted = "(" + ", ".join("any" if n is None else str(n) for n in shape) + ")"
            raise self.error(
                f"'{name}': wanted finite numbers of shape {wanted}, got {array.dtype} of shape "
                f"{array.shape}"
            )
        return frozen(np.array(array, dtype=np.float64, order="C"))

    def times(self, name: str, least: int) -> FloatArray:
        """Increasing times."""
        times = self.numbers(name, (None,))
        if len(times) < least or (np.diff(times) <= 0.0).any():
            raise self.error(f"'{name}': wanted increasing times, at least {least}")
        return times

    def number(self, name: str) -> float:
        """A finite number."""
        return float(self.numbers(name, ()))

    def count(self, name: str) -> int:
        """A whole number, 0 or more."""
        value = self.number(name)
        if value < 0.0 or value != int(value):
            raise self.error(f"'{name}': wanted a whole number, got {value:g}")
        return int(value)

    def flag(self, name: str) -> bool:
        """Yes or no."""
        array = self._get(name)
        if array.shape or array.dtype.kind != "b":
            raise self.error(f"'{name}': wanted true or false")
        return bool(array)

    def text(self, name: str) -> str:
        """One text."""
        array = self._get(name)
        if array.shape or array.dtype.kind != "U":
            raise self.error(f"'{name}': wanted a text")
        return str(array)

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        array = self._get(name)
        if array.ndim != 1 or array.dtype.kind != "U":
            raise self.error(f"'{name}': wanted a list of texts")
        return [str(text) for text in array]

    def _get(self, name: str) -> Array:
        if name not in self.arrays:
            raise self.error(f"has no entry '{name}'")
        return self.arrays[name]


def read_content(path: Path | str) -> Content:
    """Read a file.

    Raises:
        TrajectoryError: for a file that is no trajectory, or one of a later version.
    """
    try:
        with zipfile.ZipFile(path) as file:
            arrays = {
                name.removesuffix(".npy"): _array(file.read(name)) for name in file.namelist()
            }
    except UNREADABLE as error:
        raise TrajectoryError(f"{path}: cannot be read as a trajectory (.npz): {error}") from error
    content = Content(str(path), arrays)
    if content.text("format") != FORMAT:
        raise content.error(f"'format': wanted '{FORMAT}', got '{content.text('format')}'")
    version = content.count("version")
    if version != VERSION:
        raise TrajectoryError(f"{path}: is of version {version}; this Dynarig reads {VERSION}")
    return content


def _array(data: bytes) -> Array:
    """The array in the bytes of a .npy file."""
    array = np.load(io.BytesIO(data), allow_pickle=False)
    if not isinstance(array, np.ndarray):
        raise ValueError("an entry is no array")
    return array


def check_joints(content: Content, model: Model) -> None:
    """Raise a TrajectoryError that names the joints which the file and the model do not share."""
    joints, kinds = content.texts("joints"), content.texts("joint_types")
    if len(joints) != len(kinds):
        raise content.error("'joint_types': wanted one for each joint")
    theirs = dict(zip(joints, kinds, strict=True))
    ours = {joint: str(model.joint_types[joint]) for joint in model.joint_names}
    columns = columns_of(model)
    differ = [f"'{joint}' is missing there" for joint in ours if joint not in theirs]
    differ += [f"'{joint}' is missing here" for joint in theirs if joint not in ours]
    q_names = content.texts("q_names")
    for joint in ours:
        if joint not in theirs:
            continue
        there, here = (ALIKE.get(kind, kind) for kind in (theirs[joint], ours[joint]))
        if there != here:
            differ.append(f"'{joint}' is {theirs[joint]} there and {ours[joint]} here")
        elif not {column.name for column in columns.q[model.q_slices[joint]]} <= set(q_names):
            differ.append(f"'{joint}' has other coordinates there")
    if not differ and joints != list(ours):
        differ = ["they stand in another order"]
    if differ:
        raise TrajectoryError(
            f"{content.path}: is a motion of '{content.text('model')}', whose joints are not those "
            f"of '{model.name}': {'; '.join(differ)}"
        )
    for name, part in (("q", columns.q), ("v", columns.v), ("a", columns.a)):
        for entry, wanted in (
            (f"{name}_names", [column.name for column in part]),
            (f"{name}_units", [column.unit for column in part]),
        ):
            if content.texts(entry) != wanted:
                raise content.error(f"'{entry}': wanted {', '.join(wanted)}")
