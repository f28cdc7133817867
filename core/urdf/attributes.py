"""Read numbers and names from an element's attributes, checked once and for all here."""

from __future__ import annotations

import math

from .report import Report, quoted
from .xml_element import Element

NUMBER_CHARACTERS = frozenset("0123456789+-.eE")  # refuses nan, inf, hex, 1_000


def name_of(element: Element, report: Report, attribute: str = "name") -> str:
    """The attribute as a name: it must be there and not be blank; it is kept exactly."""
    name = element.get(attribute)
    if name is None or not name.strip():
        raise report.error(element, f"needs the attribute {attribute}, a name that is not empty")
    return name


def numbers(
    element: Element, attribute: str, count: int, report: Report
) -> tuple[float, ...] | None:
    """The attribute as `count` finite numbers, None where it is not given.

    Commas between the numbers are read as blanks, with a warning.
    """
    written = element.get(attribute)
    if written is None:
        return None
    wanted = "one finite number" if count == 1 else f"{count} finite numbers separated by blanks"
    tokens = written.split()
    if "," in written:
        tokens = written.replace(",", " ").split()
        if len(tokens) == count:
            report.warn(element, f"commas between the numbers of {attribute} were read as blanks")
    if len(tokens) != count:
        raise report.error(
            element, f"{attribute}={quoted(written)} has {len(tokens)} values; wanted {wanted}"
        )
    return tuple(_finite(token, element, attribute, wanted, report) for token in tokens)


def number(element: Element, attribute: str, report: Report) -> float | None:
    """The attribute as one finite number, None where it is not given."""
    values = numbers(element, attribute, 1, report)
    return None if values is None else values[0]


def required_number(element: Element, attribute: str, report: Report) -> float:
    """The attribute as one finite number; it must be given."""
    value = number(element, attribute, report)
    if value is None:
        raise report.error(element, f"needs the attribute {attribute}, one finite number")
    return value


def vector(element: Element, attribute: str, report: Report) -> tuple[float, float, float] | None:
    """The attribute as three finite numbers, None where it is not given."""
    values = numbers(element, attribute, 3, report)
    return None if values is None else (values[0], values[1], values[2])


def positive(value: float, element: Element, attribute: str, report: Report) -> float:
    """The value, which must be above zero."""
    if value <= 0.0:
        raise report.error(element, f"{attribute} is {value:g}; wanted a length above 0, in m")
    return value


def one_child(element: Element, tag: str, report: Report) -> Element | None:
    """The first direct child with that tag; further ones are left out with a warning."""
    found = element.all(tag)
    for extra in found[1:]:
        report.warn(extra, f"a second <{tag}> where one is allowed was left out")
    return found[0] if found else None


def _finite(token: str, element: Element, attribute: str, wanted: str, report: Report) -> float:
    written = f"{attribute}={quoted(element.attributes[attribute])}"
    try:
        value = float(token)
    except ValueError:
        value = math.nan
    if not NUMBER_CHARACTERS.issuperset(token) or not math.isfinite(value):
        raise report.error(
            element, f"{written}: {quoted(token)} is not a finite number; wanted {wanted}"
        )
    return value
