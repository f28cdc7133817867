"""What all components that constrain share: when they act, what they tell, and how they look."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from ...arrays import FloatArray, frozen
from ...dynamics.constraints import Constraint, Switch
from ...dynamics.constraints.switch import checked_switches
from ...plain_values import as_flag
from ..arguments import color as checked_color
from ..arguments import direction
from ..component import Component, Output
from ..drawing import Scene
from ..places import Places
from ..rigid import in_space
from ..shapes import Color

if TYPE_CHECKING:
    from ..snapshot import Snapshot

COLOR: Color = (0.93, 0.47, 0.60)  # of what shows a constraint, where it was given none


class ConstraintPart(Component):
    """A component that only constrains: it has no mass and is no joint of the tree.

    Variables, over the n equations of the constraint: equation (…, n), what is left of them, 0
    where they hold; force (…, n), their multipliers lambda with M a + J^T lambda = f, 0 while it
    is inactive; displacement and velocity, which each class describes.

    Args:
        name: of the component, and of the constraint in the compiled system.
        active: whether it acts from the start.
        switches: when it is switched on and off; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        frames: Sequence[str],
        active: bool,
        switches: Sequence[Switch],
        show: bool,
        color: Color | None,
    ) -> None:
        super().__init__(name, frames)
        self.active = as_flag(active, f"{self.label}: active")
        self.show = as_flag(show, f"{self.label}: show")
        self.switches = checked_switches(self.label, switches)
        self.color = checked_color(self.label, color)

    @property
    def shown(self) -> Color:
        """The colour of its picture."""
        return COLOR if self.color is None else self.color

    def common(self) -> dict[str, Any]:
        """What every constraint of `dynamics.constraints` takes."""
        return {"name": self.name, "active": self.active, "switches": self.switches}

    def constraint(self, places: Places) -> Constraint:
        """The constraint of the compiled system."""
        raise NotImplementedError

    def constraints(self, places: Places) -> Sequence[Constraint]:
        """The one."""
        return (self.constraint(places),)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """What is left of the equations, and their multipliers."""
        del places
        name = self.name
        return {
            "equation": lambda at: at.constraint(name).equation,
            "force": lambda at: at.constraint(name).force,
        }

    def lagrange(self, row: int = 0, factor: float = 1.0) -> Output:
        """The multiplier of one row (…), times a factor."""
        name = self.name
        return lambda at: factor * at.constraint(name).force[..., row]

    def drawn(self, scene: Scene) -> None:
        """Its picture, unless it is not to be shown."""
        if self.show:
            self.sketch(scene)

    def sketch(self, scene: Scene) -> None:
        """Add its shapes to the scene."""
        del scene

    def axis(self, name: str, given: ArrayLike | None, otherwise: ArrayLike) -> FloatArray:
        """A direction as the space of the component has it, as a unit vector (3,)."""
        size = 2 if self.space == "planar" else 3
        return unit_axis(self.label, name, otherwise if given is None else given, size)


def unit_axis(owner: str, name: str, given: ArrayLike, size: int) -> FloatArray:
    """A direction of 2 or 3 numbers as a unit vector (3,)."""
    return frozen(in_space(direction(owner, name, given, size)))


def row_of(values: Callable[[Snapshot], FloatArray]) -> Output:
    """A number (…) as an array (…, 1)."""
    return lambda at: values(at)[..., None]
