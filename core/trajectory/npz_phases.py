"""What a .npz file holds of constraints and of jumps; nothing where there are none.

constraints                     names of all
index, reference                of the scheme, and the pose against which rows are sized
phase_starts                    (p,), s
phase_active                    (p, n), 1 where a constraint acts
phase_placed, phase_poses       (p, n) and (p, n, 4, 4): where a hold holds, once that is known
told_times_k, told_k            of phase k: multipliers at the scheme's steps, index 2 and 3
jump_times, jump_lost           (j,), s and J
jump_states                     (j, 2, nq + nv): (q, v) before and after
jump_causes                     (j,), a line for each
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..arrays import FloatArray, frozen
from ..dynamics import Model, System
from ..dynamics.constraints.constraint import Constraint
from ..dynamics.constraints.hold import Hold
from ..integrate import Index
from ..motion import Motion
from ..phased_motion import PhasedMotion
from .jump import Jump
from .npz_content import Content

INDICES: tuple[Index, ...] = (1, 2, 3)


def phase_arrays(equations: Motion) -> dict[str, Any]:
    """The entries of constraints, by name."""
    system = equations.system
    if not system.constraints:
        return {}
    phases: Sequence[Motion] = (equations,)
    starts = np.zeros(1)
    if isinstance(equations, PhasedMotion):
        phases, starts = equations.phases, equations.starts
    poses = [[_pose(own) for own in phase.system.constraints] for phase in phases]
    out: dict[str, Any] = {
        "constraints": constraint_names(system),
        "index": equations.index,
        "phase_starts": starts,
        "phase_active": [[int(own.active) for own in x.system.constraints] for x in phases],
        "phase_placed": [[int(pose is not None) for pose in row] for row in poses],
        "phase_poses": [[np.eye(4) if own is None else own for own in row] for row in poses],
    }
    if system.reference is not None:
        out["reference"] = system.reference
    for phase, motion in enumerate(phases):
        if motion.told:
            out[f"told_times_{phase}"] = [time for time, _ in motion.told]
            out[f"told_{phase}"] = np.array([own for _, own in motion.told])
    return out


def jump_arrays(jumps: Sequence[Jump]) -> dict[str, Any]:
    """The entries of jumps, by name."""
    if not jumps:
        return {}
    states = [
        [np.concatenate((x.q_left, x.v_left)), np.concatenate((x.q_right, x.v_right))]
        for x in jumps
    ]
    return {
        "jump_times": [jump.time for jump in jumps],
        "jump_lost": [jump.lost for jump in jumps],
        "jump_states": states,
        "jump_causes": ["\n".join(jump.causes) for jump in jumps],
    }


def read_jumps(content: Content, model: Model) -> tuple[Jump, ...]:
    """The jumps of a file."""
    if "jump_times" not in content.arrays:
        return ()
    times = content.times("jump_times", least=1)
    count, nq = len(times), model.nq
    states = content.numbers("jump_states", (count, 2, nq + model.nv))
    lost, causes = content.numbers("jump_lost", (count,)), content.texts("jump_causes")
    if len(causes) != count:
        raise content.error("'jump_causes': wanted one for each jump")
    return tuple(
        Jump(
            float(times[k]),
            tuple(causes[k].split("\n")),
            frozen(states[k, 0, :nq].copy()),
            frozen(states[k, 0, nq:].copy()),
            frozen(states[k, 1, :nq].copy()),
            frozen(states[k, 1, nq:].copy()),
            float(lost[k]),
        )
        for k in range(count)
    )


def constraint_names(system: System) -> list[str]:
    """Of all constraints, in order."""
    return [own.name for own in system.constraints]


def other_constraints(content: Content, system: System) -> str:
    """Why the constraints of a system are not those of the file; nothing where they are."""
    had = content.texts("constraints") if "constraints" in content.arrays else []
    has = constraint_names(system)
    if had == has:
        return ""
    return (
        f"was made with the constraints {', '.join(had) or 'none'}, got {', '.join(has) or 'none'}"
    )


def phased(content: Content, motion: Motion) -> Motion:
    """The equations of motion with the phases of the file, whose constraints are the motion's."""
    if "phase_starts" not in content.arrays:
        return motion
    given = motion.system.constraints
    starts = content.times("phase_starts", least=1)
    shape = len(starts), len(given)
    active = content.numbers("phase_active", shape)
    placed = content.numbers("phase_placed", shape)
    poses = content.numbers("phase_poses", (*shape, 4, 4))
    system = motion.system
    if "reference" in content.arrays:
        system = replace(system, reference=content.numbers("reference", (motion.nq,)))
    index = content.count("index")
    if index not in INDICES:
        raise content.error(f"'index': wanted 1, 2 or 3, got {index}")
    phases = []
    for k in range(len(starts)):
        constraints = tuple(
            _set(own, bool(active[k, n]), poses[k, n] if placed[k, n] else None)
            for n, own in enumerate(given)
        )
        phase = Motion(
            replace(system, constraints=constraints),
            motion.tau,
            motion.damping,
            motion.limits,
            motion.passive,
            INDICES[index - 1],
        )
        if f"told_{k}" in content.arrays:
            times = content.numbers(f"told_times_{k}", (None,))
            rows = phase.system.rows
            count = 0 if rows is None else len(rows)
            values = content.numbers(f"told_{k}", (len(times), count))
            phase.told = list(zip(times.tolist(), values, strict=True))
        phases.append(phase)
    return phases[0] if len(phases) == 1 else PhasedMotion(starts.tolist(), phases)


def _pose(own: Constraint) -> FloatArray | None:
    return own.world_from_port if isinstance(own, Hold) else None


def _set(own: Constraint, active: bool, pose: FloatArray | None) -> Constraint:
    if isinstance(own, Hold) and pose is not None:
        return replace(own, active=active, world_from_port=pose)
    return replace(own, active=active)
