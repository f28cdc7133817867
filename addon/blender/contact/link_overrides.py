"""What a link has of its own in contact, as its bone says.

Links that are welded to each other ride on one bone and share what it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from ..rig_access import Rig

PROPERTY = "dynarig"  # of a bone: its settings, see `link_properties`


@dataclass(frozen=True)
class LinkContact:
    """What is said of the links on one bone, and of the joint that moves them.

    Attributes:
        collides: whether they touch anything.
        restitution, friction: their own, None for those of the bake.
        use_limit: whether the joint stops at its limits, where those of the bake do.
        limit_restitution: of these stops, 0 to 1.
    """

    collides: bool = True
    restitution: float | None = None
    friction: float | None = None
    use_limit: bool = True
    limit_restitution: float = 0.0


DEFAULT = LinkContact()


def link_contact(bone: bpy.types.Bone) -> LinkContact:
    """What a bone says; nothing where the add-on is not enabled, as in a script."""
    own: Any = getattr(bone, PROPERTY, None)
    if own is None:
        return DEFAULT
    return LinkContact(
        collides=own.collides,
        restitution=own.restitution if own.use_restitution else None,
        friction=own.friction if own.use_friction else None,
        use_limit=own.use_limit,
        limit_restitution=own.limit_restitution,
    )


def contact_of_links(rig: Rig) -> Mapping[str, LinkContact]:
    """What holds for each link, by its exact name; nothing special for those without a bone."""
    of_bones = {key: link_contact(bone.bone) for key, bone in rig.pose_bones.items()}
    return {
        name: of_bones[link.bone] if link.bone else DEFAULT
        for name, link in rig.table.links.items()
    }


def contact_of_joints(rig: Rig) -> Mapping[str, LinkContact]:
    """What holds for each moving joint, by its exact name."""
    return {
        record.joint: link_contact(rig.pose_bones[record.id].bone) for record in rig.table.bones
    }
