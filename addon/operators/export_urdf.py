"""File > Export > URDF Robot: the active robot as it is in the scene."""

from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ...core.errors import DynarigError
from ..active_robot import RobotOperator, active_robot
from ..blender.export import export_robot
from ..blender.rig_access import find_robot
from ..messages import one_line

REFERENCES = (
    (
        "AUTO",
        "Automatic",
        "As in the source file where that leads to the same file from the new place, "
        "else relative to the new file",
    ),
    (
        "KEEP",
        "As in Source",
        "As in the source file, such as package://…; relative names are made right for the new "
        "place",
    ),
    ("RELATIVE", "Relative", "By the path from the new file"),
    ("ABSOLUTE", "Absolute", "By the full path on this machine"),
)


class DYNARIG_OT_export_urdf(RobotOperator, ExportHelper):  # type: ignore[misc]
    """The exporter in the menu and in the panel."""

    bl_idname = "dynarig.export_urdf"
    bl_label = "Export URDF"
    bl_description = (
        "Write the active robot as a URDF file, with what was edited: limits, colours, shapes, "
        "places of joints. What was not edited stays exactly as in its source"
    )
    bl_options = {"PRESET"}

    filename_ext = ".urdf"

    filter_glob: StringProperty(default="*.urdf", options={"HIDDEN"})
    references: EnumProperty(
        name="Mesh Files",
        description="How the new file names its mesh and texture files",
        items=REFERENCES,
        default="AUTO",
    )

    def invoke(  # type: ignore[override]
        self, context: bpy.types.Context, event: bpy.types.Event
    ) -> set[Any]:
        """Ask for the file; it is called like the robot, unless a name is given."""
        robot = find_robot(context.active_object)
        if robot is not None and not self.properties.is_property_set("filepath"):
            self.properties.filepath = bpy.path.clean_name(robot.name) + self.filename_ext
        return super().invoke(context, event)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Write the file, and say what was edited."""
        path = bpy.path.abspath(self.properties.filepath)
        try:
            result = export_robot(context, active_robot(context), path, self.references)
        except DynarigError as error:
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        for note in result.notes[1:]:
            self.report({"INFO"}, one_line(note))
        self.report({"WARNING"} if result.notes else {"INFO"}, result.summary())
        return {"FINISHED"}

    def draw(self, _context: bpy.types.Context) -> None:
        """The options."""
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        self.layout.prop(self, "references")


def menu_export(menu: Any, _context: bpy.types.Context) -> None:
    """The entry in File > Export."""
    menu.layout.operator(DYNARIG_OT_export_urdf.bl_idname, text="URDF Robot (.urdf)")
