"""Generalised coordinates by name, and the markers that name some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, frozen
from ...errors import ArgumentError, ModelError
from ..coordinate_names import coordinate_names
from ..kinematics import q_derivative
from ..model import IntArray, Model


@dataclass(frozen=True, eq=False)
class CoordinateMarker:
    """Names generalised coordinates, in order.

    Attributes:
        name: what constraints call it.
        coordinates: names of coordinates ('elbow', 'ball.qw'), of joints (all their coordinates)
            or of links (those of the joint that carries the link); none for the ground.
    """

    name: str
    coordinates: Sequence[str] = ()

    def __post_init__(self) -> None:
        given = (self.coordinates,) if isinstance(self.coordinates, str) else self.coordinates
        object.__setattr__(self, "coordinates", tuple(given))
        if not isinstance(self.name, str) or not self.name:
            raise ArgumentError(f"CoordinateMarker: name: wanted text, got {self.name!r}")

    @property
    def is_ground(self) -> bool:
        """Whether it names none."""
        return not self.coordinates

    def columns(self, model: Model) -> list[int]:
        """The places in q (nq,) of its coordinates.

        Raises:
            ModelError: for an unknown name, listing those that exist.
        """
        return [place for name in self.coordinates for place in places_of(model, name, self.name)]


GROUND = CoordinateMarker("ground")


def find_marker(
    given: CoordinateMarker | str, markers: Mapping[str, CoordinateMarker], label: str
) -> CoordinateMarker:
    """A marker by its name; one that is given as itself is taken as it is.

    Raises:
        ModelError: for an unknown name, listing the markers that exist.
    """
    if isinstance(given, CoordinateMarker):
        return given
    if given in markers:
        return markers[given]
    if given == GROUND.name:
        return GROUND
    names = ", ".join([*markers, *([] if GROUND.name in markers else [GROUND.name])])
    raise ModelError(f"{label}: no marker {given!r}; there are: {names}")


def places_of(model: Model, name: str, label: str) -> list[int]:
    """The places in q (nq,) of a coordinate, of a joint's coordinates, or of a link's joint's."""
    names = coordinate_names(model)
    if name in names:
        return [names.index(name)]
    joint = name
    if name in model.link_names and name not in model.q_slices:
        joint = _carrier(model, name)
    if joint in model.q_slices:
        where = model.q_slices[joint]
        return list(range(where.start, where.stop))
    if joint in model.followers:
        raise ModelError(
            f"{label}: '{name}' follows '{model.followers[joint].leader}' and has no coordinate of "
            f"its own; use '{model.followers[joint].leader}'"
        )
    raise ModelError(
        f"{label}: no coordinate, moving joint or moving link '{name}'; there are coordinates "
        f"{', '.join(names)} and links {', '.join(model.link_names)}"
    )


def scalar_coordinate(model: Model, name: str, label: str) -> tuple[int | None, float, float]:
    """A coordinate as multiplier * q[place] + offset: a coupled follower is one of its leader's.

    The place is None for a follower whose leader does not move.
    """
    if name in model.followers:
        follower = model.followers[name]
        if follower.leader not in model.q_slices:
            return None, 0.0, follower.offset
        place = model.q_slices[follower.leader].start
        return place, follower.multiplier, follower.offset
    places = places_of(model, name, label)
    if len(places) != 1:
        names = ", ".join(coordinate_names(model)[place] for place in places)
        raise ModelError(f"{label}: '{name}' has {len(places)} coordinates; name one of {names}")
    return places[0], 1.0, 0.0


class Coordinates:
    """Some coordinates of q, with what relates their rates to v: x' = N v, x'' = N a + N' v."""

    def __init__(self, model: Model, columns: Sequence[int]) -> None:
        self.model = model
        self.columns: IntArray = np.array(columns, dtype=np.intp)
        velocity = np.full(model.nq, -1, dtype=np.intp)
        velocity[model.plain_q] = model.plain_v
        own = velocity[self.columns]
        self._own: IntArray | None = None if (own < 0).any() else own
        self._constant = frozen(np.eye(model.nv)[own]) if (own >= 0).all() else None

    @property
    def is_plain(self) -> bool:
        """Whether the rates are entries of v."""
        return self._own is not None

    def values(self, q: FloatArray) -> FloatArray:
        """x (…, n) of q (…, nq)."""
        return q.take(self.columns, axis=-1)

    def rates(self, q: FloatArray, v: FloatArray) -> FloatArray:
        """x' (…, n)."""
        if self._own is not None:
            return v.take(self._own, axis=-1)
        return q_derivative(self.model, q, v).take(self.columns, axis=-1)

    def matrix(self, q: FloatArray) -> FloatArray:
        """N (…, n, nv), or (n, nv) where it is constant."""
        if self._constant is not None:
            return self._constant
        nq, nv = self.model.nq, self.model.nv
        states = np.broadcast_to(q[..., None, :], (*q.shape[:-1], nv, nq))
        steps = q_derivative(
            self.model, states, np.broadcast_to(np.eye(nv), (*states.shape[:-1], nv))
        )
        return steps.take(self.columns, axis=-1).swapaxes(-1, -2)

    def bends(self, q: FloatArray, v: FloatArray) -> FloatArray | None:
        """N' v (…, n): x'' with a = 0; None where it is zero."""
        if self._own is not None:
            return None
        from ..accelerations import q_second_derivative

        bends = q_second_derivative(self.model, q, v, np.zeros_like(v))
        return bends.take(self.columns, axis=-1)


def _carrier(model: Model, link: str) -> str:
    """The joint that carries a link; the link's own name where none does."""
    frame = model.link_frame[model.link_names.index(link)]
    dofs = np.flatnonzero(model.dof_frame == frame)
    return model.dof_joint[int(dofs[0])] if len(dofs) else link
