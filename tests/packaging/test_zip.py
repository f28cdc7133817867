"""What is in the extension's zip, and what is not."""

import zipfile
from pathlib import Path

import pytest

FOLDERS = {"LICENSES", "addon", "core", "scripts", "wheels"}
FILES = {"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md"} | {
    "__init__.py",
    "blender_manifest.toml",
}
DEVELOPER = (
    *("scripts/benchmarks/", "scripts/dev.py", "scripts/devtools/", "scripts/fuzzing/"),
    "scripts/robots_table/",
)


@pytest.fixture(scope="module")
def names(extension_zip: Path) -> set[str]:
    with zipfile.ZipFile(extension_zip) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


def test_it_holds_every_module_of_core_and_addon(names: set[str], root: Path) -> None:
    for folder in ("core", "addon"):
        modules = {path.relative_to(root).as_posix() for path in (root / folder).rglob("*.py")}
        assert modules
        assert modules <= names


def test_it_holds_the_script_and_what_it_imports(names: set[str], root: Path) -> None:
    modules = {path.relative_to(root).as_posix() for path in (root / "scripts").rglob("*.py")}
    wanted = {name for name in modules if not name.startswith(DEVELOPER)}
    assert {"scripts/package.py", "scripts/simulate_urdf.py"} <= wanted
    assert {name for name in names if name.startswith("scripts/")} == wanted


def test_it_holds_the_wheels_licence_and_readme(names: set[str]) -> None:
    assert {"__init__.py", "blender_manifest.toml", "LICENSE", "README.md"} <= names
    assert "LICENSES/Apache-2.0.txt" in names
    wheels = {name.split("-")[0] for name in names if name.endswith(".whl")}
    bundled = {"pycollada", "python_dateutil", "pyyaml", "threadpoolctl", "tzdata", "xacro"}
    assert wheels == {f"wheels/{name}" for name in bundled}


def test_it_holds_nothing_else(names: set[str]) -> None:
    strangers = {name for name in names if name.split("/")[0] not in FOLDERS and name not in FILES}
    assert not strangers
    assert not {name for name in names if name.startswith("wheels/") and name[-4:] != ".whl"}


def test_it_holds_no_leftovers(names: set[str]) -> None:
    for name in names:
        parts = Path(name).parts
        assert not any(part.startswith(".") or part == "__pycache__" for part in parts), name
        assert Path(name).suffix not in {".blend", ".blend1", ".pyc", ".zip"}, name
