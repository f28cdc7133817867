"""Read numbers and names from an element's attributes, checked once and for all here."""

from __future__ import annotations

import math
import re

from .report import Report, quoted
from .xml_element import Element

LARGEST_NUMBER = 1e16  # what some exporters write for "no limit"
LARGEST_LENGTH = 1e6  # m
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?")
NOT_FINITE = frozenset(("inf", "+inf", "-inf", "infinity", "-infinity", "nan", "-nan", "+nan"))


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
    tokens = written.split()
    if "," in written:
        tokens = written.replace(",", " ").split()
        if len(tokens) == count:
            report.warn(element, f"commas between the numbers of {attribute} were read as blanks")
    values = [_finite(token) for token in tokens]
    if len(values) != count or None in values:
        raise report.error(element, _number_fault(attribute, written, tokens, count))
    return tuple(value for value in values if value is not None)


def lengths(element: Element, attribute: str, report: Report) -> tuple[float, float, float] | None:
    """The attribute as three lengths of at most LARGEST_LENGTH, None where it is not given."""
    values = vector(element, attribute, report)
    if values is not None:
        _bound(values, LARGEST_LENGTH, " m", element, attribute, report)
    return values


def number(element: Element, attribute: str, report: Report) -> float | None:
    """The attribute as one number up to LARGEST_NUMBER, None where it is not given."""
    values = numbers(element, attribute, 1, report)
    if values is None:
        return None
    _bound(values, LARGEST_NUMBER, "", element, attribute, report)
    return values[0]


def number_or_nan(element: Element, attribute: str, report: Report) -> float | None:
    """The attribute as one number up to LARGEST_NUMBER, or as inf, -inf or nan where it says so.

    What is larger is an infinity: exporters write 1e30 or 1.79769e+308 for "no limit".
    """
    written = (element.get(attribute) or "").strip().lower()
    if written in NOT_FINITE or DECIMAL.fullmatch(written):
        value = float(written)
        return value if not abs(value) > LARGEST_NUMBER else math.copysign(math.inf, value)
    return number(element, attribute, report)


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


def required_length(element: Element, attribute: str, report: Report) -> float:
    """The attribute as one length of at most LARGEST_LENGTH; it must be given."""
    value = required_number(element, attribute, report)
    _bound((value,), LARGEST_LENGTH, " m", element, attribute, report)
    return value


def one_child(element: Element, tag: str, report: Report) -> Element | None:
    """The first direct child with that tag; further ones are left out with a warning."""
    found = element.all(tag)
    for extra in found[1:]:
        report.leave_out(extra, f"a second <{tag}> where one is allowed was left out")
    return found[0] if found else None


def _bound(
    values: tuple[float, ...],
    largest: float,
    unit: str,
    element: Element,
    attribute: str,
    report: Report,
) -> None:
    for value in values:
        if abs(value) > largest:
            raise report.error(
                element, f"{attribute} holds {value:g}; wanted numbers up to {largest:g}{unit}"
            )


def _finite(token: str) -> float | None:
    """The number; None for what is none, for nan and inf, and for Python's own 1_000."""
    try:
        value = float(token)
    except ValueError:
        return None
    return value if math.isfinite(value) and token.isascii() and "_" not in token else None


def _number_fault(attribute: str, written: str, tokens: list[str], count: int) -> str:
    wanted = "one finite number" if count == 1 else f"{count} finite numbers separated by blanks"
    if len(tokens) != count:
        return f"{attribute}={quoted(written)} has {len(tokens)} values; wanted {wanted}"
    bad = next(token for token in tokens if _finite(token) is None)
    return f"{attribute}={quoted(written)}: {quoted(bad)} is not a finite number; wanted {wanted}"
