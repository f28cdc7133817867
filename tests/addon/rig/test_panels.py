"""The panels' draw functions, run on a layout that Blender made."""

import bpy
import pytest

PANELS = ("DYNARIG_PT_robot", "DYNARIG_PT_joint", "DYNARIG_PT_bake")


def drawn():
    """Let every panel that polls draw; what it showed, as texts.

    Blender draws no panel in background, but makes a layout for a menu that is to pop up. It is
    never shown: that needs a window.
    """
    menu = bpy.context.window_manager.popmenu_begin__internal("test", icon="NONE")
    for name in PANELS:
        panel = getattr(bpy.types, name)
        if not hasattr(panel, "poll") or panel.poll(bpy.context):
            panel.draw(menu, bpy.context)
    return "\n".join(texts(menu.layout.introspect()))


def texts(items):
    for item in items:
        yield from (str(item[key]) for key in ("draw_string", "operator", "rna") if key in item)
        yield from texts(item.get("items", ()))


def test_without_a_robot():
    shown = drawn()
    assert "No robot is active" in shown
    assert "dynarig.import_urdf" in shown
    assert "dynarig.bake_simulation" in shown
    assert "dynarig.repair_rig" not in shown


def test_with_a_robot(lab):
    result = lab.load("panda")
    shown = drawn()
    assert result.object.name in shown
    assert "dynarig.repair_rig" in shown
    assert "No robot is active" not in shown


def test_with_a_bone(lab):
    result = lab.load("panda")
    rig, _ = lab.open(result)
    bpy.ops.object.mode_set(mode="POSE")
    result.object.data.bones.active = rig.pose_bone("panda_joint6").bone
    shown = drawn()
    assert "panda_joint6 (revolute)" in shown
    assert "limits -1.003° to 215°" in shown
    result.object.data.bones.active = rig.pose_bone("panda_joint2").bone
    assert "limit muted" not in drawn()
    rig.pose_bone("panda_joint2").constraints["URDF Limit"].mute = True
    assert "limit muted: the motion leaves it" in drawn()


@pytest.mark.parametrize(
    ("setting", "value", "shown"),
    [
        ("range", "FRAMES", "frame_end"),
        ("range", "DURATION", "duration"),
        ("use_scene_gravity", False, "DynarigSceneSettings.gravity"),
        ("use_tolerance", True, "DynarigSceneSettings.tolerance"),
    ],
)
def test_every_choice_of_a_bake(lab, setting, value, shown):
    lab.load("ur5")
    assert shown not in drawn()
    setattr(bpy.context.scene.dynarig, setting, value)
    assert shown in drawn()


def test_with_something_else_active():
    bpy.context.view_layer.objects.active = None
    empty = bpy.data.objects.new("empty", None)
    bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.objects.active = empty
    assert "No robot is active" in drawn()
