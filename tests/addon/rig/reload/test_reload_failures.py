"""A reload that fails, at whatever stage, leaves the robot and its motion as they were."""

import bpy
import numpy as np
import pytest
from dynarig.addon import compat
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.geometry.materials import principled
from dynarig.addon.blender.loops import add_loop
from dynarig.addon.blender.loops.finding import loop_objects
from dynarig.addon.blender.parts import parts_of
from dynarig.addon.blender.reload import (
    joint_update,
    loop_update,
    part_exchange,
    part_hanging,
    reload_robot,
    reloading,
)
from dynarig.addon.blender.reload.kept_layers import UserLayers
from dynarig.addon.blender.reload.loop_update import LoopPlaces
from dynarig.addon.blender.reload.part_exchange import PartExchange
from dynarig.addon.blender.reload.part_looks import PartLooks
from dynarig.addon.blender.reload.riders import Riders
from dynarig.addon.blender.rig_access import open_rig

LINK = (
    '<link name="{0}"><inertial><mass value="1"/><origin xyz="0 0 0.2"/><inertia ixx="0.1" '
    'iyy="0.1" izz="0.1"/></inertial>{1}</link>'
)
SHAPE = '<{0}><origin xyz="0 0 {1}"/><geometry><box size="{2} 0.1 0.1"/></geometry>{3}</{0}>'
JOINT = (
    '<joint name="{0}" type="{1}"><origin xyz="0 0 {2}"/><parent link="{3}"/><child link="{4}"/>'
    '<axis xyz="0 {5} 0"/><limit lower="-3" upper="{6}" effort="{7}" velocity="2"/>{8}</joint>'
)
BEFORE = [
    '<material name="red"><color rgba="0.8 0.1 0.1 1"/></material>',
    LINK.format("base", SHAPE.format("visual", 0, 0.1, '<material name="red"/>')),
    LINK.format("arm", SHAPE.format("visual", 0.1, 0.1, "")),
    LINK.format("hand", SHAPE.format("visual", 0, 0.1, '<material name="red"/>')),
    LINK.format("tip", SHAPE.format("visual", 0, 0.1, "") + SHAPE.format("visual", 0.1, 0.2, "")),
    LINK.format("thumb", ""),
    JOINT.format("shoulder", "revolute", 0.1, "base", "arm", 1, 3, 10, ""),
    JOINT.format("wrist", "revolute", 0.4, "arm", "hand", 1, 3, 10, ""),
    JOINT.format("end", "revolute", 0.4, "hand", "tip", 1, 3, 10, ""),
    JOINT.format("follow", "revolute", 0.2, "hand", "thumb", 1, 3, 1, '<mimic joint="wrist"/>'),
]
# colour, faces, places, limits, numbers, the way round, a mimic joint, links that go and come
AFTER = [
    '<material name="red"><color rgba="0.1 0.8 0.1 1"/></material>',
    LINK.format("base", SHAPE.format("visual", 0, 0.1, '<material name="red"/>')),
    LINK.format("arm", SHAPE.format("visual", 0.2, 0.3, "")),
    LINK.format("hand", SHAPE.format("visual", 0, 0.1, '<material name="red"/>')),
    LINK.format("thumb", SHAPE.format("visual", 0.1, 0.3, "")),
    LINK.format("more", SHAPE.format("visual", 0, 0.2, "")),
    JOINT.format("shoulder", "revolute", 0.2, "base", "arm", -1, 2, 20, ""),
    JOINT.format("wrist", "prismatic", 0.4, "arm", "hand", 1, 2, 10, ""),
    JOINT.format("follow", "revolute", 0.3, "hand", "thumb", 1, 3, 1, ""),
    JOINT.format("extra", "revolute", 0.3, "hand", "more", 1, 3, 1, '<mimic joint="wrist"/>'),
]
EVALUATED = ("matrix_world", "matrix_local", "matrix_basis", "dimensions")  # of other values
# each function that a reload calls from when it changes the first thing, or makes it
STAGES = {
    "the new rig": (reloading, "build_rig"),
    "names of bones": (reloading, "rename_bones"),
    "the new parts": (reloading, "create_parts"),
    "the armature": (reloading, "updated_armature"),
    "the table": (reloading, "write_table"),
    "loops found": (LoopPlaces, "__init__"),
    "riders found": (Riders, "__init__"),
    "the bones taken": (reloading, "update_keys"),
    "F-curves": (joint_update, "_change_curves"),
    "joints": (reloading, "update_joints"),
    "limits": (joint_update, "_update_limit"),
    "numbers": (joint_update, "_update_numbers"),
    "channels": (joint_update, "settle_bone"),
    "drivers": (joint_update, "set_mimic_drivers"),
    "muted limits": (joint_update, "mute_left_limits"),
    "riders": (Riders, "settle"),
    "materials": (PartLooks, "give_materials"),
    "meshes": (PartLooks, "give_mesh"),
    "layers of the user's": (UserLayers, "give"),
    "meshes and their layers": (PartExchange, "_give_mesh"),
    "bones of parts": (part_exchange, "mend_bone"),
    "places": (part_exchange, "place_part"),
    "places of new parts": (part_hanging, "place_part"),
    "new parts taken in": (part_exchange, "take_in"),
    "children of parts that go": (PartExchange, "_free_children"),
    "all parts": (PartExchange, "apply"),
    "loops": (LoopPlaces, "settle"),
    "a loop's place": (loop_update, "place_empty"),
    "the report": (reloading, "_write_report"),
}


