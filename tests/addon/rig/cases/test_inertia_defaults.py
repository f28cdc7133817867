"""Case 08: what has no mass in the file has none in Blender, and the rest is where it should be."""

import numpy as np
import pytest
from dynarig.core.dynamics import center_of_mass, gravity_forces, mass_matrix
from dynarig.core.dynamics.ellipsoid import Ellipsoid, inertia_of

from .frames import NINE_DIGITS

FILE = "mass.urdf"


def test_the_model_of_the_rig_has_the_mass_of_the_file(cases):
    numbers = cases.expected("08")
    robot = cases.load("08", FILE)
    robot.pose(numbers["q"])
    found = center_of_mass(robot.model, robot.q)
    assert found == pytest.approx(numbers["com_world"], abs=NINE_DIGITS)
    torques = gravity_forces(robot.model, robot.q)
    for joint, torque in numbers["holding_torque_g9.81"].items():
        assert torques[robot.model.v_index(joint)] == pytest.approx(torque, abs=1e-5), joint


def test_a_free_base_feels_the_inertia_of_the_whole(cases):
    numbers = cases.expected("08")
    robot = cases.load("08", FILE, floating_base=True)
    robot.pose(numbers["q"])
    base = robot.model.v_index("floating_base")
    # of a base at the origin: turning first, then sliding
    whole = mass_matrix(robot.model, robot.q)[base, base]
    mass, center = numbers["total_mass"], np.array(numbers["com_world"])
    inertia = np.array(numbers["inertia_about_base_origin_world"])
    assert whole[3:, 3:] == pytest.approx(mass * np.eye(3), abs=NINE_DIGITS)
    assert whole[:3, :3] == pytest.approx(inertia, abs=NINE_DIGITS)
    # row i of the matrix of c x ... is e_i x c
    moment = mass * np.cross(np.eye(3), center)
    assert whole[:3, 3:] == pytest.approx(moment, abs=NINE_DIGITS)


@pytest.mark.parametrize("fixed_links", ["MERGE", "KEEP"])
def test_ellipsoids_show_the_inertia_of_each_link(cases, fixed_links):
    numbers = cases.expected("08")
    robot = cases.load("08", FILE, inertia=True, fixed_links=fixed_links)
    robot.pose(numbers["q"])
    shown, links = robot.parts("inertia"), robot.links()
    heavy = {link: own for link, own in numbers["links"].items() if own and own["mass"] > 0.0}
    assert set(shown) == set(heavy)
    total, about_origin = np.zeros(3), np.zeros((3, 3))
    for link, own in heavy.items():
        world = robot.world(shown[link])
        rot, mass = links[link][:3, :3], own["mass"]
        center = links[link][:3, 3] + rot @ own["com_in_link"]
        assert world[:3, 3] == pytest.approx(center, abs=NINE_DIGITS)
        axes = np.linalg.norm(world[:3, :3], axis=0)
        found = inertia_of(mass, Ellipsoid(axes**2, world[:3, :3] / axes))
        wanted = rot @ own["I_about_com_link_axes"] @ rot.T
        assert found == pytest.approx(wanted, abs=NINE_DIGITS)
        total += mass * world[:3, 3]
        square = world[:3, 3] @ world[:3, 3] * np.eye(3)
        about_origin += found + mass * (square - np.outer(world[:3, 3], world[:3, 3]))
    assert total / numbers["total_mass"] == pytest.approx(numbers["com_world"], abs=NINE_DIGITS)
    wanted = np.array(numbers["inertia_about_base_origin_world"])
    assert about_origin == pytest.approx(wanted, abs=NINE_DIGITS)


def test_frames_without_mass_are_there(cases, options):
    numbers = cases.expected("08")
    robot = cases.load("08", FILE, **options)
    robot.pose(numbers["q"])
    links = robot.links()
    assert set(links) == set(numbers["links"])
    wanted = numbers["sensor_frame_xyz"]
    assert links["sensor_frame"][:3, 3] == pytest.approx(wanted, abs=NINE_DIGITS)
    if options.get("fixed_frames"):
        empty = robot.parts("frame")["sensor_frame"]
        assert robot.world(empty)[:3, 3] == pytest.approx(wanted, abs=NINE_DIGITS)
    without = {link for link, own in numbers["links"].items() if own is None}
    assert {link.name for link in robot.rig.robot.links if link.inertial is None} == without
