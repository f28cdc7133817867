"""What keeps a gap at 0 while bodies rest on each other: constraints, which act as long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..constraints.constraint import Constraint
from ..constraints.distances import Distance
from ..constraints.edges import LinesCross, PointOffLine
from ..constraints.pairs import PointOnPlane
from ..constraints.port import Port
from ..constraints.relations import LinearRelation
from .contact import Contact, JointLimit
from .features import Crossing, Feature, OffLine, OnPlane
from .pairing import features_of


class Resting:
    """Marks constraints that belong to a contact. Of all with ports, lambda < 0 pushes apart."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RestOnPlane(Resting, PointOnPlane):
    """A point, or a round body about it, on a plane."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RestApart(Resting, Distance):
    """Two points, or round bodies about them, against each other."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RestOffLine(Resting, PointOffLine):
    """A round body on an edge."""

    @classmethod
    def of(cls, own: OffLine) -> RestOffLine:
        """That of a feature."""
        return cls(
            name=own.name, active=False, a=own.b, b=own.a, axis=own.axis, distance=own.offset
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class RestCrossing(Resting, LinesCross):
    """An edge across an edge."""

    @classmethod
    def of(cls, own: Crossing) -> RestCrossing:
        """That of a feature."""
        side = own.normals_b[0] + own.normals_b[1]
        axis, other = own.axis_b, own.axis_a
        return cls(
            name=own.name, active=False, a=own.b, b=own.a, axis=axis, axis_b=other, side=side
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class RestAtLimit(Resting, LinearRelation):
    """A joint at one of its limits."""


def held_row(own: Feature) -> Constraint:
    """The constraint that keeps the gap of a feature at 0, named as the feature is."""
    name, a, b = own.name, own.b, own.a
    if isinstance(own, OffLine):
        return RestOffLine.of(own)
    if isinstance(own, Crossing):
        return RestCrossing.of(own)
    if isinstance(own, OnPlane):
        pose = a.link_from_port.copy()
        pose[:3, 3] += pose[:3, :3] @ own.normal * own.offset
        plane = Port(a.link, pose)
        return RestOnPlane(name=name, active=False, a=plane, b=b, axis=own.normal)
    return RestApart(name=name, active=False, a=a, b=b, length=own.offset)


def held_rows(contacts: Sequence[Contact | JointLimit]) -> list[Constraint]:
    """Those of all pairs of shapes."""
    pairs = [own for own in contacts if isinstance(own, Contact)]
    return [held_row(feature) for own in pairs for feature in features_of(own)]
