"""Lint and types of all Python files, so that one test run says all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run_module(root: Path, *arguments: str, **variables: str) -> None:
    """Run `python -m …` in the checkout and fail with all it prints."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=root,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        pytest.fail(done.stdout + done.stderr, pytrace=False)


def test_ruff_finds_nothing(root: Path) -> None:
    run_module(root, "ruff", "check", "--quiet", "--output-format=concise")


def test_ruff_would_format_nothing_otherwise(root: Path) -> None:
    run_module(root, "ruff", "format", "--check", "--quiet")


def test_mypy_finds_nothing_in_core_addon_and_scripts(root: Path) -> None:
    # mypy names a package after its folder, and a checkout may have any name
    named = root / "build" / "typing" / "dynarig"
    named.parent.mkdir(parents=True, exist_ok=True)
    if not named.is_symlink():
        named.symlink_to(root, target_is_directory=True)
    scripts = sorted(path.stem for path in (root / "scripts").glob("*.py"))
    packages = [path.parent.name for path in (root / "scripts").glob("*/__init__.py")]
    run_module(
        root,
        "mypy",
        "--no-error-summary",
        *(f"--package={name}" for name in ("dynarig.core", "dynarig.addon", *packages)),
        *(f"--module={name}" for name in scripts),
        MYPYPATH=os.pathsep.join([str(named.parent), str(root / "scripts")]),
    )
