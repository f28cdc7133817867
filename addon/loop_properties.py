"""What the panel asks for a new loop joint; the operator has the same by name.

It is kept in the window manager and not in the file: the picked robot is no pointer there, which
would keep a robot in the file after the user has deleted it.
"""

from collections.abc import Callable
from typing import Any

import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty

from .blender.loops import KINDS, WORLD, EndChoice, end_choices, table_of
from .blender.rig_access import find_robot
from .errors import RigError

PLACES = (
    ("CURSOR", "3D Cursor", "At the 3D cursor"),
    ("SECOND", "Second End", "At the origin of the second link: the head of its bone"),
    ("FIRST", "First End", "At the origin of the first link: the head of its bone"),
)
AXES = (
    (
        "JOINT",
        "Joint Axis",
        "Z along the axis of the second bone's joint (of the first one's, if the second end does "
        "not move)",
    ),
    ("CURSOR", "3D Cursor", "As the 3D cursor is turned"),
    ("X", "X", "Z along the X axis of the world"),
    ("Y", "Y", "Z along the Y axis of the world"),
    ("Z", "Z", "As the world's axes"),
)
ENDS = ("a", "b")


class LoopPlace:
    """Kind and place of a new loop joint, for the panel and for the operator alike.

    Without SKIP_SAVE an operator would take its last values for ones that it was told.
    """

    kind: EnumProperty(
        name="Kind",
        description="What the joint keeps",
        items=tuple((kind.id, kind.label, kind.description) for kind in KINDS.values()),
        default="HINGE",
        options={"SKIP_SAVE"},
    )
    place: EnumProperty(
        name="Place",
        description="Where the joint is; its Empty appears there",
        items=PLACES,
        default="CURSOR",
        options={"SKIP_SAVE"},
    )
    axis: EnumProperty(
        name="Axis",
        description="Where the Z axis of the Empty points, which is the axis of the joint",
        items=AXES,
        default="JOINT",
        options={"SKIP_SAVE"},
    )
    length: FloatProperty(
        name="Length",
        description="Of a rod, in the robot's own lengths (m); 0 takes the present distance",
        default=0.0,
        soft_min=0.0,
        precision=4,
        options={"SKIP_SAVE"},
    )
    lead: FloatProperty(
        name="Lead",
        description="Of a screw: the slide in a whole turn, in the robot's own lengths (m); "
        "negative for a left-handed thread",
        default=0.01,
        precision=4,
        options={"SKIP_SAVE"},
    )


def robot_choices(robot: bpy.types.Object | None) -> tuple[EndChoice, ...]:
    """The ends that the active robot can have; none for a robot that cannot be read."""
    if robot is None:
        return ()
    try:
        return end_choices(table_of(robot))
    except RigError:
        return ()


def pick_property(end: str, name: str) -> Any:
    """A field to pick an end by joint or link; it shows names and keeps bone id and link."""

    def shown(self: Any) -> str:
        robot = find_robot(bpy.context.active_object)
        if robot is None or robot.session_uid != getattr(self, f"robot_{end}"):
            return ""
        picked = (getattr(self, f"link_{end}"), getattr(self, f"bone_{end}"))
        fits: Callable[[EndChoice], bool] = lambda own: picked == (_link(own), own.bone or "")  # noqa: E731
        return next((own.text for own in robot_choices(robot) if fits(own)), "")

    def pick(self: Any, text: str) -> None:
        robot = find_robot(bpy.context.active_object)
        found = next((own for own in robot_choices(robot) if text in (own.text, own.link)), None)
        setattr(self, f"robot_{end}", robot.session_uid if robot and found else 0)
        setattr(self, f"link_{end}", _link(found) if found else "")
        setattr(self, f"bone_{end}", (found.bone or "") if found else "")

    def search(_self: Any, context: bpy.types.Context, text: str) -> list[str]:
        texts = [own.text for own in robot_choices(find_robot(context.active_object))]
        return [own for own in texts if text.lower() in own.lower()]

    return StringProperty(
        name=name,
        description="A joint or link of the active robot, or the armature object's origin",
        get=shown,
        set=pick,
        search=search,
    )


class DynarigLoopSettings(bpy.types.PropertyGroup, LoopPlace):
    """The panel's settings for the next loop joint."""

    pick_a: pick_property("a", "First End")
    pick_b: pick_property("b", "Second End")
    robot_a: IntProperty(options={"HIDDEN"})
    robot_b: IntProperty(options={"HIDDEN"})
    bone_a: StringProperty(options={"HIDDEN"})
    bone_b: StringProperty(options={"HIDDEN"})
    link_a: StringProperty(options={"HIDDEN"})
    link_b: StringProperty(options={"HIDDEN"})

    def picked_ends(self, robot: bpy.types.Object) -> tuple[str | None, str | None]:
        """Links (WORLD for the world) that were picked on a robot; None where none was."""
        first, second = (
            getattr(self, f"link_{end}") or None
            if getattr(self, f"robot_{end}") == robot.session_uid
            else None
            for end in ENDS
        )
        return first, second


def _link(choice: EndChoice) -> str:
    return WORLD if choice.link is None else choice.link


def register() -> None:
    """Hang the settings on the window manager."""
    bpy.types.WindowManager.dynarig_loops = bpy.props.PointerProperty(  # type: ignore
        type=DynarigLoopSettings
    )


def unregister() -> None:
    """Undo register()."""
    del bpy.types.WindowManager.dynarig_loops  # type: ignore[attr-defined]
