"""The reference cases of tests/data/urdf in motion: frames, bounds, masses and torques.

What the files read as is in test_urdf_cases.py; meshes are cut down to the vertices in their text.
"""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from dynarig.core.dynamics import (
    center_of_mass,
    compile_robot,
    gravity_forces,
    link_poses,
)
from dynarig.core.frames import transform_from_xyz_rpy
from dynarig.core.trajectory import read_csv
from dynarig.core.urdf import Box, Capsule, Cylinder, Mesh, Sphere, load_urdf
from dynarig.core.urdf.build import tree_from_robot

DATA = Path(__file__).resolve().parents[2] / "data" / "urdf"
ROUNDED = 1e-8  # the numbers in expected.json have nine decimals
VERTEX = re.compile(r"^\s*(?:v|vertex)\s+(\S+)\s+(\S+)\s+(\S+)", re.MULTILINE)


def expected(case):
    return json.loads((DATA / case / "expected.json").read_text(encoding="utf-8"))


def compiled(case, file):
    robot = load_urdf(DATA / case / file)
    return robot, compile_robot(robot, gravity=(0.0, 0.0, -9.81))


def at(model, values):
    """q with the given joint values, zero for all others."""
    q = np.zeros(model.nq)
    for joint, value in values.items():
        q[model.q_index(joint)] = value
    return q


def frames(model, values):
    """The pose of each link by its name."""
    return dict(zip(model.link_names, link_poses(model, at(model, values)), strict=True))


def check_frames(found, wanted):
    assert set(found) == set(wanted)
    for link, frame in wanted.items():
        assert found[link][:3, 3] == pytest.approx(frame["xyz"], abs=ROUNDED), link
        assert found[link][:3, :3] == pytest.approx(np.array(frame["R"]), abs=ROUNDED), link


def corners(shape):
    """(n, 3): points of the shape, in its frame, whose bounds are those of the shape."""
    match shape:
        case Mesh(_, path, scale):
            text = path.read_text(encoding="ascii")
            return np.array(VERTEX.findall(text), dtype=float) * scale
        case Box(size):
            half = np.array(size) / 2
        case Sphere(radius):
            # the bounds of a ball do not turn with it: points along the axes
            return np.vstack([np.eye(3), -np.eye(3)]) * radius
        case Cylinder(radius, length) | Capsule(radius, length):
            half = np.array([radius, radius, length / 2])
    return half * np.stack(np.meshgrid(*[[-1, 1]] * 3), axis=-1).reshape(-1, 3)


def bounds(robot, poses, link):
    """(2, 3): smallest and largest coordinates of the link's one visual in the world."""
    (visual,) = robot.link(link).visuals
    pose = poses[link] @ transform_from_xyz_rpy(visual.origin.xyz, visual.origin.rpy)
    points = corners(visual.geometry) @ pose[:3, :3].T + pose[:3, 3]
    return np.array([points.min(axis=0), points.max(axis=0)])


@pytest.mark.parametrize(
    ("key", "values"),
    [("visual_world_bounds_q0", {}), ("visual_world_bounds_j_wing_0.5", {"j_wing": 0.5})],
)
def test_case_01_meshes_stand_where_they_should(key, values):
    case = "01_package_uri_layouts"
    robot, model = compiled(case, "ws/alpha_desc/urdf/kestrel.urdf")
    poses = frames(model, values)
    for link, wanted in expected(case)[key].items():
        assert bounds(robot, poses, link) == pytest.approx(np.array(wanted), abs=ROUNDED), link
        mesh = robot.link(link).visuals[0].geometry
        distinct = {tuple(vertex) for vertex in corners(mesh)}
        assert len(distinct) == expected(case)["unique_vertices_per_mesh"]
    assert poses["ghost"][:3, 3] == pytest.approx(expected(case)["ghost_link_xyz"], abs=ROUNDED)


def test_case_03_primitives_stand_where_they_should():
    case = "03_primitive_sizes"
    robot, model = compiled(case, "prims.urdf")
    still = frames(model, {})
    for link, wanted in expected(case)["world_bounds_q0"].items():
        assert bounds(robot, still, link) == pytest.approx(np.array(wanted), abs=ROUNDED), link
    turned = frames(model, {"j1": np.pi / 2})
    for link, xyz in expected(case)["link_xyz_j1_pi_2"].items():
        assert turned[link][:3, 3] == pytest.approx(xyz, abs=ROUNDED), link
    axis = turned["rod"][:3, 2]
    assert axis == pytest.approx(expected(case)["rod_axis_dir_j1_pi_2"], abs=ROUNDED)


def test_case_05_frames():
    case = expected("05_axis_rules")
    _, model = compiled("05_axis_rules", "axes.urdf")
    check_frames(frames(model, {}), case["fk_zero"])
    check_frames(frames(model, case["q"]), case["fk_q"])


def test_case_06_followers_move_in_a_chain():
    case = expected("06_mimic_chain_prismatic")
    _, model = compiled("06_mimic_chain_prismatic", "claw.urdf")
    assert list(model.q_slices) == case["independent_dofs"]
    check_frames(frames(model, case["q"]), case["fk_q"])