def write(path, parts):
    path.write_text(f'<robot name="made">{"".join(parts)}</robot>')


@pytest.fixture
def robot(lab, tmp_path):
    """A robot with a motion, edits, a loop joint and riders of the user's; its file is new."""
    write(tmp_path / "made.urdf", BEFORE)
    obj = lab.load_file(tmp_path / "made.urdf").object
    bpy.context.view_layer.update()
    add_loop(obj, "BALL", "base", "hand", (0.0, 0.0, 0.5))
    loop_objects(obj)[0]["dynarig_loop_enabled"] = False
    bake_robot(bpy.context, obj, BakeSettings(frame_start=1, frame_end=10, damping=0.5))
    decorate(obj)
    bpy.context.view_layer.update()
    write(tmp_path / "made.urdf", AFTER)
    return obj


def decorate(obj):
    """What a user adds, on bones that stay and on the one that goes."""
    rig = open_rig(obj)
    for name in ("end", "wrist"):
        bone = rig.pose_bone(name)
        own = bone.constraints.new("COPY_ROTATION")
        own.name, own.target, own.subtarget = "mine", obj, rig.pose_bone("shoulder").name
        own.influence = 0.0
        bone["mine"], bone.custom_shape_scale_xyz = 1.5, (1.0, 2.0, 3.0)
        driver = own.driver_add("influence").driver
        driver.expression = "0.0"
        hat = bpy.data.objects.new(f"hat {name}", None)
        bpy.context.collection.objects.link(hat)
        hat.parent, hat.parent_type, hat.parent_bone = obj, "BONE", bone.name
    bpy.context.view_layer.update()
    ribbon = bpy.data.objects.new("ribbon", None)
    bpy.context.collection.objects.link(ribbon)
    ribbon.parent = next(own for own, tag in parts_of(obj) if tag.link == "tip")


def simple(value):
    """A value that stays comparable when what it came from is gone."""
    if isinstance(value, bpy.types.PoseBone | bpy.types.ID):
        return value.name_full if isinstance(value, bpy.types.ID) else value.name
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return np.array(value).tolist() if hasattr(value, "__len__") else None


def values(owner):
    """All values of an item of Blender's that can be written."""
    return {
        prop.identifier: simple(getattr(owner, prop.identifier))
        for prop in owner.bl_rna.properties
        if not prop.is_readonly and prop.type != "COLLECTION"
    }


def own_properties(owner):
    return {key: simple(value) for key, value in owner.items() if key.startswith(("dyn", "mine"))}


