"""Who may import whom: scripts -> addon -> core, and the core knows no Blender."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BLENDER = {"addon_utils", "bgl", "blf", "bl_ui", "bmesh", "bpy", "bpy_extras", "gpu", "mathutils"}
OWN = {"addon", "core", "dynarig", "scripts"}


def imports(path: Path) -> Iterator[tuple[int, str, int]]:
    """Level, top name and line of every import of a file, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield 0, alias.name.split(".")[0], node.lineno
        elif isinstance(node, ast.ImportFrom):
            yield node.level, (node.module or "").split(".")[0], node.lineno


def files(root: Path, *folders: str) -> list[Path]:
    """The Python files below folders of the checkout."""
    found = [path for folder in folders for path in sorted((root / folder).rglob("*.py"))]
    assert found
    return found


def test_core_imports_numpy_and_the_standard_library_only(root: Path) -> None:
    allowed = {*sys.stdlib_module_names, "numpy"}
    wrong = [
        f"{path.relative_to(root)}:{line}: {name}"
        for path in files(root, "core")
        for level, name, line in imports(path)
        if level == 0 and name not in allowed
    ]
    assert not wrong


def test_core_reaches_for_nothing_outside_itself(root: Path) -> None:
    wrong = [
        f"{path.relative_to(root)}:{line}"
        for path in files(root, "core")
        for level, _, line in imports(path)
        if level > len(path.relative_to(root).parts) - 1
    ]
    assert not wrong


def test_the_package_imports_itself_relatively(root: Path) -> None:
    wrong = [
        f"{path.relative_to(root)}:{line}: {name}"
        for path in [root / "__init__.py", *files(root, "core", "addon")]
        for level, name, line in imports(path)
        if level == 0 and name in OWN
    ]
    assert not wrong


def test_no_file_is_called_as_what_its_folder_hands_out(root: Path) -> None:
    # the later import of such a file would put the file in the place of the function
    wrong = []
    for path in files(root, "core", "addon"):
        if path.name != "__init__.py":
            continue
        handed_out = {
            alias.asname or alias.name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        wrong += [own for own in path.parent.glob("*.py") if own.stem in handed_out]
    assert not wrong


def test_nothing_of_blender_is_needed_to_import_root_and_core(root: Path) -> None:
    code = f"""
import sys
for name in {sorted(BLENDER)}:
    sys.modules[name] = None  # importing it raises ImportError
sys.path.insert(0, {str(root / "scripts")!r})
from package import load_package
package = load_package()
import dynarig.core.errors
assert callable(package.register) and callable(package.unregister)
assert not [name for name in sys.modules if name.startswith("dynarig.addon")]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_root_module_stays_small(root: Path) -> None:
    assert len((root / "__init__.py").read_text().splitlines()) <= 15


@pytest.mark.parametrize("folder", ["core", "scripts"])
def test_files_are_python_3_10(root: Path, folder: str) -> None:
    for path in files(root, folder):
        ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 10))


def test_developer_scripts_need_the_standard_library_only(root: Path) -> None:
    # these two run inside Blender and with pytest, and import them there
    inside = {"live_extension.py", "run_tests.py"}
    allowed = {*sys.stdlib_module_names, "devtools"}
    wrong = [
        f"{path.relative_to(root)}:{line}: {name}"
        for path in [root / "scripts" / "dev.py", *files(root, "scripts/devtools")]
        for level, name, line in imports(path)
        if level == 0 and name not in allowed and path.name not in inside
    ]
    assert not wrong
