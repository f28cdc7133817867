"""A robot with a file that changes, and looks at what a reload makes of it."""

import bpy
import numpy as np
from dynarig.addon import compat
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.parts import parts_of
from dynarig.addon.blender.reload import reload_robot

PARTS = {
    "head": '<material name="red"><color rgba="0.8 0.1 0.1 1"/></material>',
    "base": '<link name="base"><visual><geometry><box size="0.2 0.2 0.1"/></geometry>'
    '<material name="red"/></visual></link>',
    "arm": '<link name="arm"><inertial><mass value="2"/><origin xyz="0 0 0.25"/>'
    '<inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial><visual><origin xyz="0 0 0.25"/>'
    '<geometry><mesh filename="arm.stl"/></geometry></visual></link>',
    "hand": '<link name="hand"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" '
    'izz="0.01"/></inertial><visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual></link>',
    "finger": '<link name="finger"><visual><geometry><sphere radius="0.02"/></geometry></visual>'
    "</link>",
    "shoulder": '<joint name="shoulder" type="revolute"><origin xyz="0 0 0.1"/>'
    '<parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>'
    '<limit lower="-3" upper="3" effort="10" velocity="2"/></joint>',
    "wrist": '<joint name="wrist" type="revolute"><origin xyz="0 0 0.5"/><parent link="arm"/>'
    '<child link="hand"/><axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="10" velocity="2"/>'
    "</joint>",
    "grip": '<joint name="grip" type="prismatic"><origin xyz="0.1 0 0"/><parent link="hand"/>'
    '<child link="finger"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
    '<mimic joint="wrist" multiplier="0.1"/></joint>',
}
CUBE = "solid s\n%s\nendsolid s\n"


def write_stl(path, size):
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * size
    faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
    lines = []
    for face in faces:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex " + " ".join(map(repr, map(float, corners[index]))) for index in face]
        lines += ["endloop", "endfacet"]
    path.write_text(CUBE % "\n".join(lines))


class File:
    """The robot's file, and changes to it."""

    def __init__(self, folder):
        self.path = folder / "made.urdf"
        self.parts = dict(PARTS)
        write_stl(folder / "arm.stl", 0.1)
        self.write()

    def write(self):
        self.path.write_text(f'<robot name="made">{"".join(self.parts.values())}</robot>')

    def replace(self, part, old, new):
        assert old in self.parts[part]
        self.parts[part] = self.parts[part].replace(old, new)
        self.write()


def reload(result, path=None):
    bpy.context.view_layer.update()
    return reload_robot(bpy.context, result.object, path)


def bake(result):
    bake_robot(bpy.context, result.object, BakeSettings(frame_start=1, frame_end=20, damping=0.5))


def keys(obj):
    """All keys of a robot's F-curves."""
    return {
        (curve.data_path, curve.array_index): [
            tuple(part)
            for point in curve.keyframe_points
            for part in (point.co, point.handle_left, point.handle_right)
        ]
        for curve in compat.existing_channels(obj)
    }


def part(result, role, link, index=0):
    return next(
        obj
        for obj, tag in parts_of(result.object)
        if (tag.role, tag.link, tag.index) == (role, link, index)
    )
