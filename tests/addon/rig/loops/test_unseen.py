"""What a user does not see: Empties that Blender does not evaluate, armatures that move."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.loops import add_loop, is_moved, update_loop
from dynarig.addon.errors import RigError

from ....close import assert_close


def hide(obj, how: str) -> None:
    """Take an object out of what Blender evaluates."""
    if how == "object":
        obj.hide_viewport = True
    elif how == "collection":
        for collection in bpy.data.collections:
            collection.hide_viewport = True
    else:
        for layer in bpy.context.view_layer.layer_collection.children:
            layer.exclude = True
    bpy.context.view_layer.update()


@pytest.mark.parametrize("how", ["object", "collection", "excluded"])
@pytest.mark.parametrize("end", ["rocker_end", None])
def test_a_hidden_empty_is_where_it_was_moved(four_bar, lab, how, end):
    four_bar.object.location = 1.0, 2.0, 3.0
    four_bar.pose(*four_bar.closed(0.6))
    obj = add_loop(four_bar.object, "HINGE", end, "pivot" if end else "crank", four_bar.pivot())
    four_bar.pose(0.4, 0.1, 0.2)
    bpy.context.view_layer.update()
    obj.location.x += 0.05
    bpy.context.view_layer.update()
    shown = update_loop(obj)
    obj.location.x -= 0.05
    bpy.context.view_layer.update()
    update_loop(obj)
    hide(obj, how)
    obj.location.x += 0.05
    found = update_loop(obj)
    for one, other in zip(found.ends, shown.ends, strict=True):
        assert_close(one.link_from_loop, other.link_from_loop, 2e-6)
    assert not is_moved(lab.open(four_bar.result)[0], obj, found)


def test_a_hidden_empty_that_hangs_elsewhere_is_refused(four_bar):
    obj = four_bar.close()
    obj.constraints.new("COPY_LOCATION")
    hide(obj, "object")
    before = obj["dynarig_loop"]
    with pytest.raises(RigError, match="show it first"):
        update_loop(obj)
    assert obj["dynarig_loop"] == before


@pytest.mark.parametrize("carried", [False, True])
def test_an_origin_that_moves_is_told(four_bar, carried):
    robot = four_bar.object
    four_bar.pose(*four_bar.closed(0.6))
    obj = add_loop(robot, "HINGE", "rocker_end", None, four_bar.pivot(), name="pin")
    still = bake_robot(bpy.context, robot, BakeSettings(frame_end=5))
    assert not any("moves with the" in line for line in still.warnings)
    mover = robot
    if carried:
        mover = bpy.data.objects.new("cart", None)
        bpy.context.scene.collection.objects.link(mover)
        robot.parent = mover
    mover.keyframe_insert("location", frame=1)
    moved = bake_robot(bpy.context, robot, BakeSettings(frame_end=5))
    (line,) = (line for line in moved.warnings if "moves with the" in line)
    assert "'pin'" in line
    assert f"'{mover.name}'" in line
    assert line in moved.summary()
    # joints between links go along
    bpy.data.objects.remove(obj)
    four_bar.close()
    done = bake_robot(bpy.context, robot, BakeSettings(frame_end=5))
    assert not any("moves with the" in line for line in done.warnings)


def test_no_robot_is_refused():
    with pytest.raises(RigError, match="got None"):
        add_loop(None, "HINGE", "a", "b", np.eye(4))


@pytest.mark.parametrize("number", [True, np.True_, "1", np.nan])
def test_lengths_that_are_none(four_bar, number):
    with pytest.raises(RigError, match="wanted a length greater than 0"):
        four_bar.close("DISTANCE", number=number)


def test_lengths_of_numpy(four_bar):
    obj = four_bar.close("DISTANCE", number=np.float32(0.25))
    assert obj["dynarig_loop_length"] == 0.25


def test_a_loop_gap_below_the_digits_of_curves_is_told(four_bar):
    four_bar.pose(*four_bar.closed(0.6))
    four_bar.close()
    settings = BakeSettings(frame_end=7, loop_tolerance=1e-11)
    (gap,) = bake_robot(bpy.context, four_bar.object, settings).gaps
    assert gap.reason == "digits"
    assert "curves keep 7 digits" in gap.told()
