"""The visual objects of a robot: one for each <visual>, ready to be parented to bones.

Rule for colours, as in RViz: parts of a mesh that carry their own material keep it, parts without
take the URDF material of the visual, and a neutral grey where there is none. The URDF material
goes into the slot of the object, so that mesh data stays shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.frames import transform_from_xyz_rpy
from ...core.urdf.document import Geometry, Material, Mesh, Origin, Robot
from .labels import unique_label
from .leftovers import DataSnapshot
from .materials import MaterialLibrary
from .mesh_arrays import read_array
from .mesh_file import MeshFileError, check_positions
from .meshes import MeshLibrary
from .workspace import temporary_scene


@dataclass(frozen=True)
class Part:
    """A geometry to be shown on a link: a visual, or a collision shape without a material."""

    link: str
    name: str
    geometry: Geometry
    origin: Origin
    material: Material | None = None


@dataclass(frozen=True)
class VisualObject:
    """A new object without a parent, its matrix_basis untouched.

    link_from_visual: (4, 4) pose of the object in the link frame, mesh scale included; a
    negative scale makes the object mirrored, and Blender then shows the faces right side out.
    """

    link: str
    object: bpy.types.Object
    link_from_visual: NDArray[np.float64]


def create_visuals(
    robot: Robot, collection: bpy.types.Collection, warnings: list[str]
) -> list[VisualObject]:
    """Make the objects of all visuals of a robot, in the order of the file.

    Args:
        collection: where the objects are linked. Linking is quickest while it is in no scene.
        warnings: takes a line for each file that cannot be used; its visuals are left out.

    Should it fail, what it made is removed again.
    """
    return create_objects(visual_parts(robot), collection, warnings)


def visual_parts(robot: Robot) -> Iterator[Part]:
    """The visuals of all links; a visual without a name is called like its link."""
    for link in robot.links:
        for visual in link.visuals:
            name = visual.name or link.name
            yield Part(link.name, name, visual.geometry, visual.origin, visual.material)


def create_objects(
    parts: Iterable[Part], collection: bpy.types.Collection, warnings: list[str]
) -> list[VisualObject]:
    """Make the objects of any parts, with shared mesh data; see create_visuals."""
    before = DataSnapshot.take()
    try:
        with temporary_scene(bpy.context) as workspace:
            materials = MaterialLibrary(warnings)
            meshes = MeshLibrary(workspace, materials, warnings)
            found = [(part, meshes.geometry(part.geometry)) for part in parts]
            meshes.finish()
        shown = [(part, mesh) for part, mesh in found if mesh and _fits(part, mesh, warnings)]
        objects = _objects(shown, collection, materials)
        materials.remove_unused()
        return objects
    except BaseException:
        before.remove_added()
        raise


def _objects(
    parts: list[tuple[Part, bpy.types.Mesh]],
    collection: bpy.types.Collection,
    materials: MaterialLibrary,
) -> list[VisualObject]:
    taken = set(bpy.data.objects.keys())
    visuals = []
    for part, mesh in parts:
        name = unique_label(part.name, taken)
        taken.add(name)
        obj = bpy.data.objects.new(name, mesh)
        _fill_slots(obj, mesh, part.material, materials)
        collection.objects.link(obj)
        visuals.append(VisualObject(part.link, obj, _link_from_part(part)))
    return visuals


def _fill_slots(
    obj: bpy.types.Object,
    mesh: bpy.types.Mesh,
    material: Material | None,
    materials: MaterialLibrary,
) -> None:
    """Give the object's own material to the slots that the mesh leaves empty."""
    for slot, own in zip(obj.material_slots, mesh.materials, strict=True):
        if own is None:
            slot.link = "OBJECT"
            slot.material = materials.from_urdf(material)


def _fits(part: Part, mesh: bpy.types.Mesh, warnings: list[str]) -> bool:
    """Whether Blender can hold the part where it stands; a warning where it cannot."""
    corners = np.array([[*corner, 1.0] for corner in bounds(mesh)]).T
    with np.errstate(all="ignore"):
        try:
            check_positions(_link_from_part(part)[:3] @ corners)
        except MeshFileError as error:
            warnings.append(f"link '{part.link}': visual '{part.name}' not shown: {error}")
            return False
    return True


def bounds(mesh: bpy.types.Mesh) -> NDArray[np.float64]:
    """The corners of the mesh's bounding box that are least and greatest in all axes, (2, 3)."""
    points = read_array(mesh.vertices, "co", np.float32, 3).astype(np.float64)
    return np.array([points.min(axis=0), points.max(axis=0)])


def _link_from_part(part: Part) -> NDArray[np.float64]:
    """link_from_visual = link_from_origin @ diag(scale)."""
    pose: NDArray[Any] = transform_from_xyz_rpy(part.origin.xyz, part.origin.rpy)
    if isinstance(part.geometry, Mesh):
        pose = pose @ np.diag([*part.geometry.scale, 1.0])
    pose.flags.writeable = False
    return pose
