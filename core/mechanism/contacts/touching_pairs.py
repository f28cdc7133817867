"""What may touch in time stepping: a pair of colliders for each contact of a mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...dynamics import System
from ...dynamics.collision import Collider
from ...dynamics.contact import JointLimit
from ...dynamics.friction.system import CollisionSystem
from ..frame import Frame

if TYPE_CHECKING:
    from ..component import Component
    from ..places import Places


@dataclass(frozen=True, eq=False)
class TouchingPairs:
    """n pairs, and the joints that stop at their limits.

    Attributes:
        names: (n,), of the components.
        colliders: (2 n,), of each pair the one on frame_a and the one on frame_b.
        frames: (2 n,), these frames.
        stops: limits of joints.
    """

    names: tuple[str, ...] = ()
    colliders: tuple[Collider, ...] = ()
    frames: tuple[Frame, ...] = ()
    stops: tuple[JointLimit, ...] = ()

    @classmethod
    def of(cls, places: Places, components: Sequence[Component]) -> TouchingPairs:
        """Of all components."""
        names: list[str] = []
        colliders: list[Collider] = []
        frames: list[Frame] = []
        stops: list[JointLimit] = []
        for component in components:
            for pair in component.colliders(places):
                names.append(component.name)
                colliders += pair
                frames += (component.frame_a, component.frame_b)
            for own in component.contacts(places):
                stops += [own] if isinstance(own, JointLimit) else []
        return cls(tuple(names), tuple(colliders), tuple(frames), tuple(stops))

    def system(self, plain: System) -> CollisionSystem:
        """The system for time stepping."""
        first, second = self.colliders[::2], self.colliders[1::2]
        pairs = tuple((a.name, b.name) for a, b in zip(first, second, strict=True))
        return CollisionSystem(
            plain.model,
            plain.joint_forces,
            plain.frame_forces,
            plain.prescribed,
            plain.constraints,
            plain.markers,
            colliders=self.colliders,
            pairs=pairs,
            joint_stops=self.stops,
        )
