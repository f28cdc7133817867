"""A system whose bodies touch with friction, for the time-stepping scheme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ...errors import ArgumentError
from ..collision.colliders import Collider
from ..contact.contact import JointLimit
from ..system import System

if TYPE_CHECKING:
    from ..collision.collisions import Collisions

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False, repr=False)
class CollisionSystem(System):
    """A system whose colliders may hit each other, rest on each other and rub.

    It is moved by `simulate(…, method="time-stepping")`.

    Attributes:
        colliders: shapes with the properties of their surfaces; names are unique.
        pairs: by the names of two colliders, those that may touch; all if None, but colliders of
            one body, of bodies that a joint connects, and of the world among themselves.
        ignored: pairs that never touch.
        joint_stops: joints that stop at their limits, with the restitution of each. Where some are
            given the limits of other joints do not act; where none are, all limits do, without
            restitution.
    """

    colliders: tuple[Collider, ...] = ()
    pairs: tuple[Pair, ...] | None = None
    ignored: tuple[Pair, ...] = ()
    joint_stops: tuple[JointLimit, ...] = ()

    def __post_init__(self) -> None:
        own = object.__setattr__
        for argument in ("colliders", "ignored", "joint_stops", "pairs"):
            given = getattr(self, argument)
            if not isinstance(given, Sequence) and not (argument == "pairs" and given is None):
                raise ArgumentError(f"{self.model.name}: {argument}: wanted a list, got {given!r}")
        own(self, "colliders", tuple(self.colliders))
        own(self, "joint_stops", tuple(self.joint_stops))
        for collider in self.colliders:
            if not isinstance(collider, Collider):
                raise ArgumentError(
                    f"{self.model.name}: colliders: wanted Colliders, got {collider!r}"
                )
        own(self, "ignored", self._checked("ignored", self.ignored))
        if self.pairs is not None:
            own(self, "pairs", self._checked("pairs", self.pairs))
        for stop in self.joint_stops:
            if not isinstance(stop, JointLimit):
                raise ArgumentError(
                    f"{self.model.name}: joint_stops: wanted JointLimits, got {stop!r}"
                )
        joints = [stop.joint for stop in self.joint_stops]
        twice = next((joint for joint in joints if joints.count(joint) > 1), None)
        if twice is not None:
            raise ArgumentError(
                f"{self.model.name}: joint_stops: wanted one for a joint, got two for '{twice}'"
            )

    @cached_property
    def collisions(self) -> Collisions:
        """What finds the points where colliders touch.

        Raises:
            ModelError, ArgumentError: for colliders and pairs that do not fit the model.
        """
        return self.collisions_without(())

    def collisions_without(self, more: Sequence[Pair]) -> Collisions:
        """The same with further pairs of names that never touch."""
        from ..collision.collisions import Collisions  # simple systems do without

        return Collisions(self.model, self.colliders, self.pairs, (*self.ignored, *more))

    def _checked(self, argument: str, given: Sequence[Pair]) -> tuple[Pair, ...]:
        pairs = tuple(given)
        for pair in pairs:
            fits = isinstance(pair, tuple | list) and len(pair) == 2
            if not fits or not all(isinstance(name, str) for name in pair):
                raise ArgumentError(
                    f"{self.model.name}: {argument}: wanted pairs of names of colliders, got "
                    f"{pair!r}"
                )
        return tuple((pair[0], pair[1]) for pair in pairs)
