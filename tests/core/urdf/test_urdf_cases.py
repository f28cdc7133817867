"""The reference cases of tests/data/urdf, as far as reading is concerned.

expected.json of each case also holds frames and motions, which other tests use.
"""

import json
from pathlib import Path

import pytest
from dynarig.core.errors import UrdfError
from dynarig.core.urdf import Box, Capsule, Cylinder, Mesh, Sphere, load_urdf, parse_urdf

DATA = Path(__file__).resolve().parents[2] / "data" / "urdf"


DAE_OF_LINK = {"a": "wedge_yup.dae", "b": "wedge_zup.dae"}


def expected(case):
    return json.loads((DATA / case / "expected.json").read_text(encoding="utf-8"))


def test_case_01_packages_are_found_around_the_file():
    case = DATA / "01_package_uri_layouts"
    robot = load_urdf(case / "ws" / "alpha_desc" / "urdf" / "kestrel.urdf")
    paths = {link.name: link.visuals[0].geometry.path for link in robot.links}
    for link, relative in expected(case.name)["resolved"].items():
        assert paths[link] == case / relative
    assert paths["ghost"] is None
    (missing,) = expected(case.name)["unresolved"]
    (warning,) = robot.warnings
    assert missing in warning
    assert robot.joint("j_ghost").origin.xyz == tuple(expected(case.name)["ghost_link_xyz"])


def test_case_02_a_collada_mesh_keeps_its_place_and_its_scale():
    folder = DATA / "02_dae_up_axis_unit_node"
    robot = load_urdf(folder / "wedge.urdf")
    shapes = {link.name: link.visuals[0].geometry for link in robot.links if link.visuals}
    files = {name: (folder / "meshes" / file).as_posix() for name, file in DAE_OF_LINK.items()}
    assert {name: shape.path.as_posix() for name, shape in shapes.items()} == files
    # what is in the files is for the add-on to read: the document says how it is scaled and placed
    assert [shapes[name].scale for name in DAE_OF_LINK] == [(1.0, 1.0, 1.0), (2.0, 2.0, 2.0)]
    assert [robot.joint(name).origin.xyz[0] for name in ("ja", "jb")] == [1.0, -1.0]
    assert robot.warnings == ()


def test_case_03_primitives_keep_their_sizes_and_collisions_apart():
    case = expected("03_primitive_sizes")
    robot = load_urdf(DATA / "03_primitive_sizes" / "prims.urdf")
    sizes = {link.name: full_size(link.visuals[0].geometry) for link in robot.links}
    for name, size in case["dimensions_xyz"].items():
        assert sizes[name.split("(")[0]] == pytest.approx(size)
    assert robot.link("slab").collisions[0].geometry == Box((0.42, 0.12, 0.04))
    assert robot.link("rod").visuals[0].origin.xyz == (0.0, 0.0, 0.15)


def full_size(geometry):
    match geometry:
        case Box(size):
            return size
        case Sphere(radius):
            return (2 * radius,) * 3
        case Cylinder(radius, length):
            return (2 * radius, 2 * radius, length)
        case Capsule(radius, length):
            return (2 * radius, 2 * radius, length + 2 * radius)


def test_case_05_axes_are_unit_x_by_default_and_ignored_when_fixed():
    robot = load_urdf(DATA / "05_axis_rules" / "axes.urdf")
    for name, axis in expected("05_axis_rules")["axis_unit"].items():
        assert robot.joint(name).axis == pytest.approx(axis, abs=1e-9)
    assert [text.split("name=")[1].split(">")[0] for text in robot.warnings] == [
        '"long_axis"',
        '"skew"',
        '"slide"',
    ]


def test_case_06_mimic_chains_load_in_any_order():
    robot = load_urdf(DATA / "06_mimic_chain_prismatic" / "claw.urdf")
    case = expected("06_mimic_chain_prismatic")
    for knob, values in (
        (0.8, case["joint_values"]),
        (0.0, case["joint_values_knob_0"]),
    ):
        assert {joint.name: value_of(robot, joint.name, knob) for joint in robot.joints} == (
            pytest.approx(values, abs=1e-12)
        )
    leaders = [joint.name for joint in robot.joints if joint.mimic is None]
    assert leaders == case["independent_dofs"]


def value_of(robot, name, knob):
    mimic = robot.joint(name).mimic
    return (
        knob
        if mimic is None
        else mimic.multiplier * value_of(robot, mimic.joint, knob) + mimic.offset
    )


