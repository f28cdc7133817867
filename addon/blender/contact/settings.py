"""What a bake is asked about contact and motors, as plain values: nothing of it needs Blender."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ....core.dynamics.contact.contact import LARGEST_FRICTION
from ...errors import RigError

Scheme = Literal["EXACT", "FRICTION"]
Ground = Literal["NONE", "FLOOR", "OBJECTS"]
GeometryKind = Literal["COLLISION", "VISUAL"]
Motors = Literal["NONE", "HOLD"]
# an object by its name, or by name and library file, None for an object of this file
ObjectKey = str | tuple[str, str | None]

# what each scheme is called in the panel, and in messages
SCHEME_NAMES: dict[Scheme, str] = {
    "EXACT": "Exact impacts",
    "FRICTION": "Contacts with friction",
}
OTHER_SCHEME = f"choose the scheme '{SCHEME_NAMES['FRICTION']}' (FRICTION)"
LET_OFF = "let the link not collide (its bone, Contact)"
FRICTION = 0.5  # of two surfaces, where nobody says otherwise: wood on wood, rubber on ice
# s: below, a second takes minutes; above, bodies fall through centimetres in a step
SHORTEST_STEP, LONGEST_STEP = 1e-5, 0.05
# Hz, and of critical damping: beyond, a joint is as good as welded
MOST_FREQUENCY, MOST_DAMPING = 1000.0, 100.0


@dataclass(frozen=True)
class ContactSettings:
    """How bodies touch, and what holds the joints.

    Attributes:
        scheme: 'EXACT' for impacts as events, without friction, or 'FRICTION' for time stepping.
        ground: 'NONE', 'FLOOR' for the plane z = 0 of the world, or 'OBJECTS'.
        objects: the mesh objects that are the ground; a name alone prefers those of this file.
        restitution: 0 to 1, speed of parting over speed of meeting, of links that have none of
            their own.
        friction: coefficient of links without their own, and of the ground; FRICTION if None. Only
            for the scheme with friction, as are the next two.
        step: s, of the scheme; its default if None.
        use_self_collision: whether the links of the robot touch each other.
        geometry: 'COLLISION', or 'VISUAL' for the convex hulls of what is seen.
        motors: 'NONE', or 'HOLD' for servos that hold the start pose.
        motor_frequency: Hz, how stiff they are; motor_damping: of critical damping.
        use_impact_keys: whether keys stand at the fractional time of impacts, and wherever else
            curves would leave the motion near contacts.
    """

    scheme: Scheme = "EXACT"
    ground: Ground = "NONE"
    objects: tuple[ObjectKey, ...] = ()
    restitution: float = 0.0
    friction: float | None = None
    step: float | None = None
    use_self_collision: bool = False
    geometry: GeometryKind = "COLLISION"
    motors: Motors = "NONE"
    motor_frequency: float = 5.0
    motor_damping: float = 1.0
    use_impact_keys: bool = True

    @property
    def has_contacts(self) -> bool:
        """Whether links can touch anything."""
        return self.ground != "NONE" or self.use_self_collision

    @property
    def surface_friction(self) -> float:
        """The coefficient of what has none of its own."""
        return FRICTION if self.friction is None else self.friction

    def check(self) -> None:
        """Check numbers and what goes together.

        Raises:
            RigError: for the first that does not fit.
        """
        numbers = {
            "restitution": (self.restitution, 0.0, 1.0, ""),
            "friction": (self.friction, 0.0, LARGEST_FRICTION, ""),
            "contact step": (self.step, SHORTEST_STEP, LONGEST_STEP, " s"),
            "stiffness of motors": (self.motor_frequency, 0.0, MOST_FREQUENCY, " Hz"),
            "damping of motors": (self.motor_damping, 0.0, MOST_DAMPING, ""),
        }
        for name, (value, least, most, unit) in numbers.items():
            if value is not None and not least <= value <= most:
                raise RigError(
                    f"{name}: wanted a number from {least:g} to {most:g}{unit}, got {value:g}"
                )
        if self.ground == "OBJECTS" and not self.objects:
            raise RigError("ground: no object is picked; add mesh objects, or take the floor")
        if self.scheme == "EXACT":
            self._check_exact()

    def _check_exact(self) -> None:
        """Refuse what exact impacts do not know, rather than leave it out."""
        told = {
            f"friction {self.friction}": self.friction is not None,
            f"a contact step of {self.step} s": self.step is not None,
            "links that touch each other": self.use_self_collision,
            "picked objects as the ground": self.ground == "OBJECTS",
        }
        wrong = next((what for what, asked in told.items() if asked), None)
        if wrong is not None:
            exact = SCHEME_NAMES["EXACT"]
            raise RigError(f"{wrong}: '{exact}' know none; {OTHER_SCHEME}")
