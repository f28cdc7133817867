"""How long bones are: exact at any pose, and no longer than what they stand for."""

import numpy as np
import pytest
from dynarig.addon.blender.bone_lengths import (
    LENGTH_PER_DISTANCE,
    LONGEST,
    SHORTEST,
    STILL,
    pleasant_lengths,
    shape_sizes,
    size_of,
)
from dynarig.addon.blender.pose import set_configuration
from dynarig.core.urdf import parse_urdf

from .conftest import MESHES

# what float32 leaves of a pose of 1 m: each of a robot's axes is off by 2e-6
ROOM = 5e-6
FAR_FINGERS = """<robot name="hand">
  <link name="base"/><link name="arm"/><link name="hand"/><link name="left"/><link name="right"/>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="arm"/>
    <origin xyz="0 0 0.3"/><axis xyz="0 1 0"/></joint>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/>
    <origin xyz="0.6 0 0.1" rpy="0.3 0.2 0.1"/><axis xyz="1 2 3"/></joint>
  <joint name="l" type="prismatic"><parent link="hand"/><child link="left"/>
    <origin xyz="0.2 0.03 0"/><axis xyz="0 1 0"/>
    <limit lower="-0.1" upper="0.1" effort="1" velocity="1"/></joint>
  <joint name="r" type="prismatic"><parent link="hand"/><child link="right"/>
    <origin xyz="0.2 -0.03 0"/><axis xyz="0 1 0"/>
    <limit lower="-0.1" upper="0.1" effort="1" velocity="1"/></joint>
</robot>"""


def test_a_bone_is_half_as_long_as_the_way_to_the_nearest_joint_elsewhere() -> None:
    # two at one place, one near, one far
    heads = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [1.0, 0.0, 0.0]])
    unknown = [np.inf] * 4
    lengths = pleasant_lengths(heads, [True] * 4, unknown, reach=1.0)
    assert lengths == pytest.approx([0.05, 0.05, 0.05, LONGEST])
    # what does not move is short, and no neighbour
    lengths = pleasant_lengths(heads, [True, True, False, True], unknown, reach=1.0)
    assert lengths == pytest.approx([LONGEST, LONGEST, STILL, LONGEST])


def test_no_pleasant_bone_is_longer_than_the_shapes_of_its_link() -> None:
    heads = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    lengths = pleasant_lengths(heads, [True, True], [0.04, 5.0], reach=1.0)
    assert lengths == pytest.approx([0.04, LONGEST])
    # what is too small to be seen says nothing
    lengths = pleasant_lengths(heads, [True, True], [1e-6, 5.0], reach=1.0)
    assert lengths == pytest.approx([SHORTEST, LONGEST])


def test_lengths_scale_with_the_robot() -> None:
    random = np.random.default_rng(7)
    heads = random.normal(size=(20, 3))
    moving = (random.uniform(size=20) < 0.7).tolist()
    sizes = random.uniform(0.01, 2.0, 20)
    reach = float(np.linalg.norm(heads, axis=1).max())
    lengths = pleasant_lengths(heads, moving, sizes, reach)
    larger = pleasant_lengths(8.0 * heads, moving, 8.0 * sizes, 8.0 * reach)
    assert larger == pytest.approx(8.0 * lengths, rel=1e-12)
    assert (lengths <= LONGEST * reach).all()
    assert (lengths >= SHORTEST * reach).all()
    assert (lengths[moving] <= np.maximum(sizes, SHORTEST * reach)[moving]).all()


def test_a_robot_of_one_joint_has_the_size_of_its_shapes() -> None:
    assert pleasant_lengths(np.zeros((1, 3)), [True], [0.01], reach=0.0) == pytest.approx(0.002)


@pytest.mark.parametrize(
    ("shapes", "size"),
    [
        ('<box size="0.1 0.3 0.2"/>', 0.3),
        ('<sphere radius="0.2"/>', 0.4),
        ('<cylinder radius="0.2" length="0.1"/>', 0.4),
        ('<cylinder radius="0.1" length="0.7"/>', 0.7),
        ('<capsule radius="0.1" length="0.7"/>', 0.9),
        ('<mesh filename="a.stl"/>', np.inf),
        ("", np.inf),
    ],
)
def test_the_size_of_shapes_is_their_longest_edge(shapes: str, size: float) -> None:
    visual = f"<visual><geometry>{shapes}</geometry></visual>" if shapes else ""
    robot = parse_urdf(f'<robot name="r"><link name="a">{visual}</link></robot>')
    assert size_of("a", shape_sizes(robot)) == pytest.approx(size)


def test_fingers_far_from_the_root_are_not_hidden_by_their_bones(lab) -> None:
    result = lab.load_text(FAR_FINGERS.partition(">")[2].removesuffix("</robot>"))
    rig, model = lab.open(result)
    for finger in ("l", "r"):
        bone = rig.pose_bone(finger)
        least = LENGTH_PER_DISTANCE * bone.bone.head_local.length
        assert bone.length == pytest.approx(max(least, 0.03), rel=1e-3)
    for _ in range(5):
        q = lab.random_q(model)
        set_configuration(rig, model, q)
        assert lab.error(result.object, model, q) < ROOM


def test_bones_of_a_hand_are_shorter_than_those_of_its_arm(lab, robots) -> None:
    text = (robots / "tiago_description/robots/tiago.urdf").read_text(encoding="utf-8")
    bare = lab.folder / "bare.urdf"
    bare.write_text(MESHES.sub("", text), encoding="utf-8")
    result = lab.load_file(bare)
    lengths = {bone.name: bone.length for bone in result.object.data.bones}
    hand = [length for bone, length in lengths.items() if bone.startswith("hand_")]
    assert len(hand) > 30
    assert max(hand) < 0.04
    assert max(hand) < lengths["arm_4_link"]
