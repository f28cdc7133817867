"""Build the extension's zip and validate it, with Blender's own tool."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from .environments import Environment
from .packages import fetch_wheels
from .places import BUILD, ROOT
from .terminal import DevError, run_quietly

TOOL = "scripts/addons_core/bl_pkg/cli/blender_ext.py"


def zip_path() -> Path:
    """Where the zip of this version is built."""
    manifest = (ROOT / "blender_manifest.toml").read_text()
    version = re.search(r'^version = "(.+)"$', manifest, re.M)
    if version is None:
        raise DevError('no line `version = "…"` in blender_manifest.toml')
    return BUILD / f"dynarig-{version[1]}.zip"


def tool_of(environment: Environment) -> list[str | Path]:
    """The command of the wheel's extension tool, which runs without starting Blender."""
    found = sorted(environment.folder.glob(f"**/site-packages/bpy/*/{TOOL}"))
    if not found:
        raise DevError(f"no {TOOL} in {environment.folder}: delete that folder and try again")
    return [environment.python, found[0]]


def build(tool: Sequence[str | Path]) -> Path:
    """Write and validate the zip with an extension tool; return its path."""
    fetch_wheels()
    target = zip_path()
    target.parent.mkdir(exist_ok=True)
    # a .part is no zip to anyone until it is whole and valid
    fresh = target.with_suffix(".part.zip")
    fresh.unlink(missing_ok=True)
    run_quietly(
        [*tool, "build", "--source-dir", ROOT, "--output-filepath", fresh],
        f"building {target.relative_to(ROOT)}",
    )
    if not fresh.exists():
        raise DevError(f"the extension tool wrote no {fresh}")
    run_quietly([*tool, "validate", fresh], f"validating {target.name}")
    shutil.move(fresh, target)
    return target
