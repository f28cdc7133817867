"""The part of the sidebar tab that is about loop joints."""

from typing import Any

import bpy

from .blender.loops import (
    KINDS,
    end_text,
    is_enabled,
    is_loop,
    is_moved,
    loop_objects,
    loop_problem,
    read_loop,
    robot_or_none,
)
from .blender.loops.values import ENABLED_KEY, NUMBER_KEYS
from .blender.rig_access import find_robot, open_rig
from .errors import RigError
from .messages import one_line
from .operators.add_loop import DYNARIG_OT_add_loop, selected_ends
from .operators.close_loops import DYNARIG_OT_close_loops
from .operators.select_loop import DYNARIG_OT_select_loop
from .operators.update_loop import DYNARIG_OT_update_loop
from .panels import DynarigPanel, table_problem

WIDE = 44  # letters of a message in one line of the panel


class DYNARIG_PT_loops(DynarigPanel):
    """Joints that close loops: add one, see those that there are, close them."""

    bl_label = "Loop Joints"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a robot is active, or a loop joint whose robot is gone."""
        return find_robot(context.active_object) is not None or is_loop(context.active_object)

    def draw(self, context: bpy.types.Context) -> None:
        """The fields of a new joint, the robot's list, the active joint's own settings."""
        layout: Any = self.layout
        robot = find_robot(context.active_object)
        if robot is None and is_loop(context.active_object):
            robot = robot_or_none(context.active_object)
        if robot is None:
            layout.label(text="Its robot is gone: delete it too", icon="ERROR")
            return
        if table_problem(robot):
            layout.label(text=table_problem(robot), icon="ERROR")
            return
        _draw_new(layout, context, robot)
        loops = loop_objects(robot)
        if not loops:
            return
        column = layout.column(align=True)
        for obj in loops:
            _draw_row(column, obj, obj == context.active_object)
        layout.operator(DYNARIG_OT_close_loops.bl_idname, icon="LINKED")
        for obj in loops:
            problem = loop_problem(obj, robot)
            if problem and is_enabled(obj):
                draw_lines(layout, problem)
        if context.active_object in loops:
            _draw_active(layout, context.active_object, robot)


def draw_lines(layout: bpy.types.UILayout, text: str) -> None:
    """A message in as many lines as it needs."""
    column = layout.column(align=True)
    lines = [""]
    for word in one_line(text).split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    for index, line in enumerate(lines):
        column.label(text=line, icon="BLANK1" if index else "ERROR")


def _draw_new(
    layout: bpy.types.UILayout, context: bpy.types.Context, robot: bpy.types.Object
) -> None:
    """What a new joint is asked for."""
    settings: Any = context.window_manager.dynarig_loops
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    selected = selected_ends(context, robot)
    if selected is not None:
        box = column.column(align=True)
        box.label(text=f"First: {selected[0]}", icon="BONE_DATA")
        box.label(text=f"Second: {selected[1]} (active)", icon="BONE_DATA")
    else:
        column.prop(settings, "pick_a")
        column.prop(settings, "pick_b")
    column.prop(settings, "kind")
    kind = KINDS[settings.kind]
    if kind.number is not None:
        column.prop(settings, kind.number)
    column.prop(settings, "place")
    column.prop(settings, "axis")
    column.operator(DYNARIG_OT_add_loop.bl_idname, icon="ADD")


def _draw_row(layout: bpy.types.UILayout, obj: bpy.types.Object, active: bool) -> None:
    """One joint of the list: on or off, and its name to select it."""
    row = layout.row(align=True)
    row.prop(obj, f'["{ENABLED_KEY}"]', text="")
    told: Any = row.operator(
        DYNARIG_OT_select_loop.bl_idname, text=obj.name, icon="EMPTY_DATA", depress=active
    )
    told.name = obj.name


def _draw_active(
    layout: bpy.types.UILayout, obj: bpy.types.Object, robot: bpy.types.Object
) -> None:
    """What the selected joint is, its number, and the button that takes its new place over."""
    try:
        rig, loop = open_rig(robot), read_loop(obj, robot)
    except RigError as error:
        if not is_enabled(obj) or not loop_problem(obj, robot):
            draw_lines(layout, str(error))
        return
    column = layout.column(align=True)
    column.label(text=f"{loop.kind.label}:")
    column.label(text=f"First: {end_text(loop.a.link)}", icon="BONE_DATA")
    column.label(text=f"Second: {end_text(loop.b.link)}", icon="BONE_DATA")
    if loop.kind.number is not None:
        text = f"{loop.kind.number.title()} (m)"
        column.prop(obj, f'["{NUMBER_KEYS[loop.kind.number]}"]', text=text)
    if is_moved(rig, obj, loop):
        layout.label(text="The Empty was moved: update", icon="INFO")
    layout.operator_menu_enum(DYNARIG_OT_update_loop.bl_idname, "which", icon="FILE_REFRESH")
