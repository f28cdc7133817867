"""Contacts with friction in mechanisms: time stepping against closed forms."""

import math

import numpy as np
import pytest

from ...close import assert_close

G, MASS, STEPPED = 9.81, 2.0, "time-stepping"


def on_slope(space, angle, shape, height, friction, inertia=0.1, **start):
    """A free body on ground that slopes down along x: gravity is turned instead."""
    from dynarig.core import mechanism as m
    from dynarig.core.mechanism.contacts import Plane

    kind, flat = getattr(m, space), space == "planar"
    down = (math.sin(angle), -math.cos(angle))
    world = kind.World("world", n=down if flat else (down[0], 0.0, down[1]), g=G)
    sizes = {"I": inertia} if flat else dict.fromkeys(("I_11", "I_22", "I_33"), inertia)
    place = (0.0, height) if flat else (0.0, 0.0, height)
    body = kind.Body("body", m=MASS, r0=place, **sizes, **start)
    hit = kind.Contact("hit", a=Plane(), b=shape, friction=friction)
    made = m.Mechanism("slope", [world, body, hit])
    made.connect(world.frame_b, hit.frame_a)
    made.connect(body.frame_a, hit.frame_b)
    return made


def block(space):
    from dynarig.core.mechanism.contacts import Box

    return Box(size=(0.4, 0.2) if space == "planar" else (0.4, 0.4, 0.2))


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_block_on_a_slope_sticks_below_the_friction_angle(space):
    sol = on_slope(space, 0.3, block(space), 0.1, 0.5).simulate(1.0, method=STEPPED)
    assert_close(sol(1.0, "body.r")[0], 0.0, 1e-5)
    assert_close(sol(0.5, "hit.push"), MASS * G * math.cos(0.3), 1e-3)
    assert_close(sol(0.5, "hit.rub"), MASS * G * math.sin(0.3), 1e-2)
    assert np.abs(sol(0.5, "hit.gap")).min() < 1e-6


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_block_on_a_slope_slides_above_it(space):
    friction = 0.2
    sol = on_slope(space, 0.3, block(space), 0.1, friction).simulate(1.0, method=STEPPED)
    a = G * (math.sin(0.3) - friction * math.cos(0.3))
    t = np.linspace(0.1, 1.0, 10)
    assert_close(sol(t, "body.r")[:, 0], 0.5 * a * t**2, 1e-3)
    assert_close(sol(t, "body.v")[:, 0], a * t, 1e-3)
    assert_close(sol(t, "hit.rub"), friction * sol(t, "hit.push"), 1e-3)
    # what acts through the frame of the contact: on it the slope's force, from it on the body
    planar = space == "planar"
    force = (
        [sol(t, f"hit.frame_b.{name}") for name in ("fx", "fy")]
        if planar
        else sol(t, "hit.frame_b.f").T
    )
    assert_close(force[0], sol(t, "hit.rub"), 1e-6)
    assert_close(force[-1], -sol(t, "hit.push"), 1e-6)


def rolling(space):
    """A disc, a ball or a cylinder, and its share k of m r^2."""
    from dynarig.core.mechanism.contacts import Cylinder, Sphere

    ball = Sphere(radius=0.1)
    return {
        "circle": ("planar", ball, 0.5),
        "ball": ("spatial", ball, 0.4),
        "cylinder": ("spatial", Cylinder(radius=0.1, length=0.3, axis=(0, 1, 0)), 0.5),
    }[space]


@pytest.mark.parametrize("kind", ["circle", "ball", "cylinder"])
def test_round_bodies_roll_down_a_slope(kind):
    space, shape, share = rolling(kind)
    made = on_slope(space, 0.2, shape, 0.1, 0.5, share * MASS * 0.1**2)
    sol = made.simulate(1.0, method=STEPPED)
    # m r^2 (1 + k) a / r^2 = m g sin
    a = G * math.sin(0.2) / (1.0 + share)
    t = np.linspace(0.2, 1.0, 5)
    assert_close(sol(t, "body.v")[:, 0], a * t, 0.005 * a)
    assert_close(sol(t, "hit.rub"), share * MASS * a, 0.01 * MASS * a)
    # without slip: the speed of the rim is that of the middle
    turn = sol(t, "body.w") if space == "planar" else -sol(t, "body.w")[:, 1]
    assert_close(-0.1 * turn, sol(t, "body.v")[:, 0], 1e-3)


