"""What constraints look like."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ....close import assert_close
from .benches import AT_A, AT_B, shafts, slides, two_bodies

RED = (0.9, 0.1, 0.2)


def drawn(mechanism: Any, name: str) -> tuple[list[Any], list[Any]]:
    """The solids and lines of a component."""
    from dynarig.core.mechanism.picture import picture

    seen = picture(mechanism.compile())
    solids = [solid for solid in seen.solids if solid.component == name]
    return solids, [line for line in seen.lines if line.component == name]


KINDS = [
    *(("spatial", name, {}) for name in ("Ball", "WeldConstraint", "PointOnLine", "PointOnPlane")),
    *(("spatial", name, {}) for name in ("Hinge", "PlanarHinge", "UniversalConstraint", "Hold")),
    *(("spatial", f"{name}Constraint", {}) for name in ("Cylindrical", "Prismatic")),
    ("spatial", "ScrewConstraint", {"pitch": 0.1}),
    ("spatial", "DistanceConstraint", {"length": 1.0}),
    ("spatial", "Cable", {"length": 1.0}),
    ("spatial", "RollingWheel", {"radius": 0.3}),
    ("spatial", "PrescribedFrame", {"motion": np.eye(4)}),
    *(("planar", name, {}) for name in ("Hinge", "WeldConstraint", "PointOnLine", "Hold")),
    ("planar", "PrismaticConstraint", {"n": (0.6, 0.8)}),
    ("planar", "DistanceConstraint", {"length": 1.0}),
    ("planar", "Cable", {"length": 1.0}),
    ("planar", "RollingWheel", {"radius": 0.3}),
    ("planar", "PrescribedFrame", {"motion": (0.0, 0.0, 0.0)}),
]


@pytest.mark.parametrize(("space", "kind", "given"), KINDS)
def test_pairs_are_drawn_in_their_colour_or_not_at_all(space: str, kind: str, given: Any) -> None:
    from dynarig.core.mechanism import planar, spatial

    kinds = {"planar": planar, "spatial": spatial}[space]
    solids, lines = drawn(two_bodies(space, getattr(kinds, kind)("c", **given, color=RED)), "c")
    assert [*solids, *lines]
    assert RED in [shape.color for shape in [*solids, *lines]]
    assert all(shape.color is not None for shape in [*solids, *lines])
    hidden = getattr(kinds, kind)("c", **given, color=RED, show=False)
    assert drawn(two_bodies(space, hidden), "c") == ([], [])


def test_a_rod_and_a_cable_go_from_frame_to_frame() -> None:
    from dynarig.core.mechanism import spatial

    for own, kind in (
        (spatial.DistanceConstraint("c", length=1.0), "rod"),
        (spatial.Cable("c", length=1.0), "rope"),
    ):
        _, (line,) = drawn(two_bodies("spatial", own), "c")
        assert line.kind == kind
        assert (line.start[0], line.end[0]) == ("one", "two")
        assert_close(line.start[1], AT_A, atol=1e-15)
        assert_close(line.end[1], AT_B, atol=1e-15)
    own = spatial.Cable("c", length=1.0, through=2)
    _, lines = drawn(two_bodies("spatial", own), "c")
    assert len(lines) == 3


def test_wheels_and_gears_are_discs_of_their_radius() -> None:
    from dynarig.core.mechanism import planar, spatial

    solids, _ = drawn(two_bodies("spatial", spatial.RollingWheel("c", radius=0.3)), "c")
    disc = solids[0]
    assert disc.kind == "cylinder" and disc.size[0] == 0.3 and disc.link == "two"
    assert_close(disc.link_from_solid[:3, 2], [0, 1, 0], atol=1e-15)
    assert_close(disc.link_from_solid[:3, 3], AT_B, atol=1e-15)
    gear = planar.Gear("c", joint_a="shaft0", joint_b="shaft1", radius_a=2.0, radius_b=1.0)
    solids, _ = drawn(shafts(2, gear), "c")
    sizes = {solid.link: solid.size[0] for solid in solids if solid.kind == "cylinder"}
    assert sizes == {"wheel0": 2.0, "wheel1": 1.0}
    marks, _ = drawn(shafts(2, planar.Gear("c", joint_a="shaft0", joint_b="shaft1", ratio=2)), "c")
    assert [(mark.kind, mark.link) for mark in marks] == [
        ("sphere", "wheel0"),
        ("sphere", "wheel1"),
    ]
    rack = planar.RackAndPinion("c", pinion="hinge", rack="x0", radius=0.2)
    hinge, wheel = planar.Revolute("hinge"), planar.Body("wheel")
    mechanism = slides([1.0], hinge, wheel, rack, axes="x")
    mechanism.chain(mechanism.components["world"], hinge, wheel)
    solids, _ = drawn(mechanism, "c")
    assert [solid.link for solid in solids] == ["wheel", "wheel", "m0"]


def test_a_coordinate_vector_is_a_line_between_the_bodies_of_its_markers() -> None:
    from dynarig.core.mechanism import planar

    markers = [planar.CoordinateMarker(f"marker{k}", [f"x{k}", f"y{k}"]) for k in range(2)]
    given = {"X0": [[1, 0]], "X1": [[1, 0]], "color": RED}
    both = planar.CoordinateVector("c", marker0="marker0", marker1=markers[1], **given)
    solids, (line,) = drawn(slides([1.0, 1.0], *markers, both), "c")
    assert solids == [] and line.color == RED
    assert (line.start[0], line.end[0]) == ("m0", "m1")
    single = planar.CoordinateVector("c", marker1="marker1", X1=[[1, 0]], color=RED)
    (mark,), lines = drawn(slides([1.0, 1.0], *markers, single), "c")
    assert lines == [] and (mark.kind, mark.link, mark.color) == ("sphere", "m1", RED)
    for show in (True, False):
        hidden = planar.CoordinateVector("c", marker1="marker1", X1=[[1, 0]], show=show)
        assert bool(drawn(slides([1.0, 1.0], *markers, hidden), "c")[0]) is show


def test_a_marker_of_a_body_is_drawn_at_that_body() -> None:
    from dynarig.core.mechanism import spatial

    marker = spatial.CoordinateMarker("m", "two")
    row = np.zeros((1, 7))
    row[0, 0] = 1.0
    own = spatial.CoordinateVector("c", marker1=marker, X1=row)
    ball = spatial.Ball("ball")
    mechanism = two_bodies("spatial", ball)
    mechanism.add(marker, own)
    (mark,), _ = drawn(mechanism, "c")
    assert mark.link == "two"
