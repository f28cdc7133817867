"""Which body carries the state of an assembly that no joint ties to the world.

The first body that was given initial values or a kind of orientation state, else the first body.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import ModelError
from .component import Component, Root


def choose_root(mechanism: str, part: Sequence[Component]) -> Root:
    """The root among the components of one assembly, in the order they were given.

    Raises:
        ModelError: where none of them is a body.
    """
    roots = [root for root in (component.root() for component in part) if root is not None]
    if not roots:
        names = ", ".join(component.label for component in part)
        raise ModelError(
            f"{mechanism}: {names}: nothing ties them to the world and none of them is a body; "
            "connect them to the world, or connect a Body to them"
        )
    return next((root for root in roots if root.chosen), roots[0])


def refuse_idle_starts(
    mechanism: str, components: Sequence[Component], roots: Sequence[Root]
) -> None:
    """Raise where a body was given an initial state that it is not the one to carry."""
    carriers = [root.edge.component for root in roots]
    for component in components:
        root = component.root()
        if root is not None and root.given and component not in carriers:
            others = ", ".join(f"'{carrier.name}'" for carrier in carriers)
            hint = (
                f" or, where it belongs to a free assembly, to its root ({others})"
                if others
                else ""
            )
            raise ModelError(
                f"{mechanism}: {component.label}: initial position and velocity follow from those "
                f"of the joints or bodies that it is tied to; give them there{hint}"
            )
