"""An import is all or nothing, and a good citizen."""

from dataclasses import replace

import bpy
import pytest
from dynarig.addon.blender.importing import importer
from dynarig.addon.blender.importing.importer import REPORT_NAME, import_robot
from dynarig.addon.blender.importing.options import ImportOptions
from dynarig.addon.blender.rig import build_rig
from dynarig.addon.blender.robot_table import read_table
from dynarig.addon.blender.workspace import temporary_scene
from dynarig.addon.errors import RigError
from dynarig.core.errors import UrdfError
from dynarig.core.urdf.document import Origin


def run(*paths, **options):
    folder = paths[0].parent
    return bpy.ops.dynarig.import_urdf(
        "EXEC_DEFAULT",
        directory=str(folder),
        files=[{"name": path.name} for path in paths],
        **options,
    )


def scene_state():
    """What of the user's state an import must not change."""
    view_layer = bpy.context.view_layer
    scene = bpy.context.scene
    return {
        "scenes": list(bpy.data.scenes),
        "frame": (scene.frame_current, scene.frame_subframe, scene.frame_start, scene.frame_end),
        "cursor": scene.cursor.matrix.copy(),
        "active": view_layer.objects.active,
        "mode": bpy.context.mode,
        "selected": set(view_layer.objects.selected),
        "objects": {obj.name: obj.matrix_world.copy() for obj in scene.objects},
        "collection": view_layer.active_layer_collection.collection,
    }


def crowd():
    """A user at work: two objects, one selected, at some frame."""
    for name in ("first", "second"):
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(name, mesh))
    bpy.context.view_layer.objects.active = bpy.data.objects["first"]
    bpy.data.objects["first"].select_set(True)
    bpy.context.scene.frame_set(17, subframe=0.5)


def test_it_comes_in_one_collection_in_the_active_one(lab):
    parent = bpy.data.collections.new("parent")
    bpy.context.scene.collection.children.link(parent)
    layer = bpy.context.view_layer.layer_collection.children["parent"]
    bpy.context.view_layer.active_layer_collection = layer
    result = lab.load("case03", meshes=True)
    assert list(parent.children) == [result.collection]
    assert {obj.type for obj in result.collection.objects} == {"ARMATURE", "MESH"}
    assert len(result.collection.objects) == 1 + result.visuals
    assert len(bpy.context.scene.objects) == 1 + result.visuals
    layer.exclude = True
    assert lab.load("case05").collection in list(bpy.context.scene.collection.children)


def test_counts_and_warnings_are_reported(lab):
    result = lab.load("case01", meshes=True)
    assert (result.links, result.joints, result.bones) == (5, 4, 1)
    assert (result.visuals, result.meshes) == (4, 3)
    assert len(result.warnings) == 1
    assert "package://ghost_desc/meshes/none.stl" in result.warnings[0]
    text = bpy.data.texts[REPORT_NAME].as_string()
    assert result.summary() in text
    assert result.warnings[0] in text
    assert "4 joints, 1 bone, 4 visuals from 3 meshes; 1 warning in" in result.summary()
    again = lab.load("case05")
    text = bpy.data.texts[REPORT_NAME].as_string()
    assert result.summary() in text
    assert again.summary() in text


def test_the_robot_becomes_active_and_nothing_else_changes(lab):
    crowd()
    before = scene_state()
    result = lab.load("panda", meshes=True)
    after = scene_state()
    assert after.pop("active") == result.object
    assert after.pop("selected") == {result.object}
    for key in ("scenes", "frame", "cursor", "mode", "collection"):
        assert after[key] == before[key], key
    for name, matrix in before["objects"].items():
        assert after["objects"][name] == matrix


@pytest.mark.parametrize("mode", ["EDIT", "SCULPT"])
def test_a_user_in_another_mode_stays_there(lab, mode):
    crowd()
    bpy.ops.object.mode_set(mode=mode)
    before = scene_state()
    result = lab.load("case11", meshes=True)
    after = scene_state()
    for key in ("active", "mode", "selected", "frame"):
        assert after[key] == before[key], key
    assert result.object.mode == "OBJECT"


