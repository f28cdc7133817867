"""What an export leaves out or refuses is named, with what is allowed."""

import pytest

from .test_export import ARM, edit_bone, export, loaded

NAN = float("nan")


@pytest.fixture
def arm(lab):
    """The arm, its objects by tag."""
    from dynarig.addon.blender.parts import parts_of

    result = lab.load_text(ARM, shown="BOTH")
    parts = {(tag.role, tag.link, tag.index): obj for obj, tag in parts_of(result.object)}
    return result, parts


def refused(result, path, *words):
    from dynarig.addon.errors import RigError

    with pytest.raises(RigError) as info:
        export(result, path)
    text = str(info.value)
    assert all(word in text for word in words), text
    assert "line " not in text and not path.exists()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *(("location", value) for value in (NAN, float("inf"), -float("inf"), 2e6)),
        *(("scale", value) for value in (NAN, float("inf"), -2e6)),
        ("rotation_euler", NAN),
    ],
)
def test_a_part_at_no_place_is_named(arm, tmp_path, path, value):
    result, parts = arm
    obj = parts["visual", "arm", 0]
    getattr(obj, path)[1] = value
    refused(result, tmp_path / "a.urdf", f"'{obj.name}'", "finite")


def test_vertices_and_colours_that_are_no_numbers_are_named(arm, tmp_path):
    result, parts = arm
    obj = parts["visual", "hand", 0]
    obj.data.vertices[3].co.z = NAN
    refused(result, tmp_path / "a.urdf", f"'{obj.name}'", "vertex", "finite")
    obj.data.vertices[3].co.z = 0.0
    material = parts["visual", "base", 0].material_slots[0].material
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value[1] = NAN
    refused(result, tmp_path / "a.urdf", f"'{material.name}'", "0 to 1")


def test_a_robot_of_no_size_is_named(arm, tmp_path):
    result, _ = arm
    for scale in ((1.0, NAN, 1.0), (NAN, 1.0, 1.0), (0.0, 0.0, 0.0), (-1.0, -1.0, -1.0)):
        result.object.scale = scale
        refused(result, tmp_path / "a.urdf", f"'{result.object.name}'", "above 0")


@pytest.mark.parametrize("joint", ["shoulder", "wrist"])
@pytest.mark.parametrize("ends", [(0.5, -0.5), (NAN, 0.5), (0.1, NAN)])
def test_limits_the_wrong_way_round_are_named(lab, arm, tmp_path, joint, ends):
    result, _ = arm
    bone = lab.open(result)[0].pose_bone(joint)
    (constraint,) = bone.constraints
    constraint.name = "my limit"
    constraint.min_y, constraint.max_y = ends
    if (constraint.min_y, constraint.max_y) == (0.5, 0.5):
        pytest.skip("this Blender does not take it")
    refused(result, tmp_path / "a.urdf", "'my limit'", f"'{bone.name}'", f"'{joint}'", "at most")


@pytest.mark.parametrize("scale", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (0, 0, 1), (0, 0, 0)])
@pytest.mark.parametrize("key", [("visual", "arm", 0), ("visual", "base", 0), "mesh"])
def test_what_is_flat_is_left_out_and_named(arm, tmp_path, scale, key):
    result, parts = arm
    if key == "mesh":
        key = ("visual", "base", 0)
        parts[key].data.vertices[0].co.x -= 1.0
    parts[key].scale = scale
    done = export(result, tmp_path / "a.urdf")
    assert done.meshes == () and done.edits == ("1 shape removed",)
    (note,) = done.notes
    assert f"'{parts[key].name}'" in note and "flat" in note
    robot = loaded(tmp_path / "a.urdf")[0]
    assert sum(len(link.visuals) for link in robot.links) == 3


def test_what_a_flat_parent_flattens_is_left_out(arm, tmp_path):
    """Its axes are in a plane, and none of them is 0."""
    result, parts = arm
    obj = parts["visual", "arm", 0].copy()
    result.collection.objects.link(obj)
    obj.parent, obj.parent_type = parts["visual", "base", 0], "OBJECT"
    obj.rotation_euler = (0.5, 0.6, 0.7)
    parts["visual", "base", 0].scale = (1.0, 1.0, 0.0)
    done = export(result, tmp_path / "a.urdf")
    assert done.meshes == () and len(done.notes) == 2
    assert any(f"'{obj.name}'" in note for note in done.notes)


