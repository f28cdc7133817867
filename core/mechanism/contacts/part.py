"""Components of contact: two shapes on two frames that may touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...dynamics.collision import Collider
from ...dynamics.contact import Contact, Gaps, JointLimit, Shape
from ...dynamics.contact.contact import check_friction, check_restitution
from ...errors import ArgumentError
from ..arguments import color as checked_color
from ..component import Component, Output
from ..drawing import Scene
from ..places import Places
from ..shapes import Color
from .pictures import draw
from .shapes import ContactShape

COLOR: Color = (0.46, 0.49, 0.54)  # of what is on no body


class ContactPart(Component):
    """A shape on frame_a and one on frame_b that cannot pass through each other.

    Exact impacts are frictionless; `simulate(…, method="time-stepping")` takes friction, and all
    shapes. Exact impacts are listed in `trajectory.impacts`, by the component's name followed by
    what of a shape was touched, such as "floor corner 2".

    Variables of exact impacts, over the n points that may touch: gap (…, n), m, above 0 where they
    are apart; push (…, n), with which they hold each other apart while they rest on each other, N.
    Of time stepping: push and rub (…), the forces along and across the normals of all points that
    touch, over each step as its impulses tell, N; gap as before where exact impacts know the
    shapes. What acts on the frames, such as 'floor.frame_b.f', is there in both.

    Args:
        name: of the component.
        a, b: the shapes of frame_a and frame_b, such as Point() and Wall(normal=(0, 1)).
        restitution: speed of parting over speed of meeting, 0 to 1.
        friction: Coulomb's coefficient, 0 or more; above 0 for time stepping alone.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        a: ContactShape,
        b: ContactShape,
        restitution: float = 0.0,
        friction: float = 0.0,
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, ("frame_a", "frame_b"))
        for key, shape in (("a", a), ("b", b)):
            if not isinstance(shape, ContactShape):
                raise ArgumentError(
                    f"{self.label}: {key}: wanted a shape such as Point() or Plane(), got {shape!r}"
                )
            if self.space == "planar" and not shape.in_plane:
                raise ArgumentError(
                    f"{self.label}: {key}: wanted a shape in a plane: Point, Sphere (a circle), "
                    f"Box (a rectangle), Plane or Wall, got a {type(shape).__name__}"
                )
        if not isinstance(show, bool | np.bool_):
            raise ArgumentError(f"{self.label}: show: wanted True or False, got {show!r}")
        check_restitution(self.label, restitution)
        check_friction(self.label, friction)
        self.a, self.b = a, b
        self.restitution, self.friction = float(restitution), float(friction)
        self.show = bool(show)
        self.color = checked_color(self.label, color)

    @property
    def extent(self) -> float:
        """The larger of its shapes, m."""
        return max(self.a.extent(), self.b.extent())

    @property
    def only_stepped(self) -> str | None:
        """What exact impacts cannot take: friction, and shapes that they do not know."""
        way = 'simulate(…, method="time-stepping") takes'
        if self.friction > 0.0:
            return (
                f"{self.label}: friction: exact impacts are frictionless, and this contact has "
                f"friction {self.friction:g}; {way} it"
            )
        for key, shape in (("a", self.a), ("b", self.b)):
            if not shape.exact:
                return (
                    f"{self.label}: {key}: exact impacts take Point, Sphere, Box, Plane and Wall, "
                    f"and this is a {type(shape).__name__}; {way} it"
                )
        return None

    def contacts(self, places: Places) -> Sequence[Contact | JointLimit]:
        """Its one; none where exact impacts cannot take it."""
        return () if self.only_stepped is not None else (self._smooth(places),)

    def colliders(self, places: Places) -> Sequence[tuple[Collider, Collider]]:
        """Its one pair, both with the friction and the restitution of the contact."""
        pair = self._shapes(places)
        first, second = (
            Collider(
                name=f"{self.name} {key}",
                shape=shape,
                friction=self.friction,
                restitution=self.restitution,
            )
            for key, shape in zip("ab", pair, strict=True)
        )
        return ((first, second),)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Gaps and pushes."""
        out: dict[str, Output] = {}
        if places.stepped:
            out["push"] = lambda at: at.touch(self.name).push
            out["rub"] = lambda at: at.touch(self.name).rub
        if not (self.a.exact and self.b.exact):
            return out
        gaps = Gaps(places.model, (self._smooth(places),))
        out["gap"] = lambda at: gaps.at(at.q).gap
        if not places.stepped and self.only_stepped is None:
            out["push"] = lambda at: np.stack(
                [
                    sign * at.constraint(name).force[..., 0]
                    for name, sign in zip(gaps.names, gaps.pushes, strict=True)
                ],
                axis=-1,
            )
        return out

    def drawn(self, scene: Scene) -> None:
        """Both shapes, but for points, in the colours of their bodies where it has none."""
        if not self.show:
            return
        for frame, shape in ((self.frame_a, self.a), (self.frame_b, self.b)):
            body, first = scene.places.body(frame), len(scene.solids)
            color = COLOR if self.color is None and body is None else self.color
            draw(self, scene, frame, shape, self._size, color)
            scene.solids[first:] = [replace(solid, like=body) for solid in scene.solids[first:]]

    @property
    def _size(self) -> int:
        """Numbers of a point."""
        return 2 if self.space == "planar" else 3

    def _shapes(self, places: Places) -> tuple[Shape, Shape]:
        """The shapes on their ports."""
        return (
            self.a.on(self.label, places.port(self.frame_a), self._size),
            self.b.on(self.label, places.port(self.frame_b), self._size),
        )

    def _smooth(self, places: Places) -> Contact:
        """The contact without friction."""
        first, second = self._shapes(places)
        return Contact(name=self.name, a=first, b=second, restitution=self.restitution)
