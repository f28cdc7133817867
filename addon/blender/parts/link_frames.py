"""The frames of links that are held by fixed joints, as empties: tools, sensors, mounts."""

from __future__ import annotations

import bpy

from ....core.urdf.document import Robot
from ..attach import hang_from
from ..labels import label, unique_label
from ..rig_access import Rig
from .part_tags import PartTag, set_tag
from .robot_size import robot_size
from .sub_collections import sub_collection

ARROW = 0.07  # length of the arrows, of the robot's size


def create_link_frames(
    robot: Robot, rig: Rig, collection: bpy.types.Collection
) -> list[bpy.types.Object]:
    """An empty for each link on a fixed joint, called like the link and standing in its frame.

    Args:
        robot: whose links; rig: whose bones carry them.
        collection: the robot's own, which gets one for the empties.
    """
    links = [joint.child for joint in robot.joints if joint.type == "fixed"]
    if not links:
        return []
    place = sub_collection(collection, "frame")
    size = ARROW * robot_size(rig)
    taken = set(bpy.data.objects.keys())
    objects = []
    for link in links:
        name = label(link) if label(link) not in taken else unique_label(f"{link} frame", taken)
        taken.add(name)
        obj = bpy.data.objects.new(name, None)
        obj.empty_display_type = "ARROWS"
        obj.empty_display_size = size
        obj.show_in_front = True
        place.objects.link(obj)
        bone, bone_from_link = rig.hanging(link)
        hang_from(rig.object, bone, obj, bone_from_link)
        set_tag(obj, PartTag("frame", link))
        objects.append(obj)
    return objects
