"""The values of options: texts to numbers, sizes and coordinates, each with its own error."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable

FRAME_RATES = (0.01, 1000.0)  # frames per second that a scene and a film can have
SIZES = (64, 8192)  # pixels
# the add-on's own, which cannot be asked without Blender
SCALES = (1e-6, 1e6)
LONGEST_BONE = 1e6  # m


def is_negative_number(text: str) -> bool:
    """Whether a text is a number with a minus sign."""
    try:
        float(text)
    except ValueError:
        return False
    return text.startswith("-")


def number(text: str) -> float:
    """A finite number."""
    return checked(text, lambda value: True, "a finite number")


def positive(text: str) -> float:
    """A finite number above 0."""
    return checked(text, lambda value: value > 0.0, "a number above 0")


def not_negative(text: str) -> float:
    """A finite number, 0 or more."""
    return checked(text, lambda value: value >= 0.0, "a number, 0 or more")


def fraction(text: str) -> float:
    """A number from 0 to 1."""
    return checked(text, lambda value: 0.0 <= value <= 1.0, "a number from 0 to 1")


def scale(text: str) -> float:
    """The scale of a robot."""
    low, high = SCALES
    return checked(text, lambda value: low <= value <= high, f"a number from {low:g} to {high:g}")


def bone_length(text: str) -> float:
    """The length of bones, m; 0 leaves it open."""
    wanted = f"a length in m from 0 (a pleasant one for each bone) to {LONGEST_BONE:g}"
    return checked(text, lambda value: 0.0 <= value <= LONGEST_BONE, wanted)


def detail(text: str) -> float:
    """The part of triangles that is kept."""
    return checked(text, lambda value: 0.0 < value <= 1.0, "a number above 0, to 1")


def frame_rate(text: str) -> float:
    """Frames per second."""
    low, high = FRAME_RATES
    return checked(text, lambda value: low <= value <= high, f"a number from {low:g} to {high:g}")


def one_of(*names: str) -> Callable[[str], str]:
    """A name out of some, in either letter case, as the add-on has it: in capitals."""

    def read(text: str) -> str:
        if text.lower() not in names:
            wanted = f"{', '.join(names[:-1])} or {names[-1]}"
            raise argparse.ArgumentTypeError(f"wanted {wanted}, got {text.strip()!r}")
        return text.upper()

    return read


def checked(text: str, fits: Callable[[float], bool], wanted: str) -> float:
    """The number in a text, where it fits."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and fits(value)):
        raise argparse.ArgumentTypeError(f"wanted {wanted}, got {text.strip()!r}")
    return value


def coordinate(text: str) -> tuple[str, float]:
    """JOINT=VALUE; the name may hold an equals sign, the value cannot."""
    name, equals, value = text.rpartition("=")
    if not (equals and name):
        raise argparse.ArgumentTypeError(f"wanted JOINT=VALUE, got {text!r}")
    return name, number(value)


def xacro_argument(text: str) -> tuple[str, str]:
    """Name and value of an argument of a .xacro file; the value may be empty."""
    name, given, value = text.strip().partition(":=")
    if not given or not name.strip():
        raise argparse.ArgumentTypeError(f"wanted NAME:=VALUE, got {text.strip()!r}")
    return name.strip(), value


def frame_size(text: str) -> tuple[int, int]:
    """WxH in pixels; films want even numbers."""
    match = re.fullmatch(r"(\d+)[xX](\d+)", text)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    low, high = SIZES
    if not all(low <= side <= high and side % 2 == 0 for side in size):
        raise argparse.ArgumentTypeError(
            f"wanted WxH with even numbers from {low} to {high}, got {text!r}"
        )
    return size
