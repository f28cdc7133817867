"""Faces as plain arrays, and the way from them into mesh data and back, in bulk."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import radians
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from .mesh_file import check_positions

# from files that name y as up to Blender's axes: (x, y, z) becomes (x, -z, y)
SCENE_FROM_Y_UP = np.array(
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
)
SMOOTH_ANGLE = radians(30.0)  # faces that meet at less are shaded as one surface
COLOURS = "Color"  # Blender's glTF importer's materials ask for vertex colours by this name
SAME_NORMAL = 1e-4  # of a length 1; Blender keeps custom normals to 16 bits
_NORMALS = "dynarig_file_normals"  # carries normals through validate(), which may drop faces


@dataclass(frozen=True)
class MeshArrays:
    """Polygons of any size; corners run face after face, counter-clockwise seen from outside.

    Args:
        positions: (n, 3), m.
        corners: (c,) index of each corner's vertex.
        face_sizes: (f,) corners of each face; their sum is c.
        materials: (f,) slot of each face; None means slot 0.
        normals: (c, 3) normal at each corner; (0, 0, 0) where the file gives none.
        uvs: (c, 2).
        colours: (c, 4) linear colour and alpha at each corner; white where the file gives none.
    """

    positions: NDArray[Any]
    corners: NDArray[Any]
    face_sizes: NDArray[Any]
    materials: NDArray[Any] | None = None
    normals: NDArray[Any] | None = None
    uvs: NDArray[Any] | None = None
    colours: NDArray[Any] | None = None


def transformed(arrays: MeshArrays, matrix: NDArray[Any]) -> MeshArrays:
    """The same faces in another frame; a mirroring matrix keeps them right side out.

    p' = M p, and n' = M^-T n for normals.

    Args:
        matrix: (4, 4) affine.
    """
    linear = np.asarray(matrix, dtype=np.float64)[:3, :3]
    determinant = np.linalg.det(linear)
    moved = replace(arrays, positions=arrays.positions @ linear.T + np.asarray(matrix)[:3, 3])
    if arrays.normals is not None and determinant != 0.0:
        moved = replace(moved, normals=arrays.normals @ np.linalg.inv(linear))
    return _turned_over(moved) if determinant < 0.0 else moved


def concatenated(parts: Sequence[MeshArrays]) -> MeshArrays:
    """All parts as one; what only some have is 0 in the others, and their colour white."""
    offsets = np.cumsum([0, *(len(part.positions) for part in parts[:-1])])

    def joined(
        name: str, width: tuple[int, ...], per: str, default: float = 0.0
    ) -> NDArray[Any] | None:
        if all(getattr(part, name) is None for part in parts):
            return None
        return np.concatenate(
            [
                np.full((len(getattr(part, per)), *width), default) if values is None else values
                for part in parts
                for values in [getattr(part, name)]
            ]
        )

    return MeshArrays(
        positions=np.concatenate([part.positions for part in parts]),
        corners=np.concatenate(
            [part.corners + offset for part, offset in zip(parts, offsets, strict=True)]
        ),
        face_sizes=np.concatenate([part.face_sizes for part in parts]),
        materials=joined("materials", (), "face_sizes"),
        normals=joined("normals", (3,), "corners"),
        uvs=joined("uvs", (2,), "corners"),
        colours=joined("colours", (4,), "corners", 1.0),
    )


def arrays_from_mesh(mesh: bpy.types.Mesh) -> MeshArrays:
    """What a mesh shows: faces, corner normals as shaded, slots, active UV map and colours."""
    layer = mesh.uv_layers.active
    corners = read_corners(mesh)
    return MeshArrays(
        positions=read_positions(mesh),
        corners=corners,
        face_sizes=read_array(mesh.polygons, "loop_total", np.int32),
        materials=read_array(mesh.polygons, "material_index", np.int32),
        normals=read_array(mesh.corner_normals, "vector", np.float32, 3),
        uvs=None if layer is None else read_array(layer.uv, "vector", np.float32, 2),
        colours=_colours(mesh, corners),
    )


def colour_attribute(mesh: bpy.types.Mesh) -> Any:
    """The vertex colours that a mesh shows when it is rendered; None without any."""
    index = mesh.color_attributes.render_color_index
    return mesh.color_attributes[index] if 0 <= index < len(mesh.color_attributes) else None


def _colours(mesh: bpy.types.Mesh, corners: NDArray[Any]) -> NDArray[Any] | None:
    attribute = colour_attribute(mesh)
    if attribute is None:
        return None
    values = read_array(attribute.data, "color", np.float32, 4)
    return values[corners] if attribute.domain == "POINT" else values


def build_mesh(
    name: str,
    arrays: MeshArrays,
    materials: Sequence[bpy.types.Material | None] = (None,),
    *,
    validate: bool = True,
) -> bpy.types.Mesh:
    """New mesh data, valid and shaded: by the normals given, else smooth by angle.

    Args:
        materials: the slots; None is a slot for the object to fill.
        validate: False for faces that are known to be of different corners, and each once.

    Raises:
        MeshFileError: for positions that Blender cannot hold.
    """
    check_positions(arrays.positions)
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(arrays.positions))
    mesh.loops.add(len(arrays.corners))
    mesh.polygons.add(len(arrays.face_sizes))
    starts = np.cumsum(arrays.face_sizes) - arrays.face_sizes
    write_attribute(mesh, "position", "vector", arrays.positions, np.float32)
    write_attribute(mesh, ".corner_vert", "value", arrays.corners, np.int32)
    _write(mesh.polygons, "loop_start", starts, np.int32)
    for material in materials:
        mesh.materials.append(material)
    if arrays.materials is not None:
        _write(mesh.polygons, "material_index", arrays.materials, np.int32)
    if arrays.uvs is not None:
        layer: Any = mesh.uv_layers.new(name="UVMap", do_init=False)
        _write(layer.uv, "vector", arrays.uvs, np.float32)
    if arrays.colours is not None:
        colours: Any = mesh.color_attributes.new(COLOURS, "FLOAT_COLOR", "CORNER")
        _write(colours.data, "color", arrays.colours, np.float32)
        mesh.color_attributes.render_color_index = 0
    if arrays.normals is not None:
        holder: Any = mesh.attributes.new(_NORMALS, "FLOAT_VECTOR", "CORNER")
        _write(holder.data, "vector", arrays.normals, np.float32)
    mesh.update(calc_edges=True)
    if validate:
        mesh.validate(clean_customdata=False)
    _shade(mesh)
    return mesh


def smooth_by_angle(mesh: bpy.types.Mesh) -> None:
    """Shade smooth, with sharp edges where faces meet at more than SMOOTH_ANGLE."""
    mesh.shade_smooth()
    mesh.set_sharp_from_angle(angle=SMOOTH_ANGLE)


def _shade(mesh: bpy.types.Mesh) -> None:
    holder: Any = mesh.attributes.get(_NORMALS)
    if holder is None:
        smooth_by_angle(mesh)
        return
    normals = read_array(holder.data, "vector", np.float32, 3)
    mesh.attributes.remove(holder)
    mesh.shade_smooth()
    # Blender cuts the components of normals that are not unit; zero leaves it the choice
    normals = np.nan_to_num(normals)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0.0)
    corners = read_corners(mesh)
    of_vertex = np.zeros((len(mesh.vertices), 3), np.float32)
    of_vertex[corners] = normals
    if np.abs(of_vertex[corners] - normals).max(initial=0.0) < SAME_NORMAL:
        mesh.normals_split_custom_set_from_vertices(_listed(of_vertex))
    else:
        mesh.normals_split_custom_set(_listed(normals))


def _listed(vectors: NDArray[Any]) -> list[Any]:
    """An array as lists, which Blender 5.3 reads three times as fast as an array.

    Without the garbage collector, which would look through half a million new lists again and
    again: twice as fast.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        listed: list[Any] = vectors.tolist()
        return listed
    finally:
        if collecting:
            gc.enable()


