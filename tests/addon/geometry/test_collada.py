"""Collada files: unit, node transforms, all kinds of faces, materials; the up axis is ignored."""

from pathlib import Path

import numpy as np
import pytest

from .mesh_case import bounds, open_library, signed_volume

# a tetrahedron in centimetres, and the same faces in the three ways of writing them
POSITIONS = "0 0 0 10 0 0 0 20 0 0 0 40"
TRIANGLES = '<triangles count="4" material="{m}">{i}<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>'
POLYLIST = (
    '<polylist count="4" material="{m}">{i}<vcount>3 3 3 3</vcount>'
    "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></polylist>"
)
POLYGONS = (
    '<polygons count="4" material="{m}">{i}'
    "<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>"
)
LINES = '<lines count="1">{i}<p>0 1</p></lines>'
VERTEX = '<input semantic="VERTEX" source="#v" offset="0"/>'
COLOURS = """
<library_effects>
 <effect id="e"><profile_COMMON><technique sid="common"><phong>
  <diffuse>{diffuse}</diffuse>{more}
 </phong></technique></profile_COMMON></effect>
</library_effects>
<library_materials>
 <material id="m" name="paint"><instance_effect url="#e"/></material>
</library_materials>"""
BINDING = """<bind_material><technique_common>
 <instance_material symbol="s" target="#m"/></technique_common></bind_material>"""


def source(name, values, keys):
    count = len(values.split())
    params = "".join(f'<param name="{key}" type="float"/>' for key in keys)
    return (
        f'<source id="{name}"><float_array id="{name}a" count="{count}">{values}</float_array>'
        f'<technique_common><accessor source="#{name}a" count="{count // len(keys)}" '
        f'stride="{len(keys)}">{params}</accessor></technique_common></source>'
    )


