"""Add > Armature > Mechanism: a mechanism that is ready to run, with its motion as keys."""

import time
from typing import Any

import bpy

from ...core.errors import ArgumentError
from ..blender.bake.settings import BakeSettings, whole_frames
from ..blender.preset_play import enter_preset, plan_preset, simulate_preset
from ..job import JobOperator, Work
from ..mechanism_properties import (
    MechanismProperties,
    draw_options,
    in_these_words,
    parameters_of,
)
from ..properties import as_typed
from .add_loop import make_active

OTHER_MODE = "Leave edit or pose mode first: a mechanism is added in object mode"
WIDTH = 380  # of the dialog, pixels


class DYNARIG_OT_add_mechanism(JobOperator, MechanismProperties):
    """The entry of the menu: it asks for the options, then simulates."""

    bl_idname = "dynarig.add_mechanism"
    bl_label = "Add Mechanism"
    bl_description = (
        "Add a mechanism that is ready to run: it is simulated exactly, and comes as an armature "
        "with its shapes and keys"
    )
    # without REGISTER: the redo panel would simulate all over again; the dialog has the presets
    bl_options = {"UNDO", "PRESET"}
    title = "Simulating"

    _asked = False

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether objects can be added; the tooltip says why not."""
        if context.mode != "OBJECT":
            cls.poll_message_set(OTHER_MODE)
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Ask for the options; Blender goes on with `execute`."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        self._asked = True
        # the dialog shows what would be done without it
        self.range = range_kind(self)
        for name in ("frame_start", "frame_end"):
            if not self.properties.is_property_set(name):
                setattr(self, name, getattr(context.scene, name))
        answer: set[Any] = context.window_manager.invoke_props_dialog(self, width=WIDTH)
        return answer

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Simulate and add: between redraws after the dialog, at once for scripts."""
        if self._asked:
            self._asked = False
            return JobOperator.invoke(self, context, None)  # type: ignore[arg-type]
        return JobOperator.execute(self, context)

    def draw(self, _context: bpy.types.Context) -> None:
        """The dialog."""
        draw_options(self.layout, self)

    def begin(self, context: bpy.types.Context) -> Work:
        """Build the mechanism, and hand out its simulation."""
        self._started = time.perf_counter()
        told = self.properties.is_property_set("location")
        where = self.location if told else context.scene.cursor.location
        self._location = (where[0], where[1], where[2])
        settings = frames_of(context.scene, self)
        parameters = parameters_of(self)
        try:
            self._plan = plan_preset(self.preset, parameters, settings, self.use_impact_keys)
        except ArgumentError as error:
            raise in_these_words(self, error) from error
        return simulate_preset(self._plan)

    def finish(self, context: bpy.types.Context, answer: Any) -> None:
        """Put it into the scene, select it and report."""
        result = enter_preset(context, self._plan, answer, self._location, self._started)
        make_active(context, result.object)
        self.report({"WARNING"} if answer.remarks else {"INFO"}, result.summary())


def range_kind(operator: Any) -> str:
    """Which range counts: the one that the operator was told, by itself or by its frames."""
    told = operator.properties.is_property_set
    if not told("range"):
        if told("duration"):
            return "DURATION"
        if told("frame_start") or told("frame_end"):
            return "FRAMES"
    return str(operator.range)


def frames_of(scene: Any, operator: Any) -> BakeSettings:
    """The frames that the operator was told, by a range or by themselves; else the scene's."""
    fps = scene.render.fps / as_typed(scene.render.fps_base)
    told = operator.properties.is_property_set
    kind, start, end = range_kind(operator), scene.frame_start, scene.frame_end
    if kind != "SCENE" and told("frame_start"):
        start = operator.frame_start
    if kind == "FRAMES" and told("frame_end"):
        end = operator.frame_end
    if kind == "DURATION":
        end = start + whole_frames(as_typed(operator.duration), fps)
    return BakeSettings(
        frame_start=start, frame_end=end, fps=fps, interpolation=operator.interpolation
    )


def menu_add(menu: Any, _context: bpy.types.Context) -> None:
    """The entry in Add > Armature."""
    menu.layout.operator(DYNARIG_OT_add_mechanism.bl_idname, text="Mechanism", icon="CON_PIVOT")
