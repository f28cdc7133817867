"""What a robot's text holds besides what is read: simulator sections, comments, and the order.

The elements that this reader does not know are kept as they stand, letter by letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from ..xml_repair import blank, late_declaration, without_comments
from .xml_text import NOT_IN_XML

# what is read, and so is written anew: at the top, and inside links and joints
READ: Mapping[str, frozenset[str]] = {
    "material": frozenset(),
    "link": frozenset(("inertial", "visual", "collision")),
    "joint": frozenset(
        (
            *("origin", "parent", "child", "axis", "limit", "dynamics", "mimic"),
            *("calibration", "safety_controller"),
        )
    ),
}
OWNERS = ("link", "joint")  # whose unknown elements are kept
ROBOT, TOP, INSIDE = 1, 2, 3  # depth of the elements that matter


@dataclass
class Kept:
    """One thing at the top of the file, in its order.

    tag and name tell a link, joint or material that is written anew; tag is empty for what is
    kept as `text`. inside: texts of unknown elements in a link or joint.
    """

    tag: str
    name: str
    text: str = ""
    inside: list[str] = field(default_factory=list)


@dataclass
class KeptText:
    """All that is kept of a text: attributes of <robot>, comments before it, and what is in it."""

    attributes: dict[str, str] = field(default_factory=dict)
    before: list[str] = field(default_factory=list)
    items: list[Kept] = field(default_factory=list)


def kept_text(text: str) -> KeptText:
    """What is kept of a robot's text; nothing where there is none, or where it is no XML."""
    if NOT_IN_XML.search(text):
        return KeptText()  # expat would take a NUL for one half of a UTF-16 character
    text = text.removeprefix("\ufeff")
    late = late_declaration(text)
    if late is not None:
        text = text[: late[0]] + blank(text[late[0] : late[1]]) + text[late[1] :]
    # comments that XML refuses are read over by the reader too
    for version in (text, without_comments(text)):
        try:
            return _Scan(version).run()
        except (expat.ExpatError, UnicodeEncodeError):
            continue
    return KeptText()


class _Scan:
    """One run of expat; an element's end is where the next thing begins, whatever that is."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8")
        self._parser = expat.ParserCreate("utf-8")
        self._kept = KeptText()
        self._depth = 0
        self._start: int | None = None  # of the unknown element that we are in, in bytes
        self._start_depth = 0
        self._ended = False  # whether its end tag was seen

    def run(self) -> KeptText:
        parser = self._parser
        parser.StartElementHandler = self._on_start
        parser.EndElementHandler = self._on_end
        parser.CommentHandler = self._on_comment
        # blanks, characters and all the rest
        parser.DefaultHandler = lambda _data: self._close()
        parser.Parse(self._data, True)
        return self._kept

    def _on_start(self, tag: str, attributes: dict[str, str]) -> None:
        self._close()
        self._depth += 1
        items = self._kept.items
        if self._depth == ROBOT:
            self._kept.attributes = attributes
        elif self._depth == TOP and tag in READ:
            items.append(Kept(tag, attributes.get("name", "")))
        elif self._depth == TOP:
            items.append(Kept("", ""))
            self._open()
        elif self._depth == INSIDE and self._is_unknown(tag, items[-1].tag):
            self._open()

    def _on_end(self, _tag: str) -> None:
        self._close()
        self._ended = self._start is not None and self._depth == self._start_depth
        self._depth -= 1

    def _on_comment(self, data: str) -> None:
        self._close()
        comment = f"<!--{data}-->"
        if self._depth == 0 and not self._kept.attributes and not self._kept.items:
            self._kept.before.append(comment)
        elif self._depth <= ROBOT:
            self._kept.items.append(Kept("", "", comment))

    def _is_unknown(self, tag: str, owner: str) -> bool:
        return owner in OWNERS and tag not in READ[owner]

    def _open(self) -> None:
        self._start, self._start_depth, self._ended = (
            self._parser.CurrentByteIndex,
            self._depth,
            False,
        )

    def _close(self) -> None:
        """Take the text of an element whose end tag is over."""
        if not self._ended or self._start is None:
            return
        text = self._data[self._start : self._parser.CurrentByteIndex].decode("utf-8")
        text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
        if self._start_depth == TOP:
            self._kept.items[-1].text = text
        else:
            self._kept.items[-1].inside.append(text)
        self._start, self._ended = None, False
