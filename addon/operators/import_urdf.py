"""File > Import > URDF Robot, and files dropped into a viewport."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from ...core.errors import DynarigError
from ..blender.import_options import ImportOptions
from ..blender.importer import import_robot
from ..messages import one_line


class DYNARIG_OT_import_urdf(bpy.types.Operator, ImportHelper):  # type: ignore[misc]
    """The importer in the menu."""

    bl_idname = "dynarig.import_urdf"
    bl_label = "Import URDF Robot"
    bl_description = "Import a robot from a URDF file as an armature with its meshes"
    bl_options = {"UNDO", "PRESET"}

    filename_ext = ".urdf"

    filter_glob: StringProperty(default="*.urdf", options={"HIDDEN"})
    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"SKIP_SAVE", "HIDDEN"})
    files: CollectionProperty(
        type=bpy.types.OperatorFileListElement, options={"SKIP_SAVE", "HIDDEN"}
    )
    floating_base: BoolProperty(
        name="Floating Base",
        description="The root link moves freely, as of a walking robot or a drone; "
        "otherwise it is fixed to the armature",
        default=False,
    )
    package_dirs: StringProperty(
        name="Package Folders",
        description="Folders to search for the ROS packages that mesh files are named by, "
        "separated by semicolons. Folders near the robot file are searched anyway",
        default="",
    )

    def invoke(  # type: ignore[override]
        self, context: bpy.types.Context, _event: bpy.types.Event
    ) -> set[Any]:
        """Ask for the file, or only for the options when it was dropped."""
        return self.invoke_popup(context)  # type: ignore[func-returns-value, return-value]

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Import each file; one that fails leaves nothing behind and stops no other."""
        folders = tuple(
            bpy.path.abspath(part.strip()) for part in self.package_dirs.split(";") if part.strip()
        )
        options = ImportOptions(floating_base=self.floating_base, package_dirs=folders)
        imported = 0
        for path in self._paths():
            try:
                result = import_robot(context, path, options)
            except DynarigError as error:
                self.report({"ERROR"}, one_line(error))
                continue
            imported += 1
            self.report({"WARNING"} if result.warnings else {"INFO"}, result.summary())
        return {"FINISHED"} if imported else {"CANCELLED"}

    def draw(self, _context: bpy.types.Context) -> None:
        """The options."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "floating_base")
        layout.prop(self, "package_dirs")

    def _paths(self) -> list[Path]:
        folder = Path(bpy.path.abspath(self.directory))
        names = [item.name for item in self.files if item.name]
        return [folder / name for name in names] or [Path(bpy.path.abspath(self.filepath))]


class DYNARIG_FH_urdf(bpy.types.FileHandler):
    """Robot files dropped into a viewport or the outliner."""

    bl_idname = "DYNARIG_FH_urdf"
    bl_label = "URDF Robot"
    bl_import_operator = "dynarig.import_urdf"
    bl_file_extensions = ".urdf"

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """Where a robot can be dropped."""
        return context.area is not None and context.area.type in {"VIEW_3D", "OUTLINER"}


def menu_import(menu: Any, _context: bpy.types.Context) -> None:
    """The entry in File > Import."""
    menu.layout.operator(DYNARIG_OT_import_urdf.bl_idname, text="URDF Robot (.urdf)")
