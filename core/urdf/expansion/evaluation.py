"""Python expressions of xacro files, confined: no way to files and programs, and no hang by slip.

xacro itself forbids names with two underscores and Python's built-in functions. Here an expression
is also read as a tree, in which only plain arithmetic, texts, lists, calls, comprehensions and
lambdas may stand; attributes are those of plain data, and what can make huge values (`**`, `*`,
`range`, …) is measured first. Lists, tuples, sets and dictionaries are measured as they are made
and before they are compared or handed to a function, which would go through them uninterrupted:
what one holds twice counts twice, so that forty doublings of a list of one are 2^40. This stops
accidents and the known ways out, and is no proof: a file that sets out to use much time or memory
within one expression may still do it.
"""

from __future__ import annotations

import builtins
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from types import CodeType, SimpleNamespace
from typing import Any

from ..xml_element import shortened
from .guarded_code import ATTRIBUTE, EACH, MEASURED, TICK, ForbiddenExpression, compiled
from .limits import DEPTH, NESTED, SIZE, Limits

PLAIN = (str, list, dict, tuple, set, frozenset, int, float, bool, complex, slice)
# texts of the first two reach attributes: '{0.__class__}'; the third makes as many bytes as told
REFUSED = ("format", "format_map", "to_bytes")
WIDE_FORMAT = re.compile(r"%.*(\d{4}|\*)", re.DOTALL)
# what may hold further values, dictionaries aside
CONTAINERS: Any = (list, tuple, set, frozenset, type({}.values()), type({}.items()))
LONG = 1000  # values, from which on the time of going through them counts
SMALL_ARGUMENT = 1000  # of math.factorial and its like, and digits of round()
NUMBERS = (int, float, complex)


