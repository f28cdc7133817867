"""XML as the library xacro works on it, each element with the file and line it came from.

Comments and blanks between tags are left out: nothing reads them, and xacro would evaluate them.
Prefixes need not be declared, as in the rest of this reader.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.dom import minidom
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from ...errors import UrdfError
from ..report import Report
from ..xml_element import shortened
from ..xml_repair import blank, late_declaration, without_comments
from ..xml_tree import parse_xml

# letters of other languages included; stricter where the text is read again
NAME = re.compile(r"[^\W\d][\w.:-]*")


SHOWN_CALLS = 3  # of macros in macros: the innermost


@dataclass(frozen=True)
class Place:
    """Where an element starts, and the macro calls that it is there by, innermost first."""

    file: Path
    line: int
    calls: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def told_path(steps: tuple[str, ...]) -> str:
    """The end of a message: how xacro got there, innermost first."""
    shown = [f"; {step}" for step in steps[:SHOWN_CALLS]]
    more = len(steps) - SHOWN_CALLS
    rest = f"; and {more} more around it" if more > 0 else ""
    return "".join(shown) + rest


class PlacedElement(minidom.Element):
    """An element that knows its place, and whose copies do.

    calls: of macros that have put it, and all in it, where it is; innermost first.
    written_name: what its attribute `name` was, of a call: the library empties those.
    """

    calls: tuple[str, ...] = ()
    written_name: str | None = None

    def __init__(self, tag: str, document: minidom.Document, place: Place) -> None:
        super().__init__(tag)
        self.ownerDocument = document
        self.place = place

    def cloneNode(self, deep: bool) -> PlacedElement:  # noqa: N802  # minidom calls it so
        """A copy without a parent; minidom's own would lose the place."""
        document = self.ownerDocument
        assert isinstance(document, minidom.Document)
        copy = PlacedElement(self.tagName, document, self.place)
        copy.calls = self.calls
        for name, value in self.attributes.items():
            put_attribute(copy, name, value)
        if deep:
            children: list[Any] = self.childNodes
            for child in children:
                copy.appendChild(child.cloneNode(True))
        return copy


def put_attribute(element: minidom.Element, name: str, value: str) -> None:
    """Add an attribute.

    The prefix stands for the namespace: without one minidom takes `a:name` and `name` for the same.
    """
    prefix, _, local = name.rpartition(":")
    attribute = minidom.Attr(name, prefix or None, local, prefix or None)
    attribute.ownerDocument = element.ownerDocument
    attribute.value = value
    element.setAttributeNode(attribute)


def read_document(text: str, file: Path, report: Report) -> minidom.Document:
    """The text of a file as a document of placed elements.

    Raises: UrdfError for all that parse_xml refuses: it comes first.
    """
    parse_xml(text, report)
    late = late_declaration(text)
    if late is not None:
        text = text[: late[0]] + blank(text[late[0] : late[1]]) + text[late[1] :]
    try:
        return _build(text, file)
    except expat.ExpatError:
        return _build(without_comments(text), file)


def _build(text: str, file: Path) -> minidom.Document:
    document = minidom.Document()
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True  # one text, one node
    parser.ordered_attributes = True
    path: list[Any] = [document]

    def start(tag: str, attributes: list[str]) -> None:
        element = PlacedElement(tag, document, Place(file, parser.CurrentLineNumber))
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            put_attribute(element, name, value)
        path[-1].appendChild(element)
        path.append(element)

    def characters(data: str) -> None:
        if not data.isspace():
            path[-1].appendChild(document.createTextNode(data))

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _tag: path.pop()
    parser.CharacterDataHandler = characters
    parser.Parse(text, True)
    return document


@dataclass
class PlacedText:
    """XML text, and for each of its lines the place that it came from."""

    lines: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text as a whole."""
        return "\n".join([*self.lines, ""])

    def add(self, text: str, place: Place) -> None:
        """Add a line, or several from one place."""
        lines = text.split("\n")
        self.lines += lines
        self.places += [place] * len(lines)


def write_document(document: minidom.Document) -> PlacedText:
    """The document as text, each element on a line of its own.

    Raises: UrdfError for a name that an expression has given and XML does not allow.
    """
    root = document.documentElement
    assert isinstance(root, PlacedElement)
    written = PlacedText()
    written.add('<?xml version="1.0"?>', Place(root.place.file, 1))
    # what is still to be written: an element, or the text of an end tag or between tags
    waiting: list[tuple[minidom.Element | str, int, Place]] = [(root, 0, root.place)]
    while waiting:
        item, depth, place = waiting.pop()
        if isinstance(item, str):
            written.add("  " * depth + item, place)
            continue
        place = _place_of(item, place.calls)
        children: list[Any] = [child for child in item.childNodes if _is_written(child)]
        written.add("  " * depth + _start_tag(item, "" if children else "/", place), place)
        if children:
            waiting.append((f"</{item.tagName}>", depth, place))
        for child in reversed(children):
            shown = escape(str(child.data)).strip() if isinstance(child, minidom.Text) else child
            waiting.append((shown, depth + 1, place))
    return written


def _place_of(element: minidom.Element, calls_around: tuple[str, ...]) -> Place:
    """The place of an element, with all macro calls that it is there by."""
    assert isinstance(element, PlacedElement)
    calls = (*element.calls, *calls_around)
    return replace(element.place, calls=calls) if calls else element.place


def _is_written(node: object) -> bool:
    if isinstance(node, minidom.Text):
        return bool(str(node.data).strip())
    return isinstance(node, minidom.Element)


def _start_tag(element: minidom.Element, end: str, place: Place) -> str:
    # values and names that expressions gave need not be texts
    attributes = {str(name): str(value) for name, value in element.attributes.items()}
    for name in (str(element.tagName), *attributes):
        if not NAME.fullmatch(name):
            raise UrdfError(
                f"{place}: <{shortened(str(element.tagName))}>: '{shortened(name)}' is no name for "
                "an element or attribute; wanted a letter, then letters, digits, '_', '-', '.', ':'"
            )
    given = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
    return f"<{element.tagName}{given}{end}>"
