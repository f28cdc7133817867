"""`pip install .` gives the core, with numpy as its only dependency, and the door to pictures."""

import json
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

LEFT_OUT = (".git", ".venv", ".mypy_cache", ".ruff_cache", "build", "__pycache__", "*.egg-info")


def output(command: list[str | Path], folder: Path) -> str:
    """What a command prints; fails with its errors when it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def fresh_python(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new virtual environment into which a copy of the checkout was installed."""
    folder = tmp_path_factory.mktemp("pip_install")
    copy = folder / "some-checkout"
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
    venv.create(folder / "venv", with_pip=True)
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    python = folder / "venv" / scripts / "python"
    output([python, "-m", "pip", "install", "--quiet", copy], folder)
    return python


def test_numpy_is_the_only_dependency(fresh_python: Path, tmp_path: Path) -> None:
    listing = json.loads(output([fresh_python, "-m", "pip", "list", "--format=json"], tmp_path))
    names = {entry["name"].lower() for entry in listing}
    assert names - {"pip", "setuptools"} == {"dynarig", "numpy"}


def test_every_module_of_the_core_is_installed_and_imports(
    fresh_python: Path, root: Path, tmp_path: Path
) -> None:
    modules = [
        ".".join(("dynarig", *path.relative_to(root).with_suffix("").parts)).removesuffix(
            ".__init__"
        )
        for path in sorted((root / "core").rglob("*.py"))
    ]
    assert "dynarig.core" in modules
    code = f"import importlib\nfor name in {modules}:\n    importlib.import_module(name)"
    output([fresh_python, "-c", code], tmp_path)


def test_all_of_the_add_on_is_installed_and_its_door_imports_without_blender(
    fresh_python: Path, root: Path, tmp_path: Path
) -> None:
    code = (
        "import sys, dynarig.addon.render, dynarig.addon.film; assert 'bpy' not in sys.modules; "
        "print(dynarig.__file__)"
    )
    package = Path(output([fresh_python, "-c", code], tmp_path).strip()).parent
    wanted = {path.relative_to(root) for path in (root / "addon").rglob("*.py")}
    assert {path.relative_to(package) for path in (package / "addon").rglob("*.py")} == wanted


def test_nothing_but_core_and_add_on_is_installed(fresh_python: Path, tmp_path: Path) -> None:
    code = "import dynarig; print(dynarig.__file__)"
    package = Path(output([fresh_python, "-c", code], tmp_path).strip()).parent
    found = {path.name for path in package.iterdir()} - {"__pycache__"}
    assert found == {"__init__.py", "addon", "core"}