def test_a_circle_that_is_set_sliding_begins_to_roll():
    from dynarig.core.mechanism.contacts import Sphere

    friction, v0 = 0.3, 2.0
    inertia = 0.5 * MASS * 0.1**2
    made = on_slope("planar", 0.0, Sphere(radius=0.1), 0.1, friction, inertia, v0=(v0, 0.0))
    sol = made.simulate(1.0, method=STEPPED)
    # m v = -mu m g, I w' = mu m g r: v = r w after v0 / (3 mu g), at 2/3 of the speed
    begins = v0 / (3.0 * friction * G)
    t = np.linspace(0.0, begins, 6)[1:-1]
    assert_close(sol(t, "body.v")[:, 0], v0 - friction * G * t, 0.01 * v0)
    assert_close(sol([begins, 1.0], "body.v")[:, 0], 2.0 / 3.0 * v0, 0.01 * v0)


def test_a_ball_bounces():
    from dynarig.core.mechanism import Mechanism, planar
    from dynarig.core.mechanism.contacts import Plane, Sphere

    world, ball = planar.World("world", g=G), planar.Body("ball", m=MASS, r0=(0.0, 1.2))
    hit = planar.Contact("hit", a=Plane(), b=Sphere(radius=0.2), restitution=0.5, friction=0.3)
    made = Mechanism("bounce", [world, ball, hit])
    made.connect(world.frame_b, hit.frame_a)
    made.connect(ball.frame_a, hit.frame_b)
    sol = made.simulate(2.5, method=STEPPED)
    fall = math.sqrt(2.0 / G)
    # half of the speed, a quarter of the height
    assert_close(sol(1.5 * fall, "ball.r")[1] - 0.2, 0.25, 0.005)
    assert_close(sol(2.5, "ball.r")[1], 0.2, 1e-4)
    assert_close(sol(2.5, "hit.push"), MASS * G, 1e-2)


def test_forces_pass_through_a_contact():
    """A rod on a hinge leans on a stop: each bears half of its weight."""
    from dynarig.core.mechanism import Mechanism, planar
    from dynarig.core.mechanism.contacts import Plane, Point

    world, hinge = planar.World("world", g=G), planar.Revolute("hinge", phi0=0.4)
    rod = planar.BodyShape("rod", r=(1, 0), m=1.0, I=0.1)
    stop = planar.Contact("stop", a=Plane(), b=Point(), friction=0.4)
    made = Mechanism("pendulum", [world, hinge, rod, stop])
    made.chain(world, hinge, rod)
    made.connect(world.frame_b, stop.frame_a)
    made.connect(rod.frame_b, stop.frame_b)
    sol = made.simulate(1.5, method=STEPPED)
    assert_close(sol(1.5, "hinge.phi"), 0.0, 1e-4)
    assert_close(sol(1.4, "stop.push"), 0.5 * G, 1e-3)
    assert_close(sol(1.4, "hinge.frame_b.fy"), -0.5 * G, 1e-3)
    # bodies accelerate as they move, also while the tip falls
    t = np.array([0.1, 0.2])
    fall = -G * 0.5 * np.cos(sol(t, "hinge.phi")) / (0.1 + 0.25)
    assert_close(sol(t, "hinge.a"), fall, 0.02)


def test_a_joint_bounces_off_its_limit():
    from dynarig.core.mechanism import Mechanism, planar

    world, hinge = planar.World("world", g=0.0), planar.Revolute("hinge", w0=1.0, limits=(-1, 0.5))
    limit = planar.JointLimit("stop", joint=hinge, restitution=0.5)
    made = Mechanism("arm", [world, hinge, planar.Body("body", r_cm=(1, 0)), limit])
    made.chain(world, hinge, made.components["body"])
    sol = made.simulate(1.0, method=STEPPED)
    assert_close(sol(0.4, "hinge.w"), 1.0, 1e-9)
    assert_close(sol(0.9, "hinge.w"), -0.5, 1e-3)


