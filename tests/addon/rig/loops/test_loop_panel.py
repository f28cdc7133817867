"""The part of the panel that is about loop joints, drawn on a layout that Blender made."""

import bpy
from dynarig.addon.blender.loops import add_loop
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.loop_panel import WIDE

from .test_buttons import pick, select_bones


def drawn():
    """What the panel shows, as texts; nothing where it is not there."""
    panel = bpy.types.DYNARIG_PT_loops
    if not panel.poll(bpy.context):
        return ""
    menu = bpy.context.window_manager.popmenu_begin__internal("test", icon="NONE")
    panel.draw(menu, bpy.context)
    return "\n".join(texts(menu.layout.introspect()))


def texts(items):
    for item in items:
        yield from (str(item[key]) for key in ("draw_string", "operator", "rna") if key in item)
        yield from texts(item.get("items", ()))


def test_without_a_robot_there_is_none():
    assert drawn() == ""


def test_the_fields_of_a_new_joint(four_bar):
    pick(kind="HINGE")
    shown = drawn()
    for text in ("pick_a", "pick_b", "kind", "place", "axis", "dynarig.add_loop"):
        assert text in shown
    assert "dynarig.close_loops" not in shown
    assert "DynarigLoopSettings.length" not in shown
    pick(kind="DISTANCE")
    assert "DynarigLoopSettings.length" in drawn()
    pick(kind="SCREW")
    assert "DynarigLoopSettings.lead" in drawn()
    pick(kind="HINGE")


def test_two_selected_bones_are_named_instead_of_the_fields(four_bar):
    select_bones(four_bar, "drive", "knee")
    shown = drawn()
    assert "First: crank" in shown
    assert "Second: rocker (active)" in shown
    assert "pick_a" not in shown


def test_the_list_of_joints(four_bar):
    obj = four_bar.close()
    shown = drawn()
    assert obj.name in shown
    assert "dynarig_loop_enabled" in shown
    assert "dynarig.close_loops" in shown
    assert "dynarig.update_loop" not in shown


def test_the_selected_joint(four_bar):
    four_bar.close()
    obj = add_loop(four_bar.object, "DISTANCE", "crank", "rocker", [0.0, 0.0, 0.1])
    bpy.context.view_layer.objects.active = obj
    shown = drawn()
    for text in ("Distance:", "First: crank", "Second: rocker", "dynarig_loop_length"):
        assert text in shown
    assert "dynarig.update_loop" in shown
    assert "The Empty was moved" not in shown
    obj.location.x += 0.01
    assert "The Empty was moved" in drawn()


def test_a_joint_that_cannot_be_used_says_why_unless_it_is_off(four_bar, data):
    obj = four_bar.close()
    twin = four_bar.lab.load_file(data / "loops" / "four_bar.urdf").object
    obj.parent = twin
    for active in (four_bar.object, twin, obj):
        bpy.context.view_layer.objects.active = active
        told = " ".join(drawn().split("\n"))
        assert "one robot must have both: let Repair Rig mend it" in told
    message = drawn().split("\n")[-6:]
    assert message[-1] == "mend it, or disable it"
    assert max(map(len, message)) <= WIDE
    obj["dynarig_loop_enabled"] = False
    bpy.context.view_layer.objects.active = twin
    assert "Repair Rig" not in drawn()


def test_a_robot_that_is_gone(four_bar):
    obj = four_bar.close()
    bpy.ops.object.select_all(action="DESELECT")
    four_bar.object.select_set(True)
    bpy.context.view_layer.objects.active = four_bar.object
    bpy.ops.object.delete()
    for _ in range(2):
        bpy.context.view_layer.objects.active = obj
        assert "Its robot is gone: delete it too" in drawn()
        # what the pointers have kept goes too
        for left in [own for own in bpy.data.objects if own.type == "ARMATURE"]:
            bpy.data.objects.remove(left)


def test_a_bone_that_is_gone(four_bar):
    obj = four_bar.close()
    name = open_rig(four_bar.object).pose_bone("drive").name
    bpy.ops.object.mode_set(mode="EDIT")
    four_bar.object.data.edit_bones.remove(four_bar.object.data.edit_bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.objects.active = obj
    # no line of what is told ends with a quote, which Blender's own listing cannot write
    four_bar.object.name = "rig"
    assert "the bone of joint 'drive' is gone" in " ".join(drawn().split("\n"))


def test_it_is_in_the_tab_of_the_others():
    panel = bpy.types.DYNARIG_PT_loops
    assert (panel.bl_space_type, panel.bl_region_type) == ("VIEW_3D", "UI")
    assert panel.bl_category == "Dynarig"


def test_the_search_finds_joints_and_links(four_bar):
    settings = bpy.context.window_manager.dynarig_loops
    for text, link in (("coupler (joint elbow)", "coupler"), ("rocker_end", "rocker_end")):
        settings.pick_a = text
        assert settings.picked_ends(four_bar.object) == (link, None)
    settings.pick_b = "Armature origin (fixed base)"
    assert settings.picked_ends(four_bar.object)[1] == "<world>"
    assert settings.pick_b == "Armature origin (fixed base)"
