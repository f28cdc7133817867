"""Robots that come in right with other options than the defaults, which their users would choose.

The import says so in a warning each time; the table imports them as a user does who has read it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Choice:
    """Options of the import, and why they are chosen."""

    options: dict[str, Any]
    reason: str

    def told(self) -> str:
        """Such as "collada_up=APPLY"."""
        return ", ".join(f"{name}={value}" for name, value in self.options.items())


# folder of the description -> what is chosen; all others are right with the defaults
CHOICES = {
    "icub_description": Choice(
        {"collada_up": "APPLY"},
        "its Collada files say Y_UP and mean it: the parts fit together only when it is applied",
    ),
}


def choice_for(file: Path) -> Choice | None:
    """What is chosen for a robot file; None for the defaults."""
    return next((CHOICES[part] for part in file.parts if part in CHOICES), None)
