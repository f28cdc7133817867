"""Bytes of an XML file -> text: byte order mark, then declaration, then UTF-8."""

from __future__ import annotations

import codecs
import re

from .report import Report, quoted

# longest mark first: the one of UTF-32 begins with the one of UTF-16
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# how "<?" looks in encodings of two and four bytes without a mark
WITHOUT_MARK = (
    (b"<\x00?\x00", "utf-16-le"),
    (b"\x00<\x00?", "utf-16-be"),
    (b"<\x00\x00\x00?\x00\x00\x00", "utf-32-le"),
    (b"\x00\x00\x00<\x00\x00\x00?", "utf-32-be"),
)
DECLARED = re.compile(rb"<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z][A-Za-z0-9._-]*)[\"']")
DECLARATION_WITHIN = 2000  # bytes searched for a declaration; comments may stand before it
# codecs of Python that no file is written in: slow without bound, or able to hide tags
NOT_OF_FILES = frozenset(
    ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7")
)
FALLBACK_ENCODING = "latin-1"  # reads any byte; what editors wrote before UTF-8


def decode_xml(data: bytes, report: Report) -> str:
    """The text of an XML file, without a byte order mark.

    A file that claims to be UTF-8 (or claims nothing) and is not, is read as Latin-1 with a
    warning: in practice this is a degree sign or a name in a comment.

    Raises: UrdfError for an unknown encoding or bytes that the declared one does not allow.
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding, report)
    for start, encoding in WITHOUT_MARK:
        if data.startswith(start):
            return _decoded(data, encoding, report)

    declared = DECLARED.search(data[:DECLARATION_WITHIN])
    encoding = declared.group(1).decode("ascii") if declared else "utf-8"
    if encoding.lower().replace("_", "-") not in ("utf-8", "utf8", "us-ascii", "ascii"):
        return _decoded(data, encoding, report)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        report.warn_at(line, f"bytes that are not UTF-8; the file is read as {FALLBACK_ENCODING}")
        return data.decode(FALLBACK_ENCODING)


def _decoded(data: bytes, encoding: str, report: Report) -> str:
    try:
        if codecs.lookup(encoding).name.replace("_", "-") in NOT_OF_FILES:
            raise LookupError(encoding)
        return data.decode(encoding)
    except LookupError as error:
        raise report.error_at(
            1, f"<?xml?>: unknown encoding {quoted(encoding)}; UTF-8 is always possible"
        ) from error
    except ValueError as error:  # UnicodeError included
        raise report.error_at(
            1, f"<?xml?>: the file is not {encoding}, as it says it is ({error}); save it as UTF-8"
        ) from error
