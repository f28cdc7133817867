"""Many meshes as one, in bulk: faces, edges, shading, UV maps, colours and materials of all.

`object.join` needs the objects in a scene, and keeps UV maps of different names apart, of which a
texture without a map of its own takes only one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..geometry.mesh_arrays import read_array
from ..geometry.mesh_file import check_positions

UV_MAP = "UVMap"  # of the maps that textures of the parts are laid by, whatever their names
WHITE = (1.0, 1.0, 1.0, 1.0)  # what a part has where only others are coloured


@dataclass(frozen=True)
class Piece:
    """A mesh, where it goes (4, 4), scale included, and what fills its slots."""

    mesh: bpy.types.Mesh
    whole_from_piece: NDArray[np.float64]
    materials: tuple[bpy.types.Material | None, ...]


@dataclass(frozen=True)
class _Content:
    """The arrays of one mesh.

    Args:
        positions: (n, 3); edges: (e, 2) vertices; sharp: (e,).
        corners: (c,) vertex; corner_edges: (c,) edge to the next corner; sizes: (f,) corners.
        slots: (f,); smooth: (f,).
        normals: (c, 3) where the mesh has its own, else None.
        uvs: (c, 2) by name; colours: (c, 4), linear, by name.
    """

    positions: NDArray[Any]
    edges: NDArray[Any]
    sharp: NDArray[Any]
    corners: NDArray[Any]
    corner_edges: NDArray[Any]
    sizes: NDArray[Any]
    slots: NDArray[Any]
    smooth: NDArray[Any]
    normals: NDArray[Any] | None
    uvs: dict[str, NDArray[Any]]
    colours: dict[str, NDArray[Any]]


def joined_mesh(name: str, pieces: Sequence[Piece]) -> bpy.types.Mesh:
    """New mesh data with all pieces, one after the other; equal materials share a slot.

    A piece that is mirrored keeps its faces right side out. Sharp edges, flat faces and normals
    of files stay; UV maps that textures are laid by become one, and the others keep their names,
    as colours do.

    Raises:
        MeshFileError: for positions that Blender cannot hold.
    """
    contents = {mesh: _read(mesh) for mesh in dict.fromkeys(piece.mesh for piece in pieces)}
    parts = [_moved(contents[piece.mesh], piece.whole_from_piece) for piece in pieces]
    mesh = bpy.data.meshes.new(name)
    _write_faces(mesh, parts)
    _write_materials(mesh, pieces, parts)
    mesh.update()
    _write_layers(mesh, parts)
    if any(part.normals is not None for part in parts):
        # zero leaves Blender the choice
        zeros = [np.zeros((len(part.corners), 3)) for part in parts]
        normals = [
            zero if part.normals is None else part.normals
            for part, zero in zip(parts, zeros, strict=True)
        ]
        # a list, which Blender reads quicker than an array
        mesh.normals_split_custom_set(np.concatenate(normals).tolist())
    return mesh


def _read(mesh: bpy.types.Mesh) -> _Content:
    corners = read_array(mesh.loops, "vertex_index", np.int32)
    normals = None
    if mesh.has_custom_normals:
        normals = read_array(mesh.corner_normals, "vector", np.float32, 3)
    layers: Any = mesh.color_attributes
    return _Content(
        positions=read_array(mesh.vertices, "co", np.float32, 3),
        edges=read_array(mesh.edges, "vertices", np.int32, 2),
        sharp=read_array(mesh.edges, "use_edge_sharp", np.bool_),
        corners=corners,
        corner_edges=read_array(mesh.loops, "edge_index", np.int32),
        sizes=read_array(mesh.polygons, "loop_total", np.int32),
        slots=read_array(mesh.polygons, "material_index", np.int32),
        smooth=read_array(mesh.polygons, "use_smooth", np.bool_),
        normals=normals,
        uvs={
            _map_name(layer): read_array(layer.uv, "vector", np.float32, 2)
            for layer in mesh.uv_layers
        },
        colours={layer.name: _at_corners(layer, corners) for layer in layers},
    )


def _map_name(layer: bpy.types.MeshUVLoopLayer) -> str:
    if layer.active_render:
        return UV_MAP
    return layer.name if layer.name != UV_MAP else f"{UV_MAP} 2"


def _at_corners(layer: Any, corners: NDArray[Any]) -> NDArray[Any]:
    """The colours (c, 4), linear, of a layer of vertices or corners."""
    values = read_array(layer.data, "color", np.float32, 4)
    return values[corners] if layer.domain == "POINT" else values


def _moved(part: _Content, matrix: NDArray[np.float64]) -> _Content:
    """p' = M p, n' = M^-T n; where M mirrors, the corners of each face in the opposite order."""
    linear = matrix[:3, :3]
    determinant = np.linalg.det(linear)
    positions = part.positions @ linear.T + matrix[:3, 3]
    check_positions(positions)
    normals = part.normals
    if normals is not None and determinant != 0.0:
        normals = normals @ np.linalg.inv(linear)
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        normals = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0.0)
    moved = replace(part, positions=positions, normals=normals)
    return _turned_over(moved) if determinant < 0.0 else moved


def _turned_over(part: _Content) -> _Content:
    count = len(part.corners)
    ends = np.repeat(np.cumsum(part.sizes), part.sizes)
    starts = ends - np.repeat(part.sizes, part.sizes)
    order = starts + ends - 1 - np.arange(count)
    # the edge to the next corner is the one that came from there: one place further on
    edges = np.where(order > starts, order, ends) - 1
    return replace(
        part,
        corners=part.corners[order],
        corner_edges=part.corner_edges[edges],
        normals=None if part.normals is None else part.normals[order],
        uvs={name: values[order] for name, values in part.uvs.items()},
        colours={name: values[order] for name, values in part.colours.items()},
    )


def _write_faces(mesh: bpy.types.Mesh, parts: Sequence[_Content]) -> None:
    sizes = np.concatenate([part.sizes for part in parts])
    vertices = _starts([len(part.positions) for part in parts])
    edges = _starts([len(part.edges) for part in parts])
    mesh.vertices.add(sum(len(part.positions) for part in parts))
    mesh.edges.add(sum(len(part.edges) for part in parts))
    mesh.loops.add(sum(len(part.corners) for part in parts))
    mesh.polygons.add(len(sizes))
    _write(mesh.vertices, "co", [part.positions for part in parts], np.float32)
    _write(
        mesh.edges,
        "vertices",
        [part.edges + start for part, start in zip(parts, vertices, strict=True)],
        np.int32,
    )
    _write(
        mesh.loops,
        "vertex_index",
        [part.corners + start for part, start in zip(parts, vertices, strict=True)],
        np.int32,
    )
    _write(
        mesh.loops,
        "edge_index",
        [part.corner_edges + start for part, start in zip(parts, edges, strict=True)],
        np.int32,
    )
    _write(mesh.polygons, "loop_start", [np.cumsum(sizes) - sizes], np.int32)
    _write(mesh.polygons, "use_smooth", [part.smooth for part in parts], np.bool_)
    _write(mesh.edges, "use_edge_sharp", [part.sharp for part in parts], np.bool_)


def _write_materials(
    mesh: bpy.types.Mesh, pieces: Sequence[Piece], parts: Sequence[_Content]
) -> None:
    slots: dict[bpy.types.Material | None, int] = {}
    for piece in pieces:
        for material in piece.materials:
            slots.setdefault(material, len(slots))
    for material in slots:
        mesh.materials.append(material)
    indices = []
    for piece, part in zip(pieces, parts, strict=True):
        own = np.array([slots[material] for material in piece.materials])
        # Blender shows the last material on faces that name a slot beyond it
        indices.append(own[np.minimum(part.slots, len(own) - 1)])
    _write(mesh.polygons, "material_index", indices, np.int32)


def _write_layers(mesh: bpy.types.Mesh, parts: Sequence[_Content]) -> None:
    for name in dict.fromkeys(name for part in parts for name in part.uvs):
        layer: Any = mesh.uv_layers.new(name=name, do_init=False)
        values = [part.uvs.get(name, np.zeros((len(part.corners), 2))) for part in parts]
        _write(layer.uv, "vector", values, np.float32)
    for name in dict.fromkeys(name for part in parts for name in part.colours):
        colour: Any = mesh.color_attributes.new(name, "FLOAT_COLOR", "CORNER")
        values = [part.colours.get(name, np.tile(WHITE, (len(part.corners), 1))) for part in parts]
        _write(colour.data, "color", values, np.float32)
    if UV_MAP in mesh.uv_layers:
        mesh.uv_layers[UV_MAP].active = mesh.uv_layers[UV_MAP].active_render = True


def _starts(counts: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(counts)[:-1].tolist()]


def _write(items: Any, name: str, values: Sequence[NDArray[Any]], dtype: Any) -> None:
    joined = np.concatenate(values).ravel()
    items.foreach_set(name, np.ascontiguousarray(joined, dtype=dtype))
