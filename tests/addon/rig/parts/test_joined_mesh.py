"""Meshes as one: maps of many names, slots, and what Blender cannot hold."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.geometry.mesh_file import MeshFileError
from dynarig.addon.blender.parts.joined_mesh import Piece, joined_mesh

from ....close import assert_close

CORNERS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]


def triangle(name, maps, render=0):
    """A triangle with UV maps by name, each all over at one number, and the one that renders."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(CORNERS, [], [(0, 1, 2)])
    for label, value in maps.items():
        layer = mesh.uv_layers.new(name=label)
        layer.uv.foreach_set("vector", np.full(6, value, dtype=np.float32))
    if maps:
        mesh.uv_layers[render].active_render = True
    return mesh


def piece(mesh, *materials, at=0.0):
    pose = np.eye(4)
    pose[0, 3] = at
    return Piece(mesh, pose, materials or (None,))


def values(layer):
    found = np.empty(2 * len(layer.uv), dtype=np.float32)
    layer.uv.foreach_get("vector", found)
    return found.reshape(-1, 3, 2)[:, 0, 0].tolist()


def test_textures_are_laid_by_one_map_and_others_keep_their_names():
    meshes = [
        triangle("first", {"UVMap": 0.1, "laid by": 0.2, "more": 0.3}, render=1),
        triangle("second", {"other": 0.4, "more": 0.5}),
        triangle("third", {}),
    ]
    mesh = joined_mesh("all", [piece(own) for own in meshes])
    found = {layer.name: pytest.approx(values(layer)) for layer in mesh.uv_layers}
    assert found == {"UVMap": [0.2, 0.4, 0.0], "UVMap 2": [0.1, 0.0, 0.0], "more": [0.3, 0.5, 0.0]}
    assert [layer.name for layer in mesh.uv_layers if layer.active_render] == ["UVMap"]
    assert mesh.uv_layers.active.name == "UVMap"


def test_a_mesh_that_is_shown_twice_stands_twice_and_materials_once():
    red, blue = (bpy.data.materials.new(name) for name in ("red", "blue"))
    mesh = triangle("shared", {})
    pieces = [piece(mesh, red), piece(mesh, blue, at=5.0), piece(mesh, red, at=9.0)]
    joined = joined_mesh("all", pieces)
    assert not joined.validate()
    assert list(joined.materials) == [red, blue]
    assert [face.material_index for face in joined.polygons] == [0, 1, 0]
    points = np.array([vertex.co for vertex in joined.vertices]).reshape(3, 3, 3)
    assert_close(points - np.array(CORNERS), np.array([[[x, 0, 0]] * 3 for x in (0, 5, 9)]), 1e-6)
    assert [tuple(face.vertices) for face in joined.polygons] == [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
    assert mesh.users == 0 and len(mesh.vertices) == 3


def test_a_slot_that_is_not_there_shows_the_last_material():
    red, blue = (bpy.data.materials.new(name) for name in ("red", "blue"))
    mesh = triangle("far slot", {})
    mesh.polygons[0].material_index = 7
    joined = joined_mesh("all", [piece(mesh, red, blue)])
    assert joined.materials[joined.polygons[0].material_index] == blue


def test_what_is_too_far_away_is_refused():
    with pytest.raises(MeshFileError, match="a vertex at 1e"):
        joined_mesh("all", [piece(triangle("far", {}), at=1e20)])
