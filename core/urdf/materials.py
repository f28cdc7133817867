"""<material>: by name, defined before or after use, at the top or in a link, and inline."""

from __future__ import annotations

from dataclasses import dataclass, field

from .attributes import numbers, one_child
from .document import Material
from .report import Report, quoted
from .xml_element import Element

Rgba = tuple[float, float, float, float]


@dataclass(frozen=True)
class MaterialTable:
    """The materials of a robot by name: those at the top, and those defined inside links.

    A definition inside a visual always holds for that visual; a mere name is looked up at the
    top first, then among the definitions in links, whichever way round the file has them.
    """

    top: dict[str, Material] = field(default_factory=dict)
    inside_links: dict[str, Material] = field(default_factory=dict)

    def find(self, name: str) -> Material | None:
        """The definition of that name, None where the file has none."""
        return self.top.get(name) or self.inside_links.get(name)


def read_material_table(robot: Element, report: Report) -> MaterialTable:
    """All definitions of the file; of two that differ the first is kept, with a warning."""
    table = MaterialTable()
    for element in robot.all("material"):
        material = _read_definition(element, report)
        if not material.name:
            report.warn(element, "a material at the top without a name cannot be used by anything")
            continue
        _keep_first(material, table.top, element, report)

    quiet = Report(report.source)  # each visual is read again, and warns then
    for link in robot.all("link"):
        for visual in link.all("visual"):
            for element in visual.all("material"):
                material = _read_definition(element, quiet)
                if material.name and _is_defined(material):
                    table.inside_links.setdefault(material.name, material)
    return table


def read_visual_material(visual: Element, table: MaterialTable, report: Report) -> Material | None:
    """The material of a visual: its own definition, else the one of that name."""
    element = one_child(visual, "material", report)
    if element is None:
        return None
    own = _read_definition(element, report)
    if _is_defined(own):
        known = table.find(own.name) if own.name else None
        if known is not None and known != own:
            report.warn(element, "differs from the first material of that name; both are kept")
        return own
    if not own.name:
        report.warn(element, "has neither name nor colour nor texture and was left out")
        return None
    known = table.find(own.name)
    if known is None:
        report.warn(element, f"no material {quoted(own.name)} is defined; it stays without colour")
        return own
    return known


def _read_definition(element: Element, report: Report) -> Material:
    """What the element itself says; a mere reference has neither colour nor texture."""
    color = one_child(element, "color", report)
    texture = one_child(element, "texture", report)
    # exporters write an empty <texture/> where there is none
    filename = None if texture is None else (texture.get("filename") or "").strip()
    return Material(
        name=element.get("name") or "",
        rgba=None if color is None else _colour(color, report),
        texture_filename=filename or None,
    )


def _colour(color: Element, report: Report) -> Rgba | None:
    """The colour; None, with a warning, where it cannot be read."""
    return report.unless_faulty(lambda: _read_rgba(color, report), "the colour was left out")


def _read_rgba(color: Element, report: Report) -> Rgba | None:
    written = color.get("rgba")
    if written is None:
        report.warn(color, "without rgba was left out")
        return None
    if len(written.replace(",", " ").split()) == 3:
        report.warn(color, "rgba has three values; the fourth, alpha, was taken as 1")
        values = (*(numbers(color, "rgba", 3, report) or ()), 1.0)
    else:
        values = numbers(color, "rgba", 4, report) or ()
    red, green, blue, alpha = (min(max(value, 0.0), 1.0) for value in values)
    if (red, green, blue, alpha) != values:
        report.warn(color, f"rgba={quoted(written)} was cut to the range 0 to 1")
    return red, green, blue, alpha


def _is_defined(material: Material) -> bool:
    return material.rgba is not None or material.texture_filename is not None


def _keep_first(
    material: Material, table: dict[str, Material], element: Element, report: Report
) -> None:
    known = table.setdefault(material.name, material)
    if known != material:
        report.warn(element, "a second material of that name which differs; the first is used")
