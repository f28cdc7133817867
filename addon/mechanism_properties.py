"""What the user chooses when a ready mechanism is added: which one, how long, and its numbers."""

from collections.abc import Mapping
from typing import Any

from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
)

from ..core.errors import ArgumentError
from ..core.mechanism.presets import PRESETS
from .properties import (
    as_typed,
    duration_property,
    frame_property,
    interpolation_property,
    range_property,
)

# a preset's name -> the properties that are its own, each with the parameter that it sets
PARAMETERS: Mapping[str, Mapping[str, str]] = {
    "jack_in_a_box": {
        "box_size": "Lb",
        "box_mass": "mb",
        "jack_size": "Lj",
        "jack_mass": "mj",
        "gravity": "g",
        "shake": "Ax",
        "shake_stiffness": "kx",
        "lift_stiffness": "ky",
        "turn_stiffness": "kth",
        "restitution": "restitution",
    }
}
DRIVE = ("shake", "shake_stiffness", "lift_stiffness", "turn_stiffness")
START = ("jack_location", "jack_angle", "jack_velocity", "jack_spin")


def _number(name: str, description: str, default: float, **more: Any) -> Any:
    """A number from 0 on; what does not fit is told and not cut, so that nobody gets another."""
    return FloatProperty(name=name, description=description, default=default, soft_min=0.0, **more)


class MechanismProperties:
    """The options of the operator; the defaults are those of the presets."""

    preset: EnumProperty(
        name="Mechanism",
        description="What is added",
        items=tuple((own.name, own.title, own.text) for own in PRESETS),
    )
    location: FloatVectorProperty(
        name="Location",
        description="Where its middle is; at the 3D cursor if not given",
        subtype="TRANSLATION",
        options={"SKIP_SAVE"},
    )
    range: range_property()
    frame_start: frame_property("Start", "The frame at which the motion starts", 1)
    frame_end: frame_property("End", "The last frame", 250)
    duration: duration_property(3.0)
    restitution: _number(
        "Restitution",
        "Speed after a hit over speed before, from 0 (dead) to 1 (elastic)",
        1.0,
        soft_max=1.0,
        precision=3,
    )
    impacts: EnumProperty(
        name="Hits at Once",
        description="What happens where several things hit at the same instant",
        items=(
            ("joint", "Together", "All hits push at once: what is symmetric stays so"),
            (
                "sequential",
                "One after Another",
                "Each hit passes its blow on to the next, until nothing closes any more",
            ),
        ),
        default="joint",
    )
    box_size: _number("Box Size", "Inner edge of the box", 2.0, unit="LENGTH")
    box_mass: _number("Box Mass", "Mass of the box", 20.0, unit="MASS")
    jack_size: _number(
        "Jack Size",
        "Edge of the square whose corners are the tips of the jack; an arm is 0.71 of it long",
        0.5,
        unit="LENGTH",
    )
    jack_mass: _number("Jack Mass", "Mass of the jack", 1.0, unit="MASS")
    gravity: _number(
        "Gravity", "Acceleration of free fall (m/s²)", 9.81, unit="ACCELERATION", precision=3
    )
    shake: _number(
        "Shake", "How far the box is pulled to either side, once in a second", 0.5, unit="LENGTH"
    )
    shake_stiffness: _number(
        "Shake Stiffness", "Stiffness of the spring that pulls the box to and fro (N/m)", 400.0
    )
    lift_stiffness: _number(
        "Lift Stiffness", "Stiffness of the spring that carries the box (N/m)", 2000.0
    )
    turn_stiffness: _number(
        "Turn Stiffness", "Stiffness of the spring that keeps the box upright (N m/rad)", 100.0
    )
    jack_location: FloatVectorProperty(
        name="Start",
        description="Where the jack starts, to the right of the middle of the box and above it",
        size=2,
        default=(0.1, 0.2),
        unit="LENGTH",
    )
    jack_angle: FloatProperty(
        name="Angle",
        description="How the jack is turned at the start",
        default=0.3,
        unit="ROTATION",
    )
    jack_velocity: FloatVectorProperty(
        name="Velocity",
        description="How fast the jack starts, to the right and up (m/s)",
        size=2,
        default=(0.4, 0.0),
        unit="VELOCITY",
    )
    jack_spin: FloatProperty(
        name="Spin", description="How fast the jack turns at the start (rad/s)", default=1.5
    )
    interpolation: interpolation_property()
    use_impact_keys: BoolProperty(
        name="Impact Keys",
        description="A key at the very time of each hit, with handles of its own for the motion "
        "before and after it, and more keys between frames where curves would stray, so that "
        "nothing leaves the box between two frames",
        default=True,
    )


def parameters_of(operator: Any) -> dict[str, Any]:
    """The arguments of the preset's function, as the operator has them."""
    given: dict[str, Any] = {
        parameter: as_typed(getattr(operator, name))
        for name, parameter in PARAMETERS[operator.preset].items()
    }
    if operator.preset == "jack_in_a_box":
        place, speed = (
            tuple(map(as_typed, pair)) for pair in (operator.jack_location, operator.jack_velocity)
        )
        given["q0"] = (0.0, 0.0, 0.0, *place, as_typed(operator.jack_angle))
        given["v0"] = (0.0, 0.0, 0.0, *speed, as_typed(operator.jack_spin))
        given["impacts"] = operator.impacts
    return given


def in_these_words(operator: Any, error: ArgumentError) -> ArgumentError:
    """An error about a parameter, with the names that the options have."""
    _, parameter, *rest = str(error).split(": ", 2)
    titles = {
        parameter: operator.properties.bl_rna.properties[name].name
        for name, parameter in PARAMETERS[operator.preset].items()
    }
    name = {**titles, "q0": "Start", "v0": "Start"}.get(parameter)
    if name is None or not rest:
        return error
    title = next(own.title for own in PRESETS if own.name == operator.preset)
    return ArgumentError(f"{title}: {name}: {rest[0]}")


def draw_options(layout: Any, operator: Any) -> None:
    """All options, in the order in which they are thought of."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    layout.prop(operator, "preset")
    column = layout.column()
    column.row().prop(operator, "range", expand=True)
    if operator.range != "SCENE":
        column.prop(operator, "frame_start")
        column.prop(operator, "frame_end" if operator.range == "FRAMES" else "duration")
    column = layout.column(align=True)
    for name in PARAMETERS[operator.preset]:
        if name not in (*DRIVE, "restitution"):
            column.prop(operator, name)
    column = layout.column(align=True)
    for name in DRIVE:
        column.prop(operator, name)
    column = layout.column(align=True)
    for name in START:
        column.prop(operator, name)
    column = layout.column()
    column.prop(operator, "restitution")
    column.prop(operator, "impacts")
    column = layout.column()
    column.prop(operator, "interpolation")
    column.prop(operator, "use_impact_keys")
