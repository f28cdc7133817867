"""A skin is brought up to date: with what its visuals are, their bones, and what users added."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.rig_access import open_rig

from ....close import assert_close
from .described import part, reload, write_stl


@pytest.fixture
def skinned(lab, file):
    return lab.load_file(file.path, mesh_parent="SKIN")


def skin_of(result):
    return part(result, "skin", "")


def faces_of(result):
    return len(skin_of(result).data.polygons)


def weights(obj, name):
    """The weight of each vertex in a group."""
    index = obj.vertex_groups[name].index
    found = np.zeros(len(obj.data.vertices))
    for vertex in obj.data.vertices:
        found[vertex.index] = sum(item.weight for item in vertex.groups if item.group == index)
    return found


def bone_of_each_vertex(obj):
    names = [group.name for group in obj.vertex_groups]
    return [[names[item.group] for item in vertex.groups] for vertex in obj.data.vertices]


def assert_as_a_fresh_import(lab, file, result):
    """The skin has the vertices, on the bones, that an import of the file makes."""
    fresh = lab.load_file(file.path, mesh_parent="SKIN")
    links = {
        own.object.name: {bone.name: bone["urdf_link"] for bone in own.object.pose.bones}
        for own in (fresh, result)
    }
    for own, other in ((fresh, result),):
        positions = [[tuple(v.co) for v in skin_of(one).data.vertices] for one in (own, other)]
        assert_close(np.array(positions[1]), np.array(positions[0]), atol=1e-6)
        bones = [
            [[links[one.object.name][name] for name in names] for names in bones_of(one)]
            for one in (own, other)
        ]
        assert bones[0] == bones[1]


def bones_of(result):
    return bone_of_each_vertex(skin_of(result))


def test_a_skin_without_visuals_any_more_is_removed_and_told(file, skinned):
    file.parts = {"base": '<link name="base"/>'}
    file.write()
    done = reload(skinned)
    assert "1 shape removed" in done.changes
    assert any("skin" in note for note in done.notes)
    assert not [obj for obj in skinned.object.children if obj.type == "MESH"]
    assert reload(skinned).changes == ()


@pytest.mark.parametrize("more", [False, True])
def test_a_visual_that_cannot_be_read_stays_in_the_skin(file, skinned, more):
    count = faces_of(skinned)
    (file.path.parent / "arm.stl").unlink()
    if more:
        file.replace("shoulder", "0 0 0.1", "0 0.5 0.1")
    before = skin_of(skinned).data
    at = {index: vertex.co.copy() for index, vertex in enumerate(before.vertices)}
    start = 8  # the box of the base comes first
    tip = next(i for i in at if i >= start)
    done = reload(skinned)
    assert any("arm" in note and "stays" in note for note in done.notes)
    assert faces_of(skinned) == count
    if not more:
        assert done.changes == () and skin_of(skinned).data == before
        return
    shoulder = open_rig(skinned.object).pose_bone("shoulder").name
    positions = [vertex.co for vertex in skin_of(skinned).data.vertices]
    arm = [
        v.co
        for v, bones in zip(skin_of(skinned).data.vertices, bones_of(skinned), strict=True)
        if bones == [shoulder]
    ]
    assert len(arm) == 4 and len(positions) == len(at)
    assert min((at[tip] - place).length for place in arm) == pytest.approx(0.5, abs=1e-5)
    assert all(len(bones) == 1 for bones in bones_of(skinned))
    # and again nothing, until it is there again
    assert reload(skinned).changes == ()
    write_stl(file.path.parent / "arm.stl", 0.1)
    assert reload(skinned).changes == ("1 mesh",)
    assert faces_of(skinned) == count


def test_vertices_go_to_the_bone_that_carries_their_link_now(lab, file, skinned):
    """A fixed joint that begins to move changes no vertex at rest, but who moves it."""
    file.replace("wrist", 'type="revolute"', 'type="fixed"')
    file.parts["grip"] = file.parts["grip"].replace('<mimic joint="wrist" multiplier="0.1"/>', "")
    file.write()
    reload(skinned)
    assert_as_a_fresh_import(lab, file, skinned)
    file.replace("wrist", 'type="fixed"', 'type="revolute"')
    reload(skinned)
    assert_as_a_fresh_import(lab, file, skinned)


@pytest.fixture
def decorated(skinned):
    """Layers of the user's on the skin, each with values that differ from place to place."""
    obj = skin_of(skinned)
    mesh = obj.data
    count = len(mesh.vertices)
    group = obj.vertex_groups.new(name="mine")
    for index in range(count):
        group.add([index], (index + 1) / count, "REPLACE")
    uvs = mesh.uv_layers.new(name="my map")
    uvs.uv.foreach_set("vector", np.arange(2 * len(mesh.loops), dtype=np.float32))
    colours = mesh.color_attributes.new("my colours", "FLOAT_COLOR", "POINT")
    colours.data.foreach_set("color", np.linspace(0, 1, 4 * count, dtype=np.float32))
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="my key")
    for index, point in enumerate(key.data):
        point.co.x += 0.01 * (index + 1)
    key.value = 0.5
    return skinned


