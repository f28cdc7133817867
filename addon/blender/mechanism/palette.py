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
    """A colour for each component that shows solids: its own, else the next of BODIES."""
    colours: dict[str, Color] = {}
    taken = 0
    for solid in picture.solids:
        if solid.component in colours:
            continue
        if solid.color is not None:
            colours[solid.component] = solid.color
        else:
            colours[solid.component] = BODIES[taken % len(BODIES)]
            taken += 1
    return colours
