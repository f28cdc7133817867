"""Ground without end: under all that moves, or the film's floor; boxes in their bodies' colours."""

from __future__ import annotations

import numpy as np
import pytest

TIMES = np.linspace(0.0, 1.0, 11)
EDGE = 0.2


def sliding(slope: float, color=None, shown: float | None = None):
    """A box that slides down an endless slope (rad) without friction, and a second of it."""
    from dynarig.core.mechanism import Mechanism, spatial
    from dynarig.core.mechanism.contacts import Box, Plane

    up = np.array([np.sin(slope), 0.0, np.cos(slope)])
    world = spatial.World("world", g=9.81)
    speed = (2.0 * np.cos(slope), 0.0, -2.0 * np.sin(slope))
    start = {"r0": tuple(0.5 * EDGE * up), "v0": speed, "phi0": (0.0, slope, 0.0)}
    box = spatial.Body("box", m=1.0, I=[0.01] * 3, **start)
    contact = spatial.Contact(
        "floor", a=Plane(normal=up, shown=shown), b=Box(size=(EDGE,) * 3), color=color
    )
    mechanism = Mechanism("sliding", [world, box, contact])
    mechanism.connect(world.frame_b, contact.frame_a)
    mechanism.connect(box.frame_a, contact.frame_b)
    return mechanism, mechanism.simulate(1.0, method="time-stepping", step=0.01)


def seen(sol):
    """Picture, model and the poses of the links at TIMES."""
    from dynarig.core.mechanism.picture import picture

    return picture(sol.compiled), sol.trajectory.model, sol.trajectory.link_poses(TIMES)


def plate_of(picture):
    return next(solid for solid in picture.solids if solid.link == "world" and solid.kind == "box")


def hangs_over(plate, middles: np.ndarray) -> bool:
    """Whether any of the points (n, 3) is beside a plate, whose edges are its x and z."""
    own = (middles - plate.link_from_solid[:3, 3]) @ plate.link_from_solid[:3, :3]
    return bool((np.abs(own[:, [0, 2]]) > 0.5 * np.array(plate.size)[[0, 2]]).any())


def test_a_slope_reaches_under_the_whole_motion() -> None:
    from dynarig.addon.blender.mechanism.extent import reaching

    _, sol = sliding(0.5)
    drawn, model, poses = seen(sol)
    middles = sol(TIMES, "box.r")
    before, after = plate_of(drawn), plate_of(reaching(drawn, model, poses))
    assert hangs_over(before, middles) and not hangs_over(after, middles)
    # it ends soon beyond the box, and its surface is where it was
    way = float(np.linalg.norm(middles[-1] - middles[0]))
    assert max(after.size) < way + 3.0 * max(before.size)
    assert after.size[1] == before.size[1]
    up = before.link_from_solid[:3, 1]
    moved = after.link_from_solid[:3, 3] - before.link_from_solid[:3, 3]
    assert moved @ up == pytest.approx(0.0, abs=1e-12)


def test_ground_of_a_given_size_has_it() -> None:
    from dynarig.addon.blender.mechanism.extent import reaching

    _, sol = sliding(0.5, shown=0.7)
    drawn, model, poses = seen(sol)
    assert plate_of(reaching(drawn, model, poses)).size == plate_of(drawn).size


def test_level_ground_is_the_floor_unless_it_is_coloured_or_something_is_below() -> None:
    from dynarig.addon.blender.mechanism.extent import ground_of

    axes = np.eye(3)
    drawn, model, poses = seen(sliding(0.0)[1])
    rest, height = ground_of(drawn, model, poses, axes)
    assert height == pytest.approx(0.0, abs=1e-12)
    assert len(rest.solids) == len(drawn.solids) - 1 and plate_of(drawn) not in rest.solids
    moving = poses.copy()
    moving[-1, 1:, 2, 3] -= 1.0
    assert ground_of(drawn, model, moving, axes) == (drawn, None)
    for other in (sliding(0.5), sliding(0.0, color=(0.2, 0.3, 0.4)), sliding(0.0, shown=1.0)):
        drawn, model, poses = seen(other[1])
        assert ground_of(drawn, model, poses, axes) == (drawn, None)


def test_a_file_with_level_ground_has_a_floor_there_and_no_plate(tmp_path) -> None:
    import bpy
    from dynarig.addon.render import write_blend

    path = write_blend(*sliding(0.0), tmp_path / "film.blend", fps=5)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert bpy.data.objects["Floor"].location.z == pytest.approx(0.0, abs=1e-9)
    # the shape of the contact that is left is the box
    (box,) = [obj for obj in bpy.data.objects if obj.name.startswith("floor")]
    np.testing.assert_allclose(box.dimensions, (EDGE,) * 3, atol=1e-6)


def test_a_shape_has_the_colour_of_its_body_or_that_of_its_contact() -> None:
    from dynarig.addon.blender.mechanism.palette import BODIES, solid_colours

    own = (0.2, 0.3, 0.4)
    for color, wanted in ((None, BODIES[0]), (own, own)):
        drawn, _, _ = seen(sliding(0.5, color=color)[1])
        colours = solid_colours(drawn)
        assert colours["box"] == BODIES[0] and colours["floor"] == wanted
        (box,) = [s for s in drawn.solids if s.component == "floor" and s.link != "world"]
        assert (box.color, box.like) == (color, "box")
        assert plate_of(drawn).color != BODIES[0] and plate_of(drawn).like is None


def test_the_world_has_no_mark_where_only_contacts_are() -> None:
    from dynarig.core.mechanism.picture import picture

    drawn = picture(sliding(0.5)[1].compiled)
    assert "world" not in {solid.component for solid in drawn.solids}
