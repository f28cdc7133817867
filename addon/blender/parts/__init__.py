"""The objects that a robot shows: visuals, collision shapes, inertia, frames."""

from .assembly import Parts, Progress, create_parts
from .part_tags import PART_KEY, PartTag, Role, parts_of, set_tag, tag_of

__all__ = [
    "PART_KEY",
    "PartTag",
    "Parts",
    "Progress",
    "Role",
    "create_parts",
    "parts_of",
    "set_tag",
    "tag_of",
]
