"""Select a loop joint from the list in the panel."""

from typing import Any

import bpy
from bpy.props import StringProperty

from ..blender.loops import is_loop
from ..messages import one_line
from .add_loop import make_active


class DYNARIG_OT_select_loop(bpy.types.Operator):
    """The name of a loop joint in the panel."""

    bl_idname = "dynarig.select_loop"
    bl_label = "Select Loop Joint"
    bl_description = "Select the Empty of this loop joint, in object mode"
    bl_options = {"UNDO"}

    name: StringProperty(name="Name", description="Of the Empty", options={"SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Leave the mode and select it, if the view layer shows it."""
        obj = context.view_layer.objects.get(self.name)
        if not is_loop(obj):
            self.report({"ERROR"}, one_line(f"this view layer has no loop joint '{self.name}'"))
            return {"CANCELLED"}
        if not obj.visible_get(view_layer=context.view_layer):
            self.report({"ERROR"}, one_line(f"loop joint '{self.name}' is hidden; show it first"))
            return {"CANCELLED"}
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        make_active(context, obj)
        return {"FINISHED"}
