"""What a user has and does stays as it is, whatever an import meets, and one undo takes it back."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.importing.importer import REPORT_NAME, import_robot
from dynarig.addon.blender.importing.options import ImportOptions
from dynarig.addon.errors import RigError

from .test_importer import crowd, run, scene_state

EVERYTHING = ImportOptions(
    shown="BOTH", inertia=True, fixed_frames=True, fixed_links="KEEP", collection="all of it"
)
TWINS = """<robot name="twin">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base">
    <visual><geometry><box size="1 1 1"/></geometry><material name="red"/></visual>
    <collision><geometry><sphere radius="1"/></geometry></collision>
  </link>
  <link name="a">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><box size="1 1 1"/></geometry><material name="red"/></visual>
  </link>
  <link name="b"><visual><geometry><sphere radius="1"/></geometry></visual></link>
  <joint name="lead" type="continuous"><parent link="base"/><child link="a"/></joint>
  <joint name="follow" type="continuous">
    <parent link="a"/><child link="b"/><mimic joint="lead" multiplier="2"/>
  </joint>
</robot>"""
MODES = ("OBJECT", "EDIT", "POSE", "SCULPT", "WEIGHT_PAINT", "VERTEX_PAINT", "TEXTURE_PAINT")


@pytest.fixture
def window():
    """Undo wants one, also in background."""
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        yield


def enter(mode):
    """A user at work in a mode, each step with its undo; the object that is worked on."""
    bpy.ops.ed.undo_push(message="start")
    if mode == "POSE":
        bpy.ops.object.armature_add("EXEC_DEFAULT", True)
    else:
        bpy.ops.mesh.primitive_cube_add("EXEC_DEFAULT", True)
    if mode != "OBJECT":
        bpy.ops.object.mode_set("EXEC_DEFAULT", True, mode=mode)
    return bpy.context.view_layer.objects.active.name


@pytest.mark.parametrize("mode", MODES)
def test_one_undo_removes_it_and_redo_brings_it_back(lab, inventory, window, mode):
    name = enter(mode)
    file = str(lab.path("case11"))
    before, at_work = inventory(), bpy.context.mode
    bpy.ops.dynarig.import_urdf("EXEC_DEFAULT", True, filepath=file)
    after = inventory()
    assert after != before
    for _ in range(2):
        bpy.ops.ed.undo()
        assert inventory() == before
        assert bpy.context.mode == at_work
        assert bpy.context.view_layer.objects.active.name == name
        bpy.ops.ed.redo()
        assert inventory() == after
        assert bpy.context.mode == at_work


def test_edits_of_a_mesh_survive_the_undo_of_an_import(lab, inventory, window):
    enter("EDIT")
    bpy.ops.mesh.subdivide("EXEC_DEFAULT", True)
    before = inventory()
    bpy.ops.dynarig.import_urdf("EXEC_DEFAULT", True, filepath=str(lab.path("case05")))
    bpy.ops.ed.undo()
    assert inventory() == before
    cube = bpy.context.view_layer.objects.active
    cube.update_from_editmode()
    assert len(cube.data.vertices) == 26


def test_one_undo_in_an_empty_file(lab, inventory, window):
    bpy.ops.ed.undo_push(message="start")
    before = inventory()
    run(lab.path("case05"))
    robots = [obj.name for obj in bpy.data.objects]
    assert robots
    bpy.ops.ed.undo_push(message="import")
    bpy.ops.ed.undo()
    assert inventory() == before
    bpy.ops.ed.redo()
    assert [obj.name for obj in bpy.data.objects] == robots


@pytest.mark.parametrize("mode", MODES[1:])
def test_in_every_other_mode_the_users_object_stays_and_the_report_says_so(lab, window, mode):
    name = enter(mode)
    before = scene_state()
    result = lab.load("case11", meshes=True)
    after = scene_state()
    for key in ("active", "mode", "selected", "frame", "cursor", "collection"):
        assert after[key] == before[key], key
    assert result.object.mode == "OBJECT"
    assert f"'{name}' stays active, in " in result.summary()
    assert result.summary() in bpy.data.texts[REPORT_NAME].as_string()


def test_an_earlier_robot_that_is_posed_stays_active(lab):
    first = lab.load("ur5")
    assert first.remark == ""
    bpy.ops.object.mode_set(mode="POSE")
    second = lab.load("case05")
    assert bpy.context.view_layer.objects.active == first.object
    assert bpy.context.mode == "POSE"
    assert not second.object.select_get()
    assert second.remark == f"'{first.object.name}' stays active, in Pose Mode"


def test_every_step_of_an_import_may_fail(lab, inventory):
    """Stopped at any of its steps, an import leaves the file and the user's state as before."""
    crowd()
    lab.load("case05")
    bpy.data.objects["second"].select_set(True)
    path = lab.path("case01")
    steps = []
    first = import_robot(bpy.context, path, EVERYTHING, lambda *step: steps.append(step))
    for obj in list(first.collection.all_objects):
        bpy.data.objects.remove(obj)
    bpy.data.orphans_purge(do_recursive=True)
    parts = [part for part, _ in steps]
    assert len(steps) >= 5
    assert parts == sorted(parts)
    assert 0.0 <= parts[0] <= parts[-1] <= 1.0
    assert all(doing for _, doing in steps)

    report = bpy.data.texts[REPORT_NAME].as_string()
    before, state = inventory(), scene_state()
    for last in range(len(steps)):
        left = iter(range(last))

        def stop(_part, _doing, left=left):
            if next(left, None) is None:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            import_robot(bpy.context, path, EVERYTHING, stop)
        assert inventory() == before, steps[last]
        assert scene_state() == state, steps[last]
        assert bpy.data.texts[REPORT_NAME].as_string() == report


