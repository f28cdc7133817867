"""The time that a motion takes to a given accuracy, against MuJoCo's RK4."""

import importlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.robots import robot_text

FILE = Path(__file__).resolve().parents[2] / "tests" / "data" / "trees" / "panda_motions.json"
MOTION = "D_swing"  # an arm that swings about where it hangs, without damping
# s of motion, and rad of the worst joint then; after 5 s the reference itself is off by 6e-9
GOALS = ((5.0, 1e-6), (2.0, 1e-9))
TIMES = 5  # the runs of which the median is taken
STEPS = (0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00005)  # s


@dataclass(frozen=True)
class Run:
    """One way of integrating the motion."""

    name: str
    setting: str
    work: Callable[[], Any]  # returns q (7,) at the end


@dataclass(frozen=True)
class Point:
    """A run that reaches a goal: its error (rad) and its time (s)."""

    run: Run
    error: float
    seconds: float


def precision_table() -> list[str]:
    """Print the table; return the goals that nothing reached."""
    motion = json.loads(FILE.read_text())["sets"][MOTION]
    print("\nthe Panda swings: ms to a joint error, with what reaches it soonest (and its error)")
    print(f"{'s':>3}{'rad':>7}  {'dynarig':<34}{'mujoco':<34}{'ratio':>6}")
    faults = []
    for end, goal in GOALS:
        expected = next(state["q"] for state in motion["reference"] if state["t"] == end)
        groups = {"dynarig": list(ours(motion, end)), "mujoco": list(mujoco(motion, end))}
        errors = {run: error_of(run, expected) for runs in groups.values() for run in runs}
        best = {
            package: fastest([(run, errors[run]) for run in runs if errors[run] <= goal])
            for package, runs in groups.items()
        }
        missing = [package for package, point in best.items() if point is None]
        if missing:
            faults.append(f"a joint error of {goal:g} rad is not reached by {', '.join(missing)}")
            continue
        one, other = best["dynarig"], best["mujoco"]
        assert one is not None
        assert other is not None
        texts = [
            f"{p.seconds * 1e3:7.0f} {p.run.name} {p.run.setting} ({p.error:.0e})"
            for p in (one, other)
        ]
        ratio = one.seconds / other.seconds
        print(f"{end:3.0f}{goal:7.0e}  {texts[0]:<34}{texts[1]:<34}{ratio:6.2f}", flush=True)
    return faults


def fastest(runs: list[tuple[Run, float]]) -> Point | None:
    """The run that takes the least time: of each the median, in rounds."""
    if not runs:
        return None
    once = [(timed(run.work), run, error) for run, error in runs]
    # those that are far slower than the fastest are not measured again
    limit = 1.5 * min(seconds for seconds, _, _ in once)
    near = [(run, error) for seconds, run, error in once if seconds <= limit]
    times = {run: [timed(run.work) for _ in range(TIMES)] for run, _ in near}
    points = [Point(run, error, float(np.median(times[run]))) for run, error in near]
    return min(points, key=lambda point: point.seconds)


def timed(work: Callable[[], Any]) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def error_of(run: Run, expected: list[float]) -> float:
    """The largest joint error at the end, rad."""
    return float(np.abs(run.work() - np.array(expected)).max())


def ours(motion: dict[str, Any], end: float) -> Iterator[Run]:
    """All schemes of order four and more, with tolerances or steps swept."""
    from dynarig.core.dynamics import compile_robot
    from dynarig.core.simulate import run, simulate
    from dynarig.core.urdf import parse_urdf

    model = compile_robot(parse_urdf(robot_text("Panda")))

    def moved(**options: Any) -> Any:
        settings = {"damping": motion["damping"], "passive": False, "limits": False, **options}
        return run(simulate(model, (0.0, end), motion["q0"], **settings)).q[-1]

    for method in ("dop853", "dormand-prince"):
        for tolerance in 10.0 ** np.arange(-12.0, -5.5, 0.5):
            work = partial(moved, method=method, rtol=tolerance, atol=tolerance)
            yield Run(method, f"{tolerance:.0e}", work)
    for step in STEPS[1:5]:
        yield Run("rk4", f"{step:g} s", partial(moved, method="rk4", step=step))


def mujoco(motion: dict[str, Any], end: float) -> Iterator[Run]:
    """RK4 with its steps swept."""
    engine = importlib.import_module("mujoco")
    model = engine.MjModel.from_xml_string(robot_text("Panda"))
    model.opt.gravity[:] = (0.0, 0.0, -9.81)
    model.opt.integrator = engine.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= int(engine.mjtDisableBit.mjDSBL_LIMIT)
    model.dof_damping[:], model.dof_frictionloss[:] = motion["damping"], 0.0
    data = engine.MjData(model)

    def moved(step: float) -> Any:
        model.opt.timestep = step
        engine.mj_resetData(model, data)
        data.qpos[:] = motion["q0"]
        engine.mj_step(model, data, nstep=round(end / step))
        return data.qpos.copy()

    for step in STEPS:
        yield Run("rk4", f"{step:g} s", partial(moved, step))
