"""Mesh files: vertices as stored, in metres, in every format; nothing else is left in the file."""

import struct

import numpy as np
import pytest

from .gltf_case import FLOAT, added, binary, embedded, gltf_parts
from .mesh_case import bounds, open_library, signed_volume

# a tetrahedron with three different edges on the axes, facing outward
POINTS = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.4]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
BOUNDS = np.array([[0, 0, 0], [0.1, 0.2, 0.4]])


def stl_binary():
    record = np.zeros(len(FACES), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    record["v"] = POINTS[FACES]
    return bytes(80) + struct.pack("<I", len(FACES)) + record.tobytes()


def stl_text():
    lines = ["solid tetra"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex {} {} {}".format(*POINTS[i]) for i in face]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid tetra", ""]).encode()


def obj(usemtl="", mtllib=""):
    lines = [f"mtllib {mtllib}"] if mtllib else []
    lines += ["v {} {} {}".format(*point) for point in POINTS]
    lines += [f"usemtl {usemtl}"] if usemtl else []
    lines += ["f {} {} {}".format(*(face + 1)) for face in FACES]
    return "\n".join([*lines, ""]).encode()


def ply():
    head = f"""ply
format ascii 1.0
element vertex {len(POINTS)}
property float x
property float y
property float z
element face {len(FACES)}
property list uchar int vertex_indices
end_header
"""
    lines = ["{} {} {}".format(*point) for point in POINTS]
    lines += ["3 {} {} {}".format(*face) for face in FACES]
    return (head + "\n".join([*lines, ""])).encode()


