"""<joint>: one read joint by joint; what holds between joints is in tree.py and mimics.py."""

from __future__ import annotations

import math

from .attributes import LARGEST_NUMBER, name_of, number, number_or_nan, one_child, vector
from .document import (
    JOINT_TYPES,
    Calibration,
    Joint,
    JointDynamics,
    JointType,
    Limit,
    Mimic,
    Safety,
    Vector3,
)
from .links import refuse_equal_names
from .report import Report, quoted
from .shapes import read_origin
from .xml_element import Element, shortened

WITH_AXIS: tuple[JointType, ...] = ("revolute", "continuous", "prismatic", "planar")
WITH_BOUNDS: tuple[JointType, ...] = ("revolute", "prismatic")
WITH_MIMIC: tuple[JointType, ...] = ("revolute", "continuous", "prismatic")
# as other formats call a type
OTHER_TYPES: dict[str, JointType] = {"ball": "spherical"}
DEFAULT_AXIS: Vector3 = (1.0, 0.0, 0.0)
MANY_TURNS = 8.0 * math.pi  # rad: a revolute joint that turns further is rare
SHORTEST_AXIS = 1e-9  # below this a direction is noise
UNIT_AXIS = 1e-6  # how far from length 1 an axis may be without a warning: six digits
UNIT_ROUNDED = 1e-15  # how far from length 1 a unit vector is that was rounded once


def read_joints(robot: Element, report: Report) -> tuple[Joint, ...]:
    """All joints of the robot in the order of the file, each name once."""
    elements = robot.all("joint")
    refuse_equal_names(elements, report)
    return tuple(_read_joint(element, report) for element in elements)


def _read_joint(element: Element, report: Report) -> Joint:
    kind = _read_type(element, report)
    return Joint(
        name=name_of(element, report),
        type=kind,
        parent=_read_end(element, "parent", report),
        child=_read_end(element, "child", report),
        origin=read_origin(element, report),
        axis=_read_axis(element, report) if kind in WITH_AXIS else DEFAULT_AXIS,
        limit=_read_limit(element, kind, report),
        dynamics=_read_dynamics(element, report),
        mimic=_read_mimic(element, kind, report),
        calibration=_read_calibration(element, report),
        safety=_read_safety(element, report),
    )


def _read_type(element: Element, report: Report) -> JointType:
    written = element.get("type")
    for kind in JOINT_TYPES:
        if written == kind:
            return kind
    if written in OTHER_TYPES:
        report.warn(element, f"type {quoted(written)} was read as {OTHER_TYPES[written]}")
        return OTHER_TYPES[written]
    allowed = ", ".join(JOINT_TYPES)
    if written is None:
        raise report.error(element, f"needs the attribute type, one of {allowed}")
    raise report.error(element, f"type {quoted(written)} is unknown; allowed are {allowed}")


def _read_end(element: Element, tag: str, report: Report) -> str:
    end = one_child(element, tag, report)
    if end is None:
        raise report.error(element, f'needs <{tag} link="..."/>, the name of a link')
    return name_of(end, report, "link")


def _read_axis(joint: Element, report: Report) -> Vector3:
    """The axis as a unit vector: x where none is given, or one that is zero."""
    element = one_child(joint, "axis", report)
    if element is None:
        return DEFAULT_AXIS
    written = vector(element, "xyz", report)
    if written is None:
        report.warn(element, "without xyz, taken as 1 0 0")
        return DEFAULT_AXIS
    largest = max(abs(entry) for entry in written)
    if largest < SHORTEST_AXIS:
        report.warn(
            element, f"xyz={quoted(element.get('xyz') or '')} has no direction, taken as 1 0 0"
        )
        return DEFAULT_AXIS
    # scaled first, so that no square overflows
    scaled = tuple(entry / largest for entry in written)
    length = math.hypot(*scaled)
    # what is a unit vector stays as it is, so that a description written out reads the same
    if abs(length * largest - 1.0) <= UNIT_ROUNDED:
        return written
    if abs(length * largest - 1.0) > UNIT_AXIS:
        report.warn(element, f"xyz has length {length * largest:.6g} and was made a unit vector")
    return (scaled[0] / length, scaled[1] / length, scaled[2] / length)


def _read_limit(joint: Element, kind: JointType, report: Report) -> Limit | None:
    """The limit: position bounds only where a joint has one position that can be bounded.

    One bound without the other: the other is 0, the specification's default. Neither, on a joint
    that should have them: unlimited, with a warning (by the letter it could not move at all).
    A bound that is infinite, nan or beyond LARGEST_NUMBER is none: LARGEST_NUMBER, as in files
    that know no limit.
    """
    element = one_child(joint, "limit", report)
    if element is None:
        if kind in WITH_BOUNDS:
            report.warn(joint, f"a {kind} joint without <limit> was read as unlimited")
        return None
    if kind in WITH_BOUNDS:
        lower = _read_bound(element, "lower", -LARGEST_NUMBER, report)
        upper = _read_bound(element, "upper", LARGEST_NUMBER, report)
        lower, upper = _ordered_bounds(lower, upper, element, report)
        if kind == "revolute":
            _suspect_degrees(lower, upper, element, report)
    else:
        lower = upper = None
    return Limit(
        lower=lower,
        upper=upper,
        effort=_not_negative(element, "effort", "no bound", report),
        velocity=_not_negative(element, "velocity", "no bound", report),
    )