def test_case_06_a_joint_without_its_leader_stays_at_zero():
    robot, model = compiled("06_mimic_chain_prismatic", "dangling.urdf")
    assert "p" in model.q_slices
    joint = robot.joint("p")
    wanted = transform_from_xyz_rpy(joint.origin.xyz, joint.origin.rpy)
    assert frames(model, {})[joint.child] == pytest.approx(wanted, abs=ROUNDED)


def test_case_08_masses_centres_and_torques():
    case = expected("08_inertia_defaults")
    robot, model = compiled("08_inertia_defaults", "mass.urdf")
    bodies = {body.name: body for body in tree_from_robot(robot).bodies}
    for link, wanted in case["links"].items():
        body = bodies[link]
        if wanted is None:
            assert (body.mass, body.inertia.any()) == (0.0, False)
            continue
        assert body.mass == wanted["mass"]
        assert body.center_of_mass == pytest.approx(wanted["com_in_link"], abs=ROUNDED)
        inertia = np.array(wanted["I_about_com_link_axes"])
        assert body.inertia == pytest.approx(inertia, abs=ROUNDED)

    poses = frames(model, case["q"])
    assert sum(body.mass for body in bodies.values()) == case["total_mass"]
    whole = center_of_mass(model, at(model, case["q"]))
    assert whole == pytest.approx(case["com_world"], abs=ROUNDED)
    about_origin = sum(
        turned(body.inertia, poses[name]) + steiner(body, poses[name])
        for name, body in bodies.items()
    )
    wanted = np.array(case["inertia_about_base_origin_world"])
    assert about_origin == pytest.approx(wanted, abs=ROUNDED)
    assert poses["sensor_frame"][:3, 3] == pytest.approx(case["sensor_frame_xyz"], abs=ROUNDED)
    torques = gravity_forces(model, at(model, case["q"]))
    for joint, torque in case["holding_torque_g9.81"].items():
        assert torques[model.v_index(joint)] == pytest.approx(torque, abs=1e-6)


def turned(inertia, pose):
    return pose[:3, :3] @ inertia @ pose[:3, :3].T


def steiner(body, pose):
    """m (c^2 1 - c c^T), with the centre of mass c in the world."""
    center = pose[:3, :3] @ body.center_of_mass + pose[:3, 3]
    return body.mass * (center @ center * np.eye(3) - np.outer(center, center))


def test_case_09_links_with_long_names():
    case = expected("09_long_and_clashing_names")
    _, model = compiled("09_long_and_clashing_names", "names.urdf")
    poses = frames(model, case["q"])
    assert set(poses) == set(case["link_xyz_q"])
    for link, xyz in case["link_xyz_q"].items():
        assert poses[link][:3, 3] == pytest.approx(xyz, abs=ROUNDED), link


@pytest.mark.parametrize("state", ["zero", "q"])
def test_case_11_frames_axes_and_visuals(state):
    case = expected("11_rpy_order_and_visual_frames")
    robot, model = compiled("11_rpy_order_and_visual_frames", "flag.urdf")
    poses = frames(model, case["q"] if state == "q" else {})
    check_frames(poses, case[f"fk_{state}"])
    for name, axis in case[f"joint_axis_world_{state}"].items():
        joint = robot.joint(name)
        found = poses[joint.child][:3, :3] @ joint.axis
        assert found == pytest.approx(axis, abs=ROUNDED), name
    for link, wanted in case[f"visual_bounds_{state}"].items():
        assert bounds(robot, poses, link) == pytest.approx(np.array(wanted), abs=ROUNDED), link


def test_case_13_the_blade_along_the_table():
    case = expected("13_bake_many_turns")
    folder = DATA / "13_bake_many_turns"
    robot, model = compiled("13_bake_many_turns", "spinner.urdf")
    table = read_csv(model, folder / "traj.csv")
    blade = robot.joint("feather").child
    for frame, wanted in case["frames"].items():
        time = (int(frame) - case["start_frame"]) / case["fps"]
        assert time == pytest.approx(wanted["t"], abs=ROUNDED)
        # between two rows, 0.01 s apart: the rotor's speed is constant, the blade's is not
        for joint, tolerance in (("spin", 1e-6), ("feather", 1e-3)):
            column = table.q[:, model.q_index(joint)].ravel()
            value = np.interp(time, table.times, column)
            assert value == pytest.approx(wanted[joint], abs=tolerance), frame
        pose = frames(model, {"spin": wanted["spin"], "feather": wanted["feather"]})[blade]
        assert pose[:3, 3] == pytest.approx(wanted["blade_xyz"], abs=ROUNDED), frame
    for wanted in case["subframes(linear keys)"].values():
        pose = frames(model, {"spin": wanted["spin_linear_between_keys"]})[blade]
        assert pose[:3, 3] == pytest.approx(wanted["blade_xyz"], abs=ROUNDED)
