"""What stands in $(…): find, arg, env, optenv, dirname, cwd and eval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .dom import Place
from .evaluation import Evaluator
from .files import NotFound, XacroFiles

EVAL_FUNCTIONS = ("list", "dict", "map", "str", "float", "int")  # as the library has them


class Substitution:
    """Replaces $(…) for one expansion.

    Args:
        module: the library's substitution_args, a copy of its own; it takes the text apart.
        files: for packages.
        evaluator: for $(eval …), which the library would hand to Python as it is.
        given: the arguments; the library adds the defaults of those that the file declares.
        root: the folder of the robot file.
        current: the file in work.
    """

    def __init__(
        self,
        module: Any,
        files: XacroFiles,
        evaluator: Evaluator,
        given: dict[str, str],
        root: Path,
        current: Callable[[], Path],
    ) -> None:
        self.known: set[str] = set()  # arguments that the file declares or asks for
        self.declared: dict[str, Place] = {}  # those in the files that are read, reached or not
        self._module = module
        self._files = files
        self._evaluator = evaluator
        self._given = given
        self._root = root
        self._current = current
        module._eval_find = files.package
        module._eval_arg = self._argument
        module._eval = self._evaluate

    def __call__(self, text: str) -> str:
        """The text with one $(…) replaced; stands in for the library's eval_extension."""
        if text == "$(cwd)":
            return self._root.as_posix()  # the current folder has no part in a robot
        context = {"arg": self._given, "filename": str(self._current())}
        return str(self._module.resolve_args(text, context=context))

    def _argument(self, name: str, args: Mapping[str, str]) -> str:
        self.known.add(name)
        if name not in args and name in self.declared:
            raise NotFound(
                f"the argument '{name}' is not declared yet where it is used: its <xacro:arg> "
                f"({self.declared[name]}) comes later, or in a part that is left out; give "
                f"{name}:=value, or declare it above its use"
            )
        if name not in args:
            raise NotFound(
                f"the argument '{name}' is not declared and was not given; give {name}:=value, or "
                f'declare it: <xacro:arg name="{name}" default="…"/>'
            )
        return args[name]

    def _evaluate(self, expression: str, _context: Mapping[str, Any]) -> str:
        module = self._module
        builtins = self._evaluator.builtins()
        names = {
            **vars(self._evaluator.mathematics()),
            **{name: builtins[name] for name in EVAL_FUNCTIONS},
            "true": True,
            "false": False,
            **{name: module.convert_value(text, "auto") for name, text in self._given.items()},
            **self._evaluator.helpers(),
            "env": module._eval_env,
            "optenv": module._eval_optenv,
            "find": self._files.package,
            "arg": lambda name: module.convert_value(self._argument(name, self._given), "auto"),
            "dirname": lambda: self._current().parent.as_posix(),
        }
        return str(self._evaluator(expression, names))
