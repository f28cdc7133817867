"""Mesh files that claim more than they hold, or name vertices that they do not have."""

import json

import numpy as np
import pytest

from .gltf_case import binary, embedded, gltf_parts
from .mesh_case import bounds, open_library

POINTS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>{unit}
</asset><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">
0 0 0 1 0 0 0 1 0 1 1 0</float_array><technique_common><accessor source="#a" count="4" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/>
</vertices><triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p>
</triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s">
<node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def read(path, data):
    """Mesh or None, and warnings."""
    warnings = []
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    with open_library(warnings) as library:
        mesh = library.file(path)
    return mesh, warnings


@pytest.mark.parametrize("accessor", [0, 1])
@pytest.mark.parametrize("count", [10**9, 40, -1])
@pytest.mark.parametrize("with_view", [True, False])
def test_gltf_accessors_that_claim_too_much(tmp_path, accessor, count, with_view):
    document, buffer = gltf_parts(POINTS, [[0, 1, 2], [1, 3, 2]])
    if not with_view:
        count = max(count, 10**8) if count > 0 else count
        del document["accessors"][accessor]["bufferView"]
    document["accessors"][accessor]["count"] = count
    for name, data in (("a.glb", binary(document, buffer)), ("b.gltf", embedded(document, buffer))):
        mesh, warnings = read(tmp_path / name, data)
        assert mesh is None
        assert f"its accessor {accessor} claims {count} values" in warnings[0]


def test_a_gltf_buffer_file_that_is_shorter_than_it_says(tmp_path):
    document, buffer = gltf_parts(POINTS, [[0, 1, 2], [1, 3, 2]])
    document["buffers"][0]["uri"] = "b.bin"
    (tmp_path / "b.bin").write_bytes(buffer[:-2])
    mesh, warnings = read(tmp_path / "a.gltf", json.dumps(document))
    assert mesh is None
    assert "more than its buffer holds" in warnings[0]
    (tmp_path / "b.bin").write_bytes(buffer)
    mesh, warnings = read(tmp_path / "a.gltf", json.dumps(document))
    assert len(mesh.polygons) == 2
    assert not warnings


def test_a_gltf_mesh_in_a_million_nodes(tmp_path, monkeypatch):
    from dynarig.addon.blender.geometry import gltf_check

    document, buffer = gltf_parts(POINTS, [[0, 1, 2]], nodes=[{"mesh": 0}] * 5, roots=range(5))
    monkeypatch.setattr(gltf_check, "MOST_CORNERS", 15)
    assert len(read(tmp_path / "a.glb", binary(document, buffer))[0].polygons) == 5
    monkeypatch.setattr(gltf_check, "MOST_CORNERS", 14)
    mesh, warnings = read(tmp_path / "b.glb", binary(document, buffer))
    assert mesh is None
    assert "more than 14 corners" in warnings[0]


def test_a_gltf_face_without_its_vertex(tmp_path):
    document, buffer = gltf_parts(POINTS, [[0, 1, 2], [1, 9, 2]])
    mesh, warnings = read(tmp_path / "a.glb", binary(document, buffer))
    assert mesh is None
    assert "a face with vertex 9; there are 4 in it" in warnings[0]


@pytest.mark.parametrize("wrong", ["f 1 2 9", "f 1 2 -9", "f 0 1 2", "f\t1 2 9"])
def test_obj_faces_without_their_vertices_are_counted(tmp_path, wrong):
    vertices = "".join(f"v {x} {y} {z}\n" for x, y, z in POINTS)
    mesh, warnings = read(tmp_path / "a.obj", f"{vertices}f 1 2 3\n{wrong}\nf 2 4 3\n{wrong}")
    assert len(mesh.polygons) == 2
    assert len(warnings) == 1
    assert "2 of its 4 faces were left out" in warnings[0]


@pytest.mark.parametrize("face", ["f -4 -3 -2", "f 2 4 3\nf 2 4 3", "f 1 1 2", "f 1 2 3 # f 9 9 9"])
def test_other_obj_faces_are_none_of_these(tmp_path, face):
    vertices = "".join(f"v {x} {y} {z}\n" for x, y, z in POINTS)
    assert not read(tmp_path / "a.obj", f"{vertices}{face}\nf 2 4 3\n")[1]


@pytest.mark.parametrize("value", ["-1", "0", "abc", "nan", "inf", ""])
def test_a_collada_unit_that_is_no_length(tmp_path, value):
    text = DAE.format(unit=f'<unit meter="{value}"/>', indices="0 1 2 1 3 2")
    mesh, warnings = read(tmp_path / "a.dae", text)
    np.testing.assert_allclose(bounds(mesh), [[0, 0, 0], [1, 1, 0]])
    assert f"<unit meter='{value}'> is no positive number; a unit of 1 m is taken" in warnings[0]


@pytest.mark.parametrize(
    ("unit", "size"), [("", 1), ('<unit meter="0.01"/>', 0.01), ("<unit/>", 1)]
)
def test_a_collada_unit_that_is_one(tmp_path, unit, size):
    mesh, warnings = read(tmp_path / "a.dae", DAE.format(unit=unit, indices="0 1 2 1 3 2"))
    np.testing.assert_allclose(bounds(mesh)[1], [size, size, 0])
    assert not warnings


@pytest.mark.parametrize("wrong", ["-1", "4", "99"])
def test_a_collada_face_without_its_vertex(tmp_path, wrong):
    mesh, warnings = read(tmp_path / "a.dae", DAE.format(unit="", indices=f"0 1 2 1 {wrong} 2"))
    assert mesh is None
    assert "mesh not used" in warnings[0]
