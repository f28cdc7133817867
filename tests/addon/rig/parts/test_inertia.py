"""Ellipsoids of inertia: where they stand, and that their size and turn tell the inertia."""

import numpy as np
import pytest
from dynarig.addon.blender.rig_access import open_rig
from dynarig.core.dynamics.ellipsoid import Ellipsoid, inertia_of
from dynarig.core.urdf.build import tree_from_robot

from ....close import assert_close

MASS = 1.5  # kg


def body(inertia, mass=MASS, at="0 0 0", more=""):
    """A link with an inertia (ixx, iyy, izz)."""
    ixx, iyy, izz = inertia
    return (
        f'<link name="one"><inertial><origin xyz="{at}"/><mass value="{mass}"/>'
        f'<inertia ixx="{ixx}" ixy="0" ixz="0" iyy="{iyy}" iyz="0" izz="{izz}"/></inertial>'
        f"</link>{more}"
    )


@pytest.mark.parametrize("fixed_links", ["MERGE", "KEEP"])
def test_they_have_mass_and_inertia_of_their_links(workshop, random_poses, fixed_links):
    result = workshop.make(inertia=True, fixed_links=fixed_links)
    objects = workshop.parts(result, "inertia")
    bodies = {own.name: own for own in tree_from_robot(open_rig(result.object).robot).bodies}
    # links without mass have none
    assert {link for link, _ in objects} == {"base", "arm", "slider"}
    for poses in random_poses(result):
        for (link, _), obj in objects.items():
            own, pose = bodies[link], poses[link]
            world = workshop.world(obj)
            center = pose[:3, :3] @ own.center_of_mass + pose[:3, 3]
            assert_close(world[:3, 3], center, 1e-5)
            axes = np.linalg.norm(world[:3, :3], axis=0)
            shown = Ellipsoid(axes**2, world[:3, :3] / axes)
            wanted = pose[:3, :3] @ own.inertia @ pose[:3, :3].T
            assert_close(inertia_of(own.mass, shown), wanted, 1e-6)


def test_they_share_a_ball_that_lets_the_link_through(workshop):
    result = workshop.make(inertia=True)
    objects = list(workshop.parts(result, "inertia").values())
    (place,) = result.collection.children
    assert place.name == "made inertia" and set(place.objects) == set(objects)
    assert sorted(obj.name for obj in objects) == ["arm inertia", "base inertia", "slider inertia"]
    (ball,) = {obj.data for obj in objects}
    radii = np.linalg.norm([vertex.co for vertex in ball.vertices], axis=1)
    assert_close(radii, 1.0, 1e-6)
    assert all(obj.hide_render for obj in objects)
    (material,) = ball.materials
    assert material.diffuse_color[3] < 0.6
    assert result.warnings == ()


def test_an_inertia_of_no_body_is_drawn_flat_with_a_warning(workshop):
    result = workshop.make(body((0.1, 0.1, 0.3)), inertia=True)
    drawn = [line for line in result.warnings if "ellipsoid" in line]
    assert len(drawn) == 1
    assert drawn[0].startswith("link 'one': no real body has its inertia")
    (obj,) = workshop.parts(result, "inertia").values()
    # a_i^2 = 5/(2 m) (I_j + I_k - I_i)
    assert_close(sorted(obj.scale), [1e-3, *[np.sqrt(2.5 / MASS * 0.3)] * 2], 1e-6)


@pytest.mark.parametrize("inertia", [(0, 0, 0), (0, 0.2, 0.2), (0.1, 0.1, 0.2)])
def test_points_rods_and_plates_are_seen_without_a_warning(workshop, inertia):
    result = workshop.make(body(inertia), inertia=True)
    assert result.warnings == ()
    (obj,) = workshop.parts(result, "inertia").values()
    assert min(obj.scale) == pytest.approx(1e-3)


def test_what_blender_cannot_hold_is_left_out_with_a_warning(workshop):
    result = workshop.make(body((1e10, 1e10, 1e10), mass=1e-30), inertia=True)
    assert workshop.parts(result, "inertia") == {}
    assert any("link 'one': inertia not shown" in line for line in result.warnings)


def test_without_mass_there_is_nothing_to_draw(workshop):
    result = workshop.make('<link name="bare"/>', inertia=True)
    assert workshop.parts(result, "inertia") == {}
    assert list(result.collection.children) == []
    result = workshop.make(body((0.1, 0.1, 0.1), mass=0), inertia=True)
    assert workshop.parts(result, "inertia") == {}
