"""Pose the active robot where its loops are closed."""

from typing import Any

import bpy

from ...core.errors import DynarigError
from ..active_robot import RobotOperator, active_robot
from ..blender.loops import close_loops
from ..messages import one_line


class DYNARIG_OT_close_loops(RobotOperator):
    """The Close Loops button."""

    bl_idname = "dynarig.close_loops"
    bl_label = "Close Loops"
    bl_description = (
        "Move the joints of the active robot to the nearest pose in which its loop joints are "
        "closed, and say by how much. Keys stay as they are"
    )
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Close them, or say which cannot be closed and by how much."""
        try:
            result = close_loops(context, active_robot(context))
        except DynarigError as error:
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        self.report({"WARNING"} if result.open else {"INFO"}, one_line(result.summary()))
        return {"FINISHED"}
