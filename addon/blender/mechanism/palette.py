"""Colours of what a mechanism shows, where its components name none."""

from __future__ import annotations

from collections.abc import Mapping

from ....core.mechanism.picture import Color, LineKind, Picture

# display colours; bodies take them in turn
BODIES: tuple[Color, ...] = (
    (0.90, 0.34, 0.25),  # vermilion
    (0.10, 0.56, 0.62),  # teal
    (0.95, 0.66, 0.16),  # amber
    (0.33, 0.45, 0.80),  # blue
    (0.62, 0.36, 0.64),  # plum
    (0.42, 0.64, 0.31),  # green
)
LINES: Mapping[LineKind, Color] = {
    "rod": (0.36, 0.42, 0.51),
    "spring": (0.93, 0.69, 0.23),
    "damper": (0.46, 0.53, 0.62),
    "spring-damper": (0.93, 0.69, 0.23),
    "rope": (0.55, 0.42, 0.30),
}
PISTON: Color = (0.78, 0.81, 0.85)
END: Color = (0.20, 0.23, 0.28)


def solid_colours(picture: Picture) -> dict[str, Color]:
    """A colour for each component that shows solids: its own, else the next of BODIES.

    Those that look like another have its colour, which is there too.
    """
    colours: dict[str, Color] = {}
    taken = 0
    alike = [solid for solid in picture.solids if solid.like is not None and solid.color is None]
    lookers = {solid.component for solid in alike}
    named = [(s.component, s.color) for s in picture.solids if s.component not in lookers]
    for name, colour in (*named, *((solid.like, None) for solid in alike)):
        if name is None or name in colours:
            continue
        if colour is not None:
            colours[name] = colour
        else:
            colours[name] = BODIES[taken % len(BODIES)]
            taken += 1
    return colours | {solid.component: colours[str(solid.like)] for solid in reversed(alike)}