@pytest.mark.parametrize("stage", ["build_rig", "create_parts", "_write_report"])
def test_a_failure_leaves_nothing(lab, monkeypatch, inventory, stage):
    """Wherever the import breaks off, the file is as before."""
    crowd()
    before, state = inventory(), scene_state()
    real = getattr(importer, stage)

    def fail(*arguments):
        real(*arguments)
        raise RigError("broken on purpose")

    monkeypatch.setattr(importer, stage, fail)
    with pytest.raises(RigError, match="on purpose"):
        import_robot(bpy.context, lab.path("panda"))
    assert inventory() == before
    assert scene_state() == state


def test_a_file_that_is_no_robot_is_one_clear_error(lab, tmp_path, inventory):
    crowd()
    before, state = inventory(), scene_state()
    bad = tmp_path / "bad.urdf"
    bad.write_text('<robot name="r"><link name="a"/><link name="b"/></robot>', encoding="utf-8")
    with pytest.raises(UrdfError):
        import_robot(bpy.context, bad)
    with pytest.raises(RuntimeError, match="root"):
        run(bad)
    with pytest.raises(RuntimeError, match="does not exist"):
        run(tmp_path / "absent.urdf")
    assert inventory() == before
    assert scene_state() == state


@pytest.mark.parametrize("chosen", [{}, {"filepath": ""}, {"directory": "."}])
def test_no_file_is_one_clear_error(inventory, chosen):
    before = inventory()
    with pytest.raises(RuntimeError, match=r"no file was chosen; wanted a \.urdf or \.xacro file"):
        bpy.ops.dynarig.import_urdf("EXEC_DEFAULT", **chosen)
    assert inventory() == before


def test_several_files_at_once_and_a_bad_one_among_them(lab, tmp_path):
    files = []
    for name in ("one", "two"):
        files.append(tmp_path / f"{name}.urdf")
        files[-1].write_text(f'<robot name="{name}"><link name="a"/></robot>', encoding="utf-8")
    assert run(*files) == {"FINISHED"}
    assert {"one", "two"} <= set(bpy.data.objects.keys())
    bad = tmp_path / "bad.urdf"
    bad.write_text("<robot", encoding="utf-8")
    with pytest.raises(RuntimeError, match=r"bad\.urdf"):
        run(bad, files[0])
    # the good one came in all the same
    assert "one.001" in bpy.data.objects


def test_operator_options(lab):
    bpy.ops.dynarig.import_urdf(
        "EXEC_DEFAULT", filepath=str(lab.path("case01")), floating_base=True
    )
    assert len(bpy.context.view_layer.objects.active.data.bones) == 2


def test_a_xacro_file_with_arguments_from_the_dialog(lab, tmp_path):
    file = tmp_path / "arm.urdf.xacro"
    file.write_text(
        '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="side" default="right"/><xacro:arg name="title" default=""/>'
        '<link name="$(arg side)_base"/><link name="$(arg title)"/>'
        '<joint name="j" type="continuous"><parent link="$(arg side)_base"/>'
        '<child link="$(arg title)"/></joint></robot>'
    )
    arguments = "side:=left; title:='two words'"
    assert bpy.ops.dynarig.import_urdf(filepath=str(file), xacro_args=arguments) == {"FINISHED"}
    robot = bpy.data.objects["arm"]
    assert set(read_table(robot.data).links) == {"left_base", "two words"}
    assert read_table(robot.data).options.xacro_args == (("side", "left"), ("title", "two words"))
    assert "xacro_args = side:=left, title:=two words" in bpy.data.texts[REPORT_NAME].as_string()