def glb(nodes, materials=()):
    document, buffer = gltf_parts(POINTS, FACES, nodes)
    document["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}]
    (primitive,) = document["meshes"][0]["primitives"]
    for number in range(len(materials)):
        document["meshes"].append({"primitives": [{**primitive, "material": number}]})
    if materials:
        document["materials"] = list(materials)
    return binary(document, buffer)


def gltf(nodes):
    return embedded(*gltf_parts(POINTS, FACES, nodes))


FILES = {
    "binary.stl": stl_binary,
    "text.stl": stl_text,
    "UPPER.STL": stl_binary,
    "mit Abstand é.stl": stl_binary,
    "two  blanks and a name of more than sixty-three bytes, as some write.stl": stl_binary,
    "solid.stl": lambda: b"solid made by hand" + stl_binary()[18:],
    "upper.OBJ": obj,
    "plain.obj": obj,
    "plain.ply": ply,
    "plain.glb": lambda: glb([{"mesh": 0}]),
    "plain.gltf": lambda: gltf([{"mesh": 0}]),
}


@pytest.mark.parametrize("name", FILES)
def test_vertices_are_as_stored_and_only_the_mesh_is_left(tmp_path, name):
    from dynarig.addon.blender.leftovers import DataSnapshot

    path = tmp_path / name
    path.write_bytes(FILES[name]())
    warnings, before = [], DataSnapshot.take()
    with open_library(warnings) as library:
        mesh = library.file(path)
    assert warnings == []
    assert bounds(mesh) == pytest.approx(BOUNDS, abs=1e-7)
    assert signed_volume(mesh) == pytest.approx(0.1 * 0.2 * 0.4 / 6, rel=1e-5)
    assert before.added() == [mesh]
    assert mesh["dynarig_source"] == str(path.resolve())
    assert mesh.name == path.stem[:63]
    assert list(mesh.materials) == [None]


def test_a_file_is_read_once_whatever_path_leads_to_it(tmp_path):
    path = tmp_path / "a.stl"
    path.write_bytes(stl_binary())
    (tmp_path / "link.stl").symlink_to(path)
    with open_library([]) as library:
        mesh = library.file(path)
        assert library.file(tmp_path / "x" / ".." / "a.stl") is mesh
        assert library.file(tmp_path / "link.stl") is mesh


def test_equal_shapes_share_their_data():
    from dynarig.core.urdf.document import Box, Sphere

    with open_library([]) as library:
        assert library.geometry(Box((1, 2, 3))) is library.geometry(Box((1, 2, 3)))
        assert library.geometry(Box((1, 2, 3))) is not library.geometry(Box((1, 2, 4)))
        assert library.geometry(Sphere(1.0)) is library.geometry(Sphere(1.0))


def test_gltf_nodes_become_one_mesh_with_their_transforms_and_materials(tmp_path):
    from dynarig.addon.blender.leftovers import DataSnapshot

    red = {"name": "red", "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0, 0, 1]}}
    nodes = [
        {"children": [1, 2, 3], "translation": [0, 0, 1]},
        {"mesh": 0, "scale": [-1, 1, 1]},
        {"mesh": 1, "translation": [1, 0, 0], "rotation": [0, 0, 0.5**0.5, 0.5**0.5]},
        {"camera": 0},
    ]
    path = tmp_path / "two.glb"
    path.write_bytes(glb(nodes, [red]))
    before = DataSnapshot.take()
    with open_library([]) as library:
        mesh = library.file(path)
    # first: x mirrored; second: turned 90 degrees about z, then moved by 1 along x
    assert bounds(mesh) == pytest.approx(np.array([[-0.1, 0, 1], [1, 0.2, 1.4]]), abs=1e-6)
    assert signed_volume(mesh) == pytest.approx(2 * 0.1 * 0.2 * 0.4 / 6, rel=1e-5)
    names = [material and material.name for material in mesh.materials]
    assert names == [None, "red"]
    assert [polygon.material_index for polygon in mesh.polygons] == [0] * 4 + [1] * 4
    assert before.added() == [mesh, mesh.materials[1]]
    # glTF colours are linear by definition
    assert tuple(mesh.materials[1].diffuse_color) == pytest.approx((0.5, 0, 0, 1))


def test_obj_keeps_the_materials_its_mtl_defines_in_display_colours(tmp_path):
    (tmp_path / "m.mtl").write_text("newmtl red\nKd 0.5 0 0\n")
    path = tmp_path / "a.obj"
    path.write_bytes(obj("red", "m.mtl"))
    with open_library([]) as library:
        mesh = library.file(path)
    (material,) = mesh.materials
    assert material.name == "red"
    assert tuple(material.diffuse_color) == pytest.approx((0.2140411, 0, 0, 1), abs=1e-6)


def test_a_material_that_no_mtl_defines_is_none(tmp_path):
    from dynarig.addon.blender.leftovers import DataSnapshot

    path = tmp_path / "a.obj"
    path.write_bytes(obj("red", "missing.mtl"))
    before = DataSnapshot.take()
    with open_library([]) as library:
        mesh = library.file(path)
    assert list(mesh.materials) == [None]
    assert before.added() == [mesh]


def test_equal_materials_of_many_files_are_one(tmp_path):
    import bpy

    bpy.data.materials.new("red")
    (tmp_path / "m.mtl").write_text("newmtl red\nKd 0.5 0 0\n")
    (tmp_path / "other.mtl").write_text("newmtl red\nKd 0 0.5 0\n")
    for name, library_name in (("a", "m.mtl"), ("b", "m.mtl"), ("c", "other.mtl")):
        (tmp_path / f"{name}.obj").write_bytes(obj("red", library_name))
    with open_library([]) as library:
        a, b, c = (library.file(tmp_path / f"{name}.obj").materials[0] for name in "abc")
    assert a is b
    assert a is not c
    assert len(bpy.data.materials) == 3


def test_faces_without_normals_are_smooth_by_angle(tmp_path):
    path = tmp_path / "a.stl"
    path.write_bytes(stl_binary())
    with open_library([]) as library:
        mesh = library.file(path)
    # the tetrahedron has only sharp edges
    for polygon in mesh.polygons:
        for i in polygon.loop_indices:
            assert tuple(mesh.corner_normals[i].vector) == pytest.approx(
                tuple(polygon.normal), abs=1e-5
            )


def test_normals_of_a_file_are_kept(tmp_path):
    normals = ["vn 0.6 0 0.8"]
    faces = ["f " + " ".join(f"{i + 1}//1" for i in face) for face in FACES]
    points = ["v {} {} {}".format(*point) for point in POINTS]
    path = tmp_path / "a.obj"
    path.write_text("\n".join([*points, *normals, *faces, ""]))
    with open_library([]) as library:
        mesh = library.file(path)
    for corner in mesh.corner_normals:
        assert tuple(corner.vector) == pytest.approx((0.6, 0, 0.8), abs=1e-3)


BROKEN = {
    "empty.stl": b"",
    "cut.stl": stl_binary()[:100],
    "words.stl": b"solid nothing\nendsolid\n",
    "points.obj": b"v 0 0 0\nv 1 0 0\n",
    "noise.ply": b"ply\nformat noise\n",
    "noise.glb": b"glTF\2\0\0\0",
    "cut.glb": glb([{"mesh": 0}])[:-40],
    "words.gltf": b"{",
    "other.dxf": b"0",
    "none": b"",
    "noise.dae": b"<COLLADA",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_read_is_one_warning_with_its_name(tmp_path, name):
    from dynarig.addon.blender.leftovers import DataSnapshot

    path = tmp_path / name
    path.write_bytes(BROKEN[name])
    warnings, before = [], DataSnapshot.take()
    with open_library(warnings) as library:
        assert library.file(path) is None
        assert library.file(path) is None
    assert len(warnings) == 1
    head, _, reason = warnings[0].partition(": mesh not used: ")
    assert head == str(path.resolve())
    assert reason and "\n" not in reason
    assert before.added() == []


def test_a_missing_file_is_a_warning_and_an_unresolved_one_is_not(tmp_path):
    from dynarig.core.urdf.document import Mesh

    warnings = []
    with open_library(warnings) as library:
        assert library.geometry(Mesh("package://x/y.stl")) is None
        assert warnings == []
        assert library.geometry(Mesh("y.stl", tmp_path / "y.stl")) is None
    assert warnings == [f"{(tmp_path / 'y.stl').resolve()}: mesh not used: no such file"]


@pytest.mark.parametrize("mode", ["OBJECT", "EDIT"])
def test_importers_leave_the_user_s_object_and_mode_alone(tmp_path, mode):
    import bpy

    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.object.mode_set(mode=mode)
    cube = bpy.context.active_object
    with open_library([]) as library:
        for name, make in FILES.items():
            (tmp_path / name).write_bytes(make())
            library.file(tmp_path / name)
    assert bpy.context.active_object is cube
    assert cube.mode == mode
    assert list(bpy.context.scene.objects) == [cube]
    assert len(cube.data.polygons) == 6


@pytest.mark.parametrize(("sides", "smooth"), [(24, True), (8, False)])
def test_round_bodies_are_smooth_and_edged_ones_are_not(tmp_path, sides, smooth):
    """Around a prism faces meet at 360 / sides degrees; 30 is the border."""
    angles = np.append(np.arange(sides), 0) * 2 * np.pi / sides
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(sides + 1)], axis=1)
    top = ring + np.array([0, 0, 1])
    triangles = np.concatenate(
        [
            np.stack([ring[:-1], ring[1:], top[1:]], axis=1),
            np.stack([ring[:-1], top[1:], top[:-1]], axis=1),
        ]
    )
    record = np.zeros(len(triangles), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    record["v"] = triangles
    path = tmp_path / "a.stl"
    path.write_bytes(bytes(80) + struct.pack("<I", len(triangles)) + record.tobytes())
    with open_library([]) as library:
        mesh = library.file(path)
    for loop in mesh.loops:
        across = np.array(mesh.vertices[loop.vertex_index].co) * [1, 1, 0]
        normal = np.array(mesh.corner_normals[loop.index].vector)
        # smooth: straight away from the axis; else as its face, half of a side off
        wanted = 1.0 if smooth else np.cos(np.pi / sides)
        assert across @ normal == pytest.approx(wanted, abs=2e-3)


def test_normals_of_a_gltf_are_kept_in_turned_and_in_stretched_nodes(tmp_path):
    document, buffer = gltf_parts(
        POINTS, FACES, [{"children": [1]}, {"mesh": 0, "rotation": [0, 0, 0.5**0.5, 0.5**0.5]}]
    )
    buffer = added(document, buffer, np.tile([0.6, 0.0, 0.8], (4, 1)), "VEC3", FLOAT)
    document["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = 2
    # (x, y) to (-y, x); and normals of a body twice as high lean half as much along z
    for scale, wanted in (([1, 1, 1], (0, 0.6, 0.8)), ([1, 1, 2], (0, 0.832, 0.5547))):
        document["nodes"][0]["scale"] = scale
        path = tmp_path / f"{scale[2]}.gltf"
        path.write_bytes(embedded(document, buffer))
        with open_library([]) as library:
            mesh = library.file(path)
        for corner in mesh.corner_normals:
            assert tuple(corner.vector) == pytest.approx(wanted, abs=2e-3)
