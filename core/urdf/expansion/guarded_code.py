"""The code of a Python expression, its dangerous parts replaced by calls of the evaluator."""

from __future__ import annotations

import ast
from functools import lru_cache
from types import CodeType
from typing import Any

LONGEST = 20_000  # characters of an expression
NODES = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Call),
    *(ast.keyword, ast.Starred, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp),
    *(ast.Tuple, ast.List, ast.Dict, ast.Set, ast.comprehension, ast.ListComp, ast.SetComp),
    *(ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.arguments, ast.arg, ast.Load, ast.Store),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift),
    *(ast.BitAnd, ast.BitOr, ast.BitXor, ast.UAdd, ast.USub, ast.Not, ast.Invert, ast.And, ast.Or),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn),
)
# the blank in them: no property or parameter of a file can take these names
TICK, EACH, ATTRIBUTE = "guarded tick", "guarded each", "guarded attribute"
MEASURED = "guarded value"
GUARDED = {
    ast.Add: "guarded +",
    ast.Mult: "guarded *",
    ast.Mod: "guarded %",
    ast.Pow: "guarded **",
    ast.LShift: "guarded <<",
}
MADE = (*(ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp),)


class ForbiddenExpression(Exception):
    """An expression that is not evaluated; xacro's own code passes it on."""


@lru_cache(maxsize=4096)
def compiled(expression: str) -> CodeType:
    """The code of an expression, its dangerous parts replaced by guards.

    Raises:
        SyntaxError: it is no expression.
        ForbiddenExpression: it holds what may not be used.
    """
    if len(expression) > LONGEST:
        raise ForbiddenExpression(f"the expression is longer than {LONGEST} characters")
    tree = ast.parse(expression, "<expression>", "eval")
    for node in ast.walk(tree):
        _check(node)
    guarded: Any = _Guard().visit(tree)
    code: CodeType = compile(ast.fix_missing_locations(guarded), "<expression>", "eval")
    return code


def _check(node: ast.AST) -> None:
    if not isinstance(node, NODES):
        raise ForbiddenExpression(f"{type(node).__name__} may not be used in an expression")
    name = {ast.Name: "id", ast.Attribute: "attr", ast.arg: "arg", ast.keyword: "arg"}.get(
        type(node)
    )
    text = getattr(node, name) if name else None
    if text is not None and text.startswith("__"):
        raise ForbiddenExpression(f"the name '{text}' may not be used in an expression")
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
        raise ForbiddenExpression("only plain names may be assigned in an expression")


class _Guard(ast.NodeTransformer):
    """Puts calls of the helpers where values can grow, steps repeat or attributes are read."""

    def visit(self, node: ast.AST) -> Any:
        made: Any = super().visit(node)
        stored = isinstance(getattr(made, "ctx", None), ast.Store)
        return made if stored or not isinstance(made, MADE) else _call(MEASURED, made)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return _call(ATTRIBUTE, self.visit(node.value), ast.Constant(node.attr))

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        helper = GUARDED.get(type(node.op))
        return node if helper is None else _call(helper, node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        node.left = _call(MEASURED, node.left)
        node.comparators = [_call(MEASURED, item) for item in node.comparators]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        for item in (*node.args, *node.keywords):
            if isinstance(item, ast.Starred | ast.keyword):
                item.value = _call(MEASURED, item.value)
        node.args = [
            item if isinstance(item, ast.Starred) else _call(MEASURED, item) for item in node.args
        ]
        return _call(MEASURED, node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        return _call(MEASURED, node) if isinstance(node.slice, ast.Slice) else node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        # the tick returns None, so the body is what counts
        node.body = ast.BoolOp(ast.Or(), [_call(TICK), node.body])
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = _call(EACH, node.iter)
        return node


def _call(helper: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(helper, ast.Load()), list(arguments), [])
