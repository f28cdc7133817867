"""XML elements as plain values that can be changed, and their text in several styles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

import numpy as np

# what an attribute would lose or end at; always the same quotes, as faults look for pairs of them
IN_QUOTES = {'"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
COMMENTS = ("plain", '<link name="x"/>', "größe 関節", "${x}", " \n ", "&amp; & <")
# what real files have between the elements of a robot, with prefixes that nobody declared
STRANGERS = (
    '<gazebo reference="a"><sensor:camera q:x="1"/><material>Gazebo/Red</material></gazebo>',
    '<transmission name="t"><joint name="ghost"><hardwareInterface>e</hardwareInterface></joint>'
    "</transmission>",
    '<ros2_control name="s"><joint name="ghost" type="prismatic"/><link name="ghost"/>'
    '<param name="p">$(find x)/${y}</param></ros2_control>',
    "<unknown><![CDATA[<robot> & ]]></unknown>",
    "<?editor fold?>",
)


@dataclass
class Node:
    """An element: its tag, attributes and children; text between tags is left out."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def below(self) -> Iterator[Node]:
        """The element and all inside it."""
        yield self
        for child in self.children:
            yield from child.below()


def xml_text(node: Node, random: np.random.Generator | None = None) -> str:
    """The element as text.

    Args:
        node: the element.
        random: adds comments, line breaks and elements that are not a robot's between its parts;
            plain text without.
    """
    pieces: list[str] = []
    _write(node, 0, random, pieces)
    return "".join(pieces)


def _write(node: Node, depth: int, random: np.random.Generator | None, pieces: list[str]) -> None:
    attributes = "".join(
        f' {name}="{escape(value, IN_QUOTES)}"' for name, value in node.attributes.items()
    )
    if not node.children:
        pieces.append(f"<{node.tag}{attributes}/>")
        return
    pieces.append(f"<{node.tag}{attributes}>")
    for child in node.children:
        pieces.append("\n" + "  " * (depth + 1))
        if random is not None:
            pieces.append(_between(depth, random))
        _write(child, depth + 1, random, pieces)
    pieces.append("\n" + "  " * depth + f"</{node.tag}>")


def _between(depth: int, random: np.random.Generator) -> str:
    """A comment, an element that does not count, or nothing."""
    chance = random.random()
    if chance < 0.05:
        return f"<!--{COMMENTS[random.integers(len(COMMENTS))]}-->"
    if depth == 0 and chance < 0.12:
        return STRANGERS[random.integers(len(STRANGERS))]
    return ""
