"""Mesh files that lie, are damaged, or carry more than a mesh: a warning or a mesh, never worse."""

import json
import os
import struct
from dataclasses import replace

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.geometry.materials import MaterialLibrary
from dynarig.addon.blender.geometry.mesh_file import LARGEST_COORDINATE
from dynarig.addon.blender.geometry.meshes import MeshLibrary
from dynarig.addon.blender.geometry.visuals import Part, create_objects
from dynarig.addon.blender.leftovers import DataSnapshot
from dynarig.addon.blender.workspace import temporary_scene
from dynarig.core.urdf.document import Box, Mesh, Origin

from .gltf_case import binary, buffer_in

POINTS = ((0, 0, 0), (1, 0, 0), (0, 1, 0))
NAN, INF = float("nan"), float("inf")
ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}


def ply(points=POINTS, order="ascii", vertices=3, faces=1, kind="float"):
    head = (
        f"ply\nformat {order} 1.0\ncomment made\nelement vertex {vertices}\n"
        + "".join(f"property {kind} {axis}\n" for axis in "xyz")
        + f"element face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
    ).encode()
    if order == "ascii":
        return head + "".join(f"{x} {y} {z}\n" for x, y, z in points).encode() + b"3 0 1 2\n"
    letter = {"float": "f", "double": "d"}[kind]
    numbers = [value for point in points for value in point]
    return head + struct.pack(f"{ORDERS[order]}9{letter}B3i", *numbers, 3, 0, 1, 2)


def stl(points=POINTS, count=1):
    numbers = [value for point in ((0, 0, 1), *points) for value in point]
    return bytes(80) + struct.pack("<I12fH", count, *numbers, 0)


def text_stl(points=POINTS):
    rows = "".join("vertex {} {} {}\n".format(*point) for point in points)
    return f"solid a\nfacet normal 0 0 1\nouter loop\n{rows}endloop\nendfacet\nendsolid\n".encode()


def obj(points=POINTS):
    return ("".join("v {} {} {}\n".format(*point) for point in points) + "f 1 2 3\n").encode()


def gltf_document(**parts):
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": 42}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 6},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        **parts,
    }


def gltf_data(points=POINTS):
    return np.array(points, "<f4").tobytes() + struct.pack("<3H", 0, 1, 2)


def glb(points=POINTS, **parts):
    return binary(gltf_document(**parts), gltf_data(points))


def gltf(points=POINTS, uri=None, **parts):
    own = {"byteLength": 42, "uri": uri} if uri else buffer_in(gltf_data(points))
    return json.dumps(gltf_document(buffers=[own], **parts)).encode()


def dae(points=POINTS, nodes='<node><instance_geometry url="#g"/></node>', library=""):
    numbers = " ".join(str(value) for point in points for value in point)
    params = "".join(f'<param name="{axis}" type="float"/>' for axis in "XYZ")
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
<library_geometries><geometry id="g"><mesh>
 <source id="p"><float_array id="a" count="9">{numbers}</float_array><technique_common>
  <accessor source="#a" count="3" stride="3">{params}</accessor></technique_common></source>
 <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
 <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>{library}
