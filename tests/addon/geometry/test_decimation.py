"""Fewer triangles for collision shapes: as many as asked for, never flat, originals untouched."""

import struct

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.geometry.decimation import FEWEST_FACES
from dynarig.addon.blender.geometry.mesh_settings import MeshSettings, MeshSettingsError
from dynarig.addon.blender.geometry.visuals import Part, create_objects
from dynarig.core.urdf.document import Box, Mesh, Origin


def ball(rings=40, segments=50):
    """Triangles (n, 3, 3) of a unit sphere."""
    theta = np.linspace(0, np.pi, rings + 1)
    phi = np.linspace(0, 2 * np.pi, segments + 1)
    grid = np.stack(
        [
            np.outer(np.sin(theta), np.cos(phi)),
            np.outer(np.sin(theta), np.sin(phi)),
            np.outer(np.cos(theta), np.ones_like(phi)),
        ],
        axis=2,
    )
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    lower = np.stack([a, b, c], axis=2)[:-1]
    upper = np.stack([a, c, d], axis=2)[1:]
    return np.concatenate([lower.reshape(-1, 3, 3), upper.reshape(-1, 3, 3)])


TETRAHEDRON = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.4]])[
    [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
]
FLAT = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[1, 0, 0], [1, 1, 0], [0, 1, 0]]])


def write_stl(path, triangles):
    record = np.zeros(len(triangles), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    record["v"] = triangles
    path.write_bytes(bytes(80) + struct.pack("<I", len(triangles)) + record.tobytes())
    return Mesh(path.name, path)


def write_loose_ply(path, triangles):
    """Every triangle with vertices of its own."""
    head = "ply\nformat binary_little_endian 1.0\n"
    head += f"element vertex {3 * len(triangles)}\n"
    head += "".join(f"property float {axis}\n" for axis in "xyz")
    head += f"element face {len(triangles)}\nproperty list uchar int vertex_index\nend_header\n"
    faces = np.zeros(len(triangles), dtype=[("n", "u1"), ("i", "<i4", 3)])
    faces["n"], faces["i"] = 3, np.arange(3 * len(triangles)).reshape(-1, 3)
    path.write_bytes(head.encode() + triangles.astype("<f4").tobytes() + faces.tobytes())
    return Mesh(path.name, path)


def shown(settings, *parts):
    warnings = []
    collections = {role: bpy.data.collections.new(role) for role in ("visual", "collision")}
    made = create_objects(parts, collections, warnings, settings)
    assert warnings == []
    for own in made:
        assert list(own.object.users_collection) == [collections[own.part.role]]
    return [own.object.data for own in made]


def visual(shape):
    return Part("a", "seen", shape, Origin())


def collision(shape):
    return Part("a", "touched", shape, Origin(), role="collision")


@pytest.mark.parametrize("write", [write_stl, write_loose_ply])
@pytest.mark.parametrize("part", [0.5, 0.1, 0.01])
def test_the_part_that_was_asked_for_is_kept(tmp_path, write, part):
    triangles = ball()
    mesh = write(tmp_path / f"ball.{'stl' if write is write_stl else 'ply'}", triangles)
    whole, fewer, again = shown(
        MeshSettings(decimation=part), visual(mesh), collision(mesh), collision(mesh)
    )
    assert len(whole.polygons) == len(triangles)
    assert fewer is again
    assert len(fewer.polygons) == pytest.approx(part * len(triangles), rel=0.1, abs=2)
    points = np.array([vertex.co for vertex in fewer.vertices])
    # still a ball
    assert np.linalg.norm(points, axis=1) == pytest.approx(1.0, abs=0.4)
    assert fewer["dynarig_source"] == whole["dynarig_source"] == str(mesh.path)
    assert list(fewer.materials) == [None]
    assert len(bpy.data.meshes) == 2


def test_nothing_is_cut_without_being_asked_for(tmp_path):
    mesh = write_stl(tmp_path / "ball.stl", ball())
    whole, touched = shown(None, visual(mesh), collision(mesh))
    assert whole is touched


def test_visuals_and_primitives_stay_whole(tmp_path):
    mesh = write_stl(tmp_path / "ball.stl", ball())
    seen, box = shown(MeshSettings(decimation=0.1), visual(mesh), collision(Box((1, 1, 1))))
    assert len(seen.polygons) == len(ball())
    assert len(box.polygons) == 6


@pytest.mark.parametrize("triangles", [TETRAHEDRON, FLAT, ball(4, 4)])
def test_a_body_stays_a_body(tmp_path, triangles):
    (fewer,) = shown(
        MeshSettings(decimation=1e-6), collision(write_stl(tmp_path / "a.stl", triangles))
    )
    assert len(fewer.polygons) >= min(FEWEST_FACES, len(triangles))


@pytest.mark.parametrize("part", [0.0, -1.0, 1.5, float("nan")])
def test_other_parts_are_refused(part):
    with pytest.raises(MeshSettingsError, match="above 0 and up to 1"):
        MeshSettings(decimation=part)