def layers(obj):
    mesh = obj.data
    keys = mesh.shape_keys.key_blocks
    offsets = [tuple(k.co - b.co) for k, b in zip(keys["my key"].data, keys[0].data, strict=True)]
    return {
        "group": weights(obj, "mine"),
        "uvs": np.array([tuple(item.vector) for item in mesh.uv_layers["my map"].uv]),
        "colours": np.array([tuple(i.color) for i in mesh.color_attributes["my colours"].data]),
        "key": np.array(offsets),
        "value": np.array(keys["my key"].value),
    }


def test_what_users_added_stays_where_the_visuals_have_as_many_vertices(file, decorated):
    before = layers(skin_of(decorated))
    data = skin_of(decorated).data
    # other faces, of as many vertices, and another place
    write_stl(file.path.parent / "arm.stl", 0.2)
    file.replace("shoulder", "0 0 0.1", "0 0.5 0.1")
    done = reload(decorated)
    assert skin_of(decorated).data != data and "1 mesh" in done.changes
    after = layers(skin_of(decorated))
    for name, values in before.items():
        assert_close(after[name], values, atol=1e-5)
    assert not [note for note in done.notes if "lost" in note]


def test_what_is_lost_with_a_visual_of_other_faces_is_told(file, decorated):
    before = layers(skin_of(decorated))
    file.replace("arm", '<mesh filename="arm.stl"/>', '<cylinder radius="0.1" length="0.2"/>')
    done = reload(decorated)
    (note,) = [note for note in done.notes if "lost" in note]
    for name in ("'mine'", "'my map'", "'my colours'", "'my key'"):
        assert name in note and "in part" in note
    after = layers(skin_of(decorated))
    # the base comes first and the finger last
    for name in ("group", "colours", "key"):
        assert_close(after[name][:8], before[name][:8], atol=1e-5)
        assert_close(after[name][-8:], before[name][-8:], atol=1e-5)
    assert not after["group"][8:40].any()


def test_faces_edited_by_hand_are_told_where_they_are_replaced(file, decorated):
    obj = skin_of(decorated)
    mesh = obj.data
    mesh.vertices.add(1)
    mesh.vertices[-1].co = (9, 9, 9)
    assert reload(decorated).changes == () and len(obj.data.vertices) == len(mesh.vertices)
    write_stl(file.path.parent / "arm.stl", 0.2)
    notes = reload(decorated).notes
    assert any("edits of the faces" in note for note in notes)
    assert any("lost" in note and "'mine'" in note for note in notes)


def test_layers_of_a_part_on_a_bone_stay_likewise(file, robot):
    arm = part(robot, "visual", "arm")
    arm.vertex_groups.new(name="mine").add([2], 0.5, "REPLACE")
    arm.data.uv_layers.new(name="my map")
    write_stl(file.path.parent / "arm.stl", 0.2)
    assert not [note for note in reload(robot).notes if "lost" in note]
    assert weights(arm, "mine").tolist() == [0, 0, 0.5, 0] and "my map" in arm.data.uv_layers
    file.replace("arm", '<mesh filename="arm.stl"/>', '<sphere radius="0.1"/>')
    (note,) = [note for note in reload(robot).notes if "lost" in note]
    assert "'mine'" in note and "'my map'" in note and "in part" not in note


