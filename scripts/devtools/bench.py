"""The benchmarks, each a script in scripts/benchmarks."""

import subprocess

from .environments import bench_environment
from .places import ROOT

BENCHMARKS = ("frames",)


def run_bench(name: str) -> int:
    """Run one benchmark in the foreground; return its exit code."""
    script = ROOT / "scripts" / "benchmarks" / f"{name}.py"
    command = [str(bench_environment()), str(script)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode
