"""Loop joints of a library override are its own, and stay so in the file."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.loops import is_loop, read_loops, update_loop

from ....close import assert_close


def overridden() -> tuple:
    """The robot and the Empty of the override in this file."""
    own = [obj for obj in bpy.data.objects if obj.override_library]
    return (
        next(obj for obj in own if obj.type == "ARMATURE"),
        next(obj for obj in own if is_loop(obj)),
    )


@pytest.mark.parametrize("changed", [False, True])
def test_saved_and_loaded_in_an_override(four_bar, tmp_path, changed):
    four_bar.close()
    library, file = str(tmp_path / "library.blend"), str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(library, link=True) as (there, wanted):
        wanted.collections = there.collections
    (collection,) = (own for own in bpy.data.collections if own.library)
    bpy.context.scene.collection.children.link(collection)
    bpy.context.view_layer.update()
    collection.override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=True
    )
    bpy.context.view_layer.update()
    robot, obj = overridden()
    if changed:
        obj.location.x += 0.01
        bpy.context.view_layer.update()
        update_loop(obj)
    before = read_loops(robot)[0]
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    robot, obj = overridden()
    (loop,) = read_loops(robot)
    for end, own in zip(loop.ends, before.ends, strict=True):
        assert_close(end.link_from_loop, own.link_from_loop, 0.0)
    moved = np.linalg.norm(loop.a.link_from_loop[:3, 3])
    assert_close(moved, 0.01 if changed else 0.0, 1e-6)
    assert {obj["dynarig_loop_a"], obj["dynarig_loop_b"]} == {robot}
    result = bake_robot(bpy.context, robot, BakeSettings(frame_end=5))
    assert len(result.gaps) == 1
