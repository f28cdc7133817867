"""A .xacro file -> URDF text, by the Python package xacro, each line with where it came from.

The package does the language: macros, properties, conditions, blocks. Its ways to files, messages
and Python are replaced here, see _Expansion. A file can read every XML and YAML file that the user
can, and environment variables, into the robot. Expressions are confined (evaluation.py), but an
untrusted file should be looked at like a program.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.dom import minidom

from ...errors import UrdfError
from ..decode import decode_xml
from ..packages import PackageFinder
from ..regular_file import read_regular
from ..report import Report, listed
from . import limits
from .dom import PlacedText, read_document, write_document
from .evaluation import Evaluator
from .files import NotFound, XacroFiles
from .guarded_code import ForbiddenExpression
from .library import xacro_library
from .limits import FRAMES, INCLUDE_DEPTH, MACRO_DEPTH, Limits, XacroLimit
from .macro_files import refuse_macros_alone
from .place import calls_noted, frames_above, frames_of, known_macros, work_of
from .substitution import Substitution
from .wildcards import WILDCARDS
from .yaml_files import load_yaml

SHOWN_EXPRESSIONS = 2
# how the library and Python word it
EVALUATING = " when evaluating expression "
IN_EXPRESSION = " (<expression>, line 1)"
UNKNOWN_MACRO = "unknown macro name"


def expand_xacro(
    data: bytes, source: Path, packages: PackageFinder, arguments: Mapping[str, str]
) -> tuple[PlacedText, list[str]]:
    """The URDF text of a xacro file, and warnings.

    Args:
        data: the file's content.
        source: its absolute path.
        packages: finds the folders of $(find package).
        arguments: values of the file's <xacro:arg> by their names.

    Raises:
        UrdfError: the file does not expand; names the element with file and line, and the macros
            and includes around it. Or the package xacro is missing.
    """
    with xacro_library() as library, _deeper(FRAMES):
        expansion = _Expansion(library, source, packages, arguments)
        document = expansion.run(data)
        return write_document(document), expansion.warnings


@contextmanager
def _deeper(frames: int) -> Iterator[None]:
    """Let Python nest deeper for a while: xacro's functions call each other for each macro."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, frames))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


