"""Mass and inertia of links to look at: one ellipsoid of uniform density for each."""

from __future__ import annotations

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics.ellipsoid import ellipsoid_of
from ....core.tree import Body
from ....core.urdf.build import tree_from_robot
from ....core.urdf.document import Robot, Sphere
from ..attach import hang_from
from ..geometry.materials import MaterialLibrary, Rgba
from ..geometry.mesh_file import LARGEST_COORDINATE
from ..geometry.shapes import shape_mesh
from ..labels import unique_label
from ..rig_access import Rig
from .part_tags import PartTag, set_tag
from .robot_size import robot_size
from .sub_collections import sub_collection

COLOUR: Rgba = (0.95, 0.55, 0.1, 0.4)  # amber that lets the link through
THINNEST = 1e-3  # of the robot's size: axes of rods, plates and points, so that they are seen
UNPHYSICAL = 1e-3  # share of the longest axis' square; CAD programs round to three digits


def create_ellipsoids(
    robot: Robot, rig: Rig, collection: bpy.types.Collection, warnings: list[str]
) -> list[bpy.types.Object]:
    """An object for each link with mass, at its centre of mass, turned as its principal axes.

    They share one ball of radius 1 m, which each object scales by its semi-axes.

    Args:
        robot: whose links; rig: whose bones carry them.
        collection: the robot's own, which gets one for the ellipsoids.
        warnings: takes a line for each inertia that no body has, or that is too large to show.
    """
    least = THINNEST * robot_size(rig)
    balls = {
        body.name: _link_from_ball(body, least, warnings)
        for body in tree_from_robot(robot).bodies
        if body.mass > 0.0
    }
    found = {link: pose for link, pose in balls.items() if pose is not None}
    if not found:
        return []
    place = sub_collection(collection, "inertia")
    ball = shape_mesh(Sphere(1.0))
    ball.name = "Inertia"
    ball.materials[0] = MaterialLibrary(warnings).coloured("Inertia", COLOUR)
    taken = set(bpy.data.objects.keys())
    objects = []
    for link, link_from_ball in found.items():
        name = unique_label(f"{link} inertia", taken)
        taken.add(name)
        obj = bpy.data.objects.new(name, ball)
        obj.hide_render = True
        obj.show_in_front = True  # most of it is inside the link
        place.objects.link(obj)
        bone, bone_from_link = rig.hanging(link)
        hang_from(rig.object, bone, obj, bone_from_link @ link_from_ball)
        set_tag(obj, PartTag("inertia", link))
        objects.append(obj)
    return objects


def _link_from_ball(body: Body, least: float, warnings: list[str]) -> FloatArray | None:
    """The pose (4, 4) of the ball, semi-axes included; None where Blender cannot hold it."""
    ellipsoid = ellipsoid_of(body.mass, body.inertia)
    squares = ellipsoid.squares
    if squares[0] < -UNPHYSICAL * np.abs(squares).max():
        warnings.append(
            f"link '{body.name}': no real body has its inertia; its ellipsoid is drawn with a "
            f"semi-axis of {least:.3g} m where there is none"
        )
    pose = np.eye(4)
    pose[:3, :3] = ellipsoid.body_from_axes_rot * ellipsoid.semi_axes(least)
    pose[:3, 3] = body.center_of_mass
    if not np.abs(pose).max() <= LARGEST_COORDINATE:
        warnings.append(
            f"link '{body.name}': inertia not shown: its ellipsoid is larger or farther away than "
            "Blender can hold"
        )
        return None
    return pose