def test_case_06_a_circle_of_mimics_is_an_error_with_both_names():
    with pytest.raises(UrdfError, match=r"loop\.urdf:\d+: .*circle: p -> q -> p"):
        load_urdf(DATA / "06_mimic_chain_prismatic" / "loop.urdf")


def test_case_06_a_leader_that_does_not_exist_is_a_warning_with_both_names():
    robot = load_urdf(DATA / "06_mimic_chain_prismatic" / "dangling.urdf")
    (warning,) = robot.warnings
    assert "no_such_joint" in warning
    assert '"p"' in warning
    assert robot.joint("p").mimic is None


def test_case_08_no_inertial_means_no_mass():
    robot = load_urdf(DATA / "08_inertia_defaults" / "mass.urdf")
    case = expected("08_inertia_defaults")
    masses = {link.name: link.inertial and link.inertial.mass for link in robot.links}
    assert masses == {name: values and values["mass"] for name, values in case["links"].items()}
    assert sum(mass or 0.0 for mass in masses.values()) == case["total_mass"]
    assert robot.link("arm").inertial.origin.xyz == (0.0, 0.0, 0.0)
    assert robot.link("tip").inertial.origin.rpy == (0.3, 0.0, 0.7)


def test_case_09_long_and_equal_names_stay_exact():
    robot = load_urdf(DATA / "09_long_and_clashing_names" / "names.urdf")
    case = expected("09_long_and_clashing_names")
    assert (len(robot.links), len(robot.joints)) == (case["links"], case["joints"])
    names = {item.name for item in (*robot.links, *robot.joints)}
    for name, size in case["name_bytes"].items():
        assert name in names
        assert len(name.encode()) == size
    assert {link.name for link in robot.links} == set(case["link_xyz_q"])
    assert robot.link("arm")
    assert robot.joint("arm")


def test_case_11_visual_origins_and_shared_meshes():
    robot = load_urdf(DATA / "11_rpy_order_and_visual_frames" / "flag.urdf")
    mesh = DATA / "11_rpy_order_and_visual_frames" / "meshes" / "flag.obj"
    assert [link.visuals[0].geometry for link in robot.links if link.visuals] == [
        Mesh("meshes/flag.obj", mesh)
    ] * 2
    assert robot.link("a").visuals[0].origin.rpy == (1.0, -0.5, 2.0)
    assert robot.joint("j2").origin.rpy == (0.2, 1.5707963267948966, 0.9)
    assert robot.warnings == ()


def test_case_13_a_continuous_joint_is_unlimited():
    robot = load_urdf(DATA / "13_bake_many_turns" / "spinner.urdf")
    assert robot.joint("spin").limit is None
    assert (robot.joint("feather").limit.lower, robot.joint("feather").limit.upper) == (-0.6, 0.6)
    assert robot.warnings == ()


ODDITIES = expected("15_xml_oddities")


@pytest.mark.parametrize(
    "name", [text.split()[0] for text in (*ODDITIES["must_load"], *ODDITIES["load_or_clear_error"])]
)
def test_case_15_what_other_readers_stumble_on_loads(name):
    robot = load_urdf(DATA / "15_xml_oddities" / name)
    assert (len(robot.links), len(robot.joints)) == (2, 1)
    assert robot.joint("j").origin.xyz == tuple(ODDITIES["b_xyz"])
    assert robot.joint("j").origin.rpy == (0.0, 0.0, ODDITIES["b_yaw"])
    warned = {"commas.urdf": "commas", "decl_not_first.urdf": "line 2: <?xml?>"}.get(name)
    assert len(robot.warnings) == (2 if name == "commas.urdf" else 1 if warned else 0)
    assert all(warned in text for text in robot.warnings)


def test_case_15_left_over_xacro_is_named():
    with pytest.raises(UrdfError) as caught:
        load_urdf(DATA / "15_xml_oddities" / "leftover_expr.urdf")
    message = str(caught.value)
    assert "leftover_expr.urdf:3: <xacro:property" in message
    assert "'${h}' in xyz of <origin>, line 5" in message
    assert "xacro" in message
    assert "expanded" in message


REFUSED = ("loop.urdf", "leftover_expr.urdf")


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(DATA.rglob("*.urdf")) if path.name not in REFUSED],
    ids=lambda path: path.stem,
)
def test_the_text_of_a_robot_gives_the_same_robot(path):
    robot = parse_urdf(path.read_bytes(), path)
    assert parse_urdf(robot.text, path) == robot
