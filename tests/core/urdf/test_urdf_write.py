"""A description written out reads to an equal one, and what is not read stays as it stands."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dynarig.core.dynamics import compile_robot, link_poses
from dynarig.core.errors import UrdfError
from dynarig.core.urdf import Joint, Limit, Link, Mesh, Robot, load_urdf, parse_urdf
from dynarig.core.urdf import document as doc
from dynarig.core.urdf.decode import BYTE_ORDER_MARKS
from dynarig.core.urdf.scale import scaled_robot
from dynarig.core.urdf.writing import with_references, write_urdf

from ...close import assert_close

DATA = Path(__file__).resolve().parents[2] / "data" / "urdf"
LAW = ("name", "links", "joints", "root", "materials")
NAMES = ["a", 'say "hi"', "<&>", "größe 関節", "two\nlines", "tab\t", " edge ", "it's", "%20"]


def read_back(robot):
    """The law, for one robot; returns the text."""
    text = write_urdf(robot)
    again = parse_urdf(text)
    for what in LAW:
        assert getattr(again, what) == getattr(robot, what), what
    # and nothing is added or lost by doing it once more
    assert write_urdf(again) == text
    return text


def parsed(path):
    """The robot of a file, None for one that is refused."""
    try:
        return parse_urdf(path.read_bytes(), path)
    except UrdfError:
        return None


def test_every_example_robot_reads_back(robots):
    found = [robot for path in sorted(robots.rglob("*.urdf")) if (robot := parsed(path))]
    assert len(found) > 60
    for robot in found:
        read_back(robot)


def test_every_case_reads_back():
    found = [robot for path in sorted(DATA.rglob("*.urdf")) if (robot := parsed(path))]
    assert len(found) > 10
    for robot in found:
        read_back(robot)


class Maker:
    """Random robots that use everything that a description can say."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.materials = [
            doc.Material("red", (1.0, 0.0, 1 / 3, 1.0)),
            doc.Material("red", (0.9, 0.0, 0.0, 0.5)),
            doc.Material("", (0.1, 0.2, 0.3, 0.4)),
            doc.Material("wood", None, "package://p/wood & oak.png"),
            doc.Material('"q"', (0.0, 0.0, 0.0, 0.0), "t.png"),
        ]

    def maybe(self, make):
        return make() if self.random.random() < 0.6 else None

    def number(self):
        return float(self.random.normal() * 10.0 ** self.random.integers(-12, 5))

    def amount(self):
        return abs(self.number())

    def numbers(self, count):
        return tuple(self.number() for _ in range(count))

    def origin(self):
        return self.maybe(lambda: doc.Origin(self.numbers(3), self.numbers(3))) or doc.Origin()

    def geometry(self):
        return [
            lambda: doc.Box((self.amount(), self.amount(), self.amount())),
            lambda: doc.Cylinder(self.amount(), self.amount()),
            lambda: doc.Capsule(self.amount(), self.amount()),
            lambda: doc.Sphere(self.amount()),
            lambda: Mesh('a "b" <c>&.stl', scale=self.numbers(3)),
        ][self.random.integers(5)]()

    def link(self, name):
        inertial = self.maybe(lambda: doc.Inertial(self.amount(), self.numbers(6), self.origin()))
        material = self.materials[self.random.integers(len(self.materials))]
        visuals = [
            doc.Visual(
                self.geometry(),
                self.origin(),
                self.maybe(lambda: "v <1>"),
                self.maybe(lambda: material),
            )
            for _ in range(self.random.integers(3))
        ]
        collisions = [
            doc.Collision(self.geometry(), self.origin(), self.maybe(lambda: "c"))
            for _ in range(self.random.integers(2))
        ]
        return Link(name, inertial, tuple(visuals), tuple(collisions))

    def joint(self, name, parent, child, leaders):
        kind = doc.JOINT_TYPES[self.random.integers(len(doc.JOINT_TYPES))]
        axis, limit, mimic = (1.0, 0.0, 0.0), None, None
        if kind in ("revolute", "continuous", "prismatic", "planar"):
            vector = self.random.normal(size=3)
            axis = tuple((vector / np.linalg.norm(vector)).tolist())
        if kind in ("revolute", "prismatic"):
            ends = sorted(self.numbers(2))
            limit = Limit(*ends, self.maybe(self.amount), self.maybe(self.amount))
        if kind in ("revolute", "continuous", "prismatic") and leaders:
            leader = leaders[self.random.integers(len(leaders))]
            mimic = self.maybe(lambda: doc.Mimic(leader, self.number(), self.number()))
        return Joint(
            name,
            kind,
            parent,
            child,
            self.origin(),
            axis,
            limit,
            doc.JointDynamics(self.amount(), self.amount()),
            mimic,
            self.maybe(lambda: doc.Calibration(self.number(), self.maybe(self.number))),
            self.maybe(lambda: doc.Safety(*self.numbers(4))),
        )

    def robot(self):
        names = [f"{NAMES[index % len(NAMES)]}{index}" for index in range(12)]
        links = [self.link(name) for name in names]
        joints, leaders = [], []
        for index, name in enumerate(names[1:], start=1):
            joint = self.joint(name, names[self.random.integers(index)], name, leaders)
            joints.append(joint)
            if joint.type in ("revolute", "continuous", "prismatic"):
                leaders.append(name)
        top = {"red": self.materials[0]} if self.random.random() < 0.5 else {}
        return Robot('the "robot" & co', tuple(links), tuple(joints), names[0], top)