def test_package_folders(lab, tmp_path):
    folder = tmp_path / "far" / "ghost_desc"
    (folder / "meshes").mkdir(parents=True)
    (folder / "package.xml").write_text("<package><name>ghost_desc</name></package>")
    ball = lab.path("case01").parents[1] / "meshes" / "hull.stl"
    (folder / "meshes" / "none.stl").write_bytes(ball.read_bytes())
    bpy.ops.dynarig.import_urdf(
        "EXEC_DEFAULT", filepath=str(lab.path("case01")), package_dirs=f" ; {tmp_path / 'far'}"
    )
    assert "warning" not in bpy.data.texts[REPORT_NAME].as_string()
    meshes = [obj for obj in bpy.context.scene.objects if obj.type == "MESH"]
    assert len(meshes) == 5


def test_a_file_dropped_into_the_viewport(lab):
    handler = bpy.types.DYNARIG_FH_urdf
    assert handler.bl_import_operator == "dynarig.import_urdf"
    assert handler.bl_file_extensions.split(";") == [".urdf", ".xacro"]
    path = lab.path("case03")
    window = bpy.context.window
    area = next((a for a in window.screen.areas if a.type == "VIEW_3D"), window.screen.areas[0])
    area.type = "VIEW_3D"
    with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
        assert handler.poll_drop(bpy.context)
        bpy.ops.wm.drop_import_file(
            "EXEC_DEFAULT", directory=str(path.parent), files=[{"name": path.name}]
        )
    assert "prims" in bpy.data.objects
    area.type = "TEXT_EDITOR"
    with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
        assert not handler.poll_drop(bpy.context)


def test_one_undo_removes_it_all(lab, inventory):
    crowd()
    before = inventory()
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        bpy.ops.ed.undo_push(message="before")
        bpy.ops.dynarig.import_urdf("EXEC_DEFAULT", True, filepath=str(lab.path("panda")))
        assert inventory() != before
        bpy.ops.ed.undo()
    assert inventory() == before
    assert bpy.context.view_layer.objects.active.name == "first"


def test_the_menu_has_it():
    menu = bpy.types.TOPBAR_MT_file_import
    entries = [entry for entry in menu._dyn_ui_initialize() if entry.__name__ == "menu_import"]
    assert len(entries) == 1


def test_a_collection_that_comes_from_a_library_gets_no_robot(lab, tmp_path):
    library = str(tmp_path / "library.blend")
    lab.load("case03")
    bpy.data.libraries.write(library, {bpy.data.collections["prims"]}, fake_user=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(library, link=True) as (_, here):
        here.collections = ["prims"]
    scene, view_layer = bpy.context.scene, bpy.context.view_layer
    linked = bpy.data.collections["prims"]
    scene.collection.children.link(linked)
    linked.override_hierarchy_create(scene, view_layer)
    kinds = []
    for layer in [*view_layer.layer_collection.children]:
        view_layer.active_layer_collection = layer
        kinds.append((bool(layer.collection.library), bool(layer.collection.override_library)))
        robot = lab.load("case05").collection
        assert robot.name in scene.collection.children
    assert (False, True) in kinds


def test_names_that_hold_line_ends_are_one_line_in_every_report(lab):
    result = lab.load_text('<link name="a"/>')
    assert "\n" not in replace(result, name="two\nlines").summary()


@pytest.mark.parametrize("far", [1e16, 1e39, 1e100])
def test_a_robot_too_large_for_an_armature_leaves_nothing(lab, inventory, far):
    result = lab.load("case05")
    rig, model = lab.open(result)
    joint = rig.robot.joints[-1]
    moved = replace(joint, origin=Origin((far, 0.0, 0.0)))
    robot = replace(rig.robot, joints=(*rig.robot.joints[:-1], moved))
    before = inventory()
    with (
        temporary_scene(bpy.context) as workspace,
        pytest.raises(RigError, match=f"link '{joint.child}' is .* away from the root"),
    ):
        build_rig(workspace, robot, model, ImportOptions())
    assert inventory() == before