class Evaluator:
    """Evaluates the expressions of one expansion.

    Args:
        limits: counted in them.
        open_types: types of the library whose items are read as attributes.
        name_spaces: the library's type for the names of an included file.
    """

    def __init__(self, limits: Limits, open_types: tuple[type, ...], name_spaces: type) -> None:
        self._limits = limits
        self._open_types = open_types
        self._name_spaces = name_spaces

    def __call__(
        self, expression: str, names: dict[str, Any], local: Mapping[str, Any] | None = None
    ) -> Any:
        """The value of an expression; stands in for the library's safe_eval."""
        self._limits.tick()
        code = compiled(str(expression).strip())
        names.update(__builtins__={})
        try:
            return self._measured(eval(code, names, local))
        except TypeError as error:
            raise TypeError(f"{error}{_told_values(code, names, local or {})}") from error

    def helpers(self) -> dict[str, Callable[..., Any]]:
        """What the compiled expressions call, by their unreachable names."""
        return {
            TICK: self._limits.tick,
            EACH: self._each,
            ATTRIBUTE: self.attribute,
            MEASURED: self._measured,
            "guarded +": self._add,
            "guarded *": self._multiply,
            "guarded %": self._modulo,
            "guarded **": self._power,
            "guarded <<": self._shift,
        }

    def builtins(self) -> dict[str, Any]:
        """Python's own functions, of which the library picks; some of them measured."""
        return {
            **vars(builtins),
            "range": self._range,
            "round": self._round,
            "sum": self._sum,
            "type": self._type,
            "vars": _forbidden("vars"),
        }

    def mathematics(self) -> SimpleNamespace:
        """The module math, its functions of huge results measured."""
        measured = {
            name: self._small(function)
            for name, function in vars(math).items()
            if name in ("factorial", "comb", "perm")
        }
        named = {name: value for name, value in vars(math).items() if not name.startswith("_")}
        return SimpleNamespace(
            **{**named, **measured, "prod": self._product, "lcm": _forbidden("math.lcm")}
        )

    def attribute(self, value: Any, name: str) -> Any:
        """The attribute of a value, where that is plain data."""
        if not isinstance(name, str) or name.startswith("_") or name in REFUSED:
            raise ForbiddenExpression(f"the attribute '{name}' may not be used in an expression")
        if isinstance(value, self._name_spaces):
            table: Any = value
            try:
                return table[name]
            except KeyError:
                raise NameError(f"name '{name}' is not defined") from None
        if type(value) in self._open_types:
            return getattr(value, name)
        if type(value) not in PLAIN:
            raise ForbiddenExpression(
                f"the attribute '{name}' of a {type(value).__name__} may not be used"
            )
        found = getattr(value, name)
        return self._bounded(value, found) if isinstance(value, str | list) else found

    def _bounded(self, value: str | list[Any], method: Callable[..., Any]) -> Callable[..., Any]:
        """A method of a text or list that measures what it may make of its arguments."""

        def call(*given: Any, **named: Any) -> Any:
            sizes = [_size(item, isinstance(value, str)) for item in (*given, *named.values())]
            self._limits.make((len(value) + 1) * (1 + max(sizes, default=0)))
            return method(*given, **named)

        return call

    def _measured(self, value: Any) -> Any:
        """The value, unless it is larger than allowed, what it holds twice counted twice."""
        if isinstance(value, int):
            self._limits.number(value.bit_length())
            return value
        level, size, depth = [value], 0, 0
        while level:
            if depth > DEPTH:
                self._limits.nest(size, depth)
            below: list[Any] = []
            for item in level:
                if isinstance(item, str):
                    size += len(item)
                elif isinstance(item, CONTAINERS):
                    size += len(item)
                    below += list.__iter__(item) if isinstance(item, list) else item
                elif isinstance(item, dict) and not isinstance(item, self._name_spaces):
                    size += len(item)
                    below += dict.values(item)
                if size > SIZE or (depth and size > NESTED):
                    self._limits.nest(size, depth)
            if len(below) > LONG:
                self._limits.look()
            level, depth = below, depth + 1
        return value

    def _each(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self._limits.tick()
            yield item

    def _add(self, a: Any, b: Any) -> Any:
        if isinstance(a, str | list | tuple) and isinstance(b, str | list | tuple):
            self._limits.make(len(a) + len(b))
        return a + b

    def _multiply(self, a: Any, b: Any) -> Any:
        if isinstance(a, int) and isinstance(b, int):
            self._limits.number(a.bit_length() + b.bit_length())
        for one, other in ((a, b), (b, a)):
            if isinstance(one, str | list | tuple) and isinstance(other, int):
                self._limits.make(len(one) * max(other, 0))
        return a * b

    def _modulo(self, a: Any, b: Any) -> Any:
        if isinstance(a, str) and WIDE_FORMAT.search(a):
            raise ForbiddenExpression("a format with a width above 999 may not be used")
        return a % self._measured(b)

    def _power(self, a: Any, b: Any) -> Any:
        if isinstance(a, int) and isinstance(b, int) and b > 0:
            self._limits.number(a.bit_length() * b)
        return a**b

    def _shift(self, a: Any, b: Any) -> Any:
        if isinstance(a, int) and isinstance(b, int):
            self._limits.number(a.bit_length() + max(b, 0))
        return a << b

    def _range(self, *bounds: int) -> range:
        made = range(*bounds)
        self._limits.make(max(0, (made.stop - made.start) // made.step))
        return made

    def _round(self, number: Any, digits: int | None = None) -> Any:
        if digits is not None and abs(digits) > SMALL_ARGUMENT:
            raise ForbiddenExpression(f"round() to {digits} digits; at most {SMALL_ARGUMENT}")
        return round(number, digits)

    def _sum(self, items: Iterable[Any], start: Any = 0) -> Any:
        items = list(self._each(items))
        if all(isinstance(item, NUMBERS) for item in (start, *items)):
            return sum(items, start)
        for item in items:
            start = self._add(start, item)
        return start

    def _product(self, items: Iterable[Any], *, start: Any = 1) -> Any:
        for item in self._each(items):
            start = self._multiply(start, item)
        return start

    def _small(self, function: Callable[..., int]) -> Callable[..., int]:
        def call(*given: int) -> int:
            if any(isinstance(item, int) and item > SMALL_ARGUMENT for item in given):
                raise ForbiddenExpression(
                    f"math.{function.__name__}() of more than {SMALL_ARGUMENT} may not be used"
                )
            return function(*given)

        return call

    def _type(self, value: Any) -> type:
        if type(value) not in (*PLAIN, *self._open_types, type(None)):
            raise ForbiddenExpression(f"type() of a {type(value).__name__} may not be used")
        return type(value)


def _forbidden(name: str) -> Callable[..., Any]:
    def call(*_given: Any) -> Any:
        raise ForbiddenExpression(f"{name}() may not be used in an expression")

    return call


def _told_values(code: CodeType, names: Mapping[str, Any], local: Mapping[str, Any]) -> str:
    """The texts and numbers that an expression has by name, for a message."""
    told = []
    for name in code.co_names:
        # what the expression had not come to may be in error itself
        with suppress(Exception):
            value = (local if name in local else names)[name]
            if isinstance(value, str | int | float):
                told.append(f"{name} = {shortened(repr(value))}")
    return f" ({', '.join(told)})" if told else ""


def _size(value: Any, numbers: bool) -> int:
    """How large an argument may make a result; a number where it can be a width or count."""
    if isinstance(value, int):
        return abs(value) if numbers else 0
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list | tuple | dict | set | frozenset):
        return len(value) + sum(len(item) for item in value if isinstance(item, str))
    return 0
