"""Check that links and joints form one tree, and find its root."""

from __future__ import annotations

from collections.abc import Sequence

from .document import Joint, Link
from .report import Report, circle, listed, quoted
from .xml_element import Element


def find_root(
    links: Sequence[Link], joints: Sequence[Joint], robot: Element, report: Report
) -> str:
    """The name of the one link that is nobody's child.

    Raises: UrdfError for a joint that names an unknown link or one link twice, a link with two
        parents, several roots, or a cycle.
    """
    elements = dict(zip((joint.name for joint in joints), robot.all("joint"), strict=True))
    joint_above = _joints_above(links, joints, elements, report)
    roots = [link.name for link in links if link.name not in joint_above]
    if len(roots) > 1:
        raise report.incomplete(
            robot,
            f"{len(roots)} links are no joint's child: {listed(roots)}; "
            "wanted exactly one root, from which joints lead to all other links",
        )
    _refuse_cycle(links, joint_above, elements, report)
    return roots[0]


def _joints_above(
    links: Sequence[Link], joints: Sequence[Joint], elements: dict[str, Element], report: Report
) -> dict[str, Joint]:
    """For each link that has one, the joint whose child it is."""
    names = [link.name for link in links]
    known = set(names)
    joint_above: dict[str, Joint] = {}
    for joint in joints:
        element = elements[joint.name]
        for role, end in (("parent", joint.parent), ("child", joint.child)):
            if end not in known:
                raise report.incomplete(
                    element.all(role)[0],
                    f"link {quoted(end)} does not exist; links are {listed(names)}",
                )
        if joint.parent == joint.child:
            raise report.error(
                element,
                f"parent and child are both {quoted(joint.child)}; wanted two different links",
            )
        other = joint_above.get(joint.child)
        if other is not None:
            raise report.error(
                element,
                f"link {quoted(joint.child)} is already the child of joint {quoted(other.name)} at "
                f"line {elements[other.name].line}; a link may have one parent only",
            )
        joint_above[joint.child] = joint
    return joint_above


def _refuse_cycle(
    links: Sequence[Link],
    joint_above: dict[str, Joint],
    elements: dict[str, Element],
    report: Report,
) -> None:
    """Walk up from every link; a walk that meets itself is a cycle."""
    reaches_root: set[str] = set()
    for link in links:
        walk: dict[str, None] = {}  # names in order
        name = link.name
        while name in joint_above and name not in reaches_root:
            if name in walk:
                steps = list(walk)
                members = steps[steps.index(name) :]
                joint = joint_above[name]
                raise report.error(
                    elements[joint.name],
                    f"links form a cycle: {circle([name, *reversed(members[1:])])}; wanted a tree "
                    "(URDF has no closed loops)",
                )
            walk[name] = None
            name = joint_above[name].parent
        reaches_root.update(walk)