def _read_bound(element: Element, attribute: str, unbounded: float, report: Report) -> float | None:
    """One bound, rad or m: None where it is not given, `unbounded` where it is inf or nan."""
    value = number_or_nan(element, attribute, report)
    if value is None or math.isfinite(value):
        return value
    report.warn(element, f"{attribute} {_written(element, attribute)} was read as no bound")
    return unbounded


def _suspect_degrees(
    lower: float | None, upper: float | None, element: Element, report: Report
) -> None:
    """Warn of bounds of many turns that would make good degrees; larger ones mean no limit."""
    widest = max(abs(lower or 0.0), abs(upper or 0.0))
    if MANY_TURNS < widest <= 360.0:
        report.warn(element, f"{widest:g} rad is {widest / math.tau:.1f} turns; is it in degrees?")


def _ordered_bounds(
    lower: float | None, upper: float | None, element: Element, report: Report
) -> tuple[float | None, float | None]:
    if lower is None and upper is None:
        report.warn(element, "without lower and upper, read as unlimited")
        return None, None
    if lower is None or upper is None:
        missing = "lower" if lower is None else "upper"
        report.warn(element, f"without {missing}, taken as 0, its default")
        lower, upper = lower or 0.0, upper or 0.0
    if lower > upper:
        report.warn(element, f"lower {lower:g} is above upper {upper:g}; they were swapped")
        lower, upper = upper, lower
    elif lower == upper:
        report.warn(element, f"lower and upper are both {lower:g}: the joint cannot move")
    return lower, upper


def _read_dynamics(joint: Element, report: Report) -> JointDynamics:
    element = one_child(joint, "dynamics", report)
    if element is None:
        return JointDynamics()
    return JointDynamics(
        damping=_not_negative(element, "damping", "0", report) or 0.0,
        friction=_not_negative(element, "friction", "0", report) or 0.0,
    )


def _read_mimic(joint: Element, kind: JointType, report: Report) -> Mimic | None:
    element = one_child(joint, "mimic", report)
    if element is None:
        return None
    leader = report.unless_faulty(
        lambda: name_of(element, report, "joint"), "the joint was left to move by itself"
    )
    if leader is None:
        return None
    multiplier = number(element, "multiplier", report)
    offset = number(element, "offset", report)
    if kind not in WITH_MIMIC:
        report.leave_out(element, f"a {kind} joint cannot follow another; left out")
        return None
    return Mimic(leader, 1.0 if multiplier is None else multiplier, offset or 0.0)


def _read_calibration(joint: Element, report: Report) -> Calibration | None:
    element = one_child(joint, "calibration", report)
    if element is None:
        return None
    rising, falling = (_within(element, end, report) for end in ("rising", "falling"))
    return Calibration(rising, falling)


def _read_safety(joint: Element, report: Report) -> Safety | None:
    element = one_child(joint, "safety_controller", report)
    if element is None:
        return None
    return Safety(
        soft_lower_limit=_within(element, "soft_lower_limit", report) or 0.0,
        soft_upper_limit=_within(element, "soft_upper_limit", report) or 0.0,
        k_position=_within(element, "k_position", report) or 0.0,
        k_velocity=_within(element, "k_velocity", report) or 0.0,
    )


def _not_negative(element: Element, attribute: str, instead: str, report: Report) -> float | None:
    """The number; one that is negative or not finite is read as not given."""
    value = number_or_nan(element, attribute, report)
    if value is not None and not 0.0 <= value < math.inf:
        written = _written(element, attribute)
        fault = "negative" if value < 0.0 else f"not finite, or beyond {LARGEST_NUMBER:g},"
        report.warn(element, f"{attribute} {written} is {fault} and was read as {instead}")
        return None
    return value


def _within(element: Element, attribute: str, report: Report) -> float | None:
    """The number; one beyond LARGEST_NUMBER, which stands for any number, is read as that."""
    value = number_or_nan(element, attribute, report)
    if value is None or math.isfinite(value):
        return value
    if math.isnan(value):
        return number(element, attribute, report)  # which refuses it
    largest = math.copysign(LARGEST_NUMBER, value)
    report.warn(element, f"{attribute} {_written(element, attribute)} was read as {largest:g}")
    return largest


def _written(element: Element, attribute: str) -> str:
    """The attribute's value for a message."""
    return shortened((element.get(attribute) or "").strip())
