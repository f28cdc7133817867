"""Mechanisms that are ready to run: functions of named parameters, and what a menu shows of them.

from dynarig.core.mechanism.presets import jack_in_a_box
sol = jack_in_a_box(restitution=0.8).simulate(3.0)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..mechanism import Mechanism
from .jack import jack_in_a_box

__all__ = ["PRESETS", "Preset", "jack_in_a_box"]


@dataclass(frozen=True)
class Preset:
    """A mechanism in a menu.

    Attributes:
        name: of the function, for scripts; title: what a person reads; text: one line about it.
        make: makes it; all its parameters have names and defaults.
        duration: s, after which it has shown what it does.
    """

    name: str
    title: str
    text: str
    make: Callable[..., Mechanism]
    duration: float


PRESETS: tuple[Preset, ...] = (
    Preset(
        "jack_in_a_box",
        "Jack in the Box",
        "A cross that falls about in a box which is shaken: exact impacts without friction",
        jack_in_a_box,
        3.0,
    ),
)
