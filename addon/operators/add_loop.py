"""Add a loop joint between two bones of the active robot, or between a bone and the world."""

from typing import Any

import bpy
from bpy.props import StringProperty

from ...core.errors import DynarigError
from ..active_robot import RobotOperator, active_robot
from ..blender.loops import KINDS, WORLD, add_loop, end_text, table_of
from ..blender.loops.new_place import place_of_new_loop
from ..blender.robot_table import BONE_KEY
from ..errors import RigError
from ..loop_properties import LoopPlace
from ..messages import one_line

OPTIONS = ("kind", "place", "axis", "length", "lead")
NO_ENDS = (
    "choose both ends: select two bones in pose mode (the active one is the second end), or pick "
    "them in the panel"
)


class DYNARIG_OT_add_loop(RobotOperator, LoopPlace):
    """The Add Loop Joint button."""

    bl_idname = "dynarig.add_loop"
    bl_label = "Add Loop Joint"
    bl_description = (
        "Close a loop of the active robot: a joint between two bones, as they stand. In pose mode "
        "between the two that are selected, else between the ends picked in the panel"
    )
    bl_options = {"REGISTER", "UNDO"}

    end_a: StringProperty(
        name="First End",
        description=f"Exact name of a link, or {WORLD}; if empty, what is selected or picked",
        options={"SKIP_SAVE"},
    )
    end_b: StringProperty(
        name="Second End",
        description=f"Exact name of a link, or {WORLD}; if empty, what is selected or picked",
        options={"SKIP_SAVE"},
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Add it, and say between what."""
        try:
            obj, ends = self._add(context)
        except DynarigError as error:
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        if context.mode == "OBJECT":
            make_active(context, obj)
        self.report({"INFO"}, one_line(f"{obj.name}: {end_text(ends[0])} to {end_text(ends[1])}"))
        return {"FINISHED"}

    def _add(
        self, context: bpy.types.Context
    ) -> tuple[bpy.types.Object, tuple[str | None, str | None]]:
        robot = active_robot(context)
        panel = context.window_manager.dynarig_loops
        ends = self._ends(context, robot)
        # the redo panel starts from what was taken
        self.end_a, self.end_b = (WORLD if end is None else end for end in ends)
        for name in OPTIONS:
            if not self.properties.is_property_set(name):
                setattr(self, name, getattr(panel, name))
        kind = KINDS[self.kind]
        number = None if kind.number is None else getattr(self, kind.number) or None
        place = place_of_new_loop(context, robot, *ends, self.place, self.axis)
        return add_loop(robot, kind.id, *ends, place, number=number), ends

    def _ends(
        self, context: bpy.types.Context, robot: bpy.types.Object
    ) -> tuple[str | None, str | None]:
        """The links of both ends: as told, as selected, or as picked."""
        if self.end_a or self.end_b:
            if not (self.end_a and self.end_b):
                raise RigError(f"robot '{robot.name}': wanted both ends or none; {NO_ENDS}")
            return _link(self.end_a), _link(self.end_b)
        selected = selected_ends(context, robot)
        if selected is not None:
            return selected
        panel = context.window_manager.dynarig_loops
        picked = panel.picked_ends(robot)
        if None in picked:
            raise RigError(f"robot '{robot.name}': {NO_ENDS}")
        return _link(picked[0]), _link(picked[1])


def selected_ends(context: bpy.types.Context, robot: bpy.types.Object) -> tuple[str, str] | None:
    """The links of two selected bones of a robot in pose mode, that of the active one second."""
    active = context.active_pose_bone
    bones = context.selected_pose_bones if context.mode == "POSE" else None
    if active is None or bones is None or len(bones) != 2 or active not in bones:
        return None
    if any(bone.id_data != robot for bone in bones):
        return None
    other = bones[0] if bones[1] == active else bones[1]
    links = {record.id: record.link for record in table_of(robot).all_bones}
    found = [links.get(bone.bone.get(BONE_KEY)) for bone in (other, active)]
    if found[0] is None or found[1] is None:
        return None
    return found[0], found[1]


def make_active(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Select an object alone, if the view layer shows it."""
    view_layer = context.view_layer
    if obj.name not in view_layer.objects:
        return
    for other in view_layer.objects.selected[:]:
        other.select_set(False, view_layer=view_layer)
    obj.select_set(True, view_layer=view_layer)
    view_layer.objects.active = obj


def _link(text: str) -> str | None:
    return None if text == WORLD else text