def dae(faces=TRIANGLES, *, asset="", nodes=None, libraries="", sources="", inputs=VERTEX):
    """A Collada file with the tetrahedron as geometry g."""
    binding = BINDING if libraries else ""
    nodes = nodes or f'<node><instance_geometry url="#g">{binding}</instance_geometry></node>'
    symbol = "s" if libraries else ""
    return f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/>{asset}</asset>
{libraries}
<library_geometries><geometry id="g"><mesh>
 {source("p", POSITIONS, "XYZ")}{sources}
 <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
 {faces.format(m=symbol, i=inputs)}
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>"""


def read(path: Path, text=None, warnings=None):
    warnings = [] if warnings is None else warnings
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with open_library(warnings) as library:
        return library.file(path)


@pytest.mark.parametrize("faces", [TRIANGLES, POLYLIST, POLYGONS, LINES + TRIANGLES])
def test_the_unit_is_applied_to_every_kind_of_face(tmp_path, faces):
    from dynarig.addon.blender.leftovers import DataSnapshot

    warnings, before = [], DataSnapshot.take()
    mesh = read(tmp_path / "a.dae", dae(faces), warnings)
    assert warnings == []
    assert bounds(mesh) == pytest.approx(np.array([[0, 0, 0], [0.1, 0.2, 0.4]]), abs=1e-7)
    assert signed_volume(mesh) == pytest.approx(0.1 * 0.2 * 0.4 / 6, rel=1e-5)
    assert list(mesh.materials) == [None]
    assert before.added() == [mesh]


def test_all_nodes_come_with_their_transforms_right_side_out(tmp_path):
    instance = '<instance_geometry url="#g"/>'
    nodes = (
        "<node><translate>100 0 0</translate>"
        f"<node><rotate>0 0 1 90</rotate>{instance}</node></node>"
        f"<node><scale>-1 1 2</scale>{instance}</node>"
    )
    mesh = read(tmp_path / "a.dae", dae(nodes=nodes))
    assert bounds(mesh) == pytest.approx(np.array([[-0.1, 0, 0], [1, 0.2, 0.8]]), abs=1e-6)
    assert signed_volume(mesh) == pytest.approx(3 * 0.1 * 0.2 * 0.4 / 6, rel=1e-5)


@pytest.mark.parametrize(("axis", "lines"), [("Y_UP", 1), ("Z_UP", 0), ("", 0)])
def test_up_axis_is_ignored_and_y_up_is_told_once(tmp_path, axis, lines):
    asset = f"<up_axis>{axis}</up_axis>" if axis else ""
    warnings = []
    for name in ("a.dae", "b.dae"):
        (tmp_path / name).write_text(dae(asset=asset))
    with open_library(warnings) as library:
        for name in ("a.dae", "b.dae"):
            mesh = library.file(tmp_path / name)
            assert bounds(mesh)[1] == pytest.approx([0.1, 0.2, 0.4], abs=1e-7)
    assert len(warnings) == lines
    assert all("Y_UP" in line and "a.dae" in line for line in warnings)


def test_normals_and_texture_coordinates_are_kept(tmp_path):
    sources = source("n", "0.6 0 0.8", "XYZ") + source("t", "0.25 0.75", "ST")
    inputs = (
        VERTEX
        + '<input semantic="NORMAL" source="#n" offset="1"/>'
        + '<input semantic="TEXCOORD" source="#t" offset="1" set="0"/>'
    )
    pairs = " ".join(f"{i} 0" for i in (0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3))
    faces = '<triangles count="4">{i}<p>' + pairs + "</p></triangles>"
    nodes = '<node><rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node>'
    mesh = read(tmp_path / "a.dae", dae(faces, sources=sources, inputs=inputs, nodes=nodes))
    for corner in mesh.corner_normals:
        assert tuple(corner.vector) == pytest.approx((0, 0.6, 0.8), abs=1e-3)
    for uv in mesh.uv_layers.active.uv:
        assert tuple(uv.vector) == pytest.approx((0.25, 0.75))


@pytest.mark.parametrize(
    ("more", "alpha"),
    [
        ("", 1.0),
        ('<transparent opaque="A_ONE"><color>1 1 1 0.25</color></transparent>', 0.25),
        (
            '<transparent opaque="RGB_ZERO"><color>0.5 0.5 0.5 1</color></transparent>'
            "<transparency><float>1</float></transparency>",
            0.5,
        ),
        # nothing would be seen: taken as opaque
        ("<transparency><float>0</float></transparency>", 1.0),
        (
            '<transparent opaque="A_ONE"><color>1 1 1 1</color></transparent>'
            "<transparency><float>0</float></transparency>",
            1.0,
        ),
    ],
)
def test_diffuse_colours_are_display_colours(tmp_path, more, alpha):
    libraries = COLOURS.format(diffuse="<color>0.5 0 0 1</color>", more=more)
    mesh = read(tmp_path / "a.dae", dae(libraries=libraries))
    (material,) = mesh.materials
    assert material.name == "paint"
    assert tuple(material.diffuse_color) == pytest.approx((0.2140411, 0, 0, alpha), abs=1e-4)


def texture_libraries(name):
    image = f'<library_images><image id="i"><init_from>{name}</init_from></image></library_images>'
    return image + COLOURS.format(diffuse='<texture texture="i" texcoord="UV0"/>', more="")


def test_a_texture_beside_the_file_is_used(tmp_path):
    import bpy

    image = bpy.data.images.new("made", 2, 2)
    image.filepath_raw, image.file_format = str(tmp_path / "wood grain.png"), "PNG"
    image.save()
    bpy.data.images.remove(image)
    mesh = read(tmp_path / "a.dae", dae(libraries=texture_libraries("textures/wood%20grain.png")))
    nodes = mesh.materials[0].node_tree.nodes
    (image,) = [node.image for node in nodes if node.type == "TEX_IMAGE"]
    assert bpy.path.abspath(image.filepath) == str((tmp_path / "wood grain.png").resolve())


def test_a_missing_texture_is_a_warning_and_no_material(tmp_path):
    warnings = []
    path = tmp_path / "a.dae"
    mesh = read(path, dae(libraries=texture_libraries("wood.png")), warnings)
    assert list(mesh.materials) == [None]
    assert warnings == [f"{path.resolve()}: texture 'wood.png' not found"]


def test_a_missing_material_costs_its_colour_and_not_the_part(tmp_path):
    warnings = []
    lost = BINDING.replace("#m", "#lost")
    nodes = "".join(
        f'<node><instance_geometry url="#g">{binding}</instance_geometry></node>'
        for binding in (lost, BINDING)
    )
    libraries = COLOURS.format(diffuse="<color>0.5 0 0 1</color>", more="")
    mesh = read(tmp_path / "a.dae", dae(nodes=nodes, libraries=libraries), warnings)
    assert len(mesh.polygons) == 8
    assert [material and material.name for material in mesh.materials] == [None, "paint"]
    assert len(warnings) == 1 and warnings[0].endswith("there is no material 'lost' in it")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty"),
        (" ", "XML"),
        ("<html/>", "no triangles or polygons"),
        (dae(LINES), "no triangles or polygons"),
        ('<!DOCTYPE x [<!ENTITY a "b">]>' + dae()[38:], "entities are not allowed"),
        (dae().replace("#p", "#nothing"), "mesh not used"),
        (dae().replace("0 2 1 0 1 3", "0 2 9 0 1 3"), "mesh not used"),
        (dae().replace("10 0 0", "inf 0 0"), "not finite"),
    ],
)
def test_a_broken_file_is_one_warning(tmp_path, text, reason):
    from dynarig.addon.blender.leftovers import DataSnapshot

    warnings, before = [], DataSnapshot.take()
    assert read(tmp_path / "a.dae", text, warnings) is None
    assert len(warnings) == 1 and reason in warnings[0] and "a.dae" in warnings[0]
    assert before.added() == []


def test_a_missing_pycollada_is_said(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "collada", None)
    warnings = []
    for name in "abc":
        (tmp_path / f"{name}.dae").write_text(dae())
    with open_library(warnings) as library:
        assert [library.file(tmp_path / f"{name}.dae") for name in "abc"] == [None] * 3
    # once for all files
    (line,) = warnings
    assert "a.dae (and 2 more): mesh not used" in line and "pip install pycollada" in line


def test_every_part_of_the_panda_comes_in_its_own_colours(robots):
    folder = robots / "panda_description" / "meshes" / "visual"
    warnings = []
    with open_library(warnings) as library:
        meshes = [library.file(path) for path in sorted(folder.glob("*.dae"))]
    assert warnings == [] and len(meshes) == 10
    assert all(mesh.has_custom_normals and None not in mesh.materials[:] for mesh in meshes)
    (hand,) = [mesh for mesh in meshes if mesh.name == "hand"]
    # 0.2 m wide, on the flange
    assert np.ptp(bounds(hand), axis=0)[1] == pytest.approx(0.204, abs=0.002)


def test_without_a_scene_every_geometry_comes_once(tmp_path):
    text = dae()
    start, end = text.index("<library_visual_scenes>"), text.index("</COLLADA>")
    mesh = read(tmp_path / "a.dae", text[:start] + text[end:])
    assert bounds(mesh) == pytest.approx(np.array([[0, 0, 0], [0.1, 0.2, 0.4]]), abs=1e-7)
    assert len(mesh.polygons) == 4


def test_library_nodes_come_wherever_they_are_called(tmp_path):
    library = (
        '<library_nodes><node id="k"><rotate>0 0 1 90</rotate>'
        '<instance_geometry url="#g"/></node></library_nodes>'
    )
    nodes = (
        '<node><instance_node url="#k"/></node>'
        '<node><translate>100 0 0</translate><instance_node url="#k"/></node>'
    )
    text = dae(nodes=nodes).replace("<library_visual_scenes>", library + "<library_visual_scenes>")
    mesh = read(tmp_path / "a.dae", text)
    assert len(mesh.polygons) == 8
    assert bounds(mesh) == pytest.approx(np.array([[-0.2, 0, 0], [1, 0.1, 0.4]]), abs=1e-6)


def test_a_skinned_geometry_comes_as_it_was_bound(tmp_path):
    params = '<param name="JOINT" type="name"/>'
    controller = f"""<library_controllers><controller id="c"><skin source="#g">
