"""What may touch what: pairs of shapes, and joints at their limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...errors import ArgumentError, ModelError
from ..model import Model
from .shapes import Shape

OTHER_SCHEME = 'method="time-stepping" of a CollisionSystem'  # for what exact impacts cannot take

LARGEST_FRICTION = 1e6  # nothing that is rougher slides


@dataclass(frozen=True, eq=False, kw_only=True)
class Contact:
    """Two shapes that cannot pass through each other.

    Attributes:
        name: of its own among contacts and constraints.
        a, b: the shapes, on different links or one of them on the world.
        restitution: e of Newton's law, 0 to 1: speed of parting over speed of meeting.
        friction: Coulomb's coefficient, 0 or more. Exact impacts are frictionless: a
            `ContactSystem` takes 0 only, the time-stepping scheme any.
    """

    name: str
    a: Shape
    b: Shape
    restitution: float = 0.0
    friction: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ArgumentError(f"Contact: name: wanted text, got {self.name!r}")
        for argument in ("a", "b"):
            given = getattr(self, argument)
            if not isinstance(given, Shape):
                raise ArgumentError(f"{self.label}: {argument}: wanted a shape, got {given!r}")
        check_restitution(self.label, self.restitution)
        check_friction(self.label, self.friction)

    @property
    def label(self) -> str:
        """Such as "Contact 'floor'", for messages."""
        return f"Contact '{self.name}'"


@dataclass(frozen=True, eq=False, kw_only=True)
class JointLimit:
    """A joint of one coordinate that stops at its limits, as a contact.

    Attributes:
        joint: its name; the limits are those of the description.
        restitution: as of `Contact`.
    """

    joint: str
    restitution: float = 0.0

    def __post_init__(self) -> None:
        check_restitution(self.label, self.restitution)

    @property
    def name(self) -> str:
        """Of the contact: that of the joint."""
        return f"limit of {self.joint}"

    @property
    def label(self) -> str:
        """Such as "JointLimit 'elbow'", for messages."""
        return f"JointLimit '{self.joint}'"


def joint_limits(
    model: Model,
    restitution: float | Mapping[str, float] = 0.0,
    switched: Mapping[str, bool] | None = None,
) -> tuple[JointLimit, ...]:
    """The limits of all joints that have some, as contacts.

    Args:
        restitution: of all, or by the names of joints (0 for the others).
        switched: by the names of joints, whether their limits act; True for the others.

    Raises:
        ModelError: for a joint that has no limits.
    """
    lower, upper = model.lower, model.upper
    limited = []
    for index, dof in enumerate(model.scalar_dof):
        name = model.dof_joint[int(dof)]
        if np.isfinite(lower[index]) or np.isfinite(upper[index]):
            limited.append(name)
    own = restitution if isinstance(restitution, Mapping) else dict.fromkeys(limited, restitution)
    acts = {} if switched is None else switched
    for name in (*own, *acts):
        if name not in limited:
            raise ModelError(
                f"{model.name}: joint '{name}' has no limits; those that have some: "
                f"{', '.join(limited) or 'none'}"
            )
    return tuple(
        JointLimit(joint=name, restitution=own.get(name, 0.0))
        for name in limited
        if acts.get(name, True)
    )


def check_friction(owner: str, value: object) -> None:
    """Raise an ArgumentError for what is no number from 0 to LARGEST_FRICTION."""
    fits = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not fits or not 0.0 <= value <= LARGEST_FRICTION:  # type: ignore[operator]
        raise ArgumentError(
            f"{owner}: friction: wanted a number from 0 to {LARGEST_FRICTION:g}, got {value!r}"
        )


def check_restitution(owner: str, value: object) -> None:
    """Raise an ArgumentError for what is no number from 0 to 1."""
    fits = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not fits or not 0.0 <= float(value) <= 1.0:  # type: ignore[arg-type]
        raise ArgumentError(f"{owner}: restitution: wanted a number from 0 to 1, got {value!r}")
