"""What keeps a gap at 0 while bodies rest on each other: constraints, which act as long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..constraints.constraint import Constraint
from ..constraints.distances import Distance
from ..constraints.pairs import PointOnPlane
from ..constraints.port import Port
from ..constraints.relations import LinearRelation
from .contact import Contact, JointLimit
from .features import Feature, features_of


class Resting:
    """Marks constraints that belong to a contact."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RestOnPlane(Resting, PointOnPlane):
    """A point, or a round body about it, on a plane: lambda < 0 pushes it off."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RestApart(Resting, Distance):
    """Two points, or round bodies about them, against each other: lambda < 0 pushes them apart."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RestAtLimit(Resting, LinearRelation):
    """A joint at one of its limits."""


def held_row(own: Feature) -> Constraint:
    """The constraint that keeps the gap of a feature at 0, named as the feature is."""
    if own.normal is None:
        return RestApart(name=own.name, active=False, a=own.b, b=own.a, length=own.offset)
    pose = own.b.link_from_port.copy()
    pose[:3, 3] += pose[:3, :3] @ own.normal * own.offset
    plane = Port(own.b.link, pose)
    return RestOnPlane(name=own.name, active=False, a=plane, b=own.a, axis=own.normal)


def held_rows(contacts: Sequence[Contact | JointLimit]) -> list[Constraint]:
    """Those of all pairs of shapes."""
    pairs = [own for own in contacts if isinstance(own, Contact)]
    return [held_row(feature) for own in pairs for feature in features_of(own)]
