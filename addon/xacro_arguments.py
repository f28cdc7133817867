"""Arguments of xacro files as a user types them in one line: `name:=value other:="two words"`."""

import re

from ..core.errors import ArgumentError

ALLOWED = (
    "wanted name:=value, several separated by blanks or semicolons, a value with blanks or "
    'semicolons in quotes: prefix:=left title:="my robot"'
)
# a value: a quoted text, or one without blanks, semicolons and quotes; it may be empty
ARGUMENT = re.compile(r"""([^\s;:="']+):=(?:"([^"]*)"|'([^']*)'|([^\s;"']*))(?=[\s;]|$)""")
BETWEEN = re.compile(r"[\s;]*")


def parse_xacro_arguments(text: str) -> tuple[tuple[str, str], ...]:
    """Name and value of each argument, in order.

    Raises:
        ArgumentError: for what is no argument, or a name that stands twice.
    """
    found: dict[str, str] = {}
    at = _skip(text, 0)
    while at < len(text):
        match = ARGUMENT.match(text, at)
        if match is None:
            raise ArgumentError(f"xacro arguments: '{text[at:]}' is not understood; {ALLOWED}")
        name, *values = match.groups()
        if name in found:
            raise ArgumentError(f"xacro arguments: '{name}' stands twice; {ALLOWED}")
        found[name] = next(value for value in values if value is not None)
        at = _skip(text, match.end())
    return tuple(found.items())


def _skip(text: str, at: int) -> int:
    between = BETWEEN.match(text, at)
    return between.end() if between else at
