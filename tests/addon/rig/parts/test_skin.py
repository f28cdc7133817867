"""A skin shows what objects on bones show, in every pose, with all their looks."""

import re

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.parts import tag_of
from dynarig.addon.blender.rig_access import open_rig

from ....close import assert_close

CLOSE = 1e-5
NORMALS = 2e-3  # Blender keeps normals of files in 2 x 16 bits


def pair(workshop, source=None, **options):
    """The same robot with objects on bones and with a skin."""
    make = workshop.make if source is None else lambda **more: workshop.bring(source, **more)
    return make(**options), make(mesh_parent="SKIN", **options)


def skin_of(workshop, result):
    (skin,) = workshop.parts(result, "skin").values()
    return skin


def pieces_of(workshop, result):
    """The visual objects in the order in which a skin takes them in: that of the file."""
    links = [link.name for link in open_rig(result.object).robot.links]
    parts = workshop.parts(result, "visual")
    return [parts[key] for key in sorted(parts, key=lambda key: (links.index(key[0]), key[1]))]


def at_rest(*results):
    for result in results:
        result.object.data.pose_position = "REST"
    bpy.context.view_layer.update()


def array(items, name, width=1):
    values = np.empty(len(items) * width, dtype=np.float32)
    items.foreach_get(name, values)
    return values.reshape(-1, width)


def corners_in_order(mesh):
    """Which corners come in which order, face by face, whichever way round a face goes."""
    faces = np.repeat(
        np.arange(len(mesh.polygons)), array(mesh.polygons, "loop_total")[:, 0].astype(int)
    )
    return np.lexsort((array(mesh.loops, "vertex_index")[:, 0], faces))


def joined(pieces, read):
    """What is read of each piece's mesh, corner by corner in the order of the faces."""
    return np.concatenate([read(obj)[corners_in_order(obj.data)] for obj in pieces])


def turned(normals, matrix):
    """n' = M^-T n, unit."""
    moved = normals @ np.linalg.inv(np.array(matrix)[:3, :3])
    return moved / np.linalg.norm(moved, axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("source", "options"),
    [
        (None, {}),
        (None, {"fixed_links": "KEEP"}),
        (None, {"floating_base": True, "scale": 2.0}),
        ("talos", {"floating_base": True}),
    ],
)
def test_a_skin_shows_what_objects_on_bones_show(workshop, source, options):
    on_bones, skinned = pair(workshop, source, **options)
    skin, pieces = skin_of(workshop, skinned), pieces_of(workshop, on_bones)
    _, model = workshop.lab.open(skinned)
    # as it came in, which is not zero where zero is beyond a limit
    wanted = np.concatenate([workshop.points(obj) for obj in pieces])
    assert_close(workshop.points(skin), wanted, CLOSE)
    for _ in range(3):
        q = workshop.lab.random_q(model)
        workshop.pose(on_bones, q)
        workshop.pose(skinned, q)
        moved = np.concatenate([workshop.points(obj) for obj in pieces])
        assert np.abs(moved - wanted).max() > 0.05
        assert_close(workshop.points(skin), moved, CLOSE)


def test_faces_normals_maps_and_colours_stay(workshop):
    on_bones, skinned = pair(workshop)
    skin, pieces = skin_of(workshop, skinned), pieces_of(workshop, on_bones)
    at_rest(on_bones, skinned)
    mesh = skin.data
    assert not mesh.validate()
    # faces look the way they did, also those of the mirrored piece
    assert any(np.linalg.det(np.array(obj.matrix_world)[:3, :3]) < 0.0 for obj in pieces)
    normals = [turned(array(obj.data.polygons, "normal", 3), obj.matrix_world) for obj in pieces]
    assert_close(array(mesh.polygons, "normal", 3), np.concatenate(normals), 1e-4)
    order = corners_in_order(mesh)
    shaded = joined(
        pieces, lambda obj: turned(array(obj.data.corner_normals, "vector", 3), obj.matrix_world)
    )
    assert mesh.has_custom_normals
    assert_close(array(mesh.corner_normals, "vector", 3)[order], shaded, NORMALS)
    # the normals of the file are none that Blender would have made
    flat = np.repeat(
        array(mesh.polygons, "normal", 3),
        array(mesh.polygons, "loop_total")[:, 0].astype(int),
        axis=0,
    )
    assert np.abs(array(mesh.corner_normals, "vector", 3) - flat).max() > 0.3

    def map_of(obj):
        layer = obj.data.uv_layers.active
        return array(layer.uv, "vector", 2) if layer else np.zeros((len(obj.data.loops), 2))

    (layer,) = mesh.uv_layers
    maps = joined(pieces, map_of)
    assert maps.max() == 1.0
    assert_close(array(layer.uv, "vector", 2)[order], maps, 0.0)

    def colours_of(obj):
        if not obj.data.color_attributes:
            return np.ones((len(obj.data.loops), 4))
        own = obj.data.color_attributes[0]
        values = array(own.data, "color", 4)
        vertices = array(obj.data.loops, "vertex_index")[:, 0].astype(int)
        return values[vertices] if own.domain == "POINT" else values

    (colour,) = mesh.color_attributes
    colours = joined(pieces, colours_of)
    assert colours.min() == 0.0
    assert_close(array(colour.data, "color", 4)[order], colours, 1e-6)


