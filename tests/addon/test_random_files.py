"""Robot files at random, valid and broken: a whole robot comes in, or the scene is unchanged."""

from dataclasses import replace

import bpy
import pytest
from dynarig.core.dynamics import link_poses
from dynarig.core.urdf import load_urdf
from fuzzing import scene_laws
from fuzzing.corpus import Corpus
from fuzzing.parser_laws import read
from fuzzing.scene_laws import difference, new_scene, state, try_import

SEED = 11
FILES = 150


def test_every_file_obeys_the_laws_of_importing(data, tmp_path):
    corpus = Corpus(SEED, sorted((data / "urdf").rglob("*.urdf")))
    path = tmp_path / "robot.urdf"
    new_scene()
    outcomes = set()
    for number in range(FILES):
        file = corpus.file(number)
        path.write_bytes(file.data)
        reading = read(file, path)
        trial = try_import(path, reading.robot, number)
        assert (reading.fault, trial.fault) == ("", ""), f"seed {SEED}, file {number}"
        # what the parser takes is refused only where no model can be made of it
        assert trial.refusal == reading.refusal or reading.robot is not None
        outcomes.add((bpy.context.mode, trial.refusal == ""))
    assert outcomes == {(mode, came) for mode in ("OBJECT", "EDIT_MESH") for came in (True, False)}


@pytest.mark.parametrize(
    "change",
    [
        lambda: bpy.data.texts.new("left over"),
        lambda: bpy.data.objects["first"].select_set(True),
        lambda: bpy.context.scene.frame_set(1),
        lambda: bpy.ops.object.mode_set(mode="EDIT"),
        lambda: setattr(bpy.context.view_layer.objects, "active", bpy.data.objects["second"]),
        lambda: bpy.context.scene.collection.children.link(bpy.data.collections.new("new")),
        lambda: bpy.data.objects.remove(bpy.data.objects["second"]),
    ],
)
def test_a_change_of_the_scene_is_seen(change):
    """The comparison of the other test can fail."""
    new_scene()
    before = state()
    assert difference(before, state()) == ""
    change()
    bpy.context.view_layer.update()
    assert difference(before, state()).startswith("the scene is changed: ")


def test_links_that_stand_elsewhere_are_seen(data, monkeypatch):
    """The comparison with the core can fail."""
    path = data / "urdf" / "05_axis_rules" / "axes.urdf"
    robot = load_urdf(path)
    new_scene()
    assert try_import(path, robot, 1).fault == ""
    monkeypatch.setattr(scene_laws, "link_poses", lambda model, q: link_poses(model, q + 1e-4))
    assert "from where it should be" in try_import(path, robot, 1).fault
    assert "links were read or came in" in try_import(path, replace(robot, links=()), 1).fault
    assert try_import(path, None, 1).fault == "what the parser refuses came in"
