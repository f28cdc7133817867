"""Cases 01, 02, 03 and 11: what is seen stands where it should, from the files it should."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.geometry.meshes import SOURCE_PROPERTY
from dynarig.addon.blender.importing.importer import REPORT_NAME
from dynarig.addon.blender.parts.sub_collections import find_sub_collection

from .frames import NINE_DIGITS, check_bounds, check_frames, check_positions

KESTREL = "ws/alpha_desc/urdf/kestrel.urdf"


def test_packages_are_found_around_the_file(cases, options):
    numbers = cases.expected("01")
    robot = cases.load("01", KESTREL, **options)
    shown = robot.parts("visual")
    sources = {link: obj.data[SOURCE_PROPERTY] for link, obj in shown.items()}
    folder = cases.folder("01")
    assert sources == {link: str(folder / path) for link, path in numbers["resolved"].items()}
    for obj in shown.values():
        distinct = {tuple(vertex.co) for vertex in obj.data.vertices}
        assert len(distinct) == numbers["unique_vertices_per_mesh"]
    assert shown["wing"].data == shown["wing_b"].data
    assert robot.result.missing_meshes == len(numbers["unresolved"])
    (line,) = robot.result.warnings
    for name in numbers["unresolved"]:
        assert name in line
    assert line in bpy.data.texts[REPORT_NAME].as_string()
    assert robot.links()["ghost"][:3, 3] == pytest.approx(numbers["ghost_link_xyz"], abs=1e-6)


def test_meshes_of_packages_stand_and_move(cases, options):
    numbers = cases.expected("01")
    robot = cases.load("01", KESTREL, **options)
    check_bounds(robot, "visual", numbers["visual_world_bounds_q0"])
    (key,) = (key for key in numbers if key.startswith("visual_world_bounds_j_wing_"))
    robot.pose({"j_wing": float(key.rpartition("_")[2])})
    check_bounds(robot, "visual", numbers[key])


def test_collada_has_its_unit_and_nodes_and_no_up_axis(cases, options):
    numbers = cases.expected("02")
    robot = cases.load("02", "wedge.urdf", **options)
    check_bounds(robot, "visual", {"a": numbers["a_world_bounds"], "b": numbers["b_world_bounds"]})
    found = robot.bounds(robot.parts("visual")["a"])
    for mistake, box in numbers["wrong_a"].items():
        assert np.abs(found - box).max() > 0.01, mistake
    (line,) = robot.result.warnings
    assert "wedge_yup.dae" in line
    assert "Y_UP" in line


def test_the_up_axis_of_collada_is_an_option(cases):
    numbers = cases.expected("02")
    robot = cases.load("02", "wedge.urdf", collada_up="APPLY")
    wanted = {"a": numbers["wrong_a"]["up_axis_applied"], "b": numbers["b_world_bounds"]}
    check_bounds(robot, "visual", wanted)
    assert robot.result.warnings == ()


def test_primitives_have_their_sizes(cases, options):
    numbers = cases.expected("03")
    robot = cases.load("03", "prims.urdf", **options)
    parts = robot.parts("visual")
    sizes = {name.partition("(")[0]: size for name, size in numbers["dimensions_xyz"].items()}
    assert set(parts) == set(sizes)
    for link, size in sizes.items():
        points = np.array([vertex.co for vertex in parts[link].data.vertices])
        assert np.ptp(points, axis=0) == pytest.approx(size, abs=1e-7), link
    check_bounds(robot, "visual", numbers["world_bounds_q0"])
    assert robot.result.warnings == ()


def test_primitives_move_with_their_links(cases, options):
    numbers = cases.expected("03")
    robot = cases.load("03", "prims.urdf", **options)
    robot.pose({"j1": np.pi / 2})
    check_positions(robot.links(), numbers["link_xyz_j1_pi_2"])
    rod = robot.world(robot.parts("visual")["rod"])
    assert rod[:3, 2] == pytest.approx(numbers["rod_axis_dir_j1_pi_2"], abs=NINE_DIGITS)


def test_collision_shapes_are_kept_apart(cases):
    without = cases.load("03", "prims.urdf")
    assert without.parts("collision") == {}
    robot = cases.load("03", "prims.urdf", shown="BOTH")
    (box,) = robot.parts("collision").values()
    place = find_sub_collection(robot.result.collection, "collision")
    assert list(place.objects) == [box]
    assert not box.visible_get()
    assert all(obj.visible_get() for obj in robot.parts("visual").values())
    shape = robot.rig.robot.link("slab").collisions[0].geometry
    assert np.ptp(robot.bounds(box), axis=0) == pytest.approx(shape.size, abs=1e-7)


@pytest.mark.parametrize("suffix", ["zero", "q"])
def test_angles_and_visual_frames(cases, options, suffix):
    numbers = cases.expected("11")
    robot = cases.load("11", "flag.urdf", **options)
    robot.pose(numbers["q"] if suffix == "q" else {})
    check_frames(robot.links(), numbers[f"fk_{suffix}"])
    for joint, axis in numbers[f"joint_axis_world_{suffix}"].items():
        assert robot.axis(joint) == pytest.approx(axis, abs=NINE_DIGITS), joint
    check_bounds(robot, "visual", numbers[f"visual_bounds_{suffix}"])
    assert set(robot.parts("visual")) == set(numbers[f"visual_bounds_{suffix}"])
    assert robot.result.warnings == ()
