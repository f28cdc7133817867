"""Text -> elements with line numbers, by expat, without namespaces, entities or outside files.

Namespaces are left alone on purpose: real robot files use prefixes that nobody declared.
"""

from __future__ import annotations

from xml.parsers import expat

from ..errors import UrdfError
from .file_size import LARGEST_COUNT
from .report import Report, quoted
from .xml_element import Element, shortened
from .xml_repair import blank, late_declaration, without_comments

INVALID_TOKEN = expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]
MAX_NESTING = 100  # a URDF needs 6 levels, simulator sections inside it up to about 20


def parse_xml(text: str, report: Report) -> Element:
    """The root element of the text.

    Two slips that other readers accept are repaired with a warning, keeping line numbers: an XML
    declaration that is not at the very start, and comments that contain two hyphens.

    Raises: UrdfError for text that is not XML, declares entities or anything else in a document
        type, points to an outside one, nests more than MAX_NESTING deep or has more than
        LARGEST_COUNT elements.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise report.error_at(1, "the file is empty; wanted a <robot> with at least one <link>")
    _refuse_other_text(text, report)
    _refuse_nul(text, report)
    text = _without_late_declaration(text, report)
    try:
        return _parse(text, report)
    except expat.ExpatError as error:
        if error.code == INVALID_TOKEN and "<!--" in text:
            try:
                root = _parse(without_comments(text), report)
            except expat.ExpatError:
                raise _refused(error, report) from error
            report.warn_at(error.lineno, "a comment contains '--'; it was read over")
            return root
        raise _refused(error, report) from error


def _parse(text: str, report: Report) -> Element:
    """Run expat once over the text; ExpatError is left to the caller."""
    top = Element("", {}, 0)
    path = [top]
    count = 0
    # text is handed over as UTF-8 whatever its declaration says: it is decoded already
    parser = expat.ParserCreate("utf-8")

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        line = parser.CurrentLineNumber
        count += 1
        if count > LARGEST_COUNT:
            raise report.error_at(
                line,
                f"<{shortened(tag)}>: wanted at most {LARGEST_COUNT} elements, more than any "
                "robot needs",
            )
        if len(path) > MAX_NESTING:
            raise report.error_at(
                line,
                f"<{shortened(tag)}>: nested deeper than {MAX_NESTING} elements, the most that is "
                "read",
            )
        parent = path[-1]
        element = Element(tag, attributes, line, None if parent is top else parent)
        parent.children.append(element)
        path.append(element)

    def end(_tag: str) -> None:
        path.pop()

    def doctype(name: str, system: str | None, public: str | None, internal: bool) -> None:
        if system is not None or public is not None:
            raise report.error_at(
                parser.CurrentLineNumber,
                f"<!DOCTYPE {shortened(name)}>: points to another file "
                f"({quoted(system or public or '')}), which is refused; remove the line, "
                "a URDF needs no document type",
            )
        if internal:
            parser.EndDoctypeDeclHandler = declarations

    def declarations() -> None:
        # a default attribute of 1 MB for every <link> would be as good a bomb as an entity
        raise report.error_at(
            parser.CurrentLineNumber,
            "<!DOCTYPE [...]>: declarations in a document type are refused; remove them, a URDF "
            "needs no document type",
        )

    def entity(name: str, *_definition: object) -> None:
        raise report.error_at(
            parser.CurrentLineNumber,
            f"<!ENTITY {shortened(name)}>: entity definitions are refused; write the text out, "
            "only &lt; &gt; &amp; &quot; &apos; and character numbers are allowed",
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(text, True)
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise report.error_at(line, "half of a surrogate pair; wanted valid Unicode") from error
    return top.children[0]


def _without_late_declaration(text: str, report: Report) -> str:
    """The text with an XML declaration that comes after blanks or comments painted over."""
    found = late_declaration(text)
    if found is None:
        return text
    start, end = found
    line = text.count("\n", 0, start) + 1
    report.warn_at(line, "<?xml?>: the XML declaration is not at the start; it was read over")
    return text[:start] + blank(text[start:end]) + text[end:]


def _refuse_other_text(text: str, report: Report) -> None:
    """Raise UrdfError for what does not begin with a tag; expat might look at all of it first."""
    start = len(text) - len(text.lstrip())
    if text[start] != "<":
        line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        line = text.count("\n", 0, start) + 1
        raise _not_xml("text before the first tag", line, start - line_start, report)


def _refuse_nul(text: str, report: Report) -> None:
    """Raise UrdfError for a NUL, by which expat would take the text for UTF-16 and read on."""
    position = text.find("\0")
    if position >= 0:
        raise report.error_at(
            text.count("\n", 0, position) + 1,
            "not well-formed XML: the character U+0000, of which XML has none; "
            "wanted the file saved as UTF-8",
        )


def _not_xml(reason: str, line: int, column: int, report: Report) -> UrdfError:
    return report.error_at(
        line,
        f"not well-formed XML: {reason} (column {column + 1}); "
        "wanted one <robot> element whose tags are closed and attributes quoted",
    )


def _refused(error: expat.ExpatError, report: Report) -> UrdfError:
    return _not_xml(expat.ErrorString(error.code), error.lineno, error.offset, report)
