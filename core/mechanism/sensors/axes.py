"""In which axes a sensor answers, and with how many numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from ...arrays import FloatArray
from ...errors import ArgumentError
from ..component import Component, Output
from ..vectors import local

if TYPE_CHECKING:
    from ..snapshot import Snapshot

Axes = Literal["world", "frame_a", "frame_b"]


class SensorPart(Component):
    """A component that acts on nothing and tells what its frames do; all must be connected.

    resolve_in_frame names the axes of its vectors: 'world', or one of its frames.
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "all"

    def __init__(self, name: str, frames: Sequence[str], resolve_in_frame: Axes) -> None:
        super().__init__(name, frames)
        self.resolve_in_frame = checked_axes(self, frames, resolve_in_frame)

    def vector(self, output: Output) -> Output:
        """A vector (…, 3) in world axes as it is answered: (…, 2) in a plane."""
        return resolved(self, self.resolve_in_frame, output)


def checked_axes(component: Component, frames: Sequence[str], given: Axes) -> Axes:
    """'world' or the name of a frame.

    Raises:
        ArgumentError: for anything else.
    """
    allowed = ("world", *frames)
    if given not in allowed:
        raise ArgumentError(
            f"{component.label}: resolve_in_frame: wanted {' or '.join(map(repr, allowed))}, got "
            f"{given!r}"
        )
    return given


def resolved(component: Component, axes: Axes, output: Output) -> Output:
    """A vector in world axes, turned into those of the component's frame of that name."""
    size = 2 if component.space == "planar" else 3

    def answer(at: Snapshot) -> FloatArray:
        vector = output(at)
        if axes != "world":
            vector = local(at.rotation(component.frame(axes)), vector)
        return vector[..., :size]

    return answer


def about_normal(output: Output) -> Output:
    """Of a vector (…, 3) of a planar mechanism, the number about +z."""
    return lambda at: output(at)[..., 2]