<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>""".encode()


FORMATS = {
    "a.stl": stl,
    "b.stl": text_stl,
    "a.obj": obj,
    "a.ply": ply,
    "b.ply": lambda points=POINTS: ply(points, "binary_little_endian"),
    "c.ply": lambda points=POINTS: ply(points, "binary_big_endian", kind="double"),
    "a.glb": glb,
    "a.gltf": gltf,
    "a.dae": dae,
}


def read(path, data):
    """The mesh and the warnings; a file of no use leaves nothing behind."""
    path.write_bytes(data)
    warnings, before = [], DataSnapshot.take()
    with temporary_scene(bpy.context) as workspace:
        library = MeshLibrary(workspace, MaterialLibrary(warnings), warnings)
        mesh = library.file(path)
        library.finish()
    assert before.added() == ([mesh] if mesh else [])
    return mesh, warnings


def check_refused(path, data, words):
    mesh, (line,) = read(path, data)
    assert mesh is None
    assert f"{path.name}: mesh not used: " in line
    assert words in line
    assert "\n" not in line


def corners(mesh):
    return sorted(tuple(vertex.co) for vertex in mesh.vertices)


@pytest.mark.parametrize("name", FORMATS)
def test_the_files_are_right_but_for_what_is_broken_in_them(tmp_path, name):
    mesh, warnings = read(tmp_path / name, FORMATS[name]())
    assert warnings == []
    assert corners(mesh) == sorted(POINTS)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_vertices_that_are_no_numbers_are_refused(tmp_path, name, value):
    points = ((0, 0, 0), (1, value, 0), (0, 1, 0))
    check_refused(tmp_path / name, FORMATS[name](points), "not finite")


@pytest.mark.parametrize("name", FORMATS)
def test_vertices_too_far_away_are_refused(tmp_path, name):
    points = ((0, 0, 0), (1, -1e38, 0), (0, 1, 0))
    check_refused(tmp_path / name, FORMATS[name](points), f"up to {LARGEST_COORDINATE:g}")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("claim", [-1, 1000, 2_000_000_000, 2**31, 99_999_999_999_999])
@pytest.mark.parametrize("which", ["vertices", "faces"])
def test_a_ply_header_that_claims_more_than_the_file_holds(tmp_path, order, claim, which):
    check_refused(tmp_path / "a.ply", ply(order=order, **{which: claim}), f"claims {claim} rows")


@pytest.mark.parametrize(
    "head",
    [
        b"ply\nformat ascii 1.0\n",
        b"ply\nelement vertex 1\nend_header\n",
        b"ply\nformat morse 1.0\nend_header\n",
        b"ply\nformat ascii 1.0\nelement vertex many\nend_header\n",
        b"ply\nformat ascii 1.0\nproperty float x\nend_header\n",
        b"ply\nformat ascii 1.0\nelement vertex 1\nproperty quux x\nend_header\n",
        b"\xff" * 5000,
        b"",
    ],
)
def test_a_ply_header_that_cannot_be_read(tmp_path, head):
    check_refused(tmp_path / "a.ply", head, "the file is damaged")


@pytest.mark.parametrize("order", ORDERS)
def test_a_ply_without_its_last_line_end_and_with_windows_ones(tmp_path, order):
    data = ply(order=order)
    if order == "ascii":
        data = data.replace(b"\n", b"\r\n").removesuffix(b"\r\n")
    assert read(tmp_path / "a.ply", data)[0]


@pytest.mark.parametrize("count", [3, 2**32 - 1])
def test_an_stl_that_claims_more_than_it_holds(tmp_path, count):
    words = f"claims {count} triangles, more than the file holds (1)"
    check_refused(tmp_path / "a.stl", stl(count=count), words)


def test_an_stl_without_triangles(tmp_path):
    check_refused(tmp_path / "a.stl", stl(count=0), "claims 0 triangles")


def test_an_stl_that_goes_on_after_its_triangles(tmp_path):
    mesh, (line,) = read(tmp_path / "a.stl", stl() + b"made by hand")
    assert corners(mesh) == sorted(POINTS)
    assert "12 bytes after its triangles" in line


def instances(depth, leaf='<instance_geometry url="#g"/>'):
    nodes = [f'<node id="n0">{leaf}</node>']
    for level in range(1, depth + 1):
        nodes.append(f'<node id="n{level}">{f"<instance_node url=%sn{level - 1}%s/>" * 2}</node>')
    library = "<library_nodes>" + "".join(nodes).replace("%sn", '"#n').replace("%s", '"')
    return {
        "library": library + "</library_nodes>",
        "nodes": f'<node><instance_node url="#n{depth}"/></node>',
    }


@pytest.mark.parametrize("leaf", ['<instance_geometry url="#g"/>', ""])
def test_a_collada_bomb_of_instances_is_refused_at_once(tmp_path, leaf):
    check_refused(tmp_path / "a.dae", dae(**instances(40, leaf)), "nodes in its instances")


def test_a_collada_bomb_of_corners_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("dynarig.addon.blender.geometry.collada.MOST_CORNERS", 20)
    check_refused(tmp_path / "a.dae", dae(**instances(3)), "more than 20 corners")


def test_a_few_instances_of_instances_are_all_there(tmp_path):
    mesh, warnings = read(tmp_path / "a.dae", dae(**instances(3)))
    assert warnings == []
    assert len(mesh.polygons) in (1, 8)  # validation may drop equal faces
    assert len(mesh.vertices) == 24


MATRIX = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]
RIG = {
    "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
    "skins": [{"joints": [1]}],
    "nodes": [{"mesh": 0, "skin": 0, "matrix": MATRIX, "children": [1, 2]}, {}, {"camera": 0}],
    "animations": [
        {
            "samplers": [{"input": 2, "output": 0}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}],
        }
    ],
}
TIMES = {"bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR"}


def rigged(keys):
    parts = {key: RIG[key] for key in (*keys, "nodes")}
    if "skins" not in keys:
        parts["nodes"] = [{"mesh": 0, "children": [1, 2]}, {}, {}]
    if "cameras" not in keys:
        parts["nodes"] = [
            {k: v for k, v in node.items() if k != "camera"} for node in parts["nodes"]
        ]
    parts["accessors"] = [*gltf_document()["accessors"], TIMES]
    return parts


@pytest.mark.parametrize(
    "keys", [("skins",), ("cameras",), ("animations",), ("skins", "cameras", "animations")]
)
@pytest.mark.parametrize("make", [glb, gltf])
@pytest.mark.parametrize("mode", ["OBJECT", "EDIT"])
def test_a_rigged_gltf_gives_its_mesh_as_it_was_bound(tmp_path, keys, make, mode):
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.object.mode_set(mode=mode)
    mesh, warnings = read(tmp_path / f"a.{make.__name__}", make(**rigged(keys)))
    assert warnings == []
    assert corners(mesh) == sorted(POINTS)
    assert bpy.context.view_layer.objects.active.mode == mode


def test_a_rigged_gltf_finds_the_files_beside_it(tmp_path):
    (tmp_path / "a b.bin").write_bytes(gltf_data())
    mesh, warnings = read(tmp_path / "a.gltf", gltf(uri="a%20b.bin", **rigged(("skins",))))
    assert warnings == []
    assert corners(mesh) == sorted(POINTS)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.glb", glb(scenes=[{"nodes": [5]}])),
        ("a.glb", glb(buffers=[])),
        ("a.glb", glb(meshes=[{}])),
        ("a.glb", glb(nodes=[{"mesh": 0, "children": [0]}])),
        ("a.glb", glb()[:4]),
        ("a.gltf", gltf(accessors=[])),
        ("a.dae", dae().replace(b"0 1 2", b"0 1")),
        ("a.dae", dae()[:300]),
    ],
)
def test_errors_inside_an_importer_read_as_damage_of_the_file(tmp_path, name, data):
    check_refused(tmp_path / name, data, "the file is damaged (")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("good", [True, False])
def test_a_file_name_that_is_no_utf8(tmp_path, name, good):
    path = tmp_path / os.fsdecode(b"arm\xff." + name.partition(".")[2].encode())
    mesh, warnings = read(path, FORMATS[name]() if good else FORMATS[name](((NAN, 0, 0),) * 3))
    for line in warnings:
        line.encode("utf-8")
    assert not good or mesh is not None or len(warnings) == 1


@pytest.mark.parametrize(
    "part",
    [
        Part("a", "box", Box((1e30, 1, 1)), Origin()),
        Part("a", "box", Box((1, 1, 1)), Origin((0.0, 1e30, 0.0))),
        Part("a", "box", Box((1, 1, 1)), Origin((0.0, 1e300, 0.0))),
        Part("a", "mesh", Mesh("a.stl", None, (1e30, 1, 1)), Origin()),
        Part("a", "mesh", Mesh("a.stl", None, (1e300, 1, 1)), Origin((1e300, 0.0, 0.0))),
    ],
)
def test_a_visual_that_blender_cannot_hold_is_left_out(tmp_path, part):
    path = tmp_path / "a.stl"
    path.write_bytes(stl())
    if isinstance(part.geometry, Mesh):
        part = replace(part, geometry=replace(part.geometry, path=path))
    warnings = []
    good = Part("b", "good", Box((1, 1, 1)), Origin())
    collection = bpy.data.collections.new("c")
    made = create_objects([part, good], collection, warnings)
    assert [item.object.name for item in made] == ["good"]
    (line,) = warnings
    assert "not shown" in line
