"""The Python package xacro, as a copy for one expansion.

The package keeps its state in its modules (files and macros in work, arguments, verbosity), prints
to stderr, and changes xml.dom.minidom when it is imported. A copy of its own for each expansion
keeps two of them apart, even one inside the other, and other users of the package undisturbed.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, cast
from xml.dom import minidom

from ...errors import UrdfError

PACKAGE = "xacro"
INSTALL = "pip install xacro PyYAML"
# what is used of it: other packages of that name, and other versions, are told from it by these
USED = (
    *("process_doc", "init_stacks", "eval_all", "handle_macro_call", "process_include"),
    *("check_attrs", "eval_text", "create_global_symbols", "safe_eval", "parse", "load_yaml"),
    *("get_include_files", "abs_filename_spec", "eval_extension", "remove_previous_comments"),
    *("XacroException", "Table", "NameSpace", "YamlListWrapper", "YamlDictWrapper"),
)
_numbers = itertools.count()


@contextmanager
def xacro_library() -> Iterator[Any]:
    """A fresh copy of the package, its module `substitution_args` loaded.

    Raises:
        UrdfError: the package, or PyYAML which it needs, is not installed or of another kind.
    """
    name = f"_dynarig_{PACKAGE}_{next(_numbers)}"
    try:
        yield _load(name)
    finally:
        for loaded in [key for key in sys.modules if key.partition(".")[0] == name]:
            del sys.modules[loaded]


def _load(name: str) -> ModuleType:
    writer = minidom.Element.writexml
    try:
        spec = importlib.util.find_spec(PACKAGE)
        if spec is None or spec.loader is None or spec.submodule_search_locations is None:
            raise ImportError(f"No module named '{PACKAGE}'")
        # loaders of files and of zips have it; the name is the one that they know the code by
        code = cast(Any, spec.loader).get_code(PACKAGE)
        library = ModuleType(name)
        library.__path__ = list(spec.submodule_search_locations)
        library.__package__ = name
        sys.modules[name] = library
        exec(code, library.__dict__)
        importlib.import_module(f"{name}.substitution_args")
    except (ImportError, AttributeError, ValueError) as error:
        raise UrdfError(
            "xacro files need the Python packages xacro and PyYAML, which come with the extension "
            f"and are missing here ({error}): {INSTALL}"
        ) from error
    finally:
        minidom.Element.writexml = writer  # type: ignore[method-assign]
    missing = [item for item in USED if not hasattr(library, item)]
    if missing:
        raise UrdfError(
            f"the Python package xacro in {library.__path__[0]} is of another version (it has no "
            f"{missing[0]}); wanted 2.1: {INSTALL}"
        )
    return library
