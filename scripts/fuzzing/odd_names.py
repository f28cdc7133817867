"""Names that files may have and programs stumble on."""

from __future__ import annotations

import numpy as np

# longer than the 63 bytes of a Blender bone, so that what is put behind them is cut off there
LONG = "left_front_hydraulic_suspension_knuckle_assembly_lower_wishbone_"
STEMS = (
    *("base", "link", "joint", "arm", "arm.001", "world", "root", "Armature", "None", "0"),
    *("größe", "関節", "Drehung_ß", "🤖", "e\u0301", "\u00e9", "А", "A"),
    *('say "hi"', "it's", "<b>", "a&b", "a/b", "a\\b", "a[0]", "{x}", "%20", "$HOME", "#", ";"),
    *(" before", "behind ", "in between", "tab\there", "line\nbreak", "\u00a0", "\u200b", "\u202e"),
    *("__class__", "../up", "pose.bones", "x" * 300, LONG, "ü" * 40),
)


def distinct_names(random: np.random.Generator, count: int) -> list[str]:
    """So many different names; some differ in case alone, or only behind byte 63."""
    names: dict[str, None] = {}
    while len(names) < count:
        stem = STEMS[random.integers(len(STEMS))]
        if stem in names or not stem.strip() or random.random() < 0.3:
            stem = f"{stem}{random.integers(10 * count + 10)}"
        names[stem.upper() if random.random() < 0.05 else stem] = None
    return list(names)
