"""The demo: a robot falls under gravity, and what came of it in a short table."""

import json
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .environments import default_environment
from .packages import fetch_robots
from .places import BUILD, ROOT
from .terminal import DevError, say

PANDA = Path("panda_description", "urdf", "panda.urdf")
SCRIPT = ROOT / "scripts" / "simulate_urdf.py"


@dataclass(frozen=True)
class Demo:
    """What the demo is to do."""

    robot: Path | None = None  # the Panda where none is given
    out: Path = BUILD / "demo"
    duration: float = 5.0  # s
    render: bool = True


def run_demo(demo: Demo) -> int:
    """Set up, run the script as a user would, print the table; return the exit code."""
    start = time.perf_counter()
    environment = default_environment()
    robot = demo.robot or fetch_robots() / PANDA
    if not robot.is_file():
        raise DevError(f"no robot file {robot}")
    demo.out.mkdir(parents=True, exist_ok=True)
    files = {
        suffix: demo.out / f"{robot.stem}.{suffix}" for suffix in ("blend", "csv", "mp4", "png")
    }
    report = demo.out / f"{robot.stem}.json"
    command = [environment.python, SCRIPT, robot, "--duration", f"{demo.duration:g}", "--fps", "24"]
    command += ["--out", files["blend"], "--csv", files["csv"], "--report", report]
    if demo.render:
        command += ["--render", files["mp4"], "--sheet", files["png"]]
    else:
        del files["mp4"], files["png"]
    setup = time.perf_counter() - start

    say(" ".join(["$", *(str(part) for part in command)]))
    code = subprocess.run([str(part) for part in command], check=False).returncode
    if code == 0:
        print_table(json.loads(report.read_text()), setup, list(files.values()))
    return code


# the rows of the table: key in the script's report, label, unit
ROWS = (
    ("links", "links", ""),
    ("joints", "joints", ""),
    ("bones", "bones", ""),
    ("meshes", "meshes", ""),
    ("frames", "frames", ""),
    ("keys", "keys", ""),
    ("pose_difference", "largest pose difference, Blender - core", "m"),
    ("energy_drift", "drift of energy plus dissipated work", "J"),
    ("seconds_setup", "set-up", "s"),
    ("seconds_import", "import", "s"),
    ("seconds_simulation", "simulation", "s"),
    ("seconds_bake", "bake", "s"),
    ("seconds_render", "render", "s"),
)


def print_table(report: dict[str, Any], setup: float, files: list[Path]) -> None:
    """Print the figures of the report, and where the files are."""
    figures = {**report, "seconds_setup": setup}
    width = max(len(label) for _, label, _ in ROWS)
    say("")
    for key, label, unit in ROWS:
        if key in figures:
            say(f"  {label:<{width}}  {number(figures[key])} {unit}".rstrip())
    say("")
    for file in files:
        say(f"  {shown(file)}")


def number(value: float) -> str:
    """Counts in full, seconds to a tenth, small quantities with two digits."""
    if isinstance(value, int):
        return f"{value:>9d}"
    return f"{value:>9.1f}" if abs(value) >= 0.05 else f"{value:>9.1e}"


def shown(file: Path) -> str:
    """A path, from the current folder where it is below it."""
    folder = Path.cwd()
    return str(file.relative_to(folder) if file.is_relative_to(folder) else file)
