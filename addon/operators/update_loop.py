"""Let a loop joint take hold where its Empty was moved to."""

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty

from ...core.errors import DynarigError
from ..blender.loops import KINDS, end_text, is_loop, update_loop
from ..messages import one_line

NO_LOOP = "Select the Empty of a loop joint"


class DYNARIG_OT_update_loop(bpy.types.Operator):
    """The Update Loop Joint button."""

    bl_idname = "dynarig.update_loop"
    bl_label = "Update Loop Joint"
    bl_description = (
        "Let the selected loop joint take hold where its Empty is now, as the robot stands now. "
        "Until then the joint stays where it was, wherever the Empty is moved"
    )
    bl_options = {"REGISTER", "UNDO"}

    which: EnumProperty(
        name="Ends",
        description="Which ends take hold at the Empty. With one of them the loop is open as the "
        "robot stands, and Close Loops brings the ends together",
        items=(
            ("BOTH", "Both", "Both ends (of a rod the first one, the other has its own point)"),
            ("FIRST", "First", "Only the first end"),
            ("SECOND", "Second", "Only the second end"),
        ),
        default="BOTH",
        options={"SKIP_SAVE"},
    )
    kind: EnumProperty(
        name="Kind",
        description="What the joint keeps",
        items=(
            ("KEEP", "As It Is", "The kind that it has"),
            *((kind.id, kind.label, kind.description) for kind in KINDS.values()),
        ),
        default="KEEP",
        options={"SKIP_SAVE"},
    )
    keep_length: BoolProperty(
        name="Keep Length",
        description="A rod keeps its length; else it is measured anew",
        default=False,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a loop joint is active; the tooltip says why not."""
        if not is_loop(context.active_object):
            cls.poll_message_set(NO_LOOP)
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Update it, and say between what it is."""
        obj = context.active_object
        try:
            if obj is None:
                raise DynarigError(NO_LOOP)
            kind = None if self.kind == "KEEP" else self.kind
            joint = update_loop(obj, self.which, kind=kind, keep_number=self.keep_length)
        except DynarigError as error:
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        ends = f"{end_text(joint.a.link)} to {end_text(joint.b.link)}"
        self.report({"INFO"}, one_line(f"{obj.name}: {joint.kind.label}, {ends}"))
        return {"FINISHED"}
