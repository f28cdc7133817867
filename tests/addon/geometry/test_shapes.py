"""Primitive shapes: exact sizes, closed, facing outward, shaded as they should be."""

import numpy as np
import pytest
from dynarig.core.urdf.document import Box, Capsule, Cylinder, Sphere

# shape, half extents (m), exact volume (m^3)
SHAPES = {
    "box": (Box((0.4, 0.1, 0.02)), (0.2, 0.05, 0.01), 0.4 * 0.1 * 0.02),
    "cylinder": (Cylinder(0.05, 0.3), (0.05, 0.05, 0.15), np.pi * 0.05**2 * 0.3),
    "sphere": (Sphere(0.07), (0.07, 0.07, 0.07), 4 / 3 * np.pi * 0.07**3),
    "capsule": (
        Capsule(0.05, 0.3),
        (0.05, 0.05, 0.2),
        np.pi * 0.05**2 * 0.3 + 4 / 3 * np.pi * 0.05**3,
    ),
}


@pytest.fixture(params=SHAPES)
def case(request):
    from dynarig.addon.blender.geometry.shapes import shape_mesh

    shape, half, volume = SHAPES[request.param]
    return shape_mesh(shape), np.array(half), volume


def vertices(mesh):
    return np.array([vertex.co for vertex in mesh.vertices])


def test_bounds_are_exact(case):
    mesh, half, _ = case
    assert vertices(mesh).max(axis=0) == pytest.approx(half, abs=1e-7)
    assert vertices(mesh).min(axis=0) == pytest.approx(-half, abs=1e-7)


def test_every_edge_has_two_faces(case):
    mesh, _, _ = case
    keys = [tuple(sorted(key)) for polygon in mesh.polygons for key in polygon.edge_keys]
    assert len(keys) == 2 * len(set(keys)) == 2 * len(mesh.edges)


def test_the_signed_volume_is_that_of_the_shape(case):
    mesh, _, volume = case
    mesh.calc_loop_triangles()
    corners = vertices(mesh)[[triangle.vertices[:] for triangle in mesh.loop_triangles]]
    measured = np.linalg.det(corners).sum() / 6
    # the polyhedron lies inside the round shape
    assert 0.97 * volume < measured <= volume * (1 + 1e-6)


def test_flat_where_edges_are_sharp_and_smooth_elsewhere(case):
    mesh, _, _ = case
    for polygon in mesh.polygons:
        deviation = max(
            np.linalg.norm(np.array(mesh.corner_normals[i].vector) - np.array(polygon.normal))
            for i in polygon.loop_indices
        )
        if len(polygon.vertices) > 4 or mesh.name.startswith("Box"):
            assert deviation < 1e-5
        else:
            assert 1e-3 < deviation < 0.3


def test_there_is_one_empty_slot(case):
    mesh, _, _ = case
    assert list(mesh.materials) == [None]