def test_a_failure_gives_the_old_skin_back(file, decorated, monkeypatch, inventory):
    from dynarig.addon.blender.reload import reloading

    before, things = layers(skin_of(decorated)), inventory()
    (file.path.parent / "arm.stl").unlink()
    file.replace("shoulder", "0 0 0.1", "0 0.5 0.1")
    monkeypatch.setattr(reloading, "_write_report", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        reload(decorated)
    assert inventory() == things
    after = layers(skin_of(decorated))
    assert all((after[name] == values).all() for name, values in before.items())


@pytest.mark.parametrize("edited", [False, True])
def test_weights_painted_over_those_of_the_import_are_told(file, skinned, edited):
    if edited:
        skin_of(skinned).vertex_groups[0].add([3], 0.5, "REPLACE")
    assert reload(skinned).notes == ()
    write_stl(file.path.parent / "arm.stl", 0.2)
    assert any("weights" in note for note in reload(skinned).notes) == edited


def lines():
    text = bpy.data.texts["Dynarig import report"].as_string().split("\n\n")[-2]
    return [line.strip(" *") for line in text.splitlines()]


RED = '<material name="red"/>'
CHANGES = [
    ("head", "0.8 0.1 0.1 1", "0.1 0.8 0.1 1", "1 material", "link 'base': 'red' 0.8 0.1 0.1 1 ->"),
    ("base", RED, "", "1 material", "link 'base': 'red' 0.8 0.1 0.1 1 -> none"),
    ("base", "0.2 0.2 0.1", "0.3 0.2 0.1", "1 mesh", "link 'base': box 0.2 0.2 0.1 -> box 0.3"),
    ("arm", '0.25"/><geom', '0.5"/><geom', "1 shape moved", "'arm': xyz 0 0 0.25 -> xyz 0 0 0.5"),
    ("arm", 'l"/></geom', 'l" scale="2 2 2"/></geom', "1 mesh", "'arm.stl' -> 'arm.stl' x 2 2 2"),
    ("shoulder", "0 0 0.1", "0 0.5 0.1", "1 joint origin", "joint 'shoulder': origin"),
]


@pytest.mark.parametrize("change", CHANGES, ids=[f"{own[0]}, {own[3]}" for own in CHANGES])
def test_what_changed_on_a_visual_of_the_skin_is_told_of_it(file, skinned, change):
    where, before, after, phrase, words = change
    data = skin_of(skinned).data
    file.replace(where, before, after)
    done = reload(skinned)
    assert done.changes == (phrase,) and skin_of(skinned).data != data
    assert len([line for line in lines() if words in line]) == 1
    assert not [line for line in lines() if "the skin" in line]
    assert reload(skinned).changes == ()


def test_other_faces_in_a_file_of_the_skin_are_told_of_its_visual(file, skinned):
    write_stl(file.path.parent / "arm.stl", 0.2)
    assert reload(skinned).changes == ("1 mesh",)
    assert "visual 1 of link 'arm': other faces in 'arm.stl'" in lines()


def test_visuals_that_come_to_a_skin_and_leave_it_are_told(file, skinned):
    one = '<visual><geometry><sphere radius="0.2"/></geometry></visual></link>'
    file.replace("hand", "</link>", one)
    assert reload(skinned).changes == ("1 new shape",)
    assert "visual 2 of link 'hand': new" in lines()
    file.replace("hand", one, "</link>")
    assert reload(skinned).changes == ("1 shape removed",)
    assert "visual 2 of link 'hand': removed" in lines()


def test_a_skin_whose_faces_a_user_made_other_is_told_as_one(file, skinned):
    mesh = skin_of(skinned).data
    mesh.vertices.add(1)
    write_stl(file.path.parent / "arm.stl", 0.2)
    file.replace("wrist", 'upper="3"', 'upper="2"')
    assert reload(skinned).changes == ("1 mesh", "1 limit")
    assert "the skin: other faces" in lines()
