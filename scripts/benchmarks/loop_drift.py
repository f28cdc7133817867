"""By how much the loop of a four-bar opens over twenty turns, against MuJoCo's `connect`."""

import importlib
import time
from dataclasses import dataclass

import numpy as np

from benchmarks.loops import GROUND, RODS, Mechanism, built, four_bars

TURNS, SPEED = 20, 5.0  # of the crank, and its speed before it is put together, rad/s
GRAVITY = 9.81
LARGEST_GAP = 1e-9  # m, that is promised
LARGEST_DRIFT = 1e-8  # of the energy, relative


@dataclass(frozen=True)
class Drift:
    """What a motion of so many turns ends with: the largest gap (m), and the energy's drift."""

    name: str
    gap: float
    energy: float
    seconds: float


def drift_table() -> list[str]:
    """Print the table; return what misses its promise."""
    found = [ours(), mujoco()]
    print(f"\na four-bar over {TURNS} turns: largest gap of its loop, drift of its energy")
    for own in found:
        print(f"{own.name:<34}{own.gap:9.1e} m{own.energy:10.1e}{own.seconds:8.2f} s", flush=True)
    return faults(found[0])


def faults(own: Drift) -> list[str]:
    """What is wrong with a motion of ours."""
    out = []
    if not own.gap < LARGEST_GAP:
        out.append(f"the loop opens by {own.gap:.1e} m, wanted less than {LARGEST_GAP:g}")
    if not own.energy < LARGEST_DRIFT:
        out.append(f"the energy drifts by {own.energy:.1e}, wanted less than {LARGEST_DRIFT:g}")
    return out


def start() -> Mechanism:
    """The four-bar, its crank turning."""
    return built(four_bars(1, SPEED))


def ours() -> Drift:
    """With the scheme that is chosen by itself; the gap also between steps, on dense output."""
    from dynarig.core.dynamics.evaluation import link_poses_at
    from dynarig.core.simulate import run, simulate

    mechanism = start()
    begun = time.perf_counter()
    end = turned_by(mechanism)
    times = np.linspace(0.0, end, 40 * TURNS)
    motion = run(simulate(mechanism.system, times, mechanism.q, mechanism.v, tolerance=1e-10))
    seconds = time.perf_counter() - begun
    loop, model = mechanism.loops[0], mechanism.robot.model
    poses = link_poses_at(model, motion.q)[:, model.link_names.index(loop.link)]
    tip = (poses @ np.array([*loop.point, 1.0]))[:, :3]
    gap = float(np.linalg.norm(tip - np.array(loop.other_point), axis=1).max())
    drift = motion.energy_drift / np.abs(np.asarray(motion.energy)).max()
    return Drift("dynarig, dop853 to 1e-10", gap, float(drift), seconds)


def turned_by(mechanism: Mechanism) -> float:
    """How long the turns take, s, at the speed of the start; by gravity there are some more."""
    return TURNS * 2.0 * np.pi / abs(float(mechanism.v[0]))


def mujoco() -> Drift:
    """With `connect` and all else at the defaults: 2 ms steps, semi-implicit Euler."""
    engine = importlib.import_module("mujoco")
    mechanism = start()
    model = engine.MjModel.from_xml_string(model_text())
    data = engine.MjData(model)
    data.qpos[:], data.qvel[:] = mechanism.q, mechanism.v
    begun = time.perf_counter()
    gap, energies = 0.0, []
    while data.time < turned_by(mechanism):
        engine.mj_step(model, data)
        tip = data.site("tip").xpos
        gap = max(gap, float(np.linalg.norm(tip - np.array([GROUND, 0.0, 0.0]))))
        energies.append(float(data.energy.sum()))
    seconds = time.perf_counter() - begun
    spread = np.abs(np.array(energies[1:]) - energies[1])
    return Drift(
        "MuJoCo, soft connect, defaults",
        gap,
        float(spread.max() / np.abs(energies[1:]).max()),
        seconds,
    )


def model_text() -> str:
    """The four-bar for MuJoCo."""
    bodies, close, place = "", "", 0.0
    for index, length in enumerate(RODS):
        slim, long = 0.01 * length**2, length**2 / 12.0
        bodies += (
            f'<body name="rod{index}" pos="{place} 0 0"><joint axis="0 1 0"/>'
            f'<inertial pos="{0.5 * length} 0 0" mass="1" diaginertia="{slim} {long} {long}"/>'
        )
        close += "</body>"
        place = length
    bodies += f'<site name="tip" pos="{place} 0 0"/>'
    return (
        f'<mujoco><option gravity="0 0 {-GRAVITY}"><flag energy="enable"/></option>'
        f'<worldbody><site name="ground" pos="{GROUND} 0 0"/>{bodies}{close}</worldbody>'
        '<equality><connect site1="tip" site2="ground"/></equality></mujoco>'
    )
