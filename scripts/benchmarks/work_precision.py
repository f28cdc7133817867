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
ROUNDS = 7
STEPS = (0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00005)  # s


@dataclass(frozen=True)
class Run:
    """One way of integrating the motion."""

    name: str
    setting: str
    work: Callable[[], Any]  # returns q (7,) at the end


def precision_table() -> list[str]:
    """Print the table; return the goals that nothing reached."""
    motion = json.loads(FILE.read_text())["sets"][MOTION]
    print("\nthe Panda swings: ms to a joint error, with what reaches it soonest (and its error)")
    print(f"{'s':>3}{'rad':>7}  {'dynarig':<34}{'mujoco':<34}{'ratio':>6}")
    faults = []
    for end, goal in GOALS:
        expected = next(state["q"] for state in motion["reference"] if state["t"] == end)
        best = [
            soonest([run for run in runs if error_of(run, expected) <= goal])
            for runs in (ours(motion, end), mujoco(motion, end))
        ]
        reached = [run for run in best if run is not None]
        if len(reached) < len(best):
            faults.append(f"a joint error of {goal:g} rad after {end:g} s is not reached by both")
            continue
        # both in turn
        rounds = np.array([[timed(run.work) for run in reached] for _ in range(ROUNDS)])
        texts = [
            f"{seconds * 1e3:7.0f} {run.name} {run.setting} ({error_of(run, expected):.0e})"
            for run, seconds in zip(reached, np.median(rounds, axis=0), strict=True)
        ]
        ratio = float(np.median(rounds[:, 0] / rounds[:, 1]))
        print(f"{end:3.0f}{goal:7.0e}  {texts[0]:<34}{texts[1]:<34}{ratio:6.2f}", flush=True)
    return faults


def soonest(runs: list[Run]) -> Run | None:
    """The run that takes the least time, the faster of two times."""
    times = [min(timed(run.work), timed(run.work)) for run in runs]
    return runs[int(np.argmin(times))] if runs else None


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

    for method, coarse, step in (("dop853", -7.0, 0.25), ("dormand-prince", -8.0, 0.5)):
        for tolerance in 10.0 ** np.arange(-12.0, coarse, step):
            work = partial(moved, method=method, rtol=tolerance, atol=tolerance)
            yield Run(method, f"{tolerance:.0e}", work)
    for step in STEPS[1:6]:
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
