"""Contact components: planar and spatial mechanisms that hit, rest, and stop at limits."""

import numpy as np
import pytest

from ...close import assert_close

G = 9.81


def bouncing(space, shape, ground, **options):
    """A free body above the ground, 1 m high."""
    from dynarig.core import mechanism as m

    kind = getattr(m, space)
    up = np.array({"planar": (0, 1), "spatial": (0, 0, 1)}[space])
    world = kind.World("world", n=-up, g=G)
    ball = kind.Body("ball", m=2.0, r0=1.0 * up)
    hit = kind.Contact("hit", a=ground, b=shape, **options)
    made = m.Mechanism("bounce", [world, ball, hit])
    made.connect(world.frame_b, hit.frame_a)
    made.connect(ball.frame_a, hit.frame_b)
    return made


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_ball_bounces_and_rests(space):
    from dynarig.core.mechanism.contacts import Plane, Sphere

    made = bouncing(space, Sphere(radius=0.2), Plane(), restitution=0.5)
    sol = made.simulate(2.0)
    fall = np.sqrt(2 * 0.8 / G)
    times = fall + 2 * fall * np.cumsum([0.0, 0.5, 0.25])
    assert_close([hit.time for hit in sol.trajectory.impacts[:3]], times, 1e-10)
    assert_close(sol(2.0, "ball.r")[-1], 0.2, 1e-10)
    assert_close(sol(1.9, "hit.push"), 2.0 * G, 1e-8)
    assert_close(sol([0.0, 2.0], "hit.gap"), [[0.8], [0.0]], 1e-10)


def test_a_box_falls_on_its_face():
    from dynarig.core.mechanism.contacts import Box, Plane

    sol = bouncing("planar", Box(size=(0.6, 0.4)), Plane()).simulate(1.0)
    assert len(sol.trajectory.impacts) == 1
    assert set(sol.trajectory.impacts[0].contacts) == {"hit corner 0", "hit corner 2"}
    assert_close(sol(1.0, "ball.r"), [0.0, 0.2], 1e-12)
    assert_close(np.sum(sol(0.9, "hit.push")), 2.0 * G, 1e-8)


def pendulum(*more, phi0=0.0, limits=None):
    from dynarig.core.mechanism import Mechanism, planar

    world = planar.World("world", g=G)
    hinge = planar.Revolute("hinge", phi0=phi0, limits=limits)
    rod = planar.BodyShape("rod", r=(1, 0), m=1.0, I=0.1)
    made = Mechanism("pendulum", [world, hinge, rod, *[own(hinge) for own in more]])
    made.chain(world, hinge, rod)
    return made, world, rod


def test_forces_pass_through_a_contact_at_rest():
    from dynarig.core.mechanism import planar
    from dynarig.core.mechanism.contacts import Plane, Point

    made, world, rod = pendulum(phi0=0.4)
    stop = planar.Contact("stop", a=Plane(at=(0, 0)), b=Point())
    made.add(stop)
    made.connect(world.frame_b, stop.frame_a)
    made.connect(rod.frame_b, stop.frame_b)
    sol = made.simulate(1.5)
    assert_close(sol(1.5, "hinge.phi"), 0.0, 1e-10)
    # half of the weight on the hinge, half on the stop
    assert_close(sol(1.4, "stop.push"), [0.5 * G], 1e-8)
    assert_close(sol(1.4, "stop.frame_b.fy"), -0.5 * G, 1e-8)
    assert_close(sol(1.4, "hinge.frame_b.fy"), -0.5 * G, 1e-8)


def test_a_joint_stops_at_its_limit():
    from dynarig.core.mechanism import planar

    def limit(hinge):
        return planar.JointLimit("stop", joint=hinge, restitution=0.5)

    made, _, _ = pendulum(limit, limits=(-0.5, 0.5))
    sol = made.simulate(3.0)
    assert sol.trajectory.impacts[0].contacts == ("limit of hinge, lower",)
    assert_close(sol(3.0, "hinge.phi"), -0.5, 1e-10)


def test_rules_for_impacts_of_one_instant():
    from dynarig.core.mechanism import Mechanism, planar
    from dynarig.core.mechanism.contacts import Sphere

    def cradle(rule):
        world = planar.World("world", g=0.0)
        starts = ((-2, 1), (0, 0), (1, 0))
        balls = [
            planar.Body(name, m=1.0, I=0.1, r0=(x, 0), v0=(v, 0))
            for name, (x, v) in zip("abc", starts, strict=True)
        ]
        touch = [
            planar.Contact(f"{k}", a=Sphere(radius=0.5), b=Sphere(radius=0.5), restitution=1.0)
            for k in range(2)
        ]
        made = Mechanism("cradle", [world, *balls, *touch], impacts=rule)
        for k in range(2):
            made.connect(balls[k].frame_a, touch[k].frame_a)
            made.connect(balls[k + 1].frame_a, touch[k].frame_b)
        sol = made.simulate(2.0)
        return [float(sol(2.0, f"{name}.v")[0]) for name in "abc"]

    assert_close(cradle("joint"), [-1 / 3, 2 / 3, 2 / 3], 1e-11)
    assert_close(cradle("sequential"), [0, 0, 1], 1e-11)


