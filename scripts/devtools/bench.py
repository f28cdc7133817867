"""The benchmarks, each a script in scripts/benchmarks with an environment of its own."""

import subprocess
import tempfile
from pathlib import Path

from .environments import bench_environment, default_environment, environment_for
from .packages import fetch_robots
from .places import ROOT
from .terminal import DevError
from .threads import with_one_thread

BENCHMARKS = ("frames", "dynamics", "constraints", "contact", "import")
ENVIRONMENTS = {"constraints": "dynamics", "contact": "dynamics"}  # of those that share another's
OF_ROBOTS = ("dynamics", "contact", "import")  # these need the example robots
IN_BLENDER = ("import",)
SCRIPTS = {"import": "importing"}  # where no module can have the name of the benchmark


def run_bench(name: str, bpy: str | None = None) -> int:
    """Run one benchmark in the foreground; return its exit code.

    Args:
        bpy: the Blender wheel of one that runs in Blender; that of .venv if none.

    Raises:
        DevError: for a wheel and a benchmark that runs without Blender.
    """
    script = ROOT / "scripts" / "benchmarks" / f"{SCRIPTS.get(name, name)}.py"
    variables = {"DYNARIG_ROBOTS": str(fetch_robots())} if name in OF_ROBOTS else {}
    # Blender's settings go to a folder that is deleted after
    with tempfile.TemporaryDirectory(prefix="dynarig-bench-") as folder:
        if name in IN_BLENDER:
            variables["BLENDER_USER_RESOURCES"] = folder
        command = [str(python_for(name, bpy)), str(script)]
        env = with_one_thread(variables)
        return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


def python_for(name: str, bpy: str | None) -> Path:
    """The interpreter of the environment of a benchmark."""
    if name in IN_BLENDER:
        return (environment_for(bpy) if bpy else default_environment()).python
    if bpy is not None:
        raise DevError(f"bench {name} runs without Blender; --bpy is for {', '.join(IN_BLENDER)}")
    return bench_environment(ENVIRONMENTS.get(name, name))