def test_sharp_edges_stay_where_a_file_gives_no_normals(workshop):
    plate = '<visual><geometry><box size="1 2 3"/></geometry></visual>'
    on_bones, skinned = pair(workshop, body=f'<link name="one">{plate}{plate}</link>')
    skin, pieces = skin_of(workshop, skinned), pieces_of(workshop, on_bones)
    assert not skin.data.has_custom_normals
    sharp = [edge.use_edge_sharp for obj in pieces for edge in obj.data.edges]
    assert sharp == [True] * 24
    assert [edge.use_edge_sharp for edge in skin.data.edges] == sharp
    assert_close(
        array(skin.data.corner_normals, "vector", 3),
        np.concatenate([array(obj.data.corner_normals, "vector", 3) for obj in pieces]),
        1e-6,
    )


def plain(name):
    """A name without the number that Blender adds to a taken one."""
    return re.sub(r"\.\d+$", "", name)


def test_each_face_has_its_material_and_none_is_there_twice(workshop):
    on_bones, skinned = pair(workshop)
    skin, pieces = skin_of(workshop, skinned), pieces_of(workshop, on_bones)
    materials = list(skin.data.materials)
    assert len(set(materials)) == len(materials)
    names = [plain(material.name) for material in materials]
    assert sorted(names) == sorted(set(names)) and {"red", "blue", "Neutral"} <= set(names)
    seen = [names[face.material_index] for face in skin.data.polygons]
    assert seen == [
        plain(obj.material_slots[face.material_index].material.name)
        for obj in pieces
        for face in obj.data.polygons
    ]


def test_each_vertex_belongs_to_the_bone_of_its_link(workshop):
    on_bones, skinned = pair(workshop)
    skin, pieces = skin_of(workshop, skinned), pieces_of(workshop, on_bones)
    rig = open_rig(skinned.object)
    bones = [
        rig.hanging(tag_of(obj).link)[0].name
        for obj in pieces
        for _ in range(len(obj.data.vertices))
    ]
    for vertex, bone in zip(skin.data.vertices, bones, strict=True):
        ((group, weight),) = [(own.group, own.weight) for own in vertex.groups]
        assert (skin.vertex_groups[group].name, weight) == (bone, 1.0)
    assert {group.name for group in skin.vertex_groups} == set(bones)
    assert all(skinned.object.data.bones[name].use_deform for name in bones)


def test_a_bone_can_be_renamed(workshop):
    _, skinned = pair(workshop)
    skin = skin_of(workshop, skinned)
    q = workshop.lab.random_q(workshop.lab.open(skinned)[1])
    workshop.pose(skinned, q)
    before = workshop.points(skin)
    skinned.object.data.bones["arm"].name = "upper arm"
    assert "upper arm" in skin.vertex_groups and "arm" not in skin.vertex_groups
    bpy.context.view_layer.update()
    assert_close(workshop.points(skin), before, 1e-6)


def test_nothing_is_left_of_what_was_joined(workshop, inventory):
    before = inventory()
    skinned = workshop.make(mesh_parent="SKIN")
    added = {kind: sorted(names - before[kind]) for kind, names in inventory().items()}
    assert added["objects"] == ["made", "made skin"]
    assert added["meshes"] == ["made skin"]
    assert added["collections"] == ["made"]
    assert all(bpy.data.materials[name].users == 1 for name in added["materials"])
    skin = skin_of(workshop, skinned)
    assert skin.parent == skinned.object and skin.parent_type == "OBJECT"
    (modifier,) = skin.modifiers
    assert modifier.object == skinned.object


def test_what_touches_stays_apart_and_keeps_its_meshes(workshop):
    result = workshop.make(mesh_parent="SKIN", shown="BOTH")
    shapes = workshop.parts(result, "collision")
    assert set(shapes) == {("base", 0), ("arm", 0), ("arm", 1)}
    assert all(len(shape.data.vertices) for shape in shapes.values())
    assert len(workshop.parts(result, "skin")) == 1


@pytest.mark.parametrize("options", [{"shown": "COLLISION"}, {"body": '<link name="bare"/>'}])
def test_nothing_to_see_makes_no_skin(workshop, options):
    result = workshop.make(mesh_parent="SKIN", **options)
    assert workshop.parts(result, "skin") == {}