def test_bad_arguments_are_refused():
    from dynarig.core.errors import ArgumentError
    from dynarig.core.mechanism import Mechanism, planar
    from dynarig.core.mechanism.contacts import Cylinder, Plane, Point

    with pytest.raises(ArgumentError, match=r"Contact 'x': friction: wanted a number .*, got -1"):
        planar.Contact("x", a=Plane(), b=Point(), friction=-1.0)
    with pytest.raises(ArgumentError, match="Contact 'x': b: wanted a shape in a plane: Point, "):
        planar.Contact("x", a=Plane(), b=Cylinder(radius=1.0, length=1.0))
    with pytest.raises(ArgumentError, match="restitution: wanted a number from 0 to 1"):
        planar.Contact("x", a=Plane(), b=Point(), restitution=2.0)
    with pytest.raises(ArgumentError, match="Contact 'x': a: wanted a shape"):
        planar.Contact("x", a="floor", b=Point())
    with pytest.raises(ArgumentError, match="JointLimit 'x': joint: wanted a joint"):
        planar.JointLimit("x", joint="hinge")
    with pytest.raises(ArgumentError, match="wanted 'joint' or 'sequential'"):
        Mechanism("x", impacts="both")


def test_shapes_are_drawn():
    from dynarig.core.mechanism.contacts import Box, Plane, Sphere, Wall
    from dynarig.core.mechanism.picture import picture

    for ground in (Plane(), Wall(length=2.0)):
        for shape in (Box(size=(0.6, 0.4)), Sphere(radius=0.2)):
            made = bouncing("planar", shape, ground)
            solids = picture(made.compile()).solids
            assert sum(solid.component == "hit" for solid in solids) >= 2


def test_what_exact_impacts_cannot_take_is_told_with_the_scheme_that_can():
    from dynarig.core.errors import ArgumentError
    from dynarig.core.mechanism.contacts import Capsule, Plane, Sphere

    for options, told in (
        ({"shape": Sphere(radius=0.2), "friction": 0.5}, "friction: .* this contact has .* 0.5"),
        ({"shape": Capsule(radius=0.2, length=1.0)}, "b: exact impacts take .* this is a Capsule"),
    ):
        made = bouncing("spatial", ground=Plane(), **options)
        made.compile()
        with pytest.raises(ArgumentError, match=f"bounce: Contact 'hit': {told}.*time-stepping"):
            made.simulate(1.0)


def test_walls_and_ground_are_drawn_as_they_are_to_be_shown():
    from dynarig.core.mechanism.contacts import Capsule, Cylinder, Plane, Sphere, Wall
    from dynarig.core.mechanism.picture import picture

    ball = Sphere(radius=0.2)

    def drawn(space, ground, shape=ball):
        solids = picture(bouncing(space, shape, ground).compile()).solids
        return [solid for solid in solids if solid.component == "hit"]

    assert drawn("planar", Plane(shown=3.0))[0].size[0] == 3.0
    assert drawn("planar", Wall(length=2.0, shown=3.0))[0].size[0] == 2.0
    plate = drawn("spatial", Wall(length=2.0, along=(0, 1, 0), shown=5.0))[0]
    assert (plate.size[0], plate.size[2]) == (2.0, 5.0)
    assert_close(plate.link_from_solid[:3, 0], [0.0, 1.0, 0.0], 1e-15)
    # its surface is where the plane is
    assert_close(plate.link_from_solid[2, 3], -0.5 * plate.size[1], 1e-15)
    capsule = drawn("spatial", Plane(), Capsule(radius=0.1, length=0.4, axis=(1, 0, 0)))[1:]
    assert [own.kind for own in capsule] == ["cylinder", "sphere", "sphere"]
    assert_close(capsule[0].link_from_solid[:3, 2], [1.0, 0.0, 0.0], 1e-15)
    assert_close([own.link_from_solid[0, 3] for own in capsule[1:]], [-0.2, 0.2], 1e-15)
    (cylinder,) = drawn("spatial", Plane(), Cylinder(radius=0.1, length=0.4))[1:]
    assert cylinder.size == (0.1, 0.4)
