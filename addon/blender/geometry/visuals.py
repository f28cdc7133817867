"""The visual objects of a robot: one for each <visual>, ready to be parented to bones.

Rule for colours, as in RViz: parts of a mesh that carry their own material keep it, parts without
take the URDF material of the visual, and a neutral grey where there is none. The URDF material
goes into the slot of the object, so that mesh data stays shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.frames import transform_from_xyz_rpy
from ....core.urdf.document import Collision, Geometry, Material, Mesh, Origin, Robot
from ...messages import one_line
from ..labels import unique_label
from ..leftovers import DataSnapshot
from ..workspace import temporary_scene
from .gltf_up import Seen, files_that_nothing_tells, files_with_y_up, is_gltf
from .materials import MaterialLibrary, has_look, shows_image
from .mesh_arrays import colour_attribute, read_array, read_positions
from .mesh_file import MeshFileError, check_positions
from .mesh_settings import MeshSettings, Progress
from .meshes import MeshLibrary

PartRole = Literal["visual", "collision"]
# where the objects go: all of them into one, or those of each role into their own
Collections = bpy.types.Collection | Mapping[PartRole, bpy.types.Collection]


@dataclass(frozen=True)
class Part:
    """A geometry to be shown on a link: a visual, or a collision shape without a material.

    Attributes:
        index: which visual, or which collision, of its link it is, from 0.
        collisions: of a visual: all collision shapes of its link, which tell the up axis of
            glTF files.
    """

    link: str
    name: str
    geometry: Geometry
    origin: Origin
    material: Material | None = None
    role: PartRole = "visual"
    index: int = 0
    collisions: tuple[Collision, ...] = ()


@dataclass(frozen=True)
class VisualObject:
    """A new object of a part, without a parent, its matrix_basis untouched.

    link_from_visual: (4, 4) pose of the object in the link frame, mesh scale included; a
    negative scale makes the object mirrored, and Blender then shows the faces right side out.
    """

    part: Part
    object: bpy.types.Object
    link_from_visual: NDArray[np.float64]

    @property
    def link(self) -> str:
        """Exact name of the link it belongs to."""
        return self.part.link


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
        for index, own in enumerate(link.visuals):
            yield Part(
                link.name,
                own.name or link.name,
                own.geometry,
                own.origin,
                own.material,
                index=index,
                collisions=link.collisions,
            )


def collision_parts(robot: Robot) -> Iterator[Part]:
    """The collision shapes of all links."""
    for link in robot.links:
        for index, own in enumerate(link.collisions):
            name = own.name or f"{link.name} collision"
            yield Part(link.name, name, own.geometry, own.origin, role="collision", index=index)


def create_objects(
    parts: Iterable[Part],
    collections: Collections,
    warnings: list[str],
    settings: MeshSettings | None = None,
    progress: Progress | None = None,
) -> list[VisualObject]:
    """Make the objects of any parts, with shared mesh data; see create_visuals.

    Should it fail, what it made is removed again.

    Args: see `make_objects`.
    """
    before = DataSnapshot.take()
    try:
        return make_objects(parts, collections, warnings, settings, progress)
    except BaseException:
        before.remove_added()
        raise


def make_objects(
    parts: Iterable[Part],
    collections: Collections,
    warnings: list[str],
    settings: MeshSettings | None = None,
    progress: Progress | None = None,
) -> list[VisualObject]:
    """As `create_objects`, for a caller who removes what was made if this fails.

    Args:
        parts: visuals and collision shapes in one go share their files.
        collections: one for all, or one for each role.
        warnings: takes a line for each file that cannot be used; its parts are left out.
        settings: MeshSettings() if none.
        progress: is called before each file.
    """
    wanted = list(parts)
    with temporary_scene(bpy.context) as workspace:
        materials = MaterialLibrary(warnings)
        meshes = MeshLibrary(workspace, materials, warnings, settings)
        meshes.read_files((part.geometry for part in wanted), progress)
        if meshes.settings.gltf_up == "AUTO":
            turn_gltf(wanted, meshes, MeshLibrary(workspace, MaterialLibrary([]), []), warnings)
        found = [
            (part, meshes.geometry(part.geometry, decimate=part.role == "collision"))
            for part in wanted
        ]
        meshes.finish(part.geometry for part in wanted if part.role == "visual")
    boxes = {mesh: bounds(mesh) for mesh in {mesh for _, mesh in found if mesh}}
    placed = [(part, mesh, _link_from_part(part)) for part, mesh in found if mesh]
    shown = [own for own in placed if _fits(own[0], boxes[own[1]], own[2], warnings)]
    objects = _objects(shown, collections, materials)
    _warn_of_unlaid_textures(objects, warnings)
    materials.remove_unused()
    return objects


def turn_gltf(
    parts: list[Part], meshes: MeshLibrary, spare: MeshLibrary, warnings: list[str]
) -> None:
    """Turn the glTF files of parts whose collision shapes say that y is up in them.

    Args:
        spare: reads collision shapes that are not among the parts.
    """
    by_link: dict[str, list[Part]] = {}
    for part in parts:
        if part.role == "visual":
            by_link.setdefault(part.link, []).append(part)
    links = [
        Seen([(own.geometry, own.origin) for own in visuals], visuals[0].collisions)
        for visuals in by_link.values()
        if any(is_gltf(own.geometry) for own in visuals)
    ]
    shapes = (part.geometry for part in parts if is_gltf(part.geometry))
    files = {own.path.resolve() for own in shapes if isinstance(own, Mesh) and own.path}

    def mesh_of(shape: Geometry) -> bpy.types.Mesh | None:
        return (meshes if meshes.has(shape) else spare).geometry(shape)

    turned, told = files_with_y_up(links, files, mesh_of)
    meshes.turn(turned)
    if turned:
        warnings.append(
            f"{one_line(min(turned))}: turned from y up to z up, as the collision shapes of its "
            f"link lie (glTF files turned: {len(turned)} of {len(files)}, told by their own "
            f"links: {told})"
        )
    untold = set() if told else files_that_nothing_tells(links)
    if untold:
        files_were = "1 glTF file was" if len(untold) == 1 else f"{len(untold)} glTF files were"
        warnings.append(
            f"{one_line(min(untold))}: {files_were} taken as stored, with z up: there is no "
            "collision shape that tells the up axis; where it is y, choose that for the import"
        )


def _objects(
    parts: list[tuple[Part, bpy.types.Mesh, NDArray[np.float64]]],
    collections: Collections,
    materials: MaterialLibrary,
) -> list[VisualObject]:
    taken = set(bpy.data.objects.keys())
    visuals = []
    for part, mesh, link_from_part in parts:
        name = unique_label(part.name, taken)
        taken.add(name)
        obj = bpy.data.objects.new(name, mesh)
        _fill_slots(obj, mesh, part.material, materials)
        place = collections[part.role] if isinstance(collections, Mapping) else collections
        place.objects.link(obj)
        visuals.append(VisualObject(part, obj, link_from_part))
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
            slot.material = _own_material(mesh, material, materials)


def _own_material(
    mesh: bpy.types.Mesh, material: Material | None, materials: MaterialLibrary
) -> bpy.types.Material:
    """What the URDF says, else the mesh's vertex colours, else neutral."""
    colours = colour_attribute(mesh)
    if colours is None or (has_look(material)):
        return materials.from_urdf(material)
    r, g, b, alpha = read_array(colours.data, "color", np.float32, 4).mean(axis=0).tolist()
    return materials.vertex_colours(colours.name, (r, g, b, alpha))


