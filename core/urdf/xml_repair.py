"""Paint over what strict XML refuses and other robot readers accept; line numbers stay."""

from __future__ import annotations

import re

NOT_LINE_BREAK = re.compile(r"[^\r\n]+")
BLANKS = re.compile(r"\s*")


def late_declaration(text: str) -> tuple[int, int] | None:
    """Where an XML declaration stands that only blanks and comments precede (start, end).

    None where there is none, or where it is at the very start as it must be.
    """
    position = 0
    while True:
        position = BLANKS.match(text, position).end()  # type: ignore[union-attr]  # matches always
        if not text.startswith("<!--", position):
            break
        end = text.find("-->", position)
        if end < 0:
            return None
        position = end + len("-->")
    if position == 0 or not re.match(r"<\?xml\s", text[position : position + 6]):
        return None
    end = text.find("?>", position)
    return None if end < 0 else (position, end + len("?>"))


def without_comments(text: str) -> str:
    """The text with blanks in place of its comments."""
    pieces = []
    position = 0
    while (start := text.find("<!--", position)) >= 0:
        end = text.find("-->", start)
        if end < 0:
            break
        pieces.append(text[position:start])
        position = end + len("-->")
        pieces.append(blank(text[start:position]))
    pieces.append(text[position:])
    return "".join(pieces)


def blank(text: str) -> str:
    """A blank for each piece of the text without line breaks, which are kept."""
    return NOT_LINE_BREAK.sub(" ", text)
