"""YAML files that xacro expressions load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import UrdfError
from ..regular_file import read_regular
from .limits import SIZE, Limits, XacroLimit

LARGEST_FILE = 2_000_000  # bytes


def load_yaml(path: Path, yaml: Any, units: dict[str, Any], limits: Limits) -> Any:
    """The content of a YAML file: plain data only.

    Args:
        path: the file.
        yaml: the module of PyYAML.
        units: constructors of xacro's units, such as !degrees, by their tags.
        limits: every node is counted.

    Raises:
        UrdfError: the file cannot be read or is no YAML; names its line.
        XacroLimit: it is too large, or refers to itself.
    """

    class Loader(yaml.SafeLoader):  # type: ignore[misc]  # a class of its own: tags are the class's
        def compose_node(self, parent: Any, index: Any) -> Any:
            limits.tick()
            return super().compose_node(parent, index)

    for tag, constructor in units.items():
        Loader.add_constructor(tag, constructor)
    try:
        data = read_regular(path, LARGEST_FILE)
        if len(data) > LARGEST_FILE:
            raise XacroLimit(f"{path}: has more than the {LARGEST_FILE} bytes that are read")
        loader = Loader(data)
        node = loader.get_single_node()
        if node is None:
            return None
        if _size(node, {}, yaml) > SIZE:
            raise XacroLimit(
                f"{path}: holds more than {SIZE} values, counted wherever it refers to them; does "
                "it refer to itself?"
            )
        return loader.construct_document(node)
    except OSError as error:
        raise UrdfError(f"{path}: cannot be read: {error.strerror or error}") from error
    except yaml.YAMLError as error:
        raise UrdfError(f"{_place(path, error)}: is no valid YAML: {_reason(error)}") from error
    except RecursionError as error:
        raise UrdfError(f"{path}: is no valid YAML: it is nested too deep") from error


def _size(node: Any, known: dict[int, int], yaml: Any) -> int:
    """The nodes below a node and itself, those that are referred to counted every time."""
    if id(node) not in known:
        known[id(node)] = SIZE + 1  # while it is counted: refers to itself, if met again
        children = node.value if isinstance(node, yaml.CollectionNode) else ()
        if isinstance(node, yaml.MappingNode):
            children = [child for pair in node.value for child in pair]
        known[id(node)] = 1 + sum(_size(child, known, yaml) for child in children)
    return known[id(node)]


def _place(path: Path, error: Any) -> str:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return str(path) if mark is None else f"{path}:{mark.line + 1}"


def _reason(error: Any) -> str:
    parts = (getattr(error, "context", None), getattr(error, "problem", None))
    return ", ".join(part for part in parts if part) or " ".join(str(error).split())
