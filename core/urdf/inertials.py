"""<inertial>: mass, centre of mass and inertia; a body that cannot exist only earns a warning."""

from __future__ import annotations

import numpy as np

from .attributes import number, one_child, required_number
from .document import Inertial
from .report import Report
from .shapes import read_origin
from .xml_element import Element

ENTRIES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
UNPHYSICAL = 1e-3  # share of the largest principal moment; CAD programs round to three digits


def read_inertial(link: Element, report: Report) -> Inertial | None:
    """The <inertial> of a link; none means no mass.

    A missing inertia is zero, with a warning; off-diagonal entries may be left out. One that
    cannot be read is left out as a whole, with a warning: so is a negative mass, with which a
    simulation has no meaning and no end.
    """
    element = one_child(link, "inertial", report)
    if element is None:
        return None
    return report.unless_faulty(
        lambda: _read_body(element, report), "the link was read as without mass"
    )


def _read_body(element: Element, report: Report) -> Inertial:
    mass_element = one_child(element, "mass", report)
    if mass_element is None:
        raise report.error(element, 'needs <mass value="..."/>, in kg; or leave out <inertial>')
    mass = required_number(mass_element, "value", report)
    if mass < 0.0:
        raise report.error(mass_element, f"value is {mass:g}; wanted a mass of 0 or above, in kg")
    inertia = _read_inertia(element, report)
    if mass == 0.0 and any(inertia):
        report.warn(mass_element, "value is 0 although the link has inertia; it was read as it is")
    return Inertial(mass, inertia, read_origin(element, report))


def _read_inertia(
    inertial: Element, report: Report
) -> tuple[float, float, float, float, float, float]:
    element = one_child(inertial, "inertia", report)
    if element is None:
        report.warn(inertial, "without <inertia>: the inertia was taken as zero")
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    ixx, ixy, ixz, iyy, iyz, izz = (number(element, entry, report) or 0.0 for entry in ENTRIES)
    missing = [entry for entry in ("ixx", "iyy", "izz") if element.get(entry) is None]
    if missing:
        report.warn(element, f"without {', '.join(missing)}, taken as zero")
    if not is_physical(ixx, ixy, ixz, iyy, iyz, izz):
        report.warn(
            element,
            "no real body has this inertia (a principal moment is negative, or larger than the "
            "other two together); it was read as it is",
        )
    return (ixx, ixy, ixz, iyy, iyz, izz)


def is_physical(ixx: float, ixy: float, ixz: float, iyy: float, iyz: float, izz: float) -> bool:
    """Whether some distribution of mass has this inertia.

    The principal moments I1 <= I2 <= I3 must obey I1 >= 0 and I1 + I2 >= I3, up to rounding.
    """
    matrix = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    largest_entry = float(np.max(np.abs(matrix)))
    if largest_entry == 0.0:
        return True
    # entries near the end of the float range must not overflow on the way
    first, second, third = np.linalg.eigvalsh(matrix / largest_entry)
    return bool(first >= -UNPHYSICAL * third and first + second >= third * (1.0 - UNPHYSICAL))
