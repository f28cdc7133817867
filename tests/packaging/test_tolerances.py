"""Tests say how near they want a number: numpy adds 1e-7 of it to an absolute bound by itself."""

import ast
from pathlib import Path

COMPARISONS = ("assert_allclose", "allclose", "isclose")
# of the core, whose digits are promised; Blender's float32 has tests of its own
FOLDERS = ("core", "robots", "docs")


def bare_bounds(source: str) -> list[int]:
    """The lines on which an absolute bound leaves the relative one to numpy."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            name = node.func.id if isinstance(node.func, ast.Name) else name
            given = {keyword.arg for keyword in node.keywords}
            # rtol is the third argument
            if name in COMPARISONS and "atol" in given and "rtol" not in given:
                found += [node.lineno] if len(node.args) < 3 else []
    return found


def test_no_absolute_bound_is_widened_by_numpys_relative_one(root: Path) -> None:
    for folder in FOLDERS:
        for path in (root / "tests" / folder).rglob("*.py"):
            lines = bare_bounds(path.read_text(encoding="utf-8"))
            assert not lines, f"{path}: assert_close of tests/close.py is meant on lines {lines}"


def test_bare_bounds_are_found() -> None:
    source = (
        "np.testing.assert_allclose(a, b, atol=1)\nassert np.allclose(\n a, b, atol=1)\n"
        "assert_allclose(a, b, rtol=0, atol=1)\nnp.isclose(a, b, 0, atol=1)\nisclose(a, b)\n"
    )
    assert bare_bounds(source) == [1, 2]