@pytest.mark.parametrize("seed", range(40))
def test_random_robots_read_back(seed):
    read_back(Maker(seed).robot())


def test_unit_axes_come_back_to_the_last_bit():
    random = np.random.default_rng(3)
    links = tuple(Link(f"l{index}") for index in range(501))
    axes = random.normal(size=(500, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    joints = tuple(
        Joint(f"j{index}", "continuous", "l0", f"l{index + 1}", axis=tuple(axis))
        for index, axis in enumerate(axes.tolist())
    )
    read_back(Robot("r", links, joints, "l0"))


KEPT = """<?xml version="1.0"?>
<!-- made by hand -->
<robot name="kept" xmlns:drake="http://drake" version="1.0">
  <!-- the root -->
  <link name="base"><drake:note a="1"/></link>
  <gazebo reference="base">
    <material>Gazebo/Orange</material> <mu1>0.2</mu1> &amp; text
  </gazebo>
  <joint name="j" type="fixed">
    <parent link="base"/><child link="tip"/>
    <hardware>x &lt; y</hardware>
  </joint>
  <transmission name="t"><joint name="other"/><type>a/b</type></transmission>
  <sensor:thing undeclared:attribute="yes"/>
  <link name="tip"/>
</robot>
<!-- the end -->
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_is_not_read_stays_in_its_place(ends):
    text = read_back(parse_urdf(KEPT.replace("\n", ends)))
    order = [
        "<!-- made by hand -->",
        '<robot name="kept" xmlns:drake="http://drake" version="1.0">',
        "<!-- the root -->",
        '<link name="base">',
        '<drake:note a="1"/>',
        '<gazebo reference="base">\n'
        "    <material>Gazebo/Orange</material> <mu1>0.2</mu1> &amp; text\n  </gazebo>",
        '<joint name="j"',
        "<hardware>x &lt; y</hardware>",
        '<transmission name="t"><joint name="other"/><type>a/b</type></transmission>',
        '<sensor:thing undeclared:attribute="yes"/>',
        '<link name="tip"/>',
        "<!-- the end -->",
    ]
    places = [text.index(piece) for piece in order]
    assert places == sorted(places)


@pytest.mark.parametrize("cut", range(5))
@pytest.mark.parametrize("mark", [b"", *(mark for mark, _ in BYTE_ORDER_MARKS)])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_whatever_encoding_loads_reads_back(encoding, mark, cut):
    data = (mark + KEPT.encode(encoding))[cut:]
    try:
        robot = parse_urdf(data)
    except UrdfError:
        assert cut or mark
        return
    assert "\0" not in read_back(robot)


def test_nothing_is_kept_of_a_text_that_is_no_xml():
    robot = replace(parse_urdf(KEPT), text="".join(f"{letter}\0" for letter in KEPT))
    assert "gazebo" not in read_back(robot)


def test_new_and_removed_links_keep_the_rest_in_order():
    robot = parse_urdf(KEPT)
    grown = replace(
        robot,
        links=(*robot.links, Link("new")),
        joints=(*robot.joints, Joint("k", "fixed", "tip", "new")),
    )
    assert "<gazebo" in read_back(grown)
    shrunk = replace(robot, links=robot.links[:1], joints=())
    text = read_back(shrunk)
    assert "<gazebo" in text and "tip" not in text
    # another order of links than that of the text is the robot's own
    read_back(replace(grown, links=grown.links[::-1]))


def test_a_limit_with_one_end_lets_the_other_side_go_as_far_as_it_likes():
    joint = Joint("j", "prismatic", "a", "b", limit=Limit(None, 0.25))
    again = parse_urdf(write_urdf(Robot("r", (Link("a"), Link("b")), (joint,), "a")))
    assert again.joints[0].limit == Limit(-1e16, 0.25)


@pytest.mark.parametrize("name", ["a\x01", "\ud800", "\x00", "\ufffe"])
def test_what_xml_cannot_hold_is_refused(name):
    with pytest.raises(UrdfError, match=f"U\\+{ord(name[-1]):04X}"):
        write_urdf(Robot("r", (Link(name),), (), name))


def test_numbers_that_are_not_finite_are_refused():
    link = Link("a", visuals=(doc.Visual(doc.Sphere(float("inf"))),))
    with pytest.raises(UrdfError, match="finite"):
        write_urdf(Robot("r", (link,), (), "a"))


@pytest.fixture
def meshes(tmp_path):
    """A robot in ws/pkg/urdf that names its meshes in several ways, and the paths of these."""
    folder = tmp_path / "ws" / "pkg"
    (folder / "urdf").mkdir(parents=True)
    (folder / "package.xml").write_text("<package><name>pkg</name></package>")
    files = [folder / "urdf" / "near.stl", folder / "a%20 b.stl", folder / "c.stl"]
    for file in files:
        file.write_bytes(b"")
    named = ["near.stl", "../a%20 b.stl", "package://pkg/c.stl", files[2].as_posix(), "gone.stl"]
    shown = "".join(
        f'<visual><geometry><mesh filename="{name}"/></geometry></visual>' for name in named
    )
    source = folder / "urdf" / "robot.urdf"
    source.write_text(f'<robot name="r"><link name="a">{shown}</link></robot>')
    return load_urdf(source), [files[0], files[1], files[2], files[2], None]


def names_of(robot):
    return [visual.geometry.filename for visual in robot.links[0].visuals]


@pytest.mark.parametrize("references", ["AUTO", "KEEP", "RELATIVE", "ABSOLUTE"])
@pytest.mark.parametrize("place", ["ws/pkg/urdf", "ws/pkg", "elsewhere"])
def test_files_are_found_from_the_new_place(meshes, tmp_path, references, place):
    robot, files = meshes
    folder = tmp_path / place
    folder.mkdir(exist_ok=True)
    written = with_references(robot, folder, references)
    (folder / "new.urdf").write_text(write_urdf(written))
    again = load_urdf(folder / "new.urdf")
    paths = [visual.geometry.path for visual in again.links[0].visuals]
    if references == "KEEP" and place == "elsewhere":
        files[2] = None  # its package is not near
    assert paths == files
    names = names_of(written)
    assert references != "KEEP" or names[2:4] == names_of(robot)[2:4]
    assert references != "ABSOLUTE" or all(name.startswith("/") for name in names[:4])
    assert references != "RELATIVE" or not any(name.startswith("/") for name in names)
    assert references != "AUTO" or (names[2] == "package://pkg/c.stl") == (place != "elsewhere")


@pytest.mark.parametrize("name", ["06_mimic_chain_prismatic/claw.urdf"])
def test_a_scaled_robot_moves_alike(name):
    robot = parse_urdf((DATA / name).read_bytes())
    factor = 2.5
    small, large = compile_robot(robot), compile_robot(scaled_robot(robot, factor))
    sliding = np.array([small.joint_type(joint) == "prismatic" for joint in small.joint_names])
    assert sliding.any() or any(joint.type == "prismatic" for joint in robot.joints)
    q = np.random.default_rng(5).uniform(-0.5, 0.5, small.nq)
    wide = np.where(sliding, factor, 1.0) * q
    poses, wanted = link_poses(large, wide), link_poses(small, q).copy()
    wanted[:, :3, 3] *= factor
    assert_close(poses, wanted, atol=1e-14)
    for link, other in zip(robot.links, scaled_robot(robot, factor).links, strict=True):
        assert (link.inertial is None) == (other.inertial is None)
        if link.inertial is not None:
            assert other.inertial.mass == link.inertial.mass


@pytest.mark.parametrize("references", ["AUTO", "KEEP", "RELATIVE", "ABSOLUTE"])
@pytest.mark.parametrize("is_there", [False, True])
def test_a_new_file_is_named_alike_whether_it_is_there_or_not(tmp_path, references, is_there):
    path = tmp_path / "a_meshes" / "b.stl"
    if is_there:
        path.parent.mkdir()
        path.write_bytes(b"")
    shown = doc.Visual(Mesh(path.as_posix(), path))
    robot = Robot("r", (Link("a", visuals=(shown,)),), (), "a", {})
    named = with_references(robot, tmp_path, references, (), {path.as_posix()})
    wanted = path.as_posix() if references == "ABSOLUTE" else "a_meshes/b.stl"
    assert named.links[0].visuals[0].geometry.filename == wanted
