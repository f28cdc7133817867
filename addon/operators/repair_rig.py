"""Bring the active robot's rig back to what its file says."""

from typing import Any

import bpy

from ...core.errors import DynarigError
from ..blender.repair import repair_rig
from ..blender.rig_access import find_robot
from ..messages import one_line
from .bake_simulation import NO_ROBOT


class DYNARIG_OT_repair_rig(bpy.types.Operator):
    """The Repair Rig button."""

    bl_idname = "dynarig.repair_rig"
    bl_label = "Repair Rig"
    bl_description = (
        "Make the mimic drivers, rotation modes, locks and limit constraints of the active "
        "robot's bones again as the robot file says, after bones were renamed or changed, and "
        "check its loop joints. Keys stay as they are"
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
        """Repair, and say what was mended."""
        robot = find_robot(context.active_object)
        if robot is None:
            self.report({"ERROR"}, NO_ROBOT)
            return {"CANCELLED"}
        try:
            result = repair_rig(context, robot)
        except DynarigError as error:
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        self.report({"WARNING"} if result.problems else {"INFO"}, one_line(result.summary()))
        return {"FINISHED"}
