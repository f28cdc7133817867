"""Links and joints of a description as lines of XML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..attributes import LARGEST_NUMBER
from ..document import (
    Box,
    Capsule,
    Collision,
    Cylinder,
    Geometry,
    Inertial,
    Joint,
    JointDynamics,
    Limit,
    Link,
    Material,
    Mesh,
    Origin,
    Visual,
)
from ..inertials import ENTRIES
from ..joints import WITH_AXIS, WITH_BOUNDS
from .xml_text import number_text, numbers_text, tag_text

INDENT = "  "
UNSCALED = (1.0, 1.0, 1.0)


class MaterialWriter:
    """Materials of visuals: written out at their first use, by name where the name says it all.

    Args:
        top: the materials at the top of the file, by name.
    """

    def __init__(self, top: Mapping[str, Material]) -> None:
        self._known = dict(top)

    def lines(self, material: Material | None) -> Iterator[str]:
        """The <material> of a visual."""
        if material is None:
            return
        is_defined = material.rgba is not None or material.texture_filename is not None
        if material.name:
            known = self._known.get(material.name)
            if known is None and is_defined:
                self._known[material.name] = material
            if not is_defined or known == material:
                yield tag_text("material", {"name": material.name})
                return
        yield from material_lines(material)


def material_lines(material: Material) -> Iterator[str]:
    """A material with all that it says."""
    inner = []
    if material.rgba is not None:
        inner.append(tag_text("color", {"rgba": numbers_text(material.rgba)}))
    if material.texture_filename is not None:
        inner.append(tag_text("texture", {"filename": material.texture_filename}))
    return element_lines("material", {"name": material.name}, inner)


def link_lines(link: Link, materials: MaterialWriter, kept: list[str]) -> Iterator[str]:
    """A <link>; kept: unknown elements in it, as text."""
    inner: list[str] = []
    if link.inertial is not None:
        inner += _inertial_lines(link.inertial)
    for visual in link.visuals:
        inner += _shown_lines("visual", visual, list(materials.lines(visual.material)))
    for collision in link.collisions:
        inner += _shown_lines("collision", collision, [])
    return element_lines("link", {"name": link.name}, [*inner, *kept])


def joint_lines(joint: Joint, kept: list[str]) -> Iterator[str]:
    """A <joint>; kept: unknown elements in it, as text."""
    inner = [*_origin_lines(joint.origin)]
    inner.append(tag_text("parent", {"link": joint.parent}))
    inner.append(tag_text("child", {"link": joint.child}))
    if joint.type in WITH_AXIS:
        inner.append(tag_text("axis", {"xyz": numbers_text(joint.axis)}))
    if joint.limit is not None:
        inner.append(_limit_text(joint.limit, joint.type in WITH_BOUNDS))
    if joint.dynamics != JointDynamics():
        inner.append(
            _numbers_tag(
                "dynamics", damping=joint.dynamics.damping, friction=joint.dynamics.friction
            )
        )
    if joint.mimic is not None:
        follows = {
            "joint": joint.mimic.joint,
            "multiplier": number_text(joint.mimic.multiplier),
            "offset": number_text(joint.mimic.offset),
        }
        inner.append(tag_text("mimic", follows))
    if joint.calibration is not None:
        ends = joint.calibration
        inner.append(_numbers_tag("calibration", rising=ends.rising, falling=ends.falling))
    if joint.safety is not None:
        inner.append(
            _numbers_tag(
                "safety_controller",
                soft_lower_limit=joint.safety.soft_lower_limit,
                soft_upper_limit=joint.safety.soft_upper_limit,
                k_position=joint.safety.k_position,
                k_velocity=joint.safety.k_velocity,
            )
        )
    return element_lines("joint", {"name": joint.name, "type": joint.type}, [*inner, *kept])


def element_lines(
    tag: str, attributes: Mapping[str, str | None], inner: list[str]
) -> Iterator[str]:
    """An element around lines, which are indented; one line where there are none."""
    if not inner:
        yield tag_text(tag, attributes)
        return
    yield tag_text(tag, attributes, ">")
    yield from (INDENT + line for line in inner)
    yield f"</{tag}>"


def _inertial_lines(inertial: Inertial) -> Iterator[str]:
    inner = [*_origin_lines(inertial.origin)]
    inner.append(_numbers_tag("mass", value=inertial.mass))
    inner.append(_numbers_tag("inertia", **dict(zip(ENTRIES, inertial.inertia, strict=True))))
    return element_lines("inertial", {}, inner)


def _shown_lines(tag: str, shown: Visual | Collision, material: list[str]) -> Iterator[str]:
    geometry = list(element_lines("geometry", {}, [_geometry_text(shown.geometry)]))
    inner = [*_origin_lines(shown.origin), *geometry, *material]
    return element_lines(tag, {"name": shown.name}, inner)


def _geometry_text(geometry: Geometry) -> str:
    if isinstance(geometry, Box):
        return tag_text("box", {"size": numbers_text(geometry.size)})
    if isinstance(geometry, Cylinder):
        return _numbers_tag("cylinder", radius=geometry.radius, length=geometry.length)
    if isinstance(geometry, Capsule):
        return _numbers_tag("capsule", radius=geometry.radius, length=geometry.length)
    if isinstance(geometry, Mesh):
        scale = None if geometry.scale == UNSCALED else numbers_text(geometry.scale)
        return tag_text("mesh", {"filename": geometry.filename, "scale": scale})
    return _numbers_tag("sphere", radius=geometry.radius)


def _origin_lines(origin: Origin) -> Iterator[str]:
    if origin != Origin():
        yield tag_text("origin", {"xyz": numbers_text(origin.xyz), "rpy": numbers_text(origin.rpy)})


def _limit_text(limit: Limit, has_bounds: bool) -> str:
    """The limit; a side without an end has the largest number, as it would be read as 0."""
    lower, upper = (limit.lower, limit.upper) if has_bounds else (None, None)
    if lower is None and upper is not None:
        lower = -LARGEST_NUMBER
    if upper is None and lower is not None:
        upper = LARGEST_NUMBER
    return _numbers_tag(
        "limit", lower=lower, upper=upper, effort=limit.effort, velocity=limit.velocity
    )


def _numbers_tag(tag: str, **values: float | None) -> str:
    """An element whose attributes are single numbers; those that are None are left out."""
    given = {name: None if value is None else number_text(value) for name, value in values.items()}
    return tag_text(tag, given)
