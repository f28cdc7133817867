"""What holds between mimic joints: every chain ends at a joint that moves by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .document import Joint
from .joints import WITH_MIMIC
from .report import Report, circle, listed, quoted
from .xml_element import Element


def settle_mimics(joints: Sequence[Joint], robot: Element, report: Report) -> tuple[Joint, ...]:
    """The joints, where one whose leader is missing or cannot lead moves by itself, with a warning.

    Real files hold such left-overs of a renamed or welded joint, and all else in them is good.

    Raises: UrdfError for joints that follow each other in a circle.
    """
    by_name = {joint.name: joint for joint in joints}
    elements = dict(zip(by_name, robot.all("joint"), strict=True))
    for joint in joints:
        fault = _leader_fault(joint, by_name)
        if fault is not None:
            mimic = elements[joint.name].all("mimic")[0]
            report.leave_out(
                mimic, f"{fault}; joint {quoted(joint.name)} was left to move by itself"
            )
            by_name[joint.name] = replace(joint, mimic=None)
    _refuse_circle(by_name, elements, report)
    return tuple(by_name.values())


def _leader_fault(joint: Joint, by_name: dict[str, Joint]) -> str | None:
    """Why the joint named in <mimic> cannot lead; None when it can or there is no mimic."""
    if joint.mimic is None:
        return None
    leader = by_name.get(joint.mimic.joint)
    if leader is None:
        return f"joint {quoted(joint.mimic.joint)} does not exist; joints are {listed(by_name)}"
    if leader.type not in WITH_MIMIC:
        return (
            f"joint {quoted(leader.name)} is {leader.type}; only {', '.join(WITH_MIMIC)} can lead"
        )
    return None


def _refuse_circle(by_name: dict[str, Joint], elements: dict[str, Element], report: Report) -> None:
    """Follow each chain of leaders; one that meets itself is a circle."""
    ends_well: set[str] = set()
    for joint in by_name.values():
        chain: dict[str, None] = {}  # names in order
        follower = joint
        while follower.mimic is not None and follower.name not in ends_well:
            if follower.name in chain:
                names = list(chain)
                members = names[names.index(follower.name) :]
                raise report.error(
                    elements[follower.name].all("mimic")[0],
                    f"mimic joints follow each other in a circle: {circle(members)}; "
                    "the chain must end at a joint that follows none",
                )
            chain[follower.name] = None
            follower = by_name[follower.mimic.joint]
        ends_well.update(chain)