def curve_of(curve):
    """All that a driver says."""
    variables = [
        (own.name, own.type, [(t.id.name, t.data_path) for t in own.targets])
        for own in curve.driver.variables
    ]
    driver = (curve.driver.type, curve.driver.expression, curve.driver.is_valid, variables)
    return curve.data_path, curve.array_index, len(curve.keyframe_points), driver


def state(obj):
    """All that a reload may change."""
    bones = {
        bone.name: (
            {key: own for key, own in values(bone).items() if key != "matrix"},
            own_properties(bone),
            [values(own) for own in bone.constraints],
        )
        for bone in obj.pose.bones
    }
    rest = {bone.name: np.array(bone.matrix_local).tolist() for bone in obj.data.bones}
    curves = {
        (curve.data_path, curve.array_index): [
            (*point.co, *point.handle_left, *point.handle_right) for point in curve.keyframe_points
        ]
        for curve in compat.existing_channels(obj)
    }
    hanging = {
        own.name: (
            {key: value for key, value in values(own).items() if key not in EVALUATED},
            np.array(own.matrix_parent_inverse).tolist(),
            own_properties(own),
            [(slot.link, simple(slot.material)) for slot in own.material_slots],
            sorted(place.name for place in own.users_collection),
        )
        for own in [*obj.children_recursive, *loop_objects(obj)]
    }
    looks = {
        own.name: (values(own), [simple(i.default_value) for i in principled(own).inputs])
        for own in bpy.data.materials
    }
    drivers = sorted(curve_of(curve) for curve in obj.animation_data.drivers)
    texts = {text.name: text.as_string() for text in bpy.data.texts}
    named = (obj.name, obj.data.name, obj.animation_data.action.name, obj.mode)
    tables = own_properties(obj), own_properties(obj.data)
    return named, tables, bones, rest, curves, hanging, looks, drivers, texts


def assert_same(found, wanted, where=""):
    """Says where states differ."""
    if isinstance(wanted, dict):
        assert sorted(found) == sorted(wanted), where
        for key in wanted:
            assert_same(found[key], wanted[key], f"{where}/{key}")
    elif isinstance(wanted, tuple | list):
        assert len(found) == len(wanted), where
        for index, own in enumerate(wanted):
            assert_same(found[index], own, f"{where}/{index}")
    else:
        assert found == wanted, where


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("stage", STAGES)
def test_a_failure_at_any_stage_changes_nothing(robot, stage, when, monkeypatch, inventory):
    before, things = state(robot), inventory()
    owner, name = STAGES[stage]
    work = getattr(owner, name)

    def broken(*arguments, **named):
        if when == "after":
            work(*arguments, **named)
        raise MemoryError(stage)

    monkeypatch.setattr(owner, name, broken)
    with pytest.raises(MemoryError):
        reload_robot(bpy.context, robot)
    monkeypatch.undo()
    bpy.context.view_layer.update()
    assert inventory() == things
    assert_same(state(robot), before)
    # and it can be reloaded after that
    assert reload_robot(bpy.context, robot).changes
    assert reload_robot(bpy.context, robot).changes == ()


def test_the_state_that_is_compared_is_what_a_reload_changes(robot):
    before = state(robot)
    changes = reload_robot(bpy.context, robot).changes
    kinds = {change.split(" ", 1)[1] for change in changes}
    assert {"material", "limit", "link removed", "F-curve removed"} <= kinds | {
        kind.replace("s ", " ") for kind in kinds
    } | {kind.removesuffix("s") for kind in kinds}
    (names, *found), (old_names, *wanted) = state(robot), before
    assert names == old_names
    assert all(one != other for one, other in zip(found, wanted, strict=True))


def test_a_failure_in_pose_mode_leaves_the_mode(robot, monkeypatch):
    bpy.context.view_layer.objects.active = robot
    bpy.ops.object.mode_set(mode="POSE")
    before = state(robot)
    monkeypatch.setattr(reloading, "_write_report", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        reload_robot(bpy.context, robot)
    assert bpy.context.mode == "POSE"
    assert_same(state(robot), before)
