"""The extension's manifest says what the product is, and agrees with the other files."""

import re
from pathlib import Path
from typing import Any

import pytest
import tomllib


@pytest.fixture(scope="module")
def manifest(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "blender_manifest.toml").read_text())


def test_identity(manifest: dict[str, Any]) -> None:
    assert manifest["schema_version"] == "1.0.0"
    assert manifest["id"] == "dynarig"
    assert manifest["name"] == "Dynarig"
    assert manifest["type"] == "add-on"
    assert manifest["tagline"] == "Simulate URDF robots and bake the motion to keyframes"
    assert manifest["license"] == ["SPDX:GPL-3.0-or-later"]
    assert manifest["blender_version_min"] == "4.2.0"
    assert manifest["tags"] == ["Animation", "Import-Export", "Physics", "Rigging"]


def test_texts_fit_the_platform(manifest: dict[str, Any]) -> None:
    assert list(manifest["permissions"]) == ["files"]
    for text in (manifest["tagline"], manifest["permissions"]["files"]):
        assert len(text) <= 64
        assert not text.endswith(".")


def test_version_is_that_of_the_python_package(root: Path, manifest: dict[str, Any]) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["version"] == manifest["version"]
    assert project["license"] == "GPL-3.0-or-later"
    assert project["requires-python"] == ">=3.10"
    assert project["dependencies"] == ["numpy>=1.26"]


def test_wheels_are_the_pinned_ones(root: Path, manifest: dict[str, Any]) -> None:
    pins = (root / "requirements" / "wheels.txt").read_text()
    pinned = re.findall(r"^(\S+)==(\S+) --hash=sha256:[0-9a-f]{64}$", pins, re.M)
    named = [Path(wheel).name.split("-")[:2] for wheel in manifest["wheels"]]
    assert named == [list(pin) for pin in pinned]
    for wheel in manifest["wheels"]:
        assert wheel.endswith("-none-any.whl")
        assert (root / wheel).is_file()


def test_licences_are_there_in_full(root: Path) -> None:
    assert "GNU GENERAL PUBLIC LICENSE" in (root / "LICENSE").read_text()
    assert "Apache License" in (root / "LICENSES" / "Apache-2.0.txt").read_text()
    assert "Apache-2.0" in (root / "core" / "__init__.py").read_text()
