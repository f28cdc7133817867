"""Vertex colours: seen where neither the file nor the URDF names a material, in linear light."""

import struct

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.geometry.mesh_arrays import colour_attribute
from dynarig.addon.blender.geometry.mesh_settings import MeshSettings
from dynarig.addon.blender.geometry.visuals import Part, create_objects
from dynarig.core.urdf.document import Material, Mesh, Origin

from .gltf_case import binary, gltf_parts

POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
DISPLAY = np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 1.0]])
LINEAR = np.array([[1.0, 0.0, 0.0], [0.2140411, 0.0, 0.0], [0.0, 0.0, 1.0]])


def ply(order="ascii", kind="float"):
    values = DISPLAY if kind == "float" else np.round(DISPLAY * 255).astype(int)
    head = f"ply\nformat {order} 1.0\nelement vertex 3\n"
    head += "".join(f"property float {axis}\n" for axis in "xyz")
    head += "".join(f"property {kind} {name}\n" for name in ("red", "green", "blue"))
    head += "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    if order == "ascii":
        rows = np.concatenate([POINTS, values], axis=1)
        lines = [" ".join(f"{value:g}" for value in row) for row in rows]
        return (head + "\n".join([*lines, "3 0 1 2", ""])).encode()
    letter = "f" if kind == "float" else "B"
    mark = "<" if "little" in order else ">"
    body = b"".join(
        struct.pack(f"{mark}3f3{letter}", *point, *colour)
        for point, colour in zip(POINTS, values, strict=True)
    )
    return head.encode() + body + struct.pack(f"{mark}B3i", 3, 0, 1, 2)


def obj():
    rows = np.concatenate([POINTS, DISPLAY], axis=1)
    return "".join("v {} {} {} {} {} {}\n".format(*row) for row in rows).encode() + b"f 1 2 3\n"


def glb(nodes=({"mesh": 0},)):
    colours = np.concatenate([LINEAR, np.ones((3, 1))], axis=1)
    return binary(*gltf_parts(POINTS, [[0, 1, 2]], nodes, range(len(nodes)), colours))


def dae():
    def source(name, values, keys):
        text = " ".join(f"{value:g}" for value in values.ravel())
        params = "".join(f'<param name="{key}" type="float"/>' for key in keys)
        return (
            f'<source id="{name}"><float_array id="{name}a" count="{values.size}">{text}'
            f'</float_array><technique_common><accessor source="#{name}a" count="3" '
            f'stride="{len(keys)}">{params}</accessor></technique_common></source>'
        )

    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
<library_geometries><geometry id="g"><mesh>{source("p", POINTS, "XYZ")}{source("c", DISPLAY, "RGB")}
 <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
 <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>
 <input semantic="COLOR" source="#c" offset="1"/><p>0 0 1 1 2 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>""".encode()


FILES = {
    "float.ply": ply,
    "bytes.ply": lambda: ply(kind="uchar"),
    "little.ply": lambda: ply("binary_little_endian", "uchar"),
    "big.ply": lambda: ply("binary_big_endian"),
    "a.obj": obj,
    "a.glb": glb,
    "two.glb": lambda: glb(({"mesh": 0}, {"mesh": 0, "translation": [0, 0, 5]})),
    "a.dae": dae,
}


def shown(folder, name, material=None):
    path = folder / name
    path.write_bytes(FILES[name]())
    warnings = []
    part = Part("a", "seen", Mesh(name, path), Origin(), material)
    settings = MeshSettings(gltf_up="Z")
    (own,) = create_objects([part], bpy.data.collections.new("c"), warnings, settings)
    assert warnings == []
    return own.object


@pytest.mark.parametrize("name", FILES)
def test_colours_are_kept_at_their_corners(tmp_path, name):
    mesh = shown(tmp_path, name).data
    attribute = colour_attribute(mesh)
    for loop in mesh.loops:
        at = loop.vertex_index if attribute.domain == "POINT" else loop.index
        place = np.array(mesh.vertices[loop.vertex_index].co)
        (point,) = np.flatnonzero(np.abs(POINTS[:, :2] - place[:2]).max(axis=1) < 1e-6)
        assert tuple(attribute.data[at].color)[:3] == pytest.approx(LINEAR[point], abs=4e-3)


@pytest.mark.parametrize("name", FILES)
def test_a_material_shows_them_where_there_is_no_other(tmp_path, name):
    obj = shown(tmp_path, name)
    materials = {slot.material for slot in obj.material_slots}
    (material,) = materials
    assert list(obj.data.materials) == [None]
    nodes = material.node_tree.nodes
    (shader,) = [node for node in nodes if node.type == "BSDF_PRINCIPLED"]
    (link,) = shader.inputs["Base Color"].links
    assert link.from_node.attribute_name == colour_attribute(obj.data).name
    assert tuple(material.diffuse_color)[:3] == pytest.approx(LINEAR.mean(axis=0), abs=4e-3)
    assert set(bpy.data.materials) == materials


@pytest.mark.parametrize("name", FILES)
def test_the_urdf_s_material_goes_before_them(tmp_path, name):
    obj = shown(tmp_path, name, Material("green", (0.0, 1.0, 0.0, 1.0)))
    assert [slot.material.name for slot in obj.material_slots] == ["green"]


def test_one_without_colour_does_not(tmp_path):
    obj = shown(tmp_path, "a.obj", Material("unknown"))
    assert [slot.material.name for slot in obj.material_slots] == ["Vertex colours"]