def test_stiff_servos_hold_in_steps_that_no_explicit_scheme_could_take():
    from dynarig.core.mechanism import Mechanism, planar

    world, hinge = planar.World("world", g=G), planar.Revolute("hinge")
    body = planar.Body("body", m=1.0, I=0.1, r_cm=(1, 0))
    servo = planar.PositionServo("servo", joint="hinge", phi_ref=0.2, kp=1e5, kd=1e3)
    made = Mechanism("arm", [world, hinge, body, servo])
    made.chain(world, hinge, body)
    sol = made.simulate(1.0, method=STEPPED, step=0.01)
    assert_close(sol(1.0, "servo.tau"), G * math.cos(0.2), 1e-2)
    assert_close(sol(1.0, "hinge.phi"), 0.2 - G * math.cos(0.2) / 1e5, 1e-6)
    # with a limit it gives way: the weight less the limit
    made.add(planar.VelocityServo("weak", joint="hinge", w_ref=-5.0, gain=1e4, tau_max=3.0))
    sol = made.simulate(1.0, method=STEPPED, step=0.01)
    assert_close(sol(1.0, "weak.tau"), -3.0, 1e-9)
    assert_close(sol(1.0, "servo.tau"), G * math.cos(0.2) + 3.0, 1e-2)


def test_walls_with_an_end_are_for_exact_impacts():
    from dynarig.core.errors import ModelError
    from dynarig.core.mechanism import Mechanism, planar
    from dynarig.core.mechanism.contacts import Point, Wall

    world, body = planar.World("world"), planar.Body("body", r0=(0.0, 1.0))
    hit = planar.Contact("hit", a=Wall(length=1.0), b=Point(), friction=0.5)
    made = Mechanism("wall", [world, body, hit])
    made.connect(world.frame_b, hit.frame_a)
    made.connect(body.frame_a, hit.frame_b)
    with pytest.raises(ModelError, match="Collider 'hit a': wanted a wall without end"):
        made.simulate(1.0, method=STEPPED)


def test_what_is_compiled_for_time_stepping_has_colliders():
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.friction import CollisionSystem

    made = on_slope("planar", 0.3, block("planar"), 0.1, 0.2)
    stepped, exact = made.compile(method=STEPPED).system, made.compile().system
    assert isinstance(stepped, CollisionSystem)
    assert [own.name for own in stepped.colliders] == ["hit a", "hit b"]
    assert stepped.pairs == (("hit a", "hit b"),)
    assert [own.friction for own in stepped.colliders] == [0.2, 0.2]
    assert type(exact) is System


def test_a_motion_comes_back_from_its_file(tmp_path):
    made = on_slope("planar", 0.3, block("planar"), 0.1, 0.2)
    sol = made.simulate(0.5, method=STEPPED)
    sol.save(tmp_path / "block.npz")
    back = made.load(tmp_path / "block.npz")
    t = np.linspace(0.0, 0.5, 7)
    for name in ("body.r", "body.a", "hit.push", "hit.frame_b.fx"):
        assert_close(back(t, name), sol(t, name), 1e-12)


@pytest.mark.filterwarnings("ignore::dynarig.core.course.ConstraintWarning")
def test_forces_in_a_loop_are_those_that_exact_impacts_tell():
    """A parallelogram whose coupler falls onto the ground and rests there."""
    from dynarig.core.mechanism import Mechanism, planar
    from dynarig.core.mechanism.contacts import Plane, Point

    world, base = planar.World("world", g=G), planar.FixedTranslation("base", r=(2, 0))
    left, right = planar.Revolute("left", phi0=0.9), planar.Revolute("right")
    one, two = (planar.BodyShape(name, r=(1, 0)) for name in ("one", "two"))
    pin, last = planar.Revolute("pin"), planar.Revolute("last")
    bar = planar.BodyShape("bar", r=(2, 0), m=2.0, I=0.5)
    mid = planar.FixedTranslation("mid", r=(0.7, 0))
    stop = planar.Contact("stop", a=Plane(at=(0, 0.3)), b=Point())
    parts = (world, base, left, right, one, two, pin, last, bar, mid, stop)
    made = Mechanism("four-bar", parts)
    made.connect(world.frame_b, base.frame_a, left.frame_a, stop.frame_a)
    made.connect(base.frame_b, right.frame_a)
    made.chain(left, one, pin, bar)
    made.chain(right, two)
    made.connect(bar.frame_b, last.frame_a)
    made.connect(two.frame_b, last.frame_b)
    made.connect(bar.frame_a, mid.frame_a)
    made.connect(mid.frame_b, stop.frame_b)
    exact, stepped = made.simulate(1.5), made.simulate(1.5, method=STEPPED)
    for frame in ("one.frame_a", "one.frame_b", "two.frame_a", "last.frame_b", "stop.frame_b"):
        for name in (f"{frame}.fx", f"{frame}.fy"):
            # while it falls, and at rest
            assert_close(stepped(0.2, name), exact(0.2, name), 1e-2, name)
            assert_close(stepped(1.4, name), exact(1.4, name), 1e-3, name)