class _Expansion:
    """One expansion, and what stands in for functions of the library meanwhile."""

    def __init__(
        self, library: Any, source: Path, packages: PackageFinder, arguments: Mapping[str, str]
    ) -> None:
        self.warnings: list[str] = []
        self._library = library
        self._source = source
        self._given = arguments
        self._macros: dict[str, None] = {}  # by the names of all that are read, in their order
        self._arguments = dict(arguments)
        self._limits = Limits()
        self._files = XacroFiles(packages, self._limits.entry)
        open_types = (library.YamlListWrapper, library.YamlDictWrapper)
        self._evaluator = Evaluator(self._limits, open_types, library.Table)
        self._substitution = Substitution(
            library.substitution_args,
            self._files,
            self._evaluator,
            self._arguments,
            source.parent,
            self._current,
        )
        # errors whose text says it all; RuntimeError is what it raises for missing attributes
        self._explained = (
            *(library.XacroException, library.substitution_args.SubstitutionException),
            *(XacroLimit, ForbiddenExpression, NotFound, RuntimeError),
        )
        self._check_attributes = library.check_attrs
        self._call_macro = library.handle_macro_call
        self._eval_text = library.eval_text
        self._install()

    def run(self, data: bytes) -> minidom.Document:
        """Expand the file."""
        self._library.init_stacks(str(self._source))
        try:
            document = self._read(data, self._source)
            self._library.process_doc(document, mappings=self._arguments)
        except UrdfError:
            raise
        except Exception as error:
            raise self._told(error) from error
        refuse_macros_alone(document, self._macros)
        known = self._substitution.known
        unused = [name for name in self._given if name not in known]
        if unused:
            self.warnings.append(
                f"xacro arguments not used: {listed(unused)}; the file has "
                f"{listed(sorted(known)) if known else 'none'}"
            )
        return document

    def _install(self) -> None:
        library = self._library
        library.parse = self._parse_include
        library.get_include_files = self._include_files
        library.abs_filename_spec = lambda name: str(self._files.path(str(name), self._current()))
        library.load_yaml = self._load_yaml
        library.eval_extension = self._substitution
        library.eval_text = self._evaluate_text
        library.safe_eval = self._evaluator
        library.check_attrs = self._attributes_of
        library.handle_macro_call = self._macro_call
        library.remove_previous_comments = lambda node: None  # none are read
        library.warning, library.message, library.error = self._speakers()
        library.print_location = lambda: None
        # the names that expressions see are taken from these
        library.math = self._evaluator.mathematics()
        library.__dict__["__builtins__"] = self._evaluator.builtins()
        library._global_symbols = {**library.create_global_symbols(), **self._evaluator.helpers()}

    # files

    def _current(self) -> Path:
        return Path(self._library.filestack[-1])

    def _read(self, data: bytes, file: Path) -> minidom.Document:
        report = Report(file)
        if len(data) > limits.FILE:
            raise report.file_error(
                f"has {len(data) / 1e6:.1f} MB; wanted at most {limits.FILE / 1e6:g} MB of a "
                "xacro file"
            )
        self._limits.look()
        document = read_document(decode_xml(data, report).removeprefix("\ufeff"), file, report)
        self.warnings += [_in_file(text, file, self._source) for text in report.warnings]
        declarations: Any = document.getElementsByTagName("xacro:arg")
        self._substitution.declared |= {
            declaration.getAttribute("name"): declaration.place for declaration in declarations
        }
        for macro in document.getElementsByTagName("xacro:macro"):
            self._macros.setdefault(macro.getAttribute("name"))
        return document

    def _parse_include(self, _text: None, filename: str) -> minidom.Document:
        stack = self._library.filestack
        if len(stack) > INCLUDE_DEPTH:
            raise XacroLimit(
                f"files include each other, {INCLUDE_DEPTH} deep: {listed(stack[-3:])}"
            )
        file = Path(filename)
        try:
            if file.exists() and not file.is_file():
                raise OSError(0, "is no file")
            data = read_regular(file, limits.FILE)
        except OSError as error:
            # as the library does: an include may be optional
            stack.pop()
            missing = isinstance(error, FileNotFoundError)
            reason = "does not exist" if missing else error.strerror or str(error)
            raise self._library.XacroException(f"'{file}' {reason}", exc=OSError()) from error
        return self._read(data, file)

    def _include_files(self, name: str, symbols: Any) -> Iterator[str]:
        name = str(self._library.eval_text(name, symbols))
        path = self._files.path(name, self._current())
        if path.exists() or not WILDCARDS.search(name):
            yield str(path)
            return
        found = self._files.matching(name, self._current())
        if not found:
            self._warn(f"no file is called '{name}'")
        yield from map(str, found)

    def _load_yaml(self, name: str) -> Any:
        library = self._library
        path = self._files.path(str(name), self._current())
        if not path.is_file():
            raise NotFound(f"the YAML file '{path}' does not exist")
        units = {unit.value.tag: unit.constructor for unit in library.ConstructUnits}
        content = load_yaml(path, library.substitution_args.yaml, units, self._limits)
        return library.YamlListWrapper.wrap(content)

    # elements

    def _attributes_of(self, tag: Any, required: list[str], optional: list[str]) -> Any:
        if tag.tagName == "xacro:macro" and not tag.getAttribute("params").strip():
            tag.setAttribute("params", "")  # the library trips over blanks
        if tag.tagName == "xacro:arg" and tag.hasAttribute("name"):
            name = tag.getAttribute("name")
            self._substitution.known.add(name)
            if not tag.hasAttribute("default"):
                if name not in self._given:
                    raise NotFound(
                        f"the argument '{name}' has no default and was not given; "
                        f"give {name}:=value"
                    )
                tag.setAttribute("default", "")
        return self._check_attributes(tag, required, optional)

    def _macro_call(self, node: Any, macros: Any, symbols: Any) -> bool:
        self._limits.tick()
        stack = self._library.macrostack
        if len(stack) > MACRO_DEPTH:
            raise XacroLimit(
                f"macros call each other, {MACRO_DEPTH} deep; does one call itself without end?"
            )
        # xacro:call comes here again, with the name that it calls
        if not node.tagName.startswith("xacro:") or node.tagName == "xacro:call":
            return bool(self._call_macro(node, macros, symbols))
        self._limits.look()
        if node.hasAttribute("name"):
            node.written_name = str(node.getAttribute("name"))
        with calls_noted(node):
            return bool(self._call_macro(node, macros, symbols))

    def _evaluate_text(self, text: Any, symbols: Any) -> Any:
        self._limits.tick()
        value = self._eval_text(text, symbols)
        if isinstance(value, str):
            self._limits.make(len(value))
        return value

    # messages

    def _speakers(self) -> Sequence[Callable[..., None]]:
        """The library's three functions for messages; it tells them by their names."""

        def warning(*parts: object, **_how: object) -> None:
            self._warn(" ".join(map(str, parts)))

        def message(*parts: object, **_how: object) -> None:
            self._warn(" ".join(map(str, parts)))

        def error(*parts: object, **_how: object) -> None:
            self._warn(" ".join(map(str, parts)))

        return warning, message, error

    def _warn(self, text: str) -> None:
        work = work_of(frames_above(sys._getframe()), self._library)
        told = f"{work.element}: {_one_line(text)}" if work else _one_line(text)
        warning = f"line {work.place.line}: {told}" if work else told
        if work:
            warning = _in_file(warning, work.place.file, self._source)
        if warning not in self.warnings:
            self.warnings.append(warning)

    def _told(self, error: Exception) -> UrdfError:
        """The library's error in the words of this reader."""
        frames = list(frames_of(error.__traceback__))
        work = work_of(frames, self._library)
        message = _shorter(_one_line(str(error))) or type(error).__name__
        cause = _cause(error)
        if isinstance(cause, RecursionError):
            message = "it nests without end, or deeper than Python can follow"
        elif isinstance(cause, KeyError):
            message = f"there is no {message}"
        elif isinstance(cause, SyntaxError):
            message = f"is no valid expression: {message}"
        elif cause is error and not isinstance(error, self._explained):
            message = f"{type(error).__name__}: {message}"
        if message.startswith(UNKNOWN_MACRO):
            names = known_macros(frames, self._library)
            message += f"; known are {listed(names)}" if names else "; none is defined"
        return UrdfError(work.tell(message) if work else f"{self._source}: {message}")


def _cause(error: BaseException) -> BaseException:
    """The error that the library has wrapped into its own."""
    while isinstance(inner := getattr(error, "exc", None), BaseException):
        error = inner
    return error


def _shorter(message: str) -> str:
    """An error's message with the first two of the expressions that it came through."""
    message = message.replace(IN_EXPRESSION, "")
    what, *expressions = message.split(EVALUATING)
    shown = [EVALUATING + text for text in expressions[:SHOWN_EXPRESSIONS]]
    more = len(expressions) - len(shown)
    return what + "".join(shown) + (f" and {more} more" if more else "")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _in_file(warning: str, file: Path, source: Path) -> str:
    """A warning that begins with its line, and names the file where that is not the robot's."""
    if file == source:
        return warning
    line, _, message = warning.partition(":")
    return f"{line} of {file}:{message}"
