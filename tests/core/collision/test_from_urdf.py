"""Colliders of a robot's description."""

import numpy as np
import pytest

from ...close import assert_close

CORNERS = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
ROBOT = """
<robot name="r">
  <link name="base">
    <collision><geometry><sphere radius="0.2"/></geometry></collision>
    <collision><origin xyz="0 0 1" rpy="0 0 1.5"/>
      <geometry><box size="0.2 0.4 0.6"/></geometry></collision>
    <visual><geometry><cylinder radius="0.1" length="2"/></geometry></visual>
  </link>
  <link name="arm">
    <collision><geometry><cylinder radius="0.1" length="0.5"/></geometry></collision>
    <collision><geometry><mesh filename="arm.stl" scale="0.001 0.002 0.003"/></geometry></collision>
    <collision><geometry><capsule radius="0.05" length="0.3"/></geometry></collision>
  </link>
  <joint name="j" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>
"""


def robot():
    from dynarig.core.urdf.parse import parse_urdf

    return parse_urdf(ROBOT.encode(), None)


def colliders_of(*arguments, **options):
    from dynarig.core.dynamics.collision.from_urdf import colliders_of

    return colliders_of(robot(), *arguments, **options)


def scaled(mesh):
    """The points of a mesh file of a unit cube, as `points_of` gives them."""
    return CORNERS * np.array(mesh.scale)


def test_every_shape_becomes_a_collider_on_its_link():
    from dynarig.core.dynamics import contact
    from dynarig.core.frames import rotation_from_rpy

    own, notes = colliders_of(scaled, friction=0.7, restitution=0.3)
    assert notes == ()
    assert [(c.name, c.shape.port.link, type(c.shape)) for c in own] == [
        ("base", "base", contact.Sphere),
        ("base collision 2", "base", contact.Box),
        ("arm", "arm", contact.Cylinder),
        ("arm collision 2", "arm", contact.Hull),
        ("arm collision 3", "arm", contact.Capsule),
    ]
    assert {(c.friction, c.restitution) for c in own} == {(0.7, 0.3)}
    assert own[0].shape.radius == 0.2
    assert_close(own[1].shape.sizes, [0.1, 0.2, 0.3], 1e-15)
    assert_close(own[1].shape.port.link_from_port[:3, 3], [0.0, 0.0, 1.0], 0.0)
    assert_close(own[1].shape.port.link_from_port[:3, :3], rotation_from_rpy((0, 0, 1.5)), 1e-15)
    assert (own[2].shape.radius, own[2].shape.length) == (0.1, 0.5)
    assert (own[4].shape.radius, own[4].shape.length) == (0.05, 0.3)
    assert_close(own[3].shape.corners.max(axis=0), [0.001, 0.002, 0.003], 1e-15)
    assert len(own[3].shape.corners) == 8


def test_they_can_be_compiled():
    from dynarig.core.dynamics import compile_robot
    from dynarig.core.dynamics.collision.collisions import Collisions

    own, _ = colliders_of(scaled)
    found = Collisions(compile_robot(robot(), floating_base=True), own)
    # two links that a joint connects
    assert len(found.pairs) == 0


@pytest.mark.parametrize(
    ("points_of", "told"),
    [
        (None, "nothing reads mesh files here"),
        (lambda mesh: None, "it cannot be read"),
        (lambda mesh: np.zeros((0, 3)), "it has no vertices"),
        (lambda mesh: np.zeros((4, 3)), "span an area"),
        (lambda mesh: CORNERS * np.nan, "finite numbers"),
        (lambda mesh: np.zeros((4, 2)), "shape"),
    ],
)
def test_meshes_without_a_hull_are_left_out_with_a_note(points_of, told):
    own, notes = colliders_of(points_of)
    assert [c.name for c in own] == ["base", "base collision 2", "arm", "arm collision 3"]
    assert len(notes) == 1
    assert notes[0].startswith("arm collision 2: mesh 'arm.stl' is left out: ")
    assert told in notes[0]


def test_what_is_seen_can_be_what_touches():
    own, notes = colliders_of(geometry="visual")
    assert [c.name for c in own] == ["base"]
    assert notes == ()
    assert own[0].shape.length == 2.0


def test_another_geometry_is_refused():
    from dynarig.core import errors

    with pytest.raises(errors.ArgumentError, match="wanted 'collision' or 'visual', got 'both'"):
        colliders_of(geometry="both")
    with pytest.raises(errors.ArgumentError, match="friction"):
        colliders_of(friction=-1.0)


def test_a_file_that_many_links_share_is_read_once():
    from dynarig.core.dynamics.collision.from_urdf import colliders_of as of
    from dynarig.core.urdf.parse import parse_urdf

    mesh = '<collision><geometry><mesh filename="leg.stl"/></geometry></collision>'
    ends = '<parent link="base"/><child link="leg{0}"/>'
    leg = f'<link name="leg{{0}}">{mesh}</link><joint name="j{{0}}" type="fixed">{ends}</joint>'
    legs = "".join(leg.format(number) for number in range(4))
    text = f'<robot name="r"><link name="base"/>{legs}</robot>'
    asked = []

    def points_of(mesh):
        asked.append(mesh.filename)
        return CORNERS

    own, _ = of(parse_urdf(text.encode(), None), points_of)
    assert len(own) == 4
    assert asked == ["leg.stl"]
