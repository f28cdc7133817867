"""The robot of `described`, and its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from dynarig.addon.blender.importing.importer import ImportResult


@pytest.fixture
def file(tmp_path: Path) -> Any:
    # Blender and the package come in when a test runs
    from .described import File

    return File(tmp_path)


@pytest.fixture
def robot(lab: Any, file: Any) -> ImportResult:
    return lab.load_file(file.path)
