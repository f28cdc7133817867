"""<link>: a body with its inertia, visuals and collisions."""

from __future__ import annotations

from .attributes import name_of
from .document import Link
from .inertials import read_inertial
from .materials import MaterialTable
from .report import Report, quoted
from .shapes import read_collision, read_visual
from .xml_element import Element


def read_links(robot: Element, materials: MaterialTable, report: Report) -> tuple[Link, ...]:
    """All links of the robot in the order of the file, each name once, at least one."""
    elements = robot.all("link")
    if not elements:
        raise report.incomplete(robot, "has no <link>; wanted at least one")
    refuse_equal_names(elements, report)
    return tuple(_read_link(element, materials, report) for element in elements)


def refuse_equal_names(elements: list[Element], report: Report) -> None:
    """Raise UrdfError when two of the elements (all links, or all joints) share a name."""
    first_lines: dict[str, int] = {}
    for element in elements:
        name = name_of(element, report)
        if name in first_lines:
            raise report.error(
                element,
                f"a second {element.tag} named {quoted(name)}, the first is at line "
                f"{first_lines[name]}; each {element.tag} needs a name of its own",
            )
        first_lines[name] = element.line


def _read_link(element: Element, materials: MaterialTable, report: Report) -> Link:
    visuals = (read_visual(child, materials, report) for child in element.all("visual"))
    collisions = (read_collision(child, report) for child in element.all("collision"))
    return Link(
        name=name_of(element, report),
        inertial=read_inertial(element, report),
        visuals=tuple(visual for visual in visuals if visual is not None),
        collisions=tuple(collision for collision in collisions if collision is not None),
    )
