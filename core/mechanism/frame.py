"""A frame of a component: where it can be connected to others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .component import Component


@dataclass(frozen=True, eq=False, repr=False)
class Frame:
    """A coordinate system of a component, such as `rod.frame_b`.

    Connected frames are one: their positions and orientations are equal, and the forces and
    torques that act on their components through them sum to zero.
    """

    component: Component
    name: str

    @property
    def path(self) -> str:
        """'component.frame', as in the names of a solution."""
        return f"{self.component.name}.{self.name}"

    def __repr__(self) -> str:
        return f"<frame {self.path}>"
