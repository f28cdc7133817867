"""The parts of the sidebar tab that are about contact: of a bake, and of the links on a bone."""

from typing import Any

import bpy

from .blender.contact.ground import ground_problem
from .blender.contact.link_overrides import PROPERTY
from .blender.rig_access import find_robot
from .errors import RigError
from .operators.ground_objects import (
    DYNARIG_OT_add_ground,
    DYNARIG_OT_clear_ground,
    DYNARIG_OT_remove_ground,
)
from .panels import NO_LIMITS, DynarigPanel, active_joint, edited_joint, limits_text


class DYNARIG_PT_contact(DynarigPanel):
    """What the robot touches in a bake, and what holds its joints."""

    bl_label = "Contact and Motors"
    bl_parent_id = "DYNARIG_PT_bake"

    def draw(self, context: bpy.types.Context) -> None:
        """The scheme, the ground with its list, the surfaces, the motors."""
        layout: Any = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        settings: Any = context.scene.dynarig
        robot = find_robot(context.active_object)
        column = layout.column()
        column.active = robot is not None
        column.prop(settings, "scheme")
        column.prop(settings, "ground")
        with_friction = settings.scheme == "FRICTION"
        if settings.ground == "OBJECTS":
            if with_friction:
                _draw_ground(column, context, robot)
            else:
                column.label(text="Objects want contacts with friction", icon="ERROR")
        if with_friction:
            column.prop(settings, "use_self_collision")
        if settings.ground != "NONE" or (with_friction and settings.use_self_collision):
            column.prop(settings, "geometry")
            column.prop(settings, "restitution")
            if with_friction:
                column.prop(settings, "friction")
        if with_friction:
            column.prop(settings, "contact_step")
        column.prop(settings, "use_impact_keys")
        column.separator()
        column.prop(settings, "motors")
        if settings.motors == "HOLD":
            column.prop(settings, "motor_frequency")
            column.prop(settings, "motor_damping")


class DYNARIG_PT_link_contact(DynarigPanel):
    """What the links on the active bone have of their own."""

    bl_label = "Contact"
    bl_parent_id = "DYNARIG_PT_joint"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active bone is a joint of a robot."""
        return active_joint(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Whether they collide, with which surface, and how the joint stops."""
        record = active_joint(context)
        bone = context.active_pose_bone
        if record is None or bone is None:
            return
        layout: Any = self.layout
        layout.use_property_decorate = False
        own = getattr(bone.bone, PROPERTY)
        layout.prop(own, "collides")
        surface = layout.column()
        surface.active = own.collides
        for name in ("restitution", "friction"):
            row = surface.row(heading=f"Own {name.title()}")
            row.prop(own, f"use_{name}", text="")
            value = row.row()
            value.active = getattr(own, f"use_{name}")
            value.prop(own, name, text="")
        try:
            if limits_text(edited_joint(context, record)) == NO_LIMITS:
                return
        except RigError:
            pass  # the panel above tells what is wrong with them
        row = layout.row(heading="Joint Limit")
        row.prop(own, "use_limit", text="")
        value = row.row()
        value.active = own.use_limit
        value.prop(own, "limit_restitution", text="Restitution")


def _draw_ground(
    layout: bpy.types.UILayout, context: bpy.types.Context, robot: bpy.types.Object | None
) -> None:
    """The list of picked objects, with what is wrong with them."""
    picked: Any = context.scene.dynarig_ground
    box = layout.box().column(align=True)
    for index, item in enumerate(picked):
        problem = ground_problem(robot, item.object)
        row = box.row(align=True)
        row.label(text=item.title, icon="ERROR" if problem else "MESH_DATA")
        told: Any = row.operator(DYNARIG_OT_remove_ground.bl_idname, text="", icon="X")
        told.index = index
        if problem:
            box.label(text=problem.partition(":")[0], icon="BLANK1")
    row = box.row(align=True)
    row.operator(DYNARIG_OT_add_ground.bl_idname, icon="ADD")
    if len(picked):
        row.operator(DYNARIG_OT_clear_ground.bl_idname, icon="TRASH")
