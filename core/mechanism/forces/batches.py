"""Force elements of one kind become one element: numpy calls do not grow with their number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, TypeVar

from ..component import Forces

Element = TypeVar("Element")
Tag = TypeVar("Tag")


def gathered(parts: Iterable[Forces]) -> Forces:
    """What all components exert, with one element for all of one kind."""
    all_of = list(parts)
    joints = [(element, ()) for part in all_of for element in part.joint_forces]
    frames = list(chain.from_iterable(part.frame_forces for part in all_of))
    return Forces(
        tuple(element for element, _ in grouped(joints)),
        tuple(grouped(frames)),
        tuple(chain.from_iterable(part.prescribed for part in all_of)),
    )


def grouped(
    elements: Sequence[tuple[Element, tuple[Tag, ...]]],
) -> list[tuple[Element, tuple[Tag, ...]]]:
    """One element for all of one class, where the class can join them; others stay as they are.

    Args:
        elements: with a tag for each of their rows, such as the frame through which it acts.

    Returns:
        In the order in which the classes first appear, with the tags in the order of the rows.
    """
    kinds: dict[object, list[tuple[Element, tuple[Tag, ...]]]] = {}
    for element, tags in elements:
        kind = type(element) if hasattr(type(element), "joined") else id(element)
        kinds.setdefault(kind, []).append((element, tags))
    out = []
    for group in kinds.values():
        first: Any = group[0][0]
        element = first if len(group) == 1 else type(first).joined([e for e, _ in group])
        out.append((element, tuple(tag for _, tags in group for tag in tags)))
    return out
