"""The panels' draw functions, run on a layout that Blender made."""

import bpy
import pytest

PANELS = (
    "DYNARIG_PT_robot",
    "DYNARIG_PT_joint",
    "DYNARIG_PT_link_contact",
    "DYNARIG_PT_bake",
    "DYNARIG_PT_contact",
)


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
    assert "Effort (N m)" in shown and "Velocity (rad/s)" in shown and "Friction (" not in shown
    result.object.data.bones.active = rig.pose_bone("panda_finger_joint1").bone
    assert "Effort (N)" in drawn() and "Velocity (m/s)" in drawn()
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
        ("ground", "FLOOR", "DynarigSceneSettings.restitution"),
        ("scheme", "FRICTION", "DynarigSceneSettings.use_self_collision"),
        ("motors", "HOLD", "DynarigSceneSettings.motor_frequency"),
    ],
)
def test_every_choice_of_a_bake(lab, setting, value, shown):
    lab.load("ur5")
    assert shown not in drawn()
    setattr(bpy.context.scene.dynarig, setting, value)
    assert shown in drawn()


def test_friction_is_asked_for_where_it_counts_only(lab):
    lab.load("ur5")
    panel = bpy.context.scene.dynarig
    panel.ground = "FLOOR"
    assert "DynarigSceneSettings.friction" not in drawn()
    panel.scheme = "FRICTION"
    assert "DynarigSceneSettings.friction" in drawn()
    assert "DynarigSceneSettings.contact_step" in drawn()


def test_the_list_of_the_ground(lab):
    robot = lab.load("ur5").object
    panel = bpy.context.scene.dynarig
    panel.scheme, panel.ground = "FRICTION", "OBJECTS"
    assert "dynarig.add_ground" in drawn()
    assert "dynarig.clear_ground" not in drawn()
    table = bpy.data.objects.new("table", bpy.data.meshes.new("table"))
    bpy.context.scene.collection.objects.link(table)
    robot.select_set(False)
    table.select_set(True)
    assert bpy.ops.dynarig.add_ground() == {"FINISHED"}
    shown = drawn()
    assert "table" in shown
    assert "dynarig.remove_ground" in shown
    assert "is gone" not in shown
    table.users_collection[0].objects.unlink(table)
    assert "is gone" in drawn()
    panel.scheme = "EXACT"
    assert "Objects want contacts with friction" in drawn()


def test_what_a_bone_says_of_contact(lab):
    result = lab.load("panda")
    rig, _ = lab.open(result)
    assert "DynarigLinkSettings" not in drawn()
    bpy.ops.object.mode_set(mode="POSE")
    result.object.data.bones.active = rig.pose_bone("panda_joint6").bone
    shown = drawn()
    for name in ("collides", "use_restitution", "restitution", "use_friction", "friction"):
        assert f"DynarigLinkSettings.{name}" in shown
    assert "DynarigLinkSettings.limit_restitution" in shown


def test_with_something_else_active():
    bpy.context.view_layer.objects.active = None
    empty = bpy.data.objects.new("empty", None)
    bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.objects.active = empty
    assert "No robot is active" in drawn()
