"""What is imported, and the scenes that it comes into."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import bpy

# name -> file among the example robots; iCub is of Collada files alone, Alexander of OBJ files
ROBOTS = {
    "Panda": "panda_description/urdf/panda.urdf",
    "Talos": "talos_data/robots/talos_full_v2.urdf",
    "PR2": "pr2_description/urdf/pr2.urdf",
    "iCub": "icub_description/robots/icub.urdf",
    "Alexander": "alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf",
}
MANY = 5000  # other objects of the full scene
LOOKS = 100  # materials that they share
CORNERS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
SHAPES = (
    '<box size="0.1 0.1 0.2"/>',
    '<cylinder radius="0.05" length="0.2"/>',
    '<sphere radius="0.08"/>',
)
COLOURS = 7  # different ones of a grown robot


def robot_path(name: str) -> Path:
    """The file of a robot."""
    return Path(os.environ["DYNARIG_ROBOTS"]) / ROBOTS[name]


def new_scene(others: int) -> None:
    """A new file whose scene holds so many objects, each with a mesh of its own.

    It is opened and not made on the spot: without windows nobody takes Blender's notices of new
    data away, and each removal of anything would go through all of them.
    """
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    if others:
        bpy.ops.wm.open_mainfile(filepath=_file_with(others), load_ui=False)


@functools.cache
def _file_with(others: int) -> str:
    """A file with so many objects, in the folder that goes when Blender ends."""
    path = str(Path(bpy.app.tempdir) / f"with_{others}.blend")
    subprocess.run([sys.executable, __file__, path, str(others)], check=True)
    return path


def write_scene(path: str, others: int) -> None:
    """Save a file whose scene holds so many objects."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    looks = [bpy.data.materials.new(f"look {index}") for index in range(LOOKS)]
    # linking is quickest while the collection is in no scene
    collection = bpy.data.collections.new("others")
    for index in range(others):
        mesh = bpy.data.meshes.new(f"other {index}")
        mesh.from_pydata(CORNERS, [], [(0, 1, 2)])
        mesh.materials.append(looks[index % LOOKS])
        collection.objects.link(bpy.data.objects.new(mesh.name, mesh))
    scene: Any = bpy.context.scene
    scene.collection.children.link(collection)
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)


def grown_robot(links: int, children: int) -> str:
    """The URDF of a tree in which every link carries so many (1: a chain), all with shapes."""
    parts = ['<robot name="grown">']
    for index in range(links):
        shape = f"<geometry>{SHAPES[index % len(SHAPES)]}</geometry>"
        shade = (index % COLOURS) / COLOURS
        parts.append(
            f'<link name="link{index}"><inertial><origin xyz="0 0 0.1"/><mass value="1"/>'
            '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
            f'<visual><origin xyz="0 0 0.1"/>{shape}<material name="look{index % COLOURS}">'
            f'<color rgba="{shade} 0.5 0.5 1"/></material></visual>'
            f"<collision>{shape}</collision></link>"
        )
    for index in range(1, links):
        parent = (index - 1) // children
        axis = "1 0 0" if index % 2 else "0 1 0"
        parts.append(
            f'<joint name="joint{index}" type="revolute"><parent link="link{parent}"/>'
            f'<child link="link{index}"/><origin xyz="{0.1 * (index % children)} 0 0.2"/>'
            f'<axis xyz="{axis}"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        )
    return "".join(parts) + "</robot>"


if __name__ == "__main__":
    write_scene(sys.argv[1], int(sys.argv[2]))
