"""Pipes, folders and empty files among the files that mesh files name: none is waited for."""

import base64
import json
import os

import bpy
import pytest

from .gltf_case import binary, buffer_in, gltf_parts
from .mesh_case import open_library

POINTS = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
OBJ = "mtllib {0}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl red\nf 1/1 2/1 3/1\n"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=="
)


def make_odd(path, kind):
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        os.mkfifo(path.with_name("target"))
        path.symlink_to("target")
    elif kind == "folder":
        path.mkdir()
    else:
        path.touch()


LEFT_OUT = "is left out: it is empty, or no file that can be read"
KINDS = ["pipe", "link", "folder", "empty"]


def read(path):
    """Faces, names of materials, images and warnings; reading ends."""
    warnings = []
    with open_library(warnings) as library:
        mesh = library.file(path)
    if mesh is None:
        return None, [], [], warnings
    names = [None if item is None else item.name.split(".")[0] for item in mesh.materials]
    trees = [item.node_tree for item in mesh.materials if item is not None and item.node_tree]
    nodes = [node for tree in trees for node in tree.nodes]
    images = [bpy.path.abspath(node.image.filepath) for node in nodes if getattr(node, "image", 0)]
    return len(mesh.polygons), names, images, warnings


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["odd.mtl", "o dd.mtl", "r.mtl"])
def test_an_mtl_file_that_is_none(tmp_path, kind, name):
    make_odd(tmp_path / name, kind)
    # the one of its own name is looked for even where another one is named
    (tmp_path / "r.obj").write_text(OBJ.format("other.mtl" if name == "r.mtl" else name))
    faces, names, _, warnings = read(tmp_path / "r.obj")
    assert (faces, names) == (1, [None])
    assert [line for line in warnings if f"MTL file '{name}' is left out" in line]


def test_an_mtl_file_named_on_the_next_line(tmp_path):
    make_odd(tmp_path / "odd.mtl", "pipe")
    (tmp_path / "r.obj").write_text(OBJ.format("\\\nodd.mtl"))
    assert read(tmp_path / "r.obj")[:2] == (1, [None])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "line", ["map_Kd {0}", "map_Kd -s 1 1 1 {0}", "\tmap_Bump -bm 0.3 {0}", "map_kd sub/../{0}"]
)
def test_an_image_of_an_mtl_file_that_is_none(tmp_path, kind, line):
    (tmp_path / "sub").mkdir()
    make_odd(tmp_path / "odd.png", kind)
    (tmp_path / "good.png").write_bytes(PNG)
    odd = line.format("odd.png")
    text = f"newmtl red\nKd 1 0 0\n{odd}\nnewmtl blue\nmap_Kd good.png\n"
    (tmp_path / "m.mtl").write_text(text)
    more = "usemtl blue\nf 3/1 2/1 1/1\n"
    (tmp_path / "r.obj").write_text(OBJ.format("m.mtl") + more)
    faces, names, images, warnings = read(tmp_path / "r.obj")
    assert names == ["red", "blue"]
    assert faces >= 1
    assert images == [str(tmp_path / "good.png")]
    assert warnings == [f"{tmp_path / 'r.obj'}: texture 'odd.png' {LEFT_OUT}"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", [".gltf", ".glb", "text in .glb", "binary in .gltf"])
def test_an_image_of_a_gltf_file_that_is_none(tmp_path, kind, form):
    make_odd(tmp_path / "o dd.png", kind)
    document, buffer = gltf_parts(POINTS, [[0, 1, 2]])
    document["images"] = [{"uri": "o%20dd.png"}]
    document["textures"] = [{"source": 0}]
    look = {"baseColorTexture": {"index": 0}}
    document["materials"] = [{"name": "red", "pbrMetallicRoughness": look}]
    document["meshes"][0]["primitives"][0]["material"] = 0
    text = json.dumps({**document, "buffers": [buffer_in(buffer)]}).encode()
    path = tmp_path / f"r{form[-5:].strip().lstrip('nt ')}"
    path.write_bytes(text if form in (".gltf", "text in .glb") else binary(document, buffer))
    faces, names, images, warnings = read(path)
    assert (faces, names, images) == (1, ["red"], [])
    assert warnings == [f"{path}: texture 'o dd.png' {LEFT_OUT}"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_buffer_of_a_gltf_file_that_is_none(tmp_path, kind):
    make_odd(tmp_path / "odd.bin", kind)
    document, _ = gltf_parts(POINTS, [[0, 1, 2]])
    document["buffers"][0]["uri"] = "odd.bin"
    (tmp_path / "r.gltf").write_text(json.dumps(document))
    assert read(tmp_path / "r.gltf")[3] == [
        f"{tmp_path / 'r.gltf'}: mesh not used: its buffer 'odd.bin' is left out: it is empty, "
        "or no file that can be read"
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("suffix", [".stl", ".obj", ".ply", ".dae", ".glb", ".gltf"])
def test_a_mesh_file_that_is_none(tmp_path, kind, suffix):
    make_odd(tmp_path / f"odd{suffix}", kind)
    faces, _, _, warnings = read(tmp_path / f"odd{suffix}")
    assert faces is None
    assert len(warnings) == 1
