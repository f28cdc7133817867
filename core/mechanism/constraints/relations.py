"""Linear relations between coordinates, of which gears, racks and threads are examples.

Coordinates are named as `choice` tells: by joints, bodies or names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from ...dynamics import constraints as kinds
from ...dynamics.constraints import Constraint, Switch
from ...dynamics.constraints.coordinates import Coordinates, scalar_coordinate
from ...errors import ArgumentError, ModelError
from ..arguments import number
from ..component import Output
from ..drawing import Scene
from ..places import Places
from ..shapes import Color
from . import sketches
from .choice import Choice, Chosen, checked_choice, chosen_one, unit
from .part import ConstraintPart, row_of

KINDS = {"m": "a slide, in m", "rad": "a turn, in rad", "1": "part of a quaternion"}


class Term(NamedTuple):
    """A coordinate in a relation.

    Attributes:
        parameter: by which it was given, for messages.
        given: joint, body or name.
        share: how it counts in displacement and velocity.
        unit: 'rad' or 'm', where no other will do.
    """

    parameter: str
    given: Choice
    share: float
    unit: str | None = None


class RelationPart(ConstraintPart):
    """A relation between single coordinates: 1 row.

    Variables: displacement (…, 1), which each class describes, and velocity, its rate; equation,
    force (…, 1).
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "none"

    def __init__(
        self,
        name: str,
        terms: Sequence[Term],
        active: bool,
        switches: Sequence[Switch],
        show: bool,
        color: Color | None,
    ) -> None:
        super().__init__(name, (), active, switches, show, color)
        for term in terms:
            checked_choice(self.label, term.parameter, term.given)
        self.terms = tuple(terms)

    def found(self, places: Places) -> list[Chosen]:
        """The coordinates of its terms.

        Raises:
            ModelError: as `choice.chosen_one`, and for a turn where a slide is wanted.
        """
        out = []
        for term in self.terms:
            own = chosen_one(self.label, term.parameter, term.given, places)
            there = unit(own, places)
            if term.unit is not None and there != term.unit:
                raise ModelError(
                    f"{places.assembly.name}: {self.label}: {term.parameter}: wanted "
                    f"{KINDS[term.unit]}, got {own.edge.label}, {KINDS[there]}"
                )
            out.append(own)
        return out

    def acts_on(self) -> Sequence[object]:
        """The joints that it names: no loop is cut there."""
        return [term.given for term in self.terms]

    def names(self, places: Places) -> list[str]:
        """The coordinates as the compiled model calls them."""
        return [own.names[0] for own in self.found(places)]

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also displacement and velocity."""
        found = self.found(places)
        return {
            **super().outputs(places),
            "displacement": row_of(self._sum(found, places, rates=False)),
            "velocity": row_of(self._sum(found, places, rates=True)),
        }

    def sketch(self, scene: Scene) -> None:
        """A mark at each joint."""
        for own in self.found(scene.places):
            sketches.ball(self, scene, own.edge.frame_b, self.shown)

    def _sum(self, found: Sequence[Chosen], places: Places, rates: bool) -> Output:
        """The coordinates times their shares, or their rates."""
        model = places.model
        columns, weights, constant = [], [], 0.0
        for term, own in zip(self.terms, found, strict=True):
            place, factor, offset = scalar_coordinate(model, own.names[0], self.label)
            if place is not None:  # of a follower whose leader does not move
                columns.append(place)
                weights.append(term.share * factor)
            constant += term.share * offset
        coordinates, row = Coordinates(model, columns), np.array(weights)
        if rates:
            return lambda at: coordinates.rates(at.q, at.v) @ row
        return lambda at: coordinates.values(at.q) @ row + constant


class LinearRelationPart(RelationPart):
    """sum of coefficient * coordinate = offset: 1 row, such as a differential gear.

    Variables: displacement (…, 1), the sum, and velocity, its rate; equation, force (…, 1).

    Args:
        name: of the component.
        coefficients: {coordinate: number, …}.
        offset: rad or m.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        coefficients: Mapping[Choice, float],
        offset: float = 0.0,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        if not isinstance(coefficients, Mapping) or not coefficients:
            raise ArgumentError(
                f"{owner}: coefficients: wanted {{coordinate: number, …}}, got {coefficients!r}"
            )
        terms = [
            Term("coefficients", given, number(owner, f"coefficients[{given!r}]", value))
            for given, value in coefficients.items()
        ]
        super().__init__(name, terms, active, switches, show, color)
        self.offset = number(owner, "offset", offset)

    def constraint(self, places: Places) -> Constraint:
        """A linear relation; a coordinate that was named twice has both coefficients."""
        total: dict[str, float] = {}
        for name, term in zip(self.names(places), self.terms, strict=True):
            total[name] = total.get(name, 0.0) + term.share
        return kinds.LinearRelation(**self.common(), coefficients=total, offset=self.offset)


class MimicPart(RelationPart):
    """follower = multiplier * leader + offset: 1 row.

    Variables: displacement (…, 1), the follower's coordinate less the leader's, and velocity, its
    rate; torque (…), that it exerts along the follower's coordinate, N m (N on a slide); along the
    leader's it exerts -multiplier times that; equation, force (…, 1).

    Args:
        name: of the component.
        leader, follower: joints, or their names ('hinge', 'arm.elbow').
        multiplier: of the leader; offset: of the follower, rad or m.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        leader: Choice,
        follower: Choice,
        multiplier: float = 1.0,
        offset: float = 0.0,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        terms = Term("leader", leader, -1.0), Term("follower", follower, 1.0)
        super().__init__(name, terms, active, switches, show, color)
        self.multiplier = number(self.label, "multiplier", multiplier)
        self.offset = number(self.label, "offset", offset)

    def constraint(self, places: Places) -> Constraint:
        """A mimic."""
        leader, follower = self.names(places)
        return kinds.Mimic(
            **self.common(),
            leader=leader,
            follower=follower,
            multiplier=self.multiplier,
            offset=self.offset,
        )

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also the torque on the follower."""
        return {**super().outputs(places), "torque": self.lagrange(factor=-1.0)}
