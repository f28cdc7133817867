"""What a joint's bone says of its joint, as custom properties that a person can read and edit.

Names are texts, exact, which bones' own names may not be. Numbers are there where the file gives
them. A bake and an export take the numbers from here: a property that was removed means the
file's value, and one that was added counts where the file has none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import bpy

from ...core.urdf.document import Joint, Limit
from ..errors import RigError

JOINT_KEY = "urdf_joint"  # exact name of the joint that moves the bone
LINK_KEY = "urdf_link"  # exact name of the link that the bone carries
# types of joints whose values are lengths
SLIDING = ("prismatic",)


@dataclass(frozen=True)
class JointNumber:
    """A number of a joint: where it stands in the description, and what to tell of it."""

    element: str
    attribute: str
    what: str
    units: tuple[str, str]  # of a turn, of a slide

    @property
    def key(self) -> str:
        """The name of the custom property."""
        return f"urdf_{self.attribute}"

    def of(self, joint: Joint) -> float | None:
        """The number in the description; None where the file does not give it."""
        value = getattr(getattr(joint, self.element), self.attribute, None)
        # a joint without <dynamics> has its zeros
        return None if self.element == "dynamics" and not value else value


NUMBERS = (
    JointNumber("limit", "effort", "Largest force of the joint's motor", ("N m", "N")),
    JointNumber("limit", "velocity", "Largest speed of the joint", ("rad/s", "m/s")),
    JointNumber("dynamics", "damping", "Viscous damping", ("N m s/rad", "N s/m")),
    JointNumber("dynamics", "friction", "Coulomb friction", ("N m", "N")),
)


def set_names(bone: bpy.types.PoseBone, joint: str | None, link: str) -> bool:
    """Say which joint (None: no joint moves it) and which link a bone is; whether that is new."""
    wanted = {LINK_KEY: link} if joint is None else {JOINT_KEY: joint, LINK_KEY: link}
    told = {
        JOINT_KEY: "Exact name of the joint that this bone is",
        LINK_KEY: "Exact name of the link that this bone carries",
    }
    changed = False
    for key, text in wanted.items():
        found = bone.get(key)
        if found != text:
            if found is not None and not isinstance(found, str):
                del bone[key]  # Blender gives no property another type
            bone[key] = text
            _describe(bone, key, description=told[key])
            changed = True
    return changed


def set_numbers(bone: bpy.types.PoseBone, joint: Joint) -> None:
    """Make the numbers of a joint, where its file gives them, properties of its bone."""
    for number in NUMBERS:
        value = number.of(joint)
        if value is None:
            continue
        unit = number.units[joint.type in SLIDING]
        bone[number.key] = float(value)
        told = f"{number.what}, {unit}; counts in a bake and in an export"
        _describe(bone, number.key, description=told, min=0.0)


def _describe(bone: bpy.types.PoseBone, key: str, **told: Any) -> None:
    """Say what a custom property is; it can be edited in overrides of a linked robot too."""
    data: Any = bone
    data.id_properties_ui(key).update(**told)
    data.property_overridable_library_set(f'["{key}"]', True)


def with_edited_numbers(joint: Joint, bone: bpy.types.PoseBone, owner: str) -> Joint:
    """A joint with the numbers that its bone has; the same object where none differs.

    Args:
        joint: from the description; bone: that it moves.
        owner: whose it is, for the error.

    Raises:
        RigError: for a property that is no finite number, or below 0, naming it.
    """
    values: dict[str, dict[str, float]] = {}
    for number in NUMBERS:
        value = bone.get(number.key)
        written = number.of(joint)
        if number.element == "dynamics":
            written = written or 0.0  # its default
        if value is None or value == written:
            continue
        if not _is_amount(value):
            raise RigError(
                f"{owner}: property '{number.key}' of bone '{bone.name}' (joint '{joint.name}'): "
                f"wanted a number from 0, got {str(value)[:40]!r}; remove it to have the file's"
            )
        values.setdefault(number.element, {})[number.attribute] = float(value)
    if "limit" in values:
        joint = replace(joint, limit=replace(joint.limit or Limit(), **values["limit"]))
    if "dynamics" in values:
        joint = replace(joint, dynamics=replace(joint.dynamics, **values["dynamics"]))
    return joint


def _is_amount(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and isfinite(value) and value >= 0.0
