"""A mechanism's motion set into a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import bpy

from ....core.arrays import FloatArray
from ....core.mechanism import Tree
from ....core.mechanism.picture import Picture
from ....core.trajectory import Trajectory
from ..labels import label
from ..leftovers import DataSnapshot
from .armature import build_armature
from .carriers import Carrier, LinkObjects
from .drawing import Drawing
from .extent import line_lengths, reaching
from .joint_motion import joint_motion
from .link_motion import link_motion
from .robots import Corners, ShownRobot, hang_robot

Kind = Literal["objects", "armature"]


@dataclass(frozen=True, eq=False)
class Play:
    """What is set into a scene: a picture and its motion; the tree makes the armature.

    robots are those that the picture leaves out, because they show meshes.
    """

    name: str
    picture: Picture
    trajectory: Trajectory
    tree: Tree
    robots: tuple[ShownRobot, ...] = ()


def set_play(
    context: bpy.types.Context,
    collection: bpy.types.Collection,
    play: Play,
    times: FloatArray,
    fps: float,
    frame_start: int,
    kind: Kind,
    around: FloatArray,
) -> list[Corners]:
    """Make the objects of a play and their keys.

    Args:
        context: in which the bones of an armature are made, in a scene of their own.
        collection: for all that is made.
        play: what is shown.
        times: (n,), s, one frame apart, of the keys; the first falls on `frame_start`.
        fps: frames per second.
        frame_start: frame of the first key.
        kind: what carries the shapes: an object for each link, or an armature's bones.
        around: (m,), s: instants at which the lengths of springs and dampers, and what moves over
            ground without end, are looked at.

    Returns:
        Corners around what the picture leaves out.
    """
    model, names = play.trajectory.model, play.trajectory.model.link_names
    motion = link_motion(play.trajectory, times, fps, frame_start, play.picture.planar)
    carrier: Carrier
    if kind == "objects":
        carrier = LinkObjects(collection, model, motion, play.picture.size)
    else:
        keys = joint_motion(play.tree, play.trajectory, times, fps, frame_start)
        carrier = build_armature(context, collection, play.tree, keys)
    poses = play.trajectory.link_poses(around)
    lengths = line_lengths(play.picture, names, poses)
    Drawing(collection, carrier).draw(reaching(play.picture, model, poses), lengths)
    return [corner for robot in play.robots for corner in hang_robot(robot, collection, carrier)]


def enter_play(
    context: bpy.types.Context,
    play: Play,
    times: FloatArray,
    fps: float,
    frame_start: int,
    kind: Kind,
) -> bpy.types.Collection:
    """Put a play into the context's scene, all of it or nothing; returns its new collection."""
    before = DataSnapshot.take()
    try:
        collection = bpy.data.collections.new(label(play.name))
        set_play(context, collection, play, times, fps, frame_start, kind, times)
        context.scene.collection.children.link(collection)
    except BaseException:
        before.remove_added()
        raise
    context.view_layer.update()
    return collection
