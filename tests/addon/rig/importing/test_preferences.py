"""The add-on's preferences: search folders for every import."""

import json
from types import SimpleNamespace

import bpy
import pytest
from dynarig.addon import preferences as module
from dynarig.addon.blender.importing.importer import REPORT_NAME
from dynarig.addon.preferences import preferences, search_folders


@pytest.fixture(autouse=True)
def own(extension):
    """The preferences, without folders before and after."""
    assert extension.__name__ == module.ADDON
    found = preferences(bpy.context)
    found.search_folders.clear()
    yield found
    found.search_folders.clear()


def test_folders_are_added_and_removed_by_buttons(tmp_path):
    for name in ("one", "two", "three"):
        assert bpy.ops.dynarig.add_search_folder(path=str(tmp_path / name)) == {"FINISHED"}
    assert bpy.ops.dynarig.remove_search_folder(index=1) == {"FINISHED"}
    assert search_folders(bpy.context) == (str(tmp_path / "one"), str(tmp_path / "three"))
    assert bpy.ops.dynarig.remove_search_folder(index=2) == {"CANCELLED"}
    assert bpy.ops.dynarig.remove_search_folder(index=-1) == {"CANCELLED"}
    # a row that is not filled in yet is no folder
    bpy.ops.dynarig.add_search_folder()
    assert len(search_folders(bpy.context)) == 2
    assert bpy.context.preferences.is_dirty


def test_an_import_finds_meshes_there(lab, tmp_path, own):
    folder = tmp_path / "far" / "ghost_desc"
    (folder / "meshes").mkdir(parents=True)
    (folder / "package.xml").write_text("<package><name>ghost_desc</name></package>")
    hull = lab.path("case01").parents[1] / "meshes" / "hull.stl"
    (folder / "meshes" / "none.stl").write_bytes(hull.read_bytes())
    file = str(lab.path("case01"))
    bpy.ops.dynarig.import_urdf(filepath=file)
    assert "ghost_desc" in bpy.data.texts[REPORT_NAME].as_string()
    bpy.data.texts.remove(bpy.data.texts[REPORT_NAME])
    own.search_folders.add().path = str(tmp_path / "far")
    own.search_folders.add().path = str(tmp_path / "gone")
    bpy.ops.dynarig.import_urdf(filepath=file)
    report = bpy.data.texts[REPORT_NAME].as_string()
    assert "ghost_desc" not in report
    assert f"package folder '{tmp_path / 'gone'}' does not exist" in report


def test_the_list_is_drawn_and_missing_folders_are_seen(own, tmp_path):
    own.search_folders.add().path = str(tmp_path)
    own.search_folders.add().path = str(tmp_path / "gone")
    menu = bpy.context.window_manager.popmenu_begin__internal("test", icon="NONE")
    listed = SimpleNamespace(layout=menu.layout, search_folders=own.search_folders)
    module.DynarigPreferences.draw(listed, bpy.context)
    drawn = json.dumps(menu.layout.introspect())
    assert drawn.count("dynarig.remove_search_folder") == 2
    assert "dynarig.add_search_folder" in drawn
    assert module.is_folder(str(tmp_path))
    assert not module.is_folder(str(tmp_path / "gone"))
    assert not module.is_folder("\0")


def test_a_checkout_that_is_not_enabled_has_none(monkeypatch):
    monkeypatch.setattr(module, "ADDON", "dynarig_that_is_nowhere")
    assert preferences(bpy.context) is None
    assert search_folders(bpy.context) == ()
    assert not bpy.ops.dynarig.add_search_folder.poll()
