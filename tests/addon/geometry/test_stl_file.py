"""Small binary STL files, which are read here, against Blender's operator, which reads the rest."""

from typing import Any

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.geometry.mesh_arrays import build_mesh, read_array
from dynarig.addon.blender.geometry.stl_check import bytes_of_triangles
from dynarig.addon.blender.geometry.stl_file import RECORD, SMALL, read_stl_arrays, welded


def write_stl(path: Any, triangles: Any, after: bytes = b"") -> None:
    """A binary STL file of triangles (n, 3, 3)."""
    records = np.zeros(len(triangles), RECORD)
    records["corners"] = triangles
    head = bytes(80) + len(triangles).to_bytes(4, "little")
    path.write_bytes(head + records.tobytes() + after)


def turned(mesh: Any) -> Any:
    """The triangles (n, 9) of a mesh, each from its least corner on, sorted."""
    points = read_array(mesh.vertices, "co", np.float32, 3)
    corners = read_array(mesh.loops, "vertex_index", np.int32).reshape(-1, 3)
    rows = [
        min(tuple(np.roll(triangle, -k, axis=0).ravel().tolist()) for k in range(3))
        for triangle in points[corners]
    ]
    return sorted(rows)


def by_operator(path: Any) -> Any:
    """What Blender makes of a file."""
    bpy.ops.wm.stl_import(filepath=str(path))
    return bpy.context.object.data


@pytest.mark.parametrize(
    "file",
    [
        "talos_data/meshes/torso/torso_2.STL",
        "pr2_description/meshes/base_v0/base_L.stl",
        "panda_description/meshes/collision/link0.stl",
    ],
)
def test_it_makes_what_blender_makes(robots, file):
    path = robots / file
    end = bytes_of_triangles(path)
    mesh = build_mesh("own", read_stl_arrays(path, end))
    theirs = by_operator(path)
    assert len(mesh.vertices) == len(theirs.vertices)
    assert turned(mesh) == turned(theirs)


def test_points_are_joined_where_they_are_equal_to_the_last_bit():
    rng = np.random.default_rng(3)
    different = rng.normal(size=(500, 3)).astype(np.float32)
    different[1] = different[0] + np.float32([0, 0, 1e-6])
    places = np.concatenate([np.arange(500), rng.integers(0, 500, 2000)])
    points, found = welded(different[places])
    assert np.array_equal(points, different)
    assert np.array_equal(found, places)


def test_zeros_of_either_sign_are_one_vertex_and_flat_triangles_go(tmp_path):
    square = [[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[1, 0, -0.0], [1, 1, 0], [-0.0, 1, 0]]]
    flat = [[[0, 0, 0], [0, 0, -0.0], [1, 1, 0]]]
    path = tmp_path / "a.stl"
    write_stl(path, np.array(square + flat, dtype=np.float32))
    arrays = read_stl_arrays(path, bytes_of_triangles(path))
    assert arrays.positions.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
    assert arrays.corners.tolist() == [0, 1, 2, 1, 3, 2]
    assert arrays.face_sizes.tolist() == [3, 3]


@pytest.mark.parametrize("more", [b"", b"left over"])
@pytest.mark.parametrize("rows", [5, 105])
def test_small_and_large_files_come_in_alike(tmp_path, rows, more):
    from dynarig.addon.blender.geometry.materials import MaterialLibrary
    from dynarig.addon.blender.geometry.meshes import MeshLibrary
    from dynarig.addon.blender.workspace import temporary_scene

    x, y = np.meshgrid(np.arange(rows), np.arange(rows))
    corner = np.stack([x.ravel(), y.ravel(), np.zeros(rows * rows)], axis=1)
    one = corner[:, None] + [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    other = corner[:, None] + [[1, 0, 0], [1, 1, 0], [0, 1, 0]]
    path = tmp_path / "grid.stl"
    write_stl(path, np.concatenate([one, other]), more)
    assert (path.stat().st_size > SMALL) == (rows == 105)
    warnings: list[str] = []
    with temporary_scene(bpy.context) as workspace:
        mesh = MeshLibrary(workspace, MaterialLibrary([]), warnings).file(path)
    assert mesh is not None
    assert len(mesh.polygons) == 2 * rows * rows
    assert len(mesh.vertices) == (rows + 1) ** 2
    assert ["9 bytes after" in line for line in warnings] == ([True] if more else [])
