"""The temporary scene: operators work in it, and the user's scene does not notice."""

import pytest

MODES = ("OBJECT", "EDIT", "POSE")


def make_user_scene(mode):
    """A scene with a cube and an armature, the armature active and in the given mode."""
    import bpy

    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.object.armature_add()
    bpy.ops.object.mode_set(mode=mode)


def user_state():
    """What the user would notice."""
    import bpy

    context = bpy.context
    return {
        "scene": context.window.scene.name,
        "view layer": context.view_layer.name,
        "collection": context.collection.name,
        "active": context.active_object.name,
        "mode": context.mode,
        "modes": {obj.name: obj.mode for obj in bpy.data.objects},
        "selected": sorted(obj.name for obj in context.selected_objects),
        "objects": sorted(obj.name for obj in context.scene.objects),
        "frame": context.scene.frame_current,
        "cursor": tuple(context.scene.cursor.location),
        "scenes": sorted(scene.name for scene in bpy.data.scenes),
    }


@pytest.mark.parametrize("mode", MODES)
def test_the_user_s_state_is_untouched_by_operators(mode):
    import bpy
    from dynarig.addon.blender.leftovers import DataSnapshot
    from dynarig.addon.blender.workspace import temporary_scene

    make_user_scene(mode)
    before, blocks = user_state(), DataSnapshot.take()
    with temporary_scene(bpy.context) as workspace:
        with workspace.override():
            bpy.ops.mesh.primitive_uv_sphere_add()
            bpy.ops.object.select_all(action="SELECT")
        assert [obj.type for obj in workspace.scene.objects] == ["MESH"]
    blocks.remove_added()
    assert user_state() == before
    assert not blocks.added()


@pytest.mark.parametrize("mode", MODES)
def test_an_armature_is_edited_in_it_whatever_mode_the_user_is_in(mode):
    import bpy
    from dynarig.addon.blender.workspace import temporary_scene

    make_user_scene(mode)
    before = user_state()
    armature = bpy.data.armatures.new("rig")
    with temporary_scene(bpy.context) as workspace:
        obj = bpy.data.objects.new("rig", armature)
        workspace.scene.collection.objects.link(obj)
        with workspace.override(obj):
            bpy.ops.object.mode_set(mode="EDIT")
            armature.edit_bones.new("bone").tail = (0.0, 0.0, 1.0)
            bpy.ops.object.mode_set(mode="OBJECT")
    assert [bone.name for bone in armature.bones] == ["bone"]
    bpy.data.objects.remove(obj)
    assert user_state() == before


def test_the_scene_goes_after_an_error_too_even_in_edit_mode():
    import bpy
    from dynarig.addon.blender.workspace import temporary_scene

    make_user_scene("EDIT")
    before = user_state()
    obj = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))

    def fail_in_edit_mode():
        with temporary_scene(bpy.context) as workspace:
            workspace.scene.collection.objects.link(obj)
            with workspace.override(obj):
                bpy.ops.object.mode_set(mode="EDIT")
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_in_edit_mode()
    assert obj.mode == "OBJECT"
    bpy.data.objects.remove(obj)
    assert user_state() == before


def test_remove_blocks_takes_scenes_and_all_else():
    import bpy
    from dynarig.addon.blender.leftovers import DataSnapshot

    before = DataSnapshot.take()
    scene = bpy.data.scenes.new("extra")
    scene.collection.objects.link(bpy.data.objects.new("lamp", bpy.data.lights.new("l", "SUN")))
    kept = bpy.data.materials.new("kept")
    assert len(before.added()) == 4
    before.remove_added(keep=[kept])
    assert before.added() == [kept]
