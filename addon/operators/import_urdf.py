"""File > Import > URDF Robot, and files dropped into a viewport."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import CollectionProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from ...core.errors import DynarigError
from ..blender.importing.importer import import_robot
from ..import_progress import ImportProgress
from ..import_properties import (
    ImportProperties,
    draw_import_options,
    forget_last_robot,
    options_of,
)
from ..messages import one_line
from ..preferences import search_folders

# of the files, which are others each time, neither presets nor the next import know
FILE = {"SKIP_SAVE", "SKIP_PRESET", "HIDDEN"}
# modes with undo steps of their own kind
STROKES = ("PAINT_TEXTURE", "PAINT_VERTEX", "SCULPT", "SCULPT_CURVES")


class DYNARIG_OT_import_urdf(bpy.types.Operator, ImportHelper, ImportProperties):  # type: ignore[misc]
    """The importer in the menu."""

    bl_idname = "dynarig.import_urdf"
    bl_label = "Import URDF Robot"
    bl_description = "Import a robot from a URDF or xacro file as an armature with its meshes"
    # without REGISTER: the redo panel would import all over again; the dialog has the presets
    bl_options = {"UNDO", "PRESET"}

    filename_ext = ".urdf"

    filter_glob: StringProperty(default="*.urdf;*.xacro", options=FILE)
    filepath: StringProperty(subtype="FILE_PATH", options=FILE)
    directory: StringProperty(subtype="DIR_PATH", options=FILE)
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options=FILE)

    def invoke(  # type: ignore[override]
        self, context: bpy.types.Context, _event: bpy.types.Event
    ) -> set[Any]:
        """Ask for the file, or only for the options when it was dropped."""
        forget_last_robot(self)
        return self.invoke_popup(context)  # type: ignore[func-returns-value, return-value]

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Import each file; one that fails leaves nothing behind and stops no other."""
        try:
            options = options_of(self, search_folders(context))
        except DynarigError as error:
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        paths = self._paths()
        if not paths:
            self.report({"ERROR"}, "no file was chosen; wanted a .urdf or .xacro file")
            return {"CANCELLED"}
        _make_undo_certain(context)
        imported = 0
        with ImportProgress(context, len(paths)) as progress:
            for path in paths:
                try:
                    result = import_robot(context, path, options, progress)
                except DynarigError as error:
                    self.report({"ERROR"}, one_line(error))
                else:
                    imported += 1
                    self.report({"WARNING"} if result.warnings else {"INFO"}, result.summary())
                progress.file_done()
        return {"FINISHED"} if imported else {"CANCELLED"}

    def draw(self, _context: bpy.types.Context) -> None:
        """The options."""
        draw_import_options(self.layout, self)

    def _paths(self) -> list[Path]:
        folder = Path(bpy.path.abspath(self.directory))
        names = [item.name for item in self.files if item.name]
        if names:
            return [folder / name for name in names]
        return [Path(bpy.path.abspath(self.filepath))] if self.filepath else []


def _make_undo_certain(context: bpy.types.Context) -> None:
    """A step to come back to where Blender's own does not know of other objects.

    The steps of sculpting hold the sculpted mesh alone: undone to one of them, the new objects
    would stay.
    """
    if context.mode in STROKES and bpy.ops.ed.undo_push.poll():  # type: ignore[call-arg]
        bpy.ops.ed.undo_push(message="Before Import")


class DYNARIG_FH_urdf(bpy.types.FileHandler):
    """Robot files dropped into a viewport or the outliner."""

    bl_idname = "DYNARIG_FH_urdf"
    bl_label = "URDF Robot"
    bl_import_operator = "dynarig.import_urdf"
    bl_file_extensions = ".urdf;.xacro"  # .xacro also matches .urdf.xacro

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """Where a robot can be dropped."""
        return context.area is not None and context.area.type in {"VIEW_3D", "OUTLINER"}


def menu_import(menu: Any, _context: bpy.types.Context) -> None:
    """The entry in File > Import."""
    menu.layout.operator(DYNARIG_OT_import_urdf.bl_idname, text="URDF Robot (.urdf, .xacro)")
