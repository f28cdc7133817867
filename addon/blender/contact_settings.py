"""What a bake is asked about contact and motors, as plain values: nothing of it needs Blender."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..errors import RigError

Scheme = Literal["EXACT", "FRICTION"]
Ground = Literal["NONE", "FLOOR", "OBJECTS"]
GeometryKind = Literal["COLLISION", "VISUAL"]
Motors = Literal["NONE", "HOLD"]

# what each scheme is called in the panel, and in messages
SCHEME_NAMES: dict[Scheme, str] = {
    "EXACT": "Exact impacts",
    "FRICTION": "Contacts with friction",
}
OTHER_SCHEME = f"choose the scheme '{SCHEME_NAMES['FRICTION']}' (FRICTION)"
FRICTION = 0.5  # of two surfaces, where nobody says otherwise: wood on wood, rubber on ice


@dataclass(frozen=True)
class ContactSettings:
    """How bodies touch, and what holds the joints.

    Attributes:
        scheme: 'EXACT' for impacts as events, without friction, or 'FRICTION' for time stepping.
        ground: 'NONE', 'FLOOR' for the plane z = 0 of the world, or 'OBJECTS'.
        objects: names of the mesh objects that are the ground.
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
    objects: tuple[str, ...] = ()
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
        if not 0.0 <= self.restitution <= 1.0:
            raise RigError(f"restitution: wanted a number from 0 to 1, got {self.restitution:g}")
        if self.friction is not None and not (np.isfinite(self.friction) and self.friction >= 0):
            raise RigError(f"friction: wanted a number of at least 0, got {self.friction:g}")
        if self.step is not None and not (np.isfinite(self.step) and self.step > 0.0):
            raise RigError(f"contact step: wanted a positive number of s, got {self.step:g}")
        for name in ("motor_frequency", "motor_damping"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0.0):
                raise RigError(f"{name}: wanted a number of at least 0, got {value:g}")
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