def test_faces_without_area_are_left_out_and_named(arm, tmp_path):
    result, parts = arm
    obj = parts["visual", "hand", 0]
    for vertex in obj.data.vertices:
        vertex.co.x = vertex.co.y = 0.0
    empty = parts["visual", "base", 0]
    empty.data.clear_geometry()
    done = export(result, tmp_path / "a.urdf")
    assert done.meshes == () and done.edits == ("2 shapes removed",)
    assert [f"'{one.name}'" in " ".join(done.notes) for one in (obj, empty)] == [True, True]


def test_a_flat_mesh_of_the_users_goes_out(arm, tmp_path):
    """A sheet has faces with an area; only a scale of 0 makes it none."""
    result, parts = arm
    obj = parts["visual", "hand", 0]
    for vertex in obj.data.vertices:
        vertex.co.x = 0.0
    done = export(result, tmp_path / "a.urdf")
    assert len(done.meshes) == 1 and done.notes == ()


@pytest.mark.parametrize(
    ("kind", "word"),
    [("CURVE", "curve"), ("FONT", "text"), ("META", "metaball"), ("SURFACE", "surface")],
)
@pytest.mark.parametrize("parent_type", ["BONE", "OBJECT"])
def test_objects_that_are_no_meshes_are_named(arm, tmp_path, kind, word, parent_type):
    import bpy

    result, parts = arm
    data = (
        bpy.data.metaballs.new("data") if kind == "META" else bpy.data.curves.new("data", kind)  # type: ignore[arg-type]
    )
    obj = bpy.data.objects.new("my label", data)
    result.collection.objects.link(obj)
    obj.parent = result.object if parent_type == "BONE" else parts["visual", "arm", 0]
    obj.parent_type = parent_type
    obj.parent_bone = parts["visual", "arm", 0].parent_bone if parent_type == "BONE" else ""
    done = export(result, tmp_path / "a.urdf")
    assert done.edits == ()
    (note,) = done.notes
    assert "'my label'" in note and word in note and "mesh" in note


def test_a_shown_collection_is_named_and_a_bare_empty_is_not(arm, tmp_path):
    import bpy

    result, _ = arm
    for name, shown in (("set", bpy.data.collections.new("set")), ("bare", None)):
        obj = bpy.data.objects.new(name, None)
        if shown is not None:
            obj.instance_type, obj.instance_collection = "COLLECTION", shown
        result.collection.objects.link(obj)
        obj.parent = result.object
    (note,) = export(result, tmp_path / "a.urdf").notes
    assert "'set'" in note and "collection" in note


def test_a_part_whose_bone_is_gone_is_named(arm, tmp_path):
    result, parts = arm
    obj = parts["visual", "arm", 0]
    obj.parent_bone = "never there"
    child = parts["visual", "base", 0].copy()
    result.collection.objects.link(child)
    child.parent, child.parent_type = obj, "OBJECT"
    done = export(result, tmp_path / "a.urdf")
    assert len(done.notes) == 2
    for name in (obj.name, child.name):
        assert any(note.startswith(f"object '{name}' is left out") for note in done.notes)
    assert all("'never there'" in note for note in done.notes)


def test_what_hangs_by_corners_or_from_other_bones_is_named(arm, tmp_path):
    import bpy

    result, parts = arm
    by_corner = parts["visual", "arm", 0]
    by_corner.parent, by_corner.parent_type = parts["visual", "base", 0], "VERTEX"
    other = bpy.data.objects.new("other", bpy.data.armatures.new("other"))
    result.collection.objects.link(other)
    other.parent = result.object
    elsewhere = parts["visual", "hand", 0]
    elsewhere.parent, elsewhere.parent_type, elsewhere.parent_bone = other, "BONE", "b"
    done = export(result, tmp_path / "a.urdf")
    assert len(done.notes) == 2
    assert all(
        any(f"'{one.name}'" in note for note in done.notes) for one in (by_corner, elsewhere)
    )


def test_a_robot_on_a_robot_keeps_its_own_parts(lab, arm, tmp_path):
    """A gripper that is parented to an arm is not written with the arm's hand."""
    result, parts = arm
    gripper = lab.load_text(ARM, shown="BOTH")
    gripper.object.parent, gripper.object.parent_type = parts["visual", "base", 0], "OBJECT"
    done = export(result, tmp_path / "a.urdf")
    assert done.edits == () and len(done.notes) == 1
    assert f"robot '{gripper.object.name}'" in done.notes[0]
    own = export(gripper, tmp_path / "b.urdf")
    assert own.edits == () and own.notes == ()


