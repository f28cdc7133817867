"""The Blender add-on: what it registers, in order."""

import bpy

from .operators.import_urdf import DYNARIG_FH_urdf, DYNARIG_OT_import_urdf, menu_import

CLASSES: tuple[type, ...] = (
    DYNARIG_OT_import_urdf,
    DYNARIG_FH_urdf,
)


def register() -> None:
    """Register every class, then what hangs on Blender's own types."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_import.append(menu_import)


def unregister() -> None:
    """Undo register(), in reverse."""
    bpy.types.TOPBAR_MT_file_import.remove(menu_import)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
