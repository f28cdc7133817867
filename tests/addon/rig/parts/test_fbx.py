"""A robot that is exported as FBX comes back with bones that move what is seen as they did."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings

from ....close import assert_close

START, END, FPS = 1, 9, 24.0
FRAMES = (1, 3, 6, 9)
CLOSE = 1e-5  # m


# what Blender's own exporter does to arrays
@pytest.mark.filterwarnings("ignore:Setting the shape on a NumPy array:DeprecationWarning")
@pytest.mark.parametrize("parent", ["SKIN", "BONES"])
def test_a_robot_moves_after_a_trip_through_fbx(workshop, parent):
    result = workshop.make(mesh_parent=parent)
    _, model = workshop.lab.open(result)
    motion = workshop.lab.random_motion(model, (END - START) / FPS)
    bake_robot(bpy.context, result.object, BakeSettings(START, END, FPS), motion)
    role = "skin" if parent == "SKIN" else "visual"
    objects = list(workshop.parts(result, role).values())
    wanted = {frame: points(workshop, frame, objects) for frame in FRAMES}
    materials = {slot.material.name for obj in objects for slot in obj.material_slots}
    path = str(workshop.folder / "robot.fbx")
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = START, END
    # the bones of the robot and no more, and every frame as it is
    bpy.ops.export_scene.fbx(filepath=path, add_leaf_bones=False, bake_anim_simplify_factor=0.0)
    bones = {bone.name for bone in result.object.data.bones}
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.import_scene.fbx(filepath=path)
    (armature,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    assert {bone.name for bone in armature.data.bones} == bones
    back = [obj for obj in bpy.data.objects if obj.type == "MESH"]
    assert {material.name for obj in back for material in obj.data.materials} == materials
    for frame in FRAMES:
        found = points(workshop, frame, back)
        assert set(found) == set(wanted[frame])
        for name, places in found.items():
            assert_close(places, wanted[frame][name], CLOSE)
    name, start = next(reversed(wanted[START].items()))
    assert np.abs(wanted[END][name] - start).max() > 0.05


def points(workshop, frame, objects):
    """The vertices (n, 3) of objects in the world at a frame, by the objects' names."""
    bpy.context.scene.frame_set(frame)
    return {obj.name: workshop.points(obj) for obj in objects}
