"""Constraints between frames of one body, which could hold nothing."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import ModelError
from ..model import Model
from .constraint import Constraint
from .distances import Cable, Distance
from .pairs import PairConstraint, PrescribedFrame
from .port import Port
from .wheels import RollingWheel


def refuse_same_body(model: Model, constraints: Sequence[Constraint]) -> None:
    """Raise for a constraint whose ports all ride on one body, or on the world.

    Links that fixed joints hold are one body. A cable may run through several points of one.

    Raises:
        ModelError: naming the constraint and its links.
    """
    for own in constraints:
        ports = _ports(own)
        if len({port.place(model)[0] for port in ports}) > 1:
            continue
        names = ["the world" if port.link is None else f"link '{port.link}'" for port in ports]
        told = " and ".join(dict.fromkeys(names))
        raise ModelError(
            f"{model.name}: {own.label}: all its ports are on one body ({told}), where it has "
            "nothing to hold; wanted links that move against each other"
        )


def _ports(own: Constraint) -> Sequence[Port]:
    """The ports of a constraint between frames, with the world for a target."""
    if isinstance(own, PairConstraint):
        return own.a, own.b
    if isinstance(own, PrescribedFrame):
        return Port(None), own.port
    if isinstance(own, Distance | Cable):
        return tuple(own.points)
    assert isinstance(own, RollingWheel)
    return own.wheel, own.plane
