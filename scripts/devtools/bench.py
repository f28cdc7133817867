"""The benchmarks, each a script in scripts/benchmarks with an environment of its own."""

import subprocess

from .environments import bench_environment
from .packages import fetch_robots
from .places import ROOT
from .threads import with_one_thread

BENCHMARKS = ("frames", "dynamics", "constraints", "contact")
ENVIRONMENTS = {"constraints": "dynamics", "contact": "dynamics"}  # of those that share another's
OF_ROBOTS = ("dynamics", "contact")  # these need the example robots


def run_bench(name: str) -> int:
    """Run one benchmark in the foreground; return its exit code."""
    script = ROOT / "scripts" / "benchmarks" / f"{name}.py"
    command = [str(bench_environment(ENVIRONMENTS.get(name, name))), str(script)]
    robots = {"DYNARIG_ROBOTS": str(fetch_robots())} if name in OF_ROBOTS else {}
    return subprocess.run(command, cwd=ROOT, env=with_one_thread(robots), check=False).returncode
