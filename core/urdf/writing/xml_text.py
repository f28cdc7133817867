"""Numbers and names as XML attributes that read back to the same values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

from ...errors import UrdfError
from ..report import quoted

# a parser turns line ends and tabs in attributes into blanks unless they are numbers
ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\t": "&#9;",
    "\n": "&#10;",
    "\r": "&#13;",
}
ESCAPED = re.compile("[" + "".join(ESCAPES) + "]")
# XML 1.0, production 2: all that may stand in a document
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def tag_text(tag: str, attributes: Mapping[str, str | None], end: str = "/>") -> str:
    """A start tag with the attributes that are not None; `end` ">" leaves it open.

    Raises: UrdfError for characters that XML cannot hold.
    """
    given = [
        f' {name}="{_escaped(value, tag, name)}"'
        for name, value in attributes.items()
        if value is not None
    ]
    return f"<{tag}{''.join(given)}{end}"


def number_text(value: float) -> str:
    """The shortest text that reads back to the same float64.

    Raises: UrdfError for nan and infinities, which no URDF can say.
    """
    if not math.isfinite(value):
        raise UrdfError(f"{value:g} cannot be written; a URDF has finite numbers only")
    return repr(float(value)).removesuffix(".0")


def numbers_text(values: Iterable[float]) -> str:
    """Numbers with a blank between them."""
    return " ".join(map(number_text, values))


def _escaped(value: str, tag: str, attribute: str) -> str:
    wrong = NOT_IN_XML.search(value)
    if wrong is not None:
        raise UrdfError(
            f"<{tag}>: {attribute}={quoted(ascii(value))} cannot be written; XML has no character "
            f"U+{ord(wrong.group()):04X}"
        )
    return ESCAPED.sub(lambda match: ESCAPES[match.group()], value)
