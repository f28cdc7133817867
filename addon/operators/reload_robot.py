"""Read the file of the active robot again."""

from typing import Any

import bpy
from bpy.props import StringProperty

from ...core.errors import DynarigError
from ..active_robot import RobotOperator, active_robot
from ..blender.reload import is_file_gone, reload_robot
from ..blender.rig_access import find_robot
from ..messages import one_line


class DYNARIG_OT_reload_robot(RobotOperator):
    """The Reload from File button."""

    bl_idname = "dynarig.reload_robot"
    bl_label = "Reload from File"
    bl_description = (
        "Read the robot's file again, with the options of its import, and bring the active robot "
        "up to date: meshes, colours, limits, places of joints, new and removed links. Keys, "
        "names of bones, own bones and objects that hang from the robot stay; parts that were "
        "deleted by hand stay away until the file changes them"
    )
    # without REGISTER: the redo panel would read all files again
    bl_options = {"UNDO"}

    filter_glob: StringProperty(default="*.urdf;*.xacro", options={"HIDDEN"})
    filepath: StringProperty(
        name="File",
        description="The robot file, where it is in another place now; empty: where it was",
        subtype="FILE_PATH",
        options={"SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Reload; where the file is gone, ask for it."""
        robot = find_robot(context.active_object)
        if robot is not None and is_file_gone(robot):
            context.window_manager.fileselect_add(self)
            return {"RUNNING_MODAL"}
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Reload, and say what changed."""
        path = bpy.path.abspath(self.filepath) if self.filepath else None
        try:
            result = reload_robot(context, active_robot(context), path)
        except DynarigError as error:
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        self.report({"WARNING"} if result.notes or result.warnings else {"INFO"}, result.summary())
        return {"FINISHED"}