def test_a_failure_at_the_very_end_leaves_report_and_selection(lab, inventory, monkeypatch):
    from dynarig.addon.blender.importing import importer

    crowd()
    lab.load("case05")
    bpy.data.objects["second"].select_set(True)
    report = bpy.data.texts[REPORT_NAME].as_string()
    before, state = inventory(), scene_state()
    real = importer._write_report

    def fail(*arguments):
        real(*arguments)
        raise RigError("broken on purpose")

    monkeypatch.setattr(importer, "_write_report", fail)
    with pytest.raises(RigError):
        lab.load("case11", meshes=True)
    assert inventory() == before
    assert scene_state() == state
    assert bpy.data.texts[REPORT_NAME].as_string() == report


def test_the_same_robot_twice_is_two_robots(lab, tmp_path):
    """Nothing is shared, so that deleting one leaves the other whole."""
    options = replace(EVERYTHING, collection="")
    file = tmp_path / "twin.urdf"
    file.write_text(TWINS)
    first, second = (import_robot(bpy.context, file, options) for _ in range(2))
    assert first.object != second.object
    assert first.summary() == second.summary()
    for kind in ("data", "material_slots"):
        one, two = (blocks(result, kind) for result in (first, second))
        assert one
        assert not one & two
    targets = [
        target.id
        for curve in second.object.animation_data.drivers
        for variable in curve.driver.variables
        for target in variable.targets
    ]
    assert targets
    assert set(targets) == {second.object}

    names = {obj.name for obj in second.collection.all_objects}
    bpy.data.batch_remove([*first.collection.all_objects, first.collection])
    bpy.data.orphans_purge(do_recursive=True)
    assert {obj.name for obj in bpy.data.objects} == names
    rig, model = lab.open(second)
    rig.pose_bone("lead").rotation_euler.y = 0.5
    assert lab.error(second.object, model, np.array([0.5])) < 1e-5
    assert all(curve.driver.is_valid for curve in second.object.animation_data.drivers)
    assert rig.table.name == "twin"


def blocks(result, kind):
    """The data or the materials of a robot's objects."""
    objects = result.collection.all_objects
    if kind == "data":
        return {obj.data for obj in objects} - {None}
    return {slot.material for obj in objects for slot in obj.material_slots} - {None}


