"""Pose the active robot where its loops are closed."""

from typing import Any

import bpy

from ...core.errors import DynarigError
from ..blender.loops import close_loops
from ..blender.rig_access import find_robot
from ..messages import one_line
from .bake_simulation import NO_ROBOT


class DYNARIG_OT_close_loops(bpy.types.Operator):
    """The Close Loops button."""

    bl_idname = "dynarig.close_loops"
    bl_label = "Close Loops"
    bl_description = (
        "Move the joints of the active robot to the nearest pose in which its loop joints are "
        "closed, and say by how much. Keys stay as they are"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a robot is active; the tooltip says why not."""
        if find_robot(context.active_object) is None:
            cls.poll_message_set(NO_ROBOT)
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Close them, or say which cannot be closed and by how much."""
        robot = find_robot(context.active_object)
        if robot is None:
            self.report({"ERROR"}, NO_ROBOT)
            return {"CANCELLED"}
        try:
            result = close_loops(context, robot)
        except DynarigError as error:
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        self.report({"WARNING"} if result.open else {"INFO"}, one_line(result.summary()))
        return {"FINISHED"}
