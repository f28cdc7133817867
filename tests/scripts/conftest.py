"""Runs the script as a user does: in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Script = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def script(root: Path) -> Script:
    """Call with arguments of simulate_urdf.py: through `blender --background` inside a Blender,
    else with this Python. `package` is the folder it belongs to, the checkout by default."""
    try:
        import bpy
    except ImportError:
        pytest.fail("no Blender in this Python: run `python3 scripts/dev.py test`")
    blender = bpy.app.binary_path

    def run(*arguments: object, package: Path = root) -> subprocess.CompletedProcess[str]:
        file = package / "scripts" / "simulate_urdf.py"
        command: list[object] = [sys.executable, file]
        if blender:
            command = [blender, "--background", "--factory-startup", "--python", file, "--"]
        return subprocess.run(
            [str(part) for part in (*command, *arguments)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def arm(data: Path) -> Path:
    """A robot of four moving parts made of boxes."""
    return data / "arm" / "arm.urdf"


@pytest.fixture
def opened() -> Callable[[Path], None]:
    """Call with a .blend file to open it here; this Blender is empty again after the test."""
    import bpy

    def open_file(path: Path) -> None:
        bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=True)

    yield open_file
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
