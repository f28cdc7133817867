"""Bring the active robot's rig back to what its file says."""

from typing import Any

import bpy

from ...core.errors import DynarigError
from ..active_robot import RobotOperator, active_robot
from ..blender.repair import repair_rig
from ..messages import one_line


class DYNARIG_OT_repair_rig(RobotOperator):
    """The Repair Rig button."""

    bl_idname = "dynarig.repair_rig"
    bl_label = "Repair Rig"
    bl_description = (
        "Make the mimic drivers, rotation modes, locks and limit constraints of the active "
        "robot's bones again as the robot file says, after bones were renamed or changed, and "
        "check its loop joints. Keys stay as they are"
    )
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Repair, and say what was mended."""
        try:
            result = repair_rig(context, active_robot(context))
        except DynarigError as error:
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        self.report({"WARNING"} if result.problems else {"INFO"}, one_line(result.summary()))
        return {"FINISHED"}