def _turned_over(arrays: MeshArrays) -> MeshArrays:
    """The same faces with their corners in the opposite order."""
    ends = np.cumsum(arrays.face_sizes)
    # corner k of a face that spans [start, end) takes the place of corner start + end - 1 - k
    mirror = np.repeat(2 * ends - arrays.face_sizes - 1, arrays.face_sizes)
    order = mirror - np.arange(len(arrays.corners))
    return replace(
        arrays,
        corners=arrays.corners[order],
        normals=None if arrays.normals is None else arrays.normals[order],
        uvs=None if arrays.uvs is None else arrays.uvs[order],
        colours=None if arrays.colours is None else arrays.colours[order],
    )


def read_array(items: Any, name: str, dtype: Any, width: int = 0) -> NDArray[Any]:
    """One property of all items of a collection, (n,) or (n, width)."""
    values = np.empty(len(items) * max(width, 1), dtype=dtype)
    if len(items):
        items.foreach_get(name, values)
    return values.reshape(-1, width) if width else values


def read_corners(mesh: bpy.types.Mesh) -> NDArray[np.int32]:
    """The vertex of every corner of every face, (c,)."""
    return _read_attribute(mesh, ".corner_vert", "value", np.int32)


def read_positions(mesh: bpy.types.Mesh) -> NDArray[np.float32]:
    """Where the vertices are, (n, 3)."""
    return _read_attribute(mesh, "position", "vector", np.float32, 3)


def _read_attribute(
    mesh: bpy.types.Mesh, name: str, field: str, dtype: Any, width: int = 0
) -> NDArray[Any]:
    """An attribute that every mesh has. `loops` and `vertices` say the same, 50 times slower."""
    attribute: Any = mesh.attributes.get(name)
    # a mesh without any corners may have none of theirs
    return read_array(() if attribute is None else attribute.data, field, dtype, width)


def write_attribute(
    mesh: bpy.types.Mesh, name: str, field: str, values: NDArray[Any], dtype: Any
) -> None:
    """Set an attribute that every mesh has, of whose kind there are some."""
    if len(values):
        attribute: Any = mesh.attributes[name]
        _write(attribute.data, field, values, dtype)


def _write(items: Any, name: str, values: NDArray[Any], dtype: Any) -> None:
    items.foreach_set(name, np.ascontiguousarray(values, dtype=dtype).ravel())
