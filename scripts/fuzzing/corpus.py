"""The files of a fuzz run: valid robots, and such with faults in their structure or their bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from dynarig.core.errors import UrdfError
from dynarig.core.urdf import Robot
from dynarig.core.urdf.report import Report
from dynarig.core.urdf.xml_element import Element
from dynarig.core.urdf.xml_tree import parse_xml

from .byte_faults import damaged
from .nodes import Node, xml_text
from .random_robots import random_robot
from .structure_faults import broken

KINDS = ("valid", "broken", "broken real", "damaged", "damaged real")
SHARES = (0.15, 0.25, 0.15, 0.15, 0.3)
MOST_LINKS = 25
SMALL = 60_000  # bytes of the real files that are taken: the others only take longer
ENCODINGS = ("utf-8", "utf-8", "utf-8-sig", "utf-16")


@dataclass(frozen=True)
class FuzzFile:
    """One file: its kind, its bytes, and the robot that a valid one was made of."""

    kind: str
    data: bytes
    robot: Robot | None = None


class Corpus:
    """The files that follow from a seed and from real files."""

    def __init__(self, seed: int, originals: Sequence[Path]) -> None:
        self.seed = seed
        self.originals = [path for path in originals if path.stat().st_size <= SMALL]

    def file(self, number: int) -> FuzzFile:
        """The file of that number, the same however many others were made."""
        random = np.random.default_rng([self.seed, number])
        kind = str(random.choice(KINDS, p=SHARES))
        if not self.originals:
            kind = kind.removesuffix(" real")
        if kind.endswith("real"):
            original = self._original(random)
            if kind == "broken real":
                node = _node_of(original)
                # what is no XML has no structure
                if node is not None:
                    return FuzzFile(kind, xml_text(broken(node, random)).encode())
            return FuzzFile("damaged real", damaged(original, self._original(random), random))
        robot, node = random_robot(random, int(random.integers(1, MOST_LINKS + 1)))
        if kind == "broken":
            return FuzzFile(kind, xml_text(broken(node, random), random).encode())
        text = xml_text(node, random)
        if kind == "damaged":
            data = text.encode()
            return FuzzFile(kind, damaged(data, data[::-1], random))
        return FuzzFile(kind, _encoded(text, random), robot)

    def _original(self, random: np.random.Generator) -> bytes:
        return self.originals[random.integers(len(self.originals))].read_bytes()


def _encoded(text: str, random: np.random.Generator) -> bytes:
    """The text as bytes, with or without declaration, mark and carriage returns."""
    encoding = ENCODINGS[random.integers(len(ENCODINGS))]
    if random.random() < 0.5:
        text = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>\n{text}'
    if random.random() < 0.3:
        text = text.replace("\n", "\r\n")
    return text.encode(encoding)


def _node_of(data: bytes) -> Node | None:
    """The elements of a file, None where it is no XML."""
    try:
        return _plain(parse_xml(data.decode("utf-8", errors="replace"), Report()))
    except UrdfError:
        return None


def _plain(element: Element) -> Node:
    children = [_plain(child) for child in element.children]
    return Node(element.tag, dict(element.attributes), children)
