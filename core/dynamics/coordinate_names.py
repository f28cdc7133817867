"""Names and units of the entries of q and v, such as `elbow`, `ball.qw` and `base.x`."""

from __future__ import annotations

from collections.abc import Mapping

from ..tree import JointType
from .model import Model

QUATERNION = (".qw", ".qx", ".qy", ".qz")
ANGLES = (".phi1", ".phi2", ".phi3")
POSITION = (".x", ".y", ".z")
ANGULAR = (".wx", ".wy", ".wz")
LINEAR = (".vx", ".vy", ".vz")
# suffixes of q (and of v, where they are the same) of joints without a free orientation
SUFFIXES: Mapping[JointType, tuple[str, ...]] = {
    "cylindrical": (".turn", ".slide"),
    "universal": (".first", ".second"),
    "planar": (".x", ".y", ".theta"),
}
METRES = (".x", ".y", ".z", ".slide", ".vx", ".vy", ".vz")


def coordinate_names(model: Model) -> list[str]:
    """The name of each coordinate of q (nq,), in order."""
    return [
        joint + suffix for joint in model.joint_names for suffix in _of_coordinates(model, joint)
    ]


def velocity_names(model: Model) -> list[str]:
    """The name of each velocity of v (nv,), in order."""
    suffixes = {**SUFFIXES, "spherical": ANGULAR, "floating": ANGULAR + LINEAR}
    return [
        joint + suffix
        for joint in model.joint_names
        for suffix in suffixes.get(model.joint_types[joint], ("",))
    ]


def coordinate_units(model: Model) -> list[str]:
    """'rad', 'm' or '1' (quaternions) for each coordinate of q (nq,)."""
    return [
        "1" if name.endswith(QUATERNION) and free else "m" if metres else "rad"
        for name, free, metres in _kinds(model, coordinate_names(model), model.q_slices)
    ]


def velocity_units(model: Model) -> list[str]:
    """'rad/s' or 'm/s' for each velocity of v (nv,)."""
    return [
        "m/s" if metres else "rad/s"
        for _, _, metres in _kinds(model, velocity_names(model), model.v_slices)
    ]


def _of_coordinates(model: Model, joint: str) -> tuple[str, ...]:
    kind = model.joint_types[joint]
    if kind not in ("spherical", "floating"):
        return SUFFIXES.get(kind, ("",))
    count = model.q_slices[joint].stop - model.q_slices[joint].start
    place = POSITION if kind == "floating" else ()
    return place + (QUATERNION if count - len(place) == 4 else ANGLES)


def _kinds(
    model: Model, names: list[str], slices: Mapping[str, slice]
) -> list[tuple[str, bool, bool]]:
    """(name, whether of a spherical or floating joint, whether in metres) of each entry."""
    out = []
    for joint in model.joint_names:
        kind = model.joint_types[joint]
        for name in names[slices[joint]]:
            suffix = name.removeprefix(joint)
            slides = kind == "prismatic" or (bool(suffix) and suffix in METRES)
            out.append((name, kind in ("spherical", "floating"), slides))
    return out
