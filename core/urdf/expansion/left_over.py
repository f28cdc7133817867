"""Refuse a file that still has to go through xacro, and say what in it shows that.

Where only parts that are not read show it, such as <gazebo> or <transmission>, it is a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..file_uri import is_xacro
from ..report import Report, quoted
from ..xml_element import Element
from ..xml_repair import without_comments

# with its end, and words of xacro only: other sections may have a $( of their own
SURE_EXPRESSION = re.compile(
    r"\$\{[^{}\n]*\}|\$\((?:arg|anon|dirname|env|eval|find|optenv)\b[^()\n]*\)"
)
EXPRESSION = re.compile(r"\$\{[^{}]*\}?|\$\([^()]*\)?")
# only what the reader looks at: simulator sections may keep launch-file expressions
READ_TAGS = frozenset(
    (
        *("robot", "link", "inertial", "mass", "inertia", "visual", "collision", "origin"),
        *("geometry", "box", "cylinder", "capsule", "sphere", "mesh"),
        *("material", "color", "texture"),
        *("joint", "parent", "child", "axis", "limit", "dynamics", "mimic"),
        *("calibration", "safety_controller"),
    )
)


def refuse_xacro(robot: Element, report: Report) -> None:
    """Raise UrdfError when a part that is read holds a xacro element or expression.

    A declared xacro namespace alone is what xacro itself leaves behind, and is fine.
    """
    prefixes = _xacro_prefixes(robot)
    first_tag: Element | None = None
    for element in _read_elements(robot, prefixes):
        is_xacro = element.tag.startswith(prefixes)
        if is_xacro and first_tag is None:
            first_tag = element
        for attribute, value in element.attributes.items():
            expression = EXPRESSION.search(value)
            if expression is not None:
                where = first_tag or element
                raise report.error(
                    where,
                    f"left-over xacro ({quoted(expression.group())} in {attribute} of "
                    f"<{element.tag}>, line {element.line}); {_advice(report)}",
                )
    if first_tag is not None:
        raise report.error(first_tag, f"left-over xacro; {_advice(report)}")


def warn_of_xacro(robot: Element, text: str, report: Report) -> None:
    """Tell the first left-over of xacro in what is not read; refuse_xacro has seen all else.

    Text between tags counts too, comments do not. In a .xacro file it was left on purpose.
    """
    if report.source is not None and is_xacro(report.source):
        return
    tags = "|".join(map(re.escape, _xacro_prefixes(robot)))
    sign = re.compile(rf"{SURE_EXPRESSION.pattern}|<(?:{tags})[^\s/>]*")
    text = without_comments(text)
    found = sign.search(text)
    if found is None:
        return
    line = text.count("\n", 0, found.start()) + 1
    # the part that it stands in
    around = robot
    for element in robot.children:
        if element.line > line:
            break
        around = element
    report.warn(
        around,
        f"left-over xacro ({quoted(found.group())}, line {line}) in a part that is not read; it "
        "was kept as it is",
    )


def _advice(report: Report) -> str:
    if report.source is not None and is_xacro(report.source):
        return (
            "it was not expanded; wanted elements that begin with 'xacro:', and not two '$' before "
            "an expression"
        )
    return (
        "wanted an expanded file; rename it so that its name ends in .xacro, and it is expanded "
        "when it is read"
    )


def _xacro_prefixes(robot: Element) -> tuple[str, ...]:
    """The prefixes that stand for xacro: its usual one, and those bound to its address."""
    bound = (
        attribute.removeprefix("xmlns:") + ":"
        for attribute, address in robot.attributes.items()
        if attribute.startswith("xmlns:") and "xacro" in address
    )
    return ("xacro:", *bound)


def _read_elements(robot: Element, prefixes: tuple[str, ...]) -> Iterator[Element]:
    """The robot and all elements below it that are read, or that are xacro, in file order."""
    waiting = [robot]
    while waiting:
        element = waiting.pop()
        yield element
        waiting += [
            child
            for child in reversed(element.children)
            if child.tag in READ_TAGS or child.tag.startswith(prefixes)
        ]
