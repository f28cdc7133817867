"""Simulate the active robot and bake its motion to keyframes."""

import time
from dataclasses import replace
from typing import Any

import bpy
from bpy.props import CollectionProperty, StringProperty

from ...core.trajectory import Trajectory, read_csv, read_npz
from ..active_robot import RobotOperator, active_robot
from ..blender.bake.bake import BakePlan, prepare_bake, simulate_bake, write_bake
from ..blender.bake.settings import BakeSettings, whole_frames
from ..blender.contact.settings import ContactSettings
from ..contact_properties import ground_keys
from ..job import JobOperator, Work
from ..messages import one_line
from ..properties import BakeProperties, as_typed, option


class DYNARIG_OT_bake_simulation(JobOperator, RobotOperator, BakeProperties):
    """The Bake button."""

    bl_idname = "dynarig.bake_simulation"
    bl_label = "Bake Simulation"
    bl_description = "Simulate the active robot from its current pose and bake the motion to keys"
    # without REGISTER: the redo panel would simulate all over again
    bl_options = {"UNDO"}
    title = "Simulating"

    trajectory: StringProperty(
        name="Trajectory",
        description="A motion to bake instead of a simulation: a saved .npz, or a CSV file with a "
        "column 'time' (s), then joints by name (rad or m)",
        subtype="FILE_PATH",
        options={"SKIP_SAVE"},
    )
    ground_objects: CollectionProperty(
        name="Ground Objects",
        description="Names of the mesh objects that are the ground, instead of the panel's",
        type=bpy.types.OperatorFileListElement,
        options={"SKIP_SAVE"},
    )

    def begin(self, context: bpy.types.Context) -> Work:
        """The simulation, or the reading of a file."""
        robot = active_robot(context)
        self._started = time.perf_counter()
        settings = settings_of_scene(_scene(context), self)
        self._plan = prepare_bake(context, robot, settings, simulated=not self.trajectory)
        if not self.trajectory:
            return simulate_bake(self._plan)
        path = bpy.path.abspath(self.trajectory)
        read = read_npz if path.lower().endswith(".npz") else read_csv
        motion = read(self._plan.model, path)
        if range_kind(_scene(context), self) == "SCENE":
            self._plan = _whole_file(self._plan, motion)
        return _given(motion)

    def finish(self, context: bpy.types.Context, answer: Any) -> None:
        """Write the keys."""
        result = write_bake(context, self._plan, answer, self._started)
        for line in result.untold:
            self.report({"INFO"}, one_line(line))
        self.report({"INFO"} if result.is_flawless else {"WARNING"}, result.summary())


def settings_of_scene(scene: bpy.types.Scene, operator: Any = None) -> BakeSettings:
    """What the panel says, and the operator where it was told otherwise, as plain values."""

    def get(name: str) -> Any:
        return option(scene, operator, name)

    fps = scene.render.fps / as_typed(scene.render.fps_base)
    start, end = _frames(scene, operator, fps)
    gravity = scene.gravity[:] if scene.use_gravity else (0.0, 0.0, 0.0)
    told = operator is not None and operator.properties.is_property_set("gravity")
    if told or not get("use_scene_gravity"):
        gravity = get("gravity")[:]
    return BakeSettings(
        frame_start=start,
        frame_end=end,
        fps=fps,
        gravity=(gravity[0], gravity[1], gravity[2]),
        damping=get("damping"),
        use_limits=get("use_limits"),
        interpolation=get("interpolation"),
        tolerance=get("tolerance") if get("use_tolerance") else None,
        loop_tolerance=get("loop_tolerance"),
        contact=_contact_of_scene(scene, operator),
    )


def _contact_of_scene(scene: bpy.types.Scene, operator: Any) -> ContactSettings:
    """What is asked about contact and motors.

    Of what only contacts with friction know the panel counts for them alone; what the operator is
    told counts in any case, and is refused where it does not fit.
    """

    def told(name: str) -> bool:
        return operator is not None and bool(operator.properties.is_property_set(name))

    def get(name: str) -> Any:
        return option(scene, operator, name)

    def with_friction(name: str, otherwise: Any) -> Any:
        return get(name) if get("scheme") == "FRICTION" or told(name) else otherwise

    ground, objects = get("ground"), ground_keys(scene)
    if told("ground_objects"):
        objects = tuple(item.name for item in operator.ground_objects)
        ground = operator.ground if told("ground") else "OBJECTS"
    friction, step = with_friction("friction", None), with_friction("contact_step", None)
    return ContactSettings(
        scheme=get("scheme"),
        ground=ground,
        objects=objects if ground == "OBJECTS" else (),
        restitution=as_typed(get("restitution")),
        friction=None if friction is None else as_typed(friction),
        step=None if step is None else as_typed(step),
        use_self_collision=with_friction("use_self_collision", False),
        geometry=get("geometry"),
        motors=get("motors"),
        motor_frequency=as_typed(get("motor_frequency")),
        motor_damping=as_typed(get("motor_damping")),
        use_impact_keys=get("use_impact_keys"),
    )


def range_kind(scene: bpy.types.Scene, operator: Any = None) -> str:
    """Which range counts: the one that the operator was told, by itself or by its frames."""
    if operator is not None and not operator.properties.is_property_set("range"):
        if operator.properties.is_property_set("duration"):
            return "DURATION"
        if any(map(operator.properties.is_property_set, ("frame_start", "frame_end"))):
            return "FRAMES"
    return str(option(scene, operator, "range"))


def _frames(scene: bpy.types.Scene, operator: Any, fps: float) -> tuple[int, int]:
    """The first and the last frame; what neither operator nor panel says is the scene's."""

    def frame(name: str) -> int:
        told = operator is not None and operator.properties.is_property_set(name)
        if told or scene.dynarig.range == "FRAMES":  # type: ignore[attr-defined]
            return int(option(scene, operator, name))
        return int(getattr(scene, name))

    kind = range_kind(scene, operator)
    if kind == "SCENE":
        return scene.frame_start, scene.frame_end
    if kind == "FRAMES":
        return frame("frame_start"), frame("frame_end")
    told = operator is not None and operator.properties.is_property_set("frame_start")
    start = operator.frame_start if told else scene.frame_start
    return start, start + whole_frames(as_typed(option(scene, operator, "duration")), fps)


def _whole_file(plan: BakePlan, motion: Trajectory) -> BakePlan:
    """The plan, with all frames that a motion from a file has."""
    settings = plan.settings
    frames = whole_frames(float(motion.times[-1] - motion.times[0]), settings.fps)
    return replace(plan, settings=replace(settings, frame_end=settings.frame_start + frames))


def _scene(context: bpy.types.Context) -> bpy.types.Scene:
    assert context.scene is not None
    return context.scene


def _given(motion: Trajectory) -> Work:
    yield 1.0
    return motion
