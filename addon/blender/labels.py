"""Names that Blender keeps as they are: short enough in bytes, whole characters, unique.

Blender cuts names of bones, vertex groups and custom properties (and before 5.0 all names) at
63 bytes, and before 5.0 it may cut inside a UTF-8 character. A label is only what is shown:
exact names live in the robot table.
"""

from __future__ import annotations

from collections.abc import Container

NAME_BYTES = 63
UNNAMED = "unnamed"  # Blender has no empty names


def label(text: str, limit: int = NAME_BYTES) -> str:
    """`text` cut to at most `limit` bytes of UTF-8, at the end of a character.

    Args:
        text: any text; lone surrogates become question marks, an empty text "unnamed".
        limit: bytes, at least 1.
    """
    data = (text.replace("\0", "") or UNNAMED).encode("utf-8", "replace")
    return data[:limit].decode("utf-8", "ignore")


def unique_label(text: str, taken: Container[str], limit: int = NAME_BYTES) -> str:
    """A label of `text` that is not in `taken`: the second "arm" becomes "arm_2".

    The number is found by doubling and halving, so that the thousandth "arm" asks 20 times.
    """
    plain = label(text, limit)
    if plain not in taken:
        return plain

    def numbered(number: int) -> str:
        suffix = f"_{number}"
        return label(text, limit - len(suffix)) + suffix

    used, free = 1, 2
    while numbered(free) in taken:
        used, free = free, 2 * free
    while free - used > 1:
        middle = (used + free) // 2
        if numbered(middle) in taken:
            used = middle
        else:
            free = middle
    return numbered(free)