def test_every_view_layer_and_no_other_scene_gets_it(lab):
    scene = bpy.context.scene
    layer = scene.view_layers.new("second layer")
    other = bpy.data.scenes.new("other")
    cube = bpy.data.objects.new("cube", None)
    other.collection.objects.link(cube)
    cube.select_set(True, view_layer=other.view_layers[0])
    other.view_layers[0].objects.active = cube
    result = lab.load("case05")
    layer.update()
    assert result.object.name in layer.objects
    assert not result.object.select_get(view_layer=layer)
    assert list(other.view_layers[0].objects) == [cube]
    assert other.view_layers[0].objects.active == cube
    assert cube.select_get(view_layer=other.view_layers[0])


@pytest.mark.parametrize("how", ["exclude", "hide_viewport", "collection"])
def test_a_collection_that_is_not_shown_gets_no_robot(lab, how):
    scene, view_layer = bpy.context.scene, bpy.context.view_layer
    parent = bpy.data.collections.new("parent")
    scene.collection.children.link(parent)
    layer = view_layer.layer_collection.children["parent"]
    view_layer.active_layer_collection = layer
    if how == "collection":
        parent.hide_viewport = True
    else:
        setattr(layer, how, True)
    result = lab.load("case05")
    assert result.collection.name in scene.collection.children
    assert result.object.visible_get()
    assert view_layer.objects.active == result.object


def test_a_scene_of_a_library_is_refused(lab, tmp_path, inventory):
    file = str(tmp_path / "library.blend")
    bpy.data.scenes.new("theirs")
    bpy.data.libraries.write(file, {bpy.data.scenes["theirs"]})
    bpy.data.scenes.remove(bpy.data.scenes["theirs"])
    with bpy.data.libraries.load(file, link=True) as (_, here):
        here.scenes = ["theirs"]
    before = inventory()
    linked = bpy.data.scenes["theirs"]
    layer = linked.view_layers[0]
    with (
        bpy.context.temp_override(scene=linked, view_layer=layer),
        pytest.raises(RigError, match="'theirs' is from a library; wanted a scene of this file"),
    ):
        lab.load("case05")
    assert inventory() == before
    # beside a scene of a library it goes on
    assert lab.load("case05").object.name in bpy.context.scene.objects


def test_in_local_view_the_robot_is_shown(lab):
    window = bpy.context.window_manager.windows[0]
    area = next((a for a in window.screen.areas if a.type == "VIEW_3D"), window.screen.areas[0])
    area.type = "VIEW_3D"
    space = area.spaces.active
    region = next(region for region in area.regions if region.type == "WINDOW")
    crowd()
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.view3d.localview()
        assert space.local_view is not None
        result = lab.load("case03", meshes=True)
        bpy.context.view_layer.update()
        # the user's own object tells what is seen: 4.2 has no local view in background
        seen = bpy.data.objects["first"].local_view_get(space)
        assert {obj.local_view_get(space) for obj in result.collection.all_objects} == {seen}
        assert not bpy.data.objects["second"].local_view_get(space)
        bpy.ops.view3d.localview()
    area.type = "TEXT_EDITOR"


def test_among_5000_objects(lab):
    """Nothing of them changes, and the import makes no more than its own."""
    scene = bpy.context.scene
    mesh = bpy.data.meshes.new("shared")
    others = [bpy.data.objects.new(f"o{number:04}", mesh) for number in range(5000)]
    for obj in others:
        scene.collection.objects.link(obj)
    others[7].select_set(True)
    bpy.context.view_layer.objects.active = others[3]
    result = lab.load("case03", meshes=True)
    assert len(scene.objects) == 5000 + len(result.collection.all_objects)
    assert bpy.context.view_layer.objects.selected[:] == [result.object]
    assert all(obj.users_collection == (scene.collection,) for obj in others)


def test_nobody_selected_and_nothing_active(lab):
    crowd()
    view_layer = bpy.context.view_layer
    for obj in view_layer.objects:
        obj.select_set(False)
    view_layer.objects.active = None
    result = lab.load("case05")
    assert view_layer.objects.active == result.object
    assert view_layer.objects.selected[:] == [result.object]
