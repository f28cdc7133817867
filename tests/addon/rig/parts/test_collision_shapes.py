"""Collision shapes: wires in a collection of their own, behind the eye of the outliner."""

import bpy
import pytest
from dynarig.addon.blender.geometry.visuals import collision_parts
from dynarig.addon.blender.rig_access import open_rig
from dynarig.core.frames import transform_from_xyz_rpy

from ....close import assert_close


def layer_of(collection, view_layer=None):
    """The layer collection of a collection, anywhere in a view layer."""
    layers = [(view_layer or bpy.context.view_layer).layer_collection]
    for layer in layers:
        if layer.collection == collection:
            return layer
        layers.extend(layer.children)
    raise AssertionError("not in the view layer")


def test_both_hides_the_shapes_and_one_click_shows_them(workshop):
    bpy.context.scene.view_layers.new("second")
    result = workshop.make(shown="BOTH")
    (shapes,) = result.collection.children
    assert shapes.name == "made collision"
    objects = workshop.parts(result, "collision")
    assert set(shapes.objects) == set(objects.values())
    assert sorted(obj.name for obj in shapes.objects) == [
        "arm collision",
        "arm collision_2",
        "base collision",
    ]
    for obj in shapes.objects:
        assert obj.display_type == "WIRE" and obj.hide_render
        assert not obj.visible_get()
    for view_layer in bpy.context.scene.view_layers:
        assert layer_of(shapes, view_layer).hide_viewport
    visuals = workshop.parts(result, "visual").values()
    assert visuals and all(obj.visible_get() and not obj.hide_render for obj in visuals)
    layer_of(shapes).hide_viewport = False
    assert all(obj.visible_get() for obj in shapes.objects)


def test_they_stay_hidden_in_a_saved_file(workshop):
    workshop.make(shown="BOTH")
    path = str(workshop.folder / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    shapes = bpy.data.collections["made collision"]
    assert layer_of(shapes).hide_viewport
    assert not any(obj.visible_get() for obj in shapes.objects)


def test_alone_they_are_shown(workshop):
    result = workshop.make(shown="COLLISION")
    (shapes,) = result.collection.children
    assert not layer_of(shapes).hide_viewport
    assert len(shapes.objects) == 3
    assert all(obj.visible_get() and obj.hide_render for obj in shapes.objects)
    assert workshop.parts(result, "visual") == {}


@pytest.mark.parametrize(
    "options", [{"shown": "VISUAL"}, {"shown": "BOTH", "body": '<link name="bare"/>'}]
)
def test_without_shapes_there_is_no_collection(workshop, options):
    result = workshop.make(**options)
    assert list(result.collection.children) == []
    assert workshop.parts(result, "collision") == {}


@pytest.mark.parametrize("fixed_links", ["MERGE", "KEEP"])
def test_they_move_with_their_links(workshop, random_poses, fixed_links):
    result = workshop.make(shown="BOTH", fixed_links=fixed_links)
    (shapes,) = result.collection.children
    layer_of(shapes).hide_viewport = False
    objects = workshop.parts(result, "collision")
    parts = list(collision_parts(open_rig(result.object).robot))
    assert len(parts) == 3
    for poses in random_poses(result):
        for part in parts:
            world = workshop.world(objects[part.link, part.index])
            own = transform_from_xyz_rpy(part.origin.xyz, part.origin.rpy)
            assert_close(world, poses[part.link] @ own, 1e-5)


def test_fewer_triangles_touch_and_all_are_seen(workshop, robots):
    file = robots / "solo_description/robots/solo12.urdf"

    def triangles(**options):
        result = workshop.bring(file, shown="BOTH", **options)
        return {
            role: sum(
                len(loop)
                for obj in workshop.parts(result, role).values()
                for loop in [obj.data.loop_triangles]
                if obj.data.calc_loop_triangles() is None
            )
            for role in ("visual", "collision")
        }

    whole, fewer = triangles(), triangles(decimation=0.25)
    assert whole["visual"] == fewer["visual"] > 0
    assert 0 < fewer["collision"] < 0.6 * whole["collision"]


def test_a_file_that_is_seen_and_touched_is_read_once(workshop):
    result = workshop.make(shown="BOTH")
    seen, touched = workshop.parts(result, "visual"), workshop.parts(result, "collision")
    assert seen["arm", 0].data == touched["arm", 0].data
