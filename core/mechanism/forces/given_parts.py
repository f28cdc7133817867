"""Given forces and torques on frames: from outside, or between two frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ...arrays import FloatArray, frozen
from ...errors import ArgumentError
from ..component import Component, Forces, Output
from ..frame import Frame
from ..places import Places
from .ports import Ports
from .signals import Given, Signal, Signals
from .wrenches import WORLD_AXES, GivenWrenches

if TYPE_CHECKING:
    from ..snapshot import Snapshot

Axes = Literal["world", "frame_a", "frame_b"]


class GivenPart(Component):
    """A force and a torque on frame_b; where there is a frame_a, the opposite acts there.

    Variables: force and torque, on frame_b and about its origin, in world axes: (…, 3), in a
    plane (…, 2) and (…).
    """

    def __init__(
        self,
        name: str,
        frames: tuple[str, ...],
        force: Given | None,
        torque: Given | None,
        resolve_in_frame: Axes,
    ) -> None:
        super().__init__(name, frames)
        allowed = ("world", *frames)
        if resolve_in_frame not in allowed:
            raise ArgumentError(
                f"{self.label}: resolve_in_frame: wanted {' or '.join(map(repr, allowed))}, got "
                f"{resolve_in_frame!r}"
            )
        self.resolve_in_frame = resolve_in_frame
        size = 2 if self.space == "planar" else 3
        shape = () if size == 2 else (3,)
        none = np.zeros(size)
        own = Signal.of(self.label, "force", none if force is None else force, (size,), "r, v")
        self._force = lifted(own, np.eye(3)[:, :size])
        nothing: Given = np.zeros(shape) if torque is None else torque
        turn = Signal.of(self.label, "torque", nothing, shape)
        self._torque = lifted(turn, np.eye(3)[:, 2] if size == 2 else np.eye(3))

    def forces(self, places: Places) -> Forces:
        """On its frames."""
        return Forces(frame_forces=((self._law(places), self._ports),))

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """What acts on frame_b."""
        law, planar = self._law(places), self.space == "planar"

        def force(at: Snapshot) -> FloatArray:
            own = law.given(at.moment)[0][..., 0, :]
            return own[..., :2] if planar else own

        def torque(at: Snapshot) -> FloatArray:
            own = law.given(at.moment)[1][..., 0, :]
            return own[..., 2] if planar else own

        return {"force": force, "torque": torque}

    @property
    def _ports(self) -> tuple[Frame, ...]:
        """frame_b, then where there is one frame_a."""
        return self.frames[::-1]

    def _law(self, places: Places) -> GivenWrenches:
        ports = self._ports
        names = [port.name for port in ports]
        world = self.resolve_in_frame == "world"
        axes = WORLD_AXES if world else names.index(self.resolve_in_frame)
        return GivenWrenches(
            Ports.of([places.frame(port) for port in ports]),
            np.zeros(len(ports), dtype=np.intp),
            np.array([1.0, -1.0])[: len(ports)],
            np.array([0]),
            np.array([axes]),
            Signals.of([self._force]),
            Signals.of([self._torque]),
        )


class WorldForcePart(GivenPart):
    """A force from outside that acts at the origin of frame_b.

    Args:
        name: of the component.
        force: N: numbers, or a function of t, or of (t, r, v) with the position and the
            velocity of frame_b in the world. Two numbers in a plane, three in space.
        resolve_in_frame: the axes that the numbers are meant in, 'world' or 'frame_b'.
    """

    def __init__(self, name: str, *, force: Given, resolve_in_frame: Axes = "world") -> None:
        super().__init__(name, ("frame_b",), force, None, resolve_in_frame)


class WorldTorquePart(GivenPart):
    """A torque from outside that acts on frame_b.

    Args:
        name: of the component.
        torque: N m: a number in a plane, three in space; or a function of t.
        resolve_in_frame: the axes that the numbers are meant in, 'world' or 'frame_b'.
    """

    def __init__(self, name: str, *, torque: Given, resolve_in_frame: Axes = "world") -> None:
        super().__init__(name, ("frame_b",), None, torque, resolve_in_frame)


class BodyForcePart(GivenPart):
    """A force and a torque from outside that turn with the body they act on.

    Args:
        name: of the component.
        force, torque: as for `WorldForce` and `WorldTorque`; none for 0.
        resolve_in_frame: the axes that the numbers are meant in, 'frame_b' or 'world'.
    """

    def __init__(
        self,
        name: str,
        *,
        force: Given | None = None,
        torque: Given | None = None,
        resolve_in_frame: Axes = "frame_b",
    ) -> None:
        if force is None and torque is None:
            raise ArgumentError(f"{type(self).__name__} '{name}': wanted a force, a torque or both")
        super().__init__(name, ("frame_b",), force, torque, resolve_in_frame)


class ForcePart(GivenPart):
    """A force between two frames: it acts at the origin of frame_b, its reaction on frame_a.

    Both act along one line, so that they have no torque together: on frame_a acts -f with the
    torque of its lever, (p_a - p_b) x f.

    Args:
        name: of the component.
        force: as for `WorldForce`; r and v are those of frame_b.
        resolve_in_frame: the axes that the numbers are meant in, 'world', 'frame_a' or 'frame_b'.
    """

    def __init__(self, name: str, *, force: Given, resolve_in_frame: Axes = "frame_b") -> None:
        super().__init__(name, ("frame_a", "frame_b"), force, None, resolve_in_frame)


class TorquePart(GivenPart):
    """A torque between two frames: it acts on frame_b, its reaction on frame_a.

    Args:
        name: of the component.
        torque: as for `WorldTorque`.
        resolve_in_frame: the axes that the numbers are meant in, 'world', 'frame_a' or 'frame_b'.
    """

    def __init__(self, name: str, *, torque: Given, resolve_in_frame: Axes = "frame_b") -> None:
        super().__init__(name, ("frame_a", "frame_b"), None, torque, resolve_in_frame)


def lifted(signal: Signal, space_from_own: FloatArray) -> Signal:
    """A signal (3,) in space, of one of the numbers that a component takes.

    space_from_own is (3, n), or (3,) for a single number.
    """
    if signal.shape == (3,):
        return signal
    columns = space_from_own.reshape(3, -1)

    def lift(value: FloatArray | float) -> FloatArray:
        out: FloatArray = columns @ np.reshape(value, -1)
        return out

    if signal.function is None:
        return replace(signal, shape=(3,), constant=frozen(lift(signal.constant)))

    def function(t: float, *state: Any) -> FloatArray:
        return lift(signal(t, *(part[: columns.shape[1]] for part in state)))

    return replace(signal, shape=(3,), constant=np.zeros(3), function=function)
