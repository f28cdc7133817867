"""What the add-on registers in Blender, in order."""

import bpy

from . import contact_properties, loop_properties, properties
from .contact_panel import DYNARIG_PT_contact, DYNARIG_PT_link_contact
from .contact_properties import DynarigGroundObject, DynarigLinkSettings
from .loop_panel import DYNARIG_PT_loops
from .loop_properties import DynarigLoopSettings
from .operators.add_loop import DYNARIG_OT_add_loop
from .operators.add_mechanism import DYNARIG_OT_add_mechanism, menu_add
from .operators.bake_simulation import DYNARIG_OT_bake_simulation
from .operators.close_loops import DYNARIG_OT_close_loops
from .operators.export_urdf import DYNARIG_OT_export_urdf, menu_export
from .operators.ground_objects import (
    DYNARIG_OT_add_ground,
    DYNARIG_OT_clear_ground,
    DYNARIG_OT_remove_ground,
)
from .operators.import_urdf import DYNARIG_FH_urdf, DYNARIG_OT_import_urdf, menu_import
from .operators.reload_robot import DYNARIG_OT_reload_robot
from .operators.repair_rig import DYNARIG_OT_repair_rig
from .operators.select_loop import DYNARIG_OT_select_loop
from .operators.update_loop import DYNARIG_OT_update_loop
from .panels import DYNARIG_PT_bake, DYNARIG_PT_joint, DYNARIG_PT_robot
from .preferences import (
    DYNARIG_OT_add_search_folder,
    DYNARIG_OT_remove_search_folder,
    DynarigPreferences,
    DynarigSearchFolder,
)
from .properties import DynarigSceneSettings

CLASSES: tuple[type, ...] = (
    DynarigSceneSettings,
    DynarigGroundObject,
    DynarigLinkSettings,
    DynarigLoopSettings,
    DynarigSearchFolder,
    DYNARIG_OT_add_search_folder,
    DYNARIG_OT_remove_search_folder,
    DynarigPreferences,
    DYNARIG_OT_import_urdf,
    DYNARIG_FH_urdf,
    DYNARIG_OT_export_urdf,
    DYNARIG_OT_reload_robot,
    DYNARIG_OT_bake_simulation,
    DYNARIG_OT_repair_rig,
    DYNARIG_OT_add_mechanism,
    DYNARIG_OT_add_loop,
    DYNARIG_OT_update_loop,
    DYNARIG_OT_select_loop,
    DYNARIG_OT_close_loops,
    DYNARIG_OT_add_ground,
    DYNARIG_OT_remove_ground,
    DYNARIG_OT_clear_ground,
    DYNARIG_PT_robot,
    DYNARIG_PT_joint,
    DYNARIG_PT_link_contact,
    DYNARIG_PT_loops,
    DYNARIG_PT_bake,
    DYNARIG_PT_contact,
)


def register() -> None:
    """Register every class, then what hangs on Blender's own types."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    properties.register()
    loop_properties.register()
    contact_properties.register()
    bpy.types.TOPBAR_MT_file_import.append(menu_import)
    bpy.types.TOPBAR_MT_file_export.append(menu_export)
    bpy.types.VIEW3D_MT_armature_add.append(menu_add)


def unregister() -> None:
    """Undo register(), in reverse."""
    bpy.types.VIEW3D_MT_armature_add.remove(menu_add)
    bpy.types.TOPBAR_MT_file_export.remove(menu_export)
    bpy.types.TOPBAR_MT_file_import.remove(menu_import)
    contact_properties.unregister()
    loop_properties.unregister()
    properties.unregister()
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
