"""The kinds of loop joints, what each keeps, and how its Empty is drawn.

The axis of every kind that has one is the Z axis of the Empty; the cross of a universal joint
lies along its X axis on the first end and its Y axis on the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...errors import RigError

Display = Literal["ARROWS", "CUBE", "IMAGE", "PLAIN_AXES", "SINGLE_ARROW", "SPHERE"]
# which number a kind has besides its ends
Number = Literal["length", "lead"]

WITHOUT_AXIS = ("BALL", "WELD", "DISTANCE")


@dataclass(frozen=True)
class LoopKind:
    """A kind of loop joint.

    Attributes:
        id: as scripts and properties call it; label: as the panel does.
        description: what it keeps.
        display: `empty_display_type`; size: of it, in parts of the robot's usual one.
        number: 'length' of a rod (m), 'lead' of a screw (m in a whole turn); None for the others.
    """

    id: str
    label: str
    description: str
    display: Display
    size: float = 1.0
    number: Number | None = None

    @property
    def has_axis(self) -> bool:
        """Whether it makes a difference where the axes of its Empty point as it is made."""
        return self.id not in WITHOUT_AXIS


# a cube's and a sphere's size is its half width
KINDS: dict[str, LoopKind] = {
    kind.id: kind
    for kind in (
        LoopKind("BALL", "Ball", "The points coincide; both ends turn freely", "SPHERE", 0.3),
        LoopKind("HINGE", "Hinge", "Turns about the Z axis of the Empty", "SINGLE_ARROW"),
        LoopKind("WELD", "Weld", "Holds both ends to each other", "CUBE", 0.3),
        LoopKind(
            "UNIVERSAL",
            "Universal",
            "The points coincide; the X axis of the first end stays at right angles to the Y axis "
            "of the second",
            "ARROWS",
            0.6,
        ),
        LoopKind(
            "CYLINDRICAL",
            "Cylindrical",
            "Turns about and slides along the Z axis of the Empty",
            "SINGLE_ARROW",
        ),
        LoopKind(
            "PRISMATIC",
            "Prismatic",
            "Slides along the Z axis of the Empty and does not turn",
            "SINGLE_ARROW",
        ),
        LoopKind(
            "SCREW",
            "Screw",
            "Turns about the Z axis of the Empty and slides along it by the lead in every turn",
            "SINGLE_ARROW",
            number="lead",
        ),
        LoopKind(
            "POINT_ON_LINE",
            "Point on Line",
            "A point of the second end stays on a line of the first, the Z axis of the Empty",
            "SINGLE_ARROW",
        ),
        LoopKind(
            "POINT_ON_PLANE",
            "Point on Plane",
            "A point of the second end stays in a plane of the first, across the Z axis of the "
            "Empty",
            "IMAGE",
        ),
        LoopKind(
            "DISTANCE",
            "Distance",
            "A rod: a point of the first end and one of the second stay as far apart as they are",
            "PLAIN_AXES",
            0.4,
            number="length",
        ),
        LoopKind(
            "PLANAR_HINGE",
            "Planar Hinge",
            "The points coincide as seen along the Z axis of the Empty: what closes a loop whose "
            "joints all turn about that direction",
            "SINGLE_ARROW",
        ),
    )
}


def kind_of(text: object) -> LoopKind:
    """The kind of an id or a label, in small or capital letters.

    Raises:
        RigError: listing the kinds.
    """
    name = text.strip().upper().replace(" ", "_") if isinstance(text, str) else ""
    if name not in KINDS:
        raise RigError(f"kind of a loop joint: wanted one of {', '.join(KINDS)}, got {text!r}")
    return KINDS[name]