def test_parts_on_an_armature_that_moves_freely_are_named(lab, tmp_path):
    import bpy

    result = lab.load_text(ARM, True)
    obj = bpy.data.objects.new("stray", bpy.data.meshes.new("stray"))
    result.collection.objects.link(obj)
    obj.parent = result.object
    done = export(result, tmp_path / "a.urdf")
    assert len(done.notes) == 1 and "'stray'" in done.notes[0] and "bone" in done.notes[0]


@pytest.mark.parametrize("linked", [False, True])
def test_a_copy_of_a_robot_keeps_what_was_hidden(lab, arm, tmp_path, linked):
    """Blender copies what is selected, and in a hidden collection nothing can be."""
    import bpy

    result, parts = arm
    for obj in (result.object, *result.object.children):
        obj.select_set(obj.visible_get())
    bpy.context.view_layer.objects.active = result.object
    bpy.ops.object.duplicate(linked=linked)
    copy = bpy.context.view_layer.objects.active
    assert copy != result.object and len(copy.children) == len(result.object.children) - 1
    done = export_object(copy, tmp_path / "a.urdf")
    assert done.edits == () and len(done.notes) == 1 and "collision" in done.notes[0]
    before, after = loaded(lab.folder / "robot.urdf")[0], loaded(tmp_path / "a.urdf")[0]
    assert after.links == before.links and after.joints == before.joints
    # one of two kinds that is there is enough: what is not there is removed
    bpy.data.objects.remove(parts["visual", "hand", 0])
    assert export(result, tmp_path / "b.urdf").edits == ("1 shape removed",)


def export_object(obj, path):
    import bpy
    from dynarig.addon.blender.export import export_robot

    bpy.context.view_layer.update()
    return export_robot(bpy.context, obj, path)


@pytest.mark.parametrize("floating", [False, True])
def test_a_skin_is_told_once_it_was_edited(lab, tmp_path, floating):
    result = lab.load_text(ARM, floating, mesh_parent="SKIN", inertia=True)
    done = export(result, tmp_path / "a.urdf")
    assert done.edits == () and done.notes == ()
    (skin,) = (obj for obj in result.object.children if len(obj.modifiers))
    skin.data.vertices[0].co.x += 0.5
    (note,) = export(result, tmp_path / "a.urdf").notes
    assert f"'{skin.name}'" in note and "as they were" in note


@pytest.mark.parametrize("options", [{}, {"fixed_links": "KEEP"}, {"mesh_parent": "SKIN"}])
def test_an_applied_scale_is_told(lab, arm, tmp_path, options):
    """Inertias do not follow it, and an import at a scale would count it twice."""
    import bpy

    result = lab.load_text(ARM, scale=0.5, **options)
    with bpy.context.temp_override(
        object=result.object,
        active_object=result.object,
        selected_objects=[result.object],
        selected_editable_objects=[result.object],
    ):
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    assert tuple(result.object.scale) == (1.0, 1.0, 1.0)
    refused(result, tmp_path / "a.urdf", f"'{result.object.name}'", "0.5", "applied")


def test_a_bone_at_no_place_is_named(arm, tmp_path):
    from dynarig.addon.errors import RigError

    result, _ = arm

    def change(bone):
        bone.head.x = NAN

    edit_bone(result, "arm", change)
    with pytest.raises(RigError, match="finite"):
        export(result, tmp_path / "a.urdf")


@pytest.mark.parametrize(
    ("broken", "note"),
    [
        ([("0.1 0.2 0.3", "0.1 x 0.3")], "1 part of the source could not be read and is not"),
        (
            [("0.1 0.2 0.3", "0.1 x 0.3"), ('mass value="2"', 'mass value="-2"')],
            "2 parts of the source could not be read and are not",
        ),
    ],
)
def test_what_the_source_lost_on_its_way_in_is_told(lab, tmp_path, broken, note):
    text = ARM
    for before, after in broken:
        assert before in text
        text = text.replace(before, after)
    done = export(lab.load_text(text), tmp_path / "a.urdf")
    assert done.notes[0].startswith(note) and note in done.summary()
    # what was written has no such part any more
    again = lab.load_file(tmp_path / "a.urdf")
    assert export(again, tmp_path / "b.urdf").notes == ()