def _warn_of_unlaid_textures(visuals: list[VisualObject], warnings: list[str]) -> None:
    """One warning for the meshes that get a texture from the URDF and have no UV map."""
    unlaid = [
        own.part
        for own in visuals
        if not own.object.data.uv_layers
        and any(
            slot.link == "OBJECT" and shows_image(slot.material)
            for slot in own.object.material_slots
        )
    ]
    files = list(
        dict.fromkeys(own.geometry.path for own in unlaid if isinstance(own.geometry, Mesh))
    )
    if files:
        more = f" (and {len(files) - 1} more)" if len(files) > 1 else ""
        warnings.append(
            one_line(f"{files[0]}{more}")
            + ": the mesh has no UV map, so that the texture of its URDF material shows one colour"
        )


def _fits(
    part: Part,
    box: NDArray[np.float64],
    link_from_part: NDArray[np.float64],
    warnings: list[str],
) -> bool:
    """Whether Blender can hold the part where it stands; a warning where it cannot."""
    corners = np.array([[*corner, 1.0] for corner in box]).T
    with np.errstate(all="ignore"):
        try:
            check_positions(link_from_part[:3] @ corners)
        except MeshFileError as error:
            warnings.append(f"link '{part.link}': {part.role} '{part.name}' not shown: {error}")
            return False
    return True


def bounds(mesh: bpy.types.Mesh) -> NDArray[np.float64]:
    """The corners of the mesh's bounding box that are least and greatest in all axes, (2, 3)."""
    points = np.ascontiguousarray(read_positions(mesh).T)
    return np.array([points.min(axis=1), points.max(axis=1)], dtype=np.float64)


def _link_from_part(part: Part) -> NDArray[np.float64]:
    """link_from_visual = link_from_origin @ diag(scale)."""
    pose: NDArray[Any] = transform_from_xyz_rpy(part.origin.xyz, part.origin.rpy)
    if isinstance(part.geometry, Mesh):
        pose = pose @ np.diag([*part.geometry.scale, 1.0])
    pose.flags.writeable = False
    return pose
