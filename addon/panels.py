"""The sidebar tab "Dynarig" in the 3D viewport."""

import math

import bpy

from ..core.urdf.document import Joint
from .active_robot import NO_ROBOT
from .blender.joint_limits import CONSTRAINT_NAME
from .blender.joint_properties import NUMBERS, SLIDING
from .blender.limit_edits import ends_of, with_edited_limit
from .blender.loops import is_enabled, loop_objects
from .blender.rig_access import find_robot
from .blender.rig_description import described_robot
from .blender.robot_table import BONE_KEY, BoneRecord, read_table
from .errors import RigError
from .messages import one_line
from .operators.bake_simulation import DYNARIG_OT_bake_simulation
from .operators.export_urdf import DYNARIG_OT_export_urdf
from .operators.import_urdf import DYNARIG_OT_import_urdf
from .operators.reload_robot import DYNARIG_OT_reload_robot
from .operators.repair_rig import DYNARIG_OT_repair_rig

NO_LIMITS = "no limits"


class DynarigPanel(bpy.types.Panel):
    """Where the panels stand."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Dynarig"


class DYNARIG_PT_robot(DynarigPanel):
    """Bring a robot in, see which one is active, mend it."""

    bl_label = "Robot"

    def draw(self, context: bpy.types.Context) -> None:
        """An import button, the active robot's name, and the button that repairs it."""
        layout = self.layout
        layout.operator(DYNARIG_OT_import_urdf.bl_idname, icon="IMPORT")
        robot = find_robot(context.active_object)
        if robot is None:
            layout.label(text="No robot is active", icon="INFO")
        else:
            layout.label(text=robot.name, icon="ARMATURE_DATA")
            problem = table_problem(robot)
            if problem:
                layout.label(text=problem, icon="ERROR")
            else:
                layout.operator(DYNARIG_OT_repair_rig.bl_idname, icon="TOOL_SETTINGS")
                layout.operator(DYNARIG_OT_reload_robot.bl_idname, icon="FILE_REFRESH")
                layout.operator(DYNARIG_OT_export_urdf.bl_idname, icon="EXPORT")


class DYNARIG_PT_joint(DynarigPanel):
    """The joint that the active bone is: exact name, type, and limits that count in a bake."""

    bl_label = "Joint"
    bl_parent_id = "DYNARIG_PT_robot"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active bone is a joint of a robot."""
        return active_joint(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """The joint in the words of its file, and its limits as they were edited."""
        record, bone, layout = active_joint(context), context.active_pose_bone, self.layout
        if record is None or bone is None or layout is None:
            return
        column = layout.column(align=True)
        column.label(text=f"{record.joint} ({record.kind})")
        column.label(text=f"moves {record.link}")
        try:
            column.label(text=limits_text(edited_joint(context, record)))
        except RigError as error:
            column.label(text=one_line(error), icon="ERROR")
        limit = bone.constraints.get(CONSTRAINT_NAME)
        if limit is not None and limit.mute:
            column.label(text="limit muted: the motion leaves it", icon="INFO")
        _draw_numbers(layout, bone, record.kind)


class DYNARIG_PT_bake(DynarigPanel):
    """Simulate and bake."""

    bl_label = "Simulation"

    def draw(self, context: bpy.types.Context) -> None:
        """The options of a bake, and the button; grey, with the reason, without a robot."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        settings = context.scene.dynarig
        robot = find_robot(context.active_object)
        active = robot is not None

        column = layout.column()
        column.active = active
        _draw_range(column, settings)
        column.separator()
        column.prop(settings, "use_scene_gravity")
        if not settings.use_scene_gravity:
            column.prop(settings, "gravity")
        column.prop(settings, "damping")
        column.prop(settings, "use_limits")
        column.separator()
        column.prop(settings, "interpolation")
        column.prop(settings, "use_tolerance")
        if settings.use_tolerance:
            column.prop(settings, "tolerance")
        if robot is not None and any(map(is_enabled, loop_objects(robot))):
            column.prop(settings, "loop_tolerance")

        layout.operator(DYNARIG_OT_bake_simulation.bl_idname, icon="REC")
        if not active:
            for line in NO_ROBOT.split(", "):
                layout.label(text=line)


def table_problem(robot: bpy.types.Object) -> str:
    """Why the table of a robot cannot be read, or nothing: a panel must draw in any case."""
    try:
        assert robot.data is not None
        read_table(robot.data)
    except RigError as error:
        return one_line(error)
    return ""


def limits_text(joint: Joint | None) -> str:
    """The limits of a joint, in degrees or metres; None is the joint of a floating base."""
    ends_now = (None, None) if joint is None else ends_of(joint)[1]
    if ends_now == (None, None):
        return NO_LIMITS
    turns = joint is not None and joint.type == "revolute"
    ends = [
        "none" if end is None else f"{math.degrees(end):.4g}°" if turns else f"{end:.4g} m"
        for end in ends_now
    ]
    return f"limits {ends[0]} to {ends[1]}"


def edited_joint(context: bpy.types.Context, record: BoneRecord) -> Joint | None:
    """The joint that the active bone is, with the limits of its constraint.

    Args:
        record: of the active bone.

    Returns:
        The joint; None for that of a floating base, which the file does not have.

    Raises:
        RigError: for a limit that is none, and a table that is damaged.
    """
    robot, bone = find_robot(context.active_object), context.active_pose_bone
    assert robot is not None and robot.data is not None and bone is not None, "it is active"
    described = described_robot(read_table(robot.data)).joints
    joint = next((own for own in described if own.name == record.joint), None)
    if joint is None:
        return None
    return with_edited_limit(joint, bone, record.sign, f"robot '{robot.name}'")


def active_joint(context: bpy.types.Context) -> BoneRecord | None:
    """The joint that the active bone is; None where it is none of a robot."""
    robot = find_robot(context.active_object)
    bone = context.active_pose_bone
    if robot is None or bone is None or bone.id_data != robot or robot.data is None:
        return None
    if table_problem(robot):
        return None
    records = read_table(robot.data).bones
    key = bone.bone.get(BONE_KEY)
    return next((record for record in records if record.id == key), None)


def _draw_numbers(layout: bpy.types.UILayout, bone: bpy.types.PoseBone, kind: str) -> None:
    """The numbers that the joint's bone has, to be edited; bakes and exports use them."""
    column = layout.column(align=True)
    for number in NUMBERS:
        if bone.get(number.key) is not None:
            unit = number.units[kind in SLIDING]
            column.prop(bone, f'["{number.key}"]', text=f"{number.attribute.title()} ({unit})")


def _draw_range(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    layout.row().prop(settings, "range", expand=True)
    if settings.range == "FRAMES":  # type: ignore[attr-defined]
        layout.prop(settings, "frame_start")
        layout.prop(settings, "frame_end")
    elif settings.range == "DURATION":  # type: ignore[attr-defined]
        layout.prop(settings, "duration")
