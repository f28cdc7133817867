"""The coordinate-vector constraint as a component."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...dynamics.constraints import CoordinateVector, Switch
from ...dynamics.constraints.coordinate_vector import NONE, OffsetFunction, RowFunction
from ...errors import ModelError
from ..component import Output
from ..drawing import Scene
from ..places import Places
from ..shapes import Color
from . import sketches
from .markers import CoordinateMarkerPart, Marker, checked_marker, found_marker
from .part import ConstraintPart


class CoordinateVectorPart(ConstraintPart):
    """An equation between the coordinates q0 and q1 of two markers.

        c = X1 q1 + Y1 q1^2 - X0 q0 - Y0 q0^2 - offset(t) = 0        squares element by element
        at velocity level
        c = X1 q1' + 2 Y1 diag(q1) q1' - X0 q0' - 2 Y0 diag(q0) q0' - offset(t) = 0

    Variables: displacement (…, k) = q1 - q0, without scaling, where the ground counts as 0: q1 with
    the ground as marker 0, -q0 with it as marker 1; velocity (…, k), its rate; equation (…, n), the
    residual c; force (…, n), lambda with M a + J^T lambda = f, 0 while it is inactive. Markers of
    different size have neither displacement nor velocity.

    Args:
        name: of the component.
        marker0, marker1: CoordinateMarkers or their names; 'ground' has no coordinates.
        X0, X1, Y0, Y1: (n, number of the marker's coordinates); empty for none.
        offset: (n,); 0 if none.
        offset_function: (t, offset) -> (n,), which replaces the offset.
        offset_function_t: (t, offset) -> (n,), the rate of offset_function; found by differences
            if none, and held against them where it is given.
        velocity_level: whether the rows act on velocities. Then the offset is one of velocities,
            offset_function_t replaces it, offset_function is ignored, and positions are not
            projected.
        constraint_function: (t, q, v, velocity_level) -> (n,), c itself instead of the formula,
            over the coordinates of marker 0 and then those of marker 1; v are their rates. n comes
            from X0 = zeros((n, 1)).
        jacobian_function: (t, q, v, velocity_level) -> (n, len(q)), its derivative by q, at
            velocity level by v; found by complex steps or differences if none.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn, as a line between the bodies of its markers, or a mark at the
            only one; color: red, green and blue in 0..1.
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "none"

    def __init__(
        self,
        name: str,
        *,
        marker0: Marker = "ground",
        marker1: Marker = "ground",
        X0: ArrayLike = NONE,  # noqa: N803
        X1: ArrayLike = NONE,  # noqa: N803
        Y0: ArrayLike = NONE,  # noqa: N803
        Y1: ArrayLike = NONE,  # noqa: N803
        offset: ArrayLike = (),
        offset_function: OffsetFunction | None = None,
        offset_function_t: OffsetFunction | None = None,
        velocity_level: bool = False,
        constraint_function: RowFunction | None = None,
        jacobian_function: RowFunction | None = None,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, (), active, switches, show, color)
        self.marker0 = checked_marker(self.label, "marker0", marker0)
        self.marker1 = checked_marker(self.label, "marker1", marker1)
        self._constraint = CoordinateVector(
            **self.common(),
            marker0=_name(self.marker0),
            marker1=_name(self.marker1),
            X0=X0,
            X1=X1,
            Y0=Y0,
            Y1=Y1,
            offset=offset,
            offset_function=offset_function,
            offset_function_t=offset_function_t,
            velocity_level=velocity_level,
            constraint_function=constraint_function,
            jacobian_function=jacobian_function,
            show=show,
            color=self.color,
        )

    def constraint(self, places: Places) -> CoordinateVector:
        """The one of the compiled system, its markers those of the mechanism.

        Raises:
            ModelError: for unknown markers, and where neither has a coordinate.
            ArgumentError: for matrices that do not fit the markers' coordinates.
        """
        sizes = self._sizes(places)
        if not any(sizes):
            raise ModelError(
                f"{places.assembly.name}: {self.label}: both markers are on the ground; wanted one "
                "with coordinates at least"
            )
        self._constraint.check_columns(*sizes)
        return self._constraint

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Displacement and velocity between the markers, residual and multipliers."""
        name, sizes = self.name, self._sizes(places)
        out = dict(super().outputs(places))
        if sizes[0] == sizes[1] or 0 in sizes:
            out["displacement"] = lambda at: _there(at.constraint(name).displacement)
            out["velocity"] = lambda at: _there(at.constraint(name).velocity)
        return out

    def sketch(self, scene: Scene) -> None:
        """A line between the bodies of its markers, or a mark at the only one."""
        markers = self._markers(scene.places)
        bodies = [None if marker is None else marker.body(scene.places) for marker in markers]
        frames = [frame for frame in bodies if frame is not None]
        if len(frames) == 2 and frames[0] is not frames[1]:
            sketches.line(self, scene, "rope", (frames[0], frames[1]), self.shown)
        else:
            sketches.ball(self, scene, frames[0], self.shown)

    def _markers(self, places: Places) -> list[CoordinateMarkerPart | None]:
        """Those of the mechanism; None for the ground."""
        given = (("marker0", self.marker0), ("marker1", self.marker1))
        return [found_marker(self.label, *one, places) for one in given]

    def _sizes(self, places: Places) -> tuple[int, int]:
        """How many coordinates the markers have."""
        first, second = (
            0 if marker is None else len(marker.markers(places)[0].columns(places.model))
            for marker in self._markers(places)
        )
        return first, second


def _there(values: FloatArray | None) -> FloatArray:
    assert values is not None  # between markers of one size
    return values


def _name(marker: Marker) -> str:
    return marker if isinstance(marker, str) else marker.name
