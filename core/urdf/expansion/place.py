"""Which element xacro was at, by the frames of its functions: it keeps no lines itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any

from ..xml_element import Element
from .dom import Place, PlacedElement, told_path

# the local variable of each of its functions that holds the element in work
ELEMENT_OF = {
    "eval_all": "node",
    "handle_macro_call": "node",
    "handle_dynamic_macro_call": "node",
    "process_include": "elt",
    "grab_macro": "elt",
    "grab_property": "elt",
    "check_attrs": "tag",
}


@dataclass(frozen=True)
class Work:
    """What was in work: the element, its place, and how xacro got there, innermost first."""

    element: str
    place: Place
    path: tuple[str, ...]

    def tell(self, message: str) -> str:
        """An error's text."""
        # the library names the tag where an attribute is missing
        tag = self.element.strip("<>").partition(" ")[0]
        message = message.removeprefix(f"{tag}: ")
        return f"{self.place}: {self.element}: {message}{told_path(self.path)}"


def work_of(frames: Iterable[FrameType], library: Any) -> Work | None:
    """What the library was at, by frames from the outermost to the innermost."""
    steps: list[tuple[str, str, PlacedElement]] = []
    for frame in frames:
        if frame.f_globals is not library.__dict__:
            continue
        function = frame.f_code.co_name
        node = frame.f_locals.get(ELEMENT_OF.get(function, ""))
        while node is not None and not isinstance(node, PlacedElement):
            node = node.parentNode  # of a text
        if node is not None:
            # before it is taken apart: the name of the tag may be expanded meanwhile
            steps.append((function, described(node), node))
    if not steps:
        return None
    _, told, innermost = steps[-1]
    calls = [
        _told_call(node) if function == "handle_macro_call" else f"included at {node.place}"
        for function, _, node in steps
        if function in ("handle_macro_call", "process_include")
        # a plain element too goes through handle_macro_call, which finds that it is no macro
        and node is not innermost
        and node.tagName.startswith("xacro:")
    ]
    return Work(told, innermost.place, tuple(reversed(calls)))


@contextmanager
def calls_noted(call: PlacedElement) -> Iterator[None]:
    """Note the call of a macro in the elements that come to stand in its place meanwhile."""
    step = _told_call(call)
    parent, before, after = call.parentNode, call.previousSibling, call.nextSibling
    yield
    assert parent is not None
    made: Any = parent.firstChild if before is None else before.nextSibling
    while made is not None and made is not after:
        if isinstance(made, PlacedElement):
            made.calls += (step,)
        made = made.nextSibling


def _told_call(node: PlacedElement) -> str:
    """The call of a macro, for a message."""
    return f"in macro {node.tagName.removeprefix('xacro:')!r}, called at {node.place}"


def known_macros(frames: Iterable[FrameType], library: Any) -> list[str]:
    """The names of the macros that are defined where the innermost call was."""
    table: Any = None
    for frame in frames:
        if frame.f_globals is library.__dict__ and frame.f_code.co_name == "handle_macro_call":
            table = frame.f_locals.get("macros")
    names: set[str] = set()
    while isinstance(table, dict):
        names.update(name for name, macro in dict.items(table) if isinstance(macro, library.Macro))
        table = getattr(table, "parent", None)
    return sorted(names)


def frames_of(traceback: TracebackType | None) -> Iterator[FrameType]:
    """The frames that an error went through, outermost first."""
    while traceback is not None:
        yield traceback.tb_frame
        traceback = traceback.tb_next


def frames_above(frame: FrameType | None) -> list[FrameType]:
    """A frame and those that called it, outermost first."""
    found = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found[::-1]


def described(node: PlacedElement) -> str:
    """The element for a message, in the words of the reader of URDF."""
    element = Element(str(node.tagName), {}, node.place.line)  # an expression may give a number
    owner = node
    if node.hasAttribute("name"):
        element.attributes["name"] = _written_name(node)
        return element.describe()
    while isinstance(owner, PlacedElement) and not owner.hasAttribute("name"):
        owner = owner.parentNode  # type: ignore[assignment]
    if isinstance(owner, PlacedElement) and isinstance(owner.parentNode, PlacedElement):
        top = Element("", {}, 0)
        inner = Element(str(owner.tagName), {"name": _written_name(owner)}, 0, top)
        element.parent = inner
    return element.describe()


def _written_name(node: PlacedElement) -> str:
    written = node.written_name
    return str(node.getAttribute("name")) if written is None else written
