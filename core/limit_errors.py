"""What is wrong where joints are beyond their limits and nothing can push them back."""

from __future__ import annotations

from .dynamics.contact import Gaps, JointLimit
from .dynamics.model import Model
from .errors import SimulationError


def starts_outside(gaps: Gaps, index: int, t: float, gap: float) -> SimulationError:
    """For a start at which the gap of a limit is negative."""
    joint, where = _joint(gaps, index), _where(gaps, index, gap)
    return SimulationError(
        f"{gaps.model.name}: at t = {t:.6g} s joint '{joint}' starts outside its limits: it is at "
        f"{where}; or switch the limits of this joint off"
    )


def held_outside(gaps: Gaps, index: int, gap: float) -> str:
    """What is told of a follower that its leader holds beyond a limit, at the start."""
    joint, where = _joint(gaps, index), _where(gaps, index, gap)
    leader = gaps.model.followers[joint].leader
    return (
        f"'{gaps.names[index]}' does not act until joint '{joint}' has come inside: '{leader}', "
        f"which it follows, holds it at {where}"
    )


def driven_outside(gaps: Gaps, index: int, t: float, gap: float) -> SimulationError:
    """For a joint whose motion is prescribed, and leads beyond its limits."""
    joint, where = _joint(gaps, index), _where(gaps, index, gap)
    return SimulationError(
        f"{gaps.model.name}: at t = {t:.6g} s the prescribed motion of joint '{joint}' is beyond "
        f"its limits: it is at {where}; or switch the limits of this joint off"
    )


def cannot_yield(model: Model, name: str, t: float) -> SimulationError:
    """For a gap that closes although nothing that it could push is free to move."""
    return SimulationError(
        f"{model.name}: at t = {t:.6g} s '{name}' is reached by a motion that it cannot stop, "
        "since prescribed motions and constraints leave nothing free; wanted motions that stay "
        "clear of it, or this contact left out"
    )


def is_limit(gaps: Gaps, index: int) -> bool:
    """Whether a gap is that of a joint at its limit."""
    return isinstance(gaps.contacts[index], JointLimit)


def _joint(gaps: Gaps, index: int) -> str:
    own = gaps.contacts[index]
    assert isinstance(own, JointLimit)
    return own.joint


def _where(gaps: Gaps, index: int, gap: float) -> str:
    """Such as "0.7 rad, wanted -0.5 to 0.5"."""
    model, joint = gaps.model, _joint(gaps, index)
    frames = [k for k, dof in enumerate(model.scalar_dof) if model.dof_joint[int(dof)] == joint]
    lower, upper = float(model.lower[frames[0]]), float(model.upper[frames[0]])
    x = lower + gap if gaps.names[index].endswith("lower") else upper - gap
    unit = "m" if model.joint_type(joint) == "prismatic" else "rad"
    return f"{x:.6g} {unit}, wanted {lower:.6g} to {upper:.6g}"
