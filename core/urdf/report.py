"""Where something stands in the file: errors and warnings that name line and element."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeVar

from ..errors import UrdfError
from .xml_element import Element, shortened

UNNAMED_SOURCE = "URDF text"  # stands for the file's name when there is only text
SHOWN_NAMES = 12  # of a list of allowed names
FEW = 3  # warnings alike that are told one by one

Read = TypeVar("Read")


class ElementError(UrdfError):
    """The error of one element, which a reader can do without: then it is only a warning."""

    def __init__(self, text: str, element: Element, message: str) -> None:
        super().__init__(text)
        self.element = element
        self.message = message


@dataclass
class Report:
    """Collects the warnings of one reading and words its errors, all in the same form.

    Errors read `file:line: <element>: what was wrong`, warnings `line N: <element>: what was
    done about it`: a warning is kept with the robot, which knows its file.
    """

    source: Path | None = None
    warnings: list[str] = field(default_factory=list)
    # what to say besides where a whole robot would have what is missing
    hint_of_parts: str = ""
    left_out: int = field(default=0, init=False)  # parts of the file that a robot is read without
    # message -> the elements that it was told of, each with its place among the warnings
    _alike: dict[str, list[tuple[int, str]]] = field(default_factory=dict, init=False)

    @property
    def file(self) -> str:
        """The file's path, or what stands for it."""
        return UNNAMED_SOURCE if self.source is None else str(self.source)

    def error(self, element: Element, message: str) -> UrdfError:
        """The error to raise for an element: `raise report.error(element, "...")`."""
        told = self.error_at(element.line, f"{element.describe()}: {message}")
        return ElementError(str(told), element, message)

    def incomplete(self, element: Element, message: str) -> UrdfError:
        """The error to raise for what is missing of a robot, and may be in another file."""
        return self.error(element, message + self.hint_of_parts)

    def unless_faulty(self, read: Callable[[], Read], otherwise: str) -> Read | None:
        """What `read` gives; None where it finds a fault, which is told with what was done.

        For parts that a robot can do without. `otherwise` reads like "was left out".
        """
        try:
            return read()
        except ElementError as fault:
            self.leave_out(fault.element, f"{fault.message}; {otherwise}")
            return None

    def error_at(self, line: int, message: str) -> UrdfError:
        """The error to raise for a line where no element is known."""
        return UrdfError(f"{self.file}:{line}: {message}")

    def file_error(self, message: str) -> UrdfError:
        """The error to raise for the file as a whole."""
        return UrdfError(f"{self.file}: {message}")

    def warn(self, element: Element, message: str) -> None:
        """Note what is odd about an element and how it was read."""
        self._alike.setdefault(message, []).append((len(self.warnings), element.describe()))
        self.warn_at(element.line, f"{element.describe()}: {message}")

    def leave_out(self, element: Element, message: str) -> None:
        """Warn of an element that the robot is read without."""
        self.left_out += 1
        self.warn(element, message)

    def warn_at(self, line: int, message: str) -> None:
        """Note what is odd about a line."""
        self.warnings.append(f"line {line}: {message}")

    def told(self) -> tuple[str, ...]:
        """The warnings; one line for more than a few that say the same of different elements."""
        lines = dict(enumerate(self.warnings))
        for places in self._alike.values():
            if len(places) > FEW:
                (first, _), *others = places
                # of one element there may be a thousand
                names = dict.fromkeys(element for _, element in places)
                if len(names) > 1:
                    lines[first] += f"; so with {', '.join(list(names)[1:])}"
                for index, _ in others:
                    del lines[index]
        return tuple(lines.values())


def quoted(value: str) -> str:
    """The value in quotes, cut to a length that fits a message."""
    return f"'{shortened(value)}'"


def listed(names: Collection[str]) -> str:
    """The names in one line, the first dozen of a long list."""
    rest = len(names) - SHOWN_NAMES
    shown = ", ".join(quoted(name) for name in islice(names, SHOWN_NAMES))
    return f"{shown} and {rest} more" if rest > 0 else shown


def circle(names: Sequence[str]) -> str:
    """The names as a closed path, `a -> b -> a`, the first dozen of a long one."""
    rest = len(names) - SHOWN_NAMES
    shown = [shortened(name) for name in names[:SHOWN_NAMES]]
    if rest > 0:
        shown.append(f"({rest} more)")
    return " -> ".join([*shown, shortened(names[0])])
