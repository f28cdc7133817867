"""The list of objects that are the ground: add the selected ones, take one out, take all out."""

from typing import Any

import bpy
from bpy.props import IntProperty

from ..blender.contact.ground import ground_problem
from ..blender.rig_access import find_robot
from ..messages import one_line


class DYNARIG_OT_add_ground(bpy.types.Operator):
    """The Add Selected button."""

    bl_idname = "dynarig.add_ground"
    bl_label = "Add Selected"
    bl_description = "Add the selected mesh objects to the ground of simulations"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Add those that can be ground and are not yet."""
        picked: Any = context.scene.dynarig_ground
        robot = find_robot(context.active_object)
        there = {item.object for item in picked}
        new = [
            obj
            for obj in context.selected_objects
            if obj not in there and not ground_problem(robot, obj)
        ]
        if not new:
            self.report({"WARNING"}, "Select mesh objects that are no part of the robot")
            return {"CANCELLED"}
        for obj in new:
            picked.add().object = obj
        self.report({"INFO"}, one_line(f"Ground: added {', '.join(obj.name for obj in new)}"))
        return {"FINISHED"}


class DYNARIG_OT_remove_ground(bpy.types.Operator):
    """The cross beside an object in the list."""

    bl_idname = "dynarig.remove_ground"
    bl_label = "Remove"
    bl_description = "Take this object out of the ground"
    bl_options = {"UNDO"}

    index: IntProperty(
        name="Index", description="Of the object in the list", min=0, options={"SKIP_SAVE"}
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Take it out of the list; the object stays."""
        picked: Any = context.scene.dynarig_ground
        if not self.index < len(picked):
            self.report({"ERROR"}, f"The ground has {len(picked)} objects, and no {self.index}")
            return {"CANCELLED"}
        picked.remove(self.index)
        return {"FINISHED"}


class DYNARIG_OT_clear_ground(bpy.types.Operator):
    """The Clear button."""

    bl_idname = "dynarig.clear_ground"
    bl_label = "Clear"
    bl_description = "Take all objects out of the ground"
    bl_options = {"UNDO"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Empty the list; the objects stay."""
        picked: Any = context.scene.dynarig_ground
        picked.clear()
        return {"FINISHED"}
