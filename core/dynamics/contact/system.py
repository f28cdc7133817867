"""A system with contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arrays import FloatArray
from ...errors import ArgumentError
from ..evaluation import mass_at
from ..model import IntArray
from ..system import Moment, System
from .contact import OTHER_SCHEME, Contact, JointLimit
from .gaps import Gaps
from .impact_law import ImpactRule, check_rule, mobility
from .rest import Resting


@dataclass(frozen=True, eq=False, repr=False)
class ContactSystem(System):
    """A system whose bodies may hit each other and rest on each other, without friction.

    What holds a gap at 0 while bodies rest is one of `constraints`, named as the gap is, which a
    simulation switches on and off.

    Attributes:
        contacts: pairs of shapes, and joints at their limits. Where joints are among them the
            limits of no joint act in the other way, as stiff stops.
        impacts: the rule for several gaps that close at one instant, see `impact`.
        order: names of contacts, for the sequential rule; as they stand where none are given.
        known: the compiled gaps of `contacts`.
    """

    contacts: tuple[Contact | JointLimit, ...] = ()
    impacts: ImpactRule = "joint"
    order: tuple[str, ...] | None = None
    known: Gaps | None = None

    def __post_init__(self) -> None:
        check_rule(self.impacts)
        if self.known is None or self.known.given is not self.contacts:
            own = tuple(self.contacts)
            _refuse_friction(own)
            object.__setattr__(self, "contacts", own)
            gaps = Gaps(self.model, own)
            object.__setattr__(gaps, "given", own)
            object.__setattr__(self, "known", gaps)
            there = {row.name: row for row in self.constraints}
            taken = [
                row
                for name, row in there.items()
                if name in gaps.names and not isinstance(row, Resting)
            ]
            if taken:
                raise ArgumentError(
                    f"{self.model.name}: contact '{taken[0].name}': wanted a name of its own, got "
                    "that of a constraint"
                )
            more = [row for row in gaps.rows if row.name not in there]
            object.__setattr__(self, "constraints", (*self.constraints, *more))
        if self.order is not None:
            names = [own.name for own in self.contacts]
            if sorted(self.order) != sorted(names):
                raise ArgumentError(
                    f"{self.model.name}: order: wanted the names of all contacts, each once, got "
                    f"{self.order!r}; there are: {', '.join(names)}"
                )

    @property
    def gaps(self) -> Gaps:
        """The gaps of all contacts."""
        assert self.known is not None
        return self.known

    @property
    def stops_joints(self) -> bool:
        """Whether limits of joints are contacts."""
        return any(isinstance(own, JointLimit) for own in self.contacts)

    @cached_property
    def places(self) -> IntArray:
        """The gaps in the order of the sequential rule (n,)."""
        names = [own.name for own in self.contacts] if self.order is None else list(self.order)
        ranks = [names.index(own.name) for own in self.gaps.contacts]
        return np.argsort(ranks, kind="stable")

    def mobility(self, at: Moment) -> FloatArray:
        """How velocities answer impulses at a moment (nv, nv), see `mobility`."""
        rows = None if self.rows is None else self.rows.at(at).jacobian
        free = self._free if self.prescribed else None
        return mobility(mass_at(self.model, at.q), rows, free)


def _refuse_friction(contacts: Sequence[Contact | JointLimit]) -> None:
    """Raise an ArgumentError for a contact with friction."""
    for own in contacts:
        if isinstance(own, Contact) and own.friction > 0.0:
            raise ArgumentError(
                f"{own.label}: friction: wanted 0, got {own.friction!r}: exact impacts are "
                f"frictionless; contact with friction is for {OTHER_SCHEME}"
            )
