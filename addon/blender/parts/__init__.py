"""The objects that a robot shows: visuals, collision shapes, inertia, frames."""

from ..geometry.mesh_settings import Progress
from .assembly import create_parts, hide_collisions
from .part_tags import PART_KEY, PartTag, Role, parts_of, set_tag, tag_of

__all__ = [
    "PART_KEY",
    "PartTag",
    "Progress",
    "Role",
    "create_parts",
    "hide_collisions",
    "parts_of",
    "set_tag",
    "tag_of",
]
