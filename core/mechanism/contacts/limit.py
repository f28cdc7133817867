"""The limits of a joint as a contact."""

from __future__ import annotations

from collections.abc import Sequence

from ...dynamics.contact import Contact, JointLimit
from ...dynamics.contact.contact import check_restitution
from ...errors import ArgumentError, ModelError
from ..component import Component, JointEdge
from ..joint_part import JointPart
from ..places import Places


class LimitPart(Component):
    """A joint that stops at its limits, as a contact.

    Args:
        name: of the component.
        joint: the component, a joint of one coordinate with limits.
        restitution: speed of parting over speed of meeting, 0 to 1.
    """

    def __init__(self, name: str, *, joint: JointPart, restitution: float = 0.0) -> None:
        super().__init__(name, ())
        if not isinstance(joint, JointPart):
            raise ArgumentError(f"{self.label}: joint: wanted a joint component, got {joint!r}")
        check_restitution(self.label, restitution)
        self.joint, self.restitution = joint, float(restitution)

    def contacts(self, places: Places) -> Sequence[Contact | JointLimit]:
        """Its one."""
        edge: JointEdge = self.joint.edge
        places.joint(edge)  # refuses joints that close loops
        steps = places.assembly.placed[edge].steps
        if len(steps) != 1:
            raise ModelError(f"{self.label}: joint: wanted one of one coordinate")
        return (JointLimit(joint=steps[0][0], restitution=self.restitution),)
