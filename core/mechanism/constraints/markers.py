"""Coordinate markers: coordinates of joints and bodies under one name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from ...dynamics.constraints import GROUND, CoordinateMarker
from ...errors import ArgumentError, ModelError
from ..component import Component, JointEdge
from ..frame import Frame
from ..motors.joint_choice import HasEdge
from ..places import Places
from .choice import Choice, checked_choice, chosen, listed


class CoordinateMarkerPart(Component):
    """Coordinates that coordinate-vector constraints name.

    A joint has all its coordinates, such as x, y, phi; a free or spherical one its position and
    its orientation state, quaternions of any length with w first. A body that moves freely has
    those of its free motion, another those of the joint that carries it. Without any, the marker
    is one on the ground.

    Args:
        name: of the component, and what constraints call it.
        coordinates: joints, bodies, or names: 'hinge', 'arm.elbow', 'body', 'slider.s', 'ball.qw'.
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "none"

    def __init__(self, name: str, coordinates: Choice | Sequence[Choice] = ()) -> None:
        super().__init__(name, ())
        single = isinstance(coordinates, str | Component | HasEdge | JointEdge | Frame)
        try:
            given = (coordinates,) if single else tuple(coordinates)  # type: ignore[arg-type]
        except TypeError:
            raise ArgumentError(
                f"{self.label}: coordinates: wanted a list of joints, bodies or names, got "
                f"{coordinates!r}"
            ) from None
        self.coordinates: tuple[Choice, ...] = tuple(
            checked_choice(self.label, "coordinates", one)  # type: ignore[arg-type]
            for one in given
        )

    def acts_on(self) -> Sequence[object]:
        """The joints that it names: no loop is cut there."""
        return self.coordinates

    def markers(self, places: Places) -> Sequence[CoordinateMarker]:
        """The one, over coordinates of the compiled model."""
        names: list[str] = []
        for given in self.coordinates:
            own = chosen(self.label, "coordinates", given, places)
            mimic = own.edge.joint.mimic
            if mimic is not None:
                raise ModelError(
                    f"{places.assembly.name}: {self.label}: coordinates: {own.edge.label} follows "
                    f"'{mimic.leader}' and has no coordinate of its own; name that one"
                )
            names += own.names
        return (CoordinateMarker(self.name, names),)

    def body(self, places: Places) -> Frame | None:
        """The frame that moves with the last of its coordinates; None on the ground."""
        if not self.coordinates:
            return None
        return chosen(self.label, "coordinates", self.coordinates[-1], places).edge.frame_b


Marker = CoordinateMarkerPart | str


def checked_marker(owner: str, parameter: str, given: Marker) -> Marker:
    """What was given, if it can be a marker.

    Raises:
        ArgumentError: for anything but a marker or a name.
    """
    if isinstance(given, CoordinateMarkerPart) or (isinstance(given, str) and given):
        return given
    raise ArgumentError(
        f"{owner}: {parameter}: wanted a CoordinateMarker, its name, or 'ground', got {given!r}"
    )


def found_marker(
    owner: str, parameter: str, given: Marker, places: Places
) -> CoordinateMarkerPart | None:
    """The marker in the mechanism; None for the ground.

    Raises:
        ModelError: for one that is not there, listing those that are.
    """
    there = [c for c in places.assembly.components if isinstance(c, CoordinateMarkerPart)]
    for marker in there:
        if given is marker or given == marker.name:
            return marker
    if given == GROUND.name:
        return None
    name = given if isinstance(given, str) else given.name
    names = [*(marker.name for marker in there), GROUND.name]
    raise ModelError(
        f"{places.assembly.name}: {owner}: {parameter}: no marker '{name}' in this mechanism; "
        f"there are: {listed(list(dict.fromkeys(names)))}"
    )