<bind_shape_matrix>1 0 0 100 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
<source id="j"><Name_array id="ja" count="1">bone</Name_array><technique_common>
<accessor source="#ja" count="1" stride="1">{params}</accessor></technique_common></source>
<source id="b"><float_array id="ba" count="16">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</float_array>
<technique_common><accessor source="#ba" count="1" stride="16">
<param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>
{source("w", "1", ["WEIGHT"])}
<joints><input semantic="JOINT" source="#j"/>
<input semantic="INV_BIND_MATRIX" source="#b"/></joints>
<vertex_weights count="4"><input semantic="JOINT" source="#j" offset="0"/>
<input semantic="WEIGHT" source="#w" offset="1"/><vcount>1 1 1 1</vcount>
<v>0 0 0 0 0 0 0 0</v></vertex_weights></skin></controller></library_controllers>"""
    nodes = '<node><instance_controller url="#c"/></node>'
    text = dae(nodes=nodes).replace(
        "<library_visual_scenes>", controller + "<library_visual_scenes>"
    )
    warnings = []
    mesh = read(tmp_path / "a.dae", text, warnings)
    assert warnings == []
    assert bounds(mesh) == pytest.approx(np.array([[1, 0, 0], [1.1, 0.2, 0.4]]), abs=1e-6)


def test_several_primitives_of_one_geometry_keep_their_materials(tmp_path):
    faces = (
        '<triangles count="2" material="s">{i}<p>0 2 1 0 1 3</p></triangles>'
        '<polylist count="2">{i}<vcount>3 3</vcount><p>0 3 2 1 2 3</p></polylist>'
    )
    libraries = COLOURS.format(diffuse="<color>0.5 0 0 1</color>", more="")
    mesh = read(tmp_path / "a.dae", dae(faces, libraries=libraries))
    names = [material and material.name for material in mesh.materials]
    assert [names[polygon.material_index] for polygon in mesh.polygons] == [
        "paint",
        "paint",
        None,
        None,
    ]
    assert signed_volume(mesh) == pytest.approx(0.1 * 0.2 * 0.4 / 6, rel=1e-5)
