"""Gears, racks and threads between joints, and screws between frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike

from ...dynamics import constraints as kinds
from ...dynamics.constraints import Constraint, Switch
from ...errors import ArgumentError
from ..arguments import number, positive
from ..component import Output
from ..drawing import Scene
from ..places import Places
from ..shapes import Color
from . import sketches
from .axis_pairs import X, Z
from .choice import Choice
from .pairs import PairPart
from .relations import RelationPart, Term

SAME = 1e-9  # by which a ratio and that of the radii may differ, of the ratio


class GearPart(RelationPart):
    """joint_b = ratio * joint_a + offset: 1 row.

    Variables: displacement (…, 1), joint_b's coordinate less joint_a's, and velocity, its rate;
    torque (…), that the gear exerts along joint_b's coordinate, N m; along joint_a's it exerts
    -ratio times that; equation, force (…, 1).

    Args:
        name: of the component.
        joint_a, joint_b: joints, or their names ('shaft', 'arm.elbow').
        ratio: turns of joint_b for one of joint_a; negative for wheels with outer teeth on axes in
            one direction. -radius_a / radius_b if none.
        radius_a, radius_b: of the wheels, m, which are drawn then. A ratio beside them has their
            size and tells by its sign whether the teeth are outer or inner ones.
        offset: of joint_b, rad.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        joint_a: Choice,
        joint_b: Choice,
        ratio: float | None = None,
        radius_a: float | None = None,
        radius_b: float | None = None,
        offset: float = 0.0,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        terms = Term("joint_a", joint_a, -1.0), Term("joint_b", joint_b, 1.0)
        super().__init__(name, terms, active, switches, show, color)
        self.radii = _radii(self.label, radius_a, radius_b)
        self.ratio = _ratio(self.label, ratio, self.radii)
        self.offset = number(self.label, "offset", offset)

    @property
    def extent(self) -> float:
        """Across the larger wheel, m."""
        return 0.0 if self.radii is None else 2.0 * max(self.radii)

    def constraint(self, places: Places) -> Constraint:
        """A gear."""
        driver, driven = self.names(places)
        return kinds.Gear(
            **self.common(), driver=driver, driven=driven, ratio=self.ratio, offset=self.offset
        )

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also the torque on joint_b."""
        return {**super().outputs(places), "torque": self.lagrange(factor=-1.0)}

    def sketch(self, scene: Scene) -> None:
        """Both wheels, or marks where there are no radii."""
        if self.radii is None:
            super().sketch(scene)
            return
        for own, radius in zip(self.found(scene.places), self.radii, strict=True):
            wheel = own.edge.frame_b, own.edge.joint.axis, radius
            sketches.disc(self, scene, *wheel, self.shown)


class RackAndPinionPart(RelationPart):
    """rack = radius * pinion + offset: 1 row.

    Variables: displacement (…, 1), the rack's coordinate less the pinion's, and velocity, its
    rate; push (…), the force on the rack along its coordinate, N; the pinion takes the torque
    -radius times that; equation, force (…, 1).

    Args:
        name: of the component.
        pinion: a turning joint, or its name; rack: a sliding one.
        radius: m, of the pinion; negative where the rack moves the other way.
        offset: of the rack, m.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        pinion: Choice,
        rack: Choice,
        radius: float,
        offset: float = 0.0,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        terms = Term("pinion", pinion, -1.0, "rad"), Term("rack", rack, 1.0, "m")
        super().__init__(name, terms, active, switches, show, color)
        self.radius = number(self.label, "radius", radius)
        self.offset = number(self.label, "offset", offset)

    @property
    def extent(self) -> float:
        """Across the pinion, m."""
        return 2.0 * abs(self.radius)

    def constraint(self, places: Places) -> Constraint:
        """A rack and its pinion."""
        pinion, rack = self.names(places)
        return kinds.RackAndPinion(
            **self.common(), pinion=pinion, rack=rack, radius=self.radius, offset=self.offset
        )

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also the force on the rack."""
        return {**super().outputs(places), "push": self.lagrange(factor=-1.0)}

    def sketch(self, scene: Scene) -> None:
        """The pinion as a disc, a bar at the rack."""
        pinion, rack = (own.edge for own in self.found(scene.places))
        if self.radius:
            wheel = pinion.frame_b, pinion.joint.axis, abs(self.radius)
            sketches.disc(self, scene, *wheel, self.shown)
        if rack.joint.type == "prismatic":
            sketches.rail(self, scene, rack.frame_b, rack.joint.axis, self.shown)


class ScrewPart(RelationPart):
    """slide = pitch * turn + offset: 1 row, between two coordinates such as 'cyl.phi' and 'cyl.s'.

    Variables: displacement (…, 1), the slide less the turn, and velocity, its rate; push (…), the
    force along the slide, N; the turn takes the torque -pitch times that; equation, force (…, 1).

    Args:
        name: of the component.
        turn, slide: joints, or names of coordinates.
        pitch: m/rad; positive for a right-handed thread.
        offset: of the slide, m.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        turn: Choice,
        slide: Choice,
        pitch: float,
        offset: float = 0.0,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        terms = Term("turn", turn, -1.0, "rad"), Term("slide", slide, 1.0, "m")
        super().__init__(name, terms, active, switches, show, color)
        self.pitch = number(self.label, "pitch", pitch)
        self.offset = number(self.label, "offset", offset)

    def constraint(self, places: Places) -> Constraint:
        """A thread."""
        turn, slide = self.names(places)
        return kinds.Screw(
            **self.common(), turn=turn, slide=slide, pitch=self.pitch, offset=self.offset
        )

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also the force along the slide."""
        return {**super().outputs(places), "push": self.lagrange(factor=-1.0)}


class ScrewPairPart(PairPart):
    """frame_b turns about n of frame_a and slides along it by pitch * turn + offset: 5 rows.

    The turn is zero where the axes of both frames agree, but for the smallest turn that takes n_b
    to n; among threads that differ by whole turns the start decides.

    Args:
        name: of the component.
        pitch: m/rad, not 0; positive for a right-handed thread.
        n: the axis (3,) in frame_a, of any length but 0, x if none.
        n_b: the same axis as it is in frame_b; the same numbers if none.
        offset: m.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        pitch: float,
        n: ArrayLike | None = None,
        n_b: ArrayLike | None = None,
        offset: float = 0.0,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, active, switches, show, color)
        self.n = self.axis("n", n, X)
        self.n_b = self.n if n_b is None else self.axis("n_b", n_b, Z)
        self.pitch = number(self.label, "pitch", pitch)
        if abs(self.pitch) <= kinds.screws.LEAST_PITCH:
            raise ArgumentError(f"{self.label}: pitch: wanted a number that is not 0, got {pitch}")
        self.offset = number(self.label, "offset", offset)

    def constraint(self, places: Places) -> Constraint:
        """A screw between frames."""
        return kinds.ScrewJoint(
            **self.common(),
            **self.ends(places),
            axis=self.n,
            axis_b=self.n_b,
            pitch=self.pitch,
            offset=self.offset,
        )

    def sketch(self, scene: Scene) -> None:
        """A pin on a rail."""
        sketches.pin(self, scene, self.frame_b, self.n_b, self.shown)
        sketches.rail(self, scene, self.frame_a, self.n, self.shown)


def _radii(
    owner: str, radius_a: float | None, radius_b: float | None
) -> tuple[float, float] | None:
    """Of both wheels; None where neither was given."""
    if radius_a is None and radius_b is None:
        return None
    if radius_a is None or radius_b is None:
        given, other = ("a", "b") if radius_b is None else ("b", "a")
        raise ArgumentError(f"{owner}: radius_{other}: wanted it beside radius_{given}")
    return positive(owner, "radius_a", radius_a), positive(owner, "radius_b", radius_b)


def _ratio(owner: str, ratio: float | None, radii: tuple[float, float] | None) -> float:
    """As it was given, or as the radii have it."""
    if radii is None:
        if ratio is None:
            raise ArgumentError(f"{owner}: ratio: wanted it, or radius_a and radius_b")
        return number(owner, "ratio", ratio)
    size = radii[0] / radii[1]
    out = -size if ratio is None else number(owner, "ratio", ratio)
    if abs(abs(out) - size) > SAME * size:
        raise ArgumentError(
            f"{owner}: ratio: wanted {-size:g} for outer teeth or {size:g} for inner ones, as the "
            f"radii have it, got {out:g}"
        )
    return out
