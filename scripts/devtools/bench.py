"""The benchmarks, each a script in scripts/benchmarks with an environment of its own."""

import os
import subprocess

from .environments import bench_environment
from .packages import fetch_robots
from .places import ROOT

BENCHMARKS = ("frames", "dynamics", "constraints", "contact")
ENVIRONMENTS = {"constraints": "dynamics", "contact": "dynamics"}  # of those that share another's
OF_ROBOTS = ("dynamics", "contact")  # these need the example robots


def run_bench(name: str) -> int:
    """Run one benchmark in the foreground; return its exit code."""
    script = ROOT / "scripts" / "benchmarks" / f"{name}.py"
    command = [str(bench_environment(ENVIRONMENTS.get(name, name))), str(script)]
    # one thread of the linear algebra: matrices of a robot's size are slower with more
    variables = {"OPENBLAS_NUM_THREADS": "1", **os.environ}
    if name in OF_ROBOTS:
        variables["DYNARIG_ROBOTS"] = str(fetch_robots())
    return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode
