"""Round bodies at faces, corners and ends; floors that move; many bodies in space; switches."""

import numpy as np
import pytest

from ...close import assert_close
from .benches import free_bodies
from .test_motions import G, bouncing, port, run


def circle_on_box(gravity=(0.0, -G, 0.0), e=0.0):
    """A circle of radius 0.2, and a fixed box whose top is y = 0, |x| <= 1."""
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem, Sphere

    model = free_bodies([("ball", 1.0, 0.1)], gravity=gravity)
    ball, box = Sphere(port("ball", 0, 0, 0), 0.2), Box(port(None, 0, -0.5, 0), (1.0, 0.5))
    return ContactSystem(model, contacts=(Contact(name="box", a=ball, b=box, restitution=e),))


def test_a_circle_hits_a_corner():
    motion = run(circle_on_box((0, 0, 0), e=1.0), 2.0, [1.1, 1.0, 0], [0, -1.0, 0])
    (hit,) = motion.impacts
    assert hit.contacts == ("box corner 3",)
    # at sqrt(0.2^2 - 0.1^2) above it, and mirrored there at n = (1, sqrt 3) / 2
    assert_close(hit.time, 1.0 - np.sqrt(0.03), 1e-12)
    assert_close(hit.v_right, [np.sqrt(3) / 2, 0.5, 0.0], 1e-12)


def test_a_circle_slides_off_a_face_around_its_corner():
    motion = run(circle_on_box(), 1.5, [0, 0.2, 0], [1.0, 0, 0])
    assert not motion.impacts
    around, off = motion.jumps[-2:]
    assert_close(around.time, 1.0, 1e-9)
    # it leaves the corner where cos = (2 + v^2 / (g r)) / 3
    cos = (2.0 + 1.0 / (G * 0.2)) / 3.0
    assert_close(off.q_left[:2], [1 + 0.2 * np.sqrt(1 - cos**2), 0.2 * cos], 1e-6)
    assert motion.energy_drift < 1e-8


def test_a_circle_slides_around_a_corner_onto_the_face():
    angle, speed = 0.8, 1.2
    way = np.array([np.cos(angle), np.sin(angle)])
    start = [*(np.array([1.0, 0.0]) + 0.2 * way), 0.0]
    v = speed * np.array([-way[1], way[0], 0.0])
    motion = run(circle_on_box(), 1.0, start, v)
    assert_close(motion.q[-1, 1], 0.2, 1e-10)
    last = np.sqrt(speed**2 - 2 * G * 0.2 * (1 - np.sin(angle)))
    # hardly off the corner at the start, it comes back and loses next to nothing
    assert_close(motion.v[-1], [-last, 0.0, 0.0], 1e-3)


def test_a_circle_meets_the_end_of_a_wall():
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Sphere, Wall

    model = free_bodies([("ball", 1.0, 0.1)], gravity=(0, 0, 0))
    wall = Wall(port(None, 0, 0, 0), (0, 1, 0), along=(1, 0, 0), length=2.0, double_sided=True)
    contact = Contact(name="w", a=Sphere(port("ball", 0, 0, 0), 0.2), b=wall, restitution=1.0)
    motion = run(ContactSystem(model, contacts=(contact,)), 2.0, [2.2, 0, 0], [-1.0, 0, 0])
    (hit,) = motion.impacts
    assert hit.contacts == ("w end",)
    assert_close(motion.q[-1, :2], [2.2, 0.0], 1e-12)


def test_a_box_that_rocks_comes_to_rest_on_its_face():
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem, Plane

    model = free_bodies([("crate", 1.0, 0.2)])
    floor = Plane(port(None, 0, 0, 0), (0, 1, 0))
    crate = Box(port("crate", 0, 0, 0), (0.5, 0.3))
    contact = Contact(name="floor", a=crate, b=floor, restitution=0.3)
    motion = run(ContactSystem(model, contacts=(contact,)), 2.0, [0, 1.0, 0.3])
    assert_close(motion.q[-1, 1:], [0.3, 0.0], 1e-9)
    assert motion.remarks[-1].startswith("'floor corner 2' comes to rest")


def test_a_ball_on_a_plate_that_is_driven():
    from dynarig.core.dynamics import Prescribed, compile_tree
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Sphere
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    none, y, z = np.zeros((3, 3)), np.array([0.0, 1, 0]), np.array([0.0, 0, 1])
    names = [("plate", "prismatic", y), ("ball", "planar", z)]
    bodies = [Body("base", 0.0, np.zeros(3), none)]
    bodies += [Body(name, 1.0, np.zeros(3), np.eye(3)) for name, _, _ in names]
    joints = [TreeJoint(f"to {n}", kind, "base", n, np.eye(4), axis) for n, kind, axis in names]
    model = compile_tree(Tree("t", tuple(bodies), tuple(joints), "base"), gravity=(0, -G, 0))
    drive = Prescribed(0, 0, lambda t: (0.3 * t * t, 0.6 * t, 0.6))
    ball, plate = Sphere(port("ball", 0, 0, 0), 0.2), Plane(port("plate", 0, 0, 0), (0, 1, 0))
    contact = Contact(name="c", a=ball, b=plate, restitution=0.5)
    system = ContactSystem(model, prescribed=(drive,), contacts=(contact,))
    motion = run(system, 2.0, [0, 0, 1.2, 0])
    # seen from the plate it falls with g + 0.6
    fall = np.sqrt(2.0 / (G + 0.6))
    times = fall + 2 * fall * np.cumsum([0.0, *(0.5 ** np.arange(1, 10))])
    assert_close([hit.time for hit in motion.impacts[:10]], times, 1e-10)
    assert_close(motion.impacts[0].speeds_right, 0.5 * (G + 0.6) * fall, 1e-10)
    assert_close(motion.q[-1, 2] - motion.q[-1, 0], 0.2, 1e-10)


@pytest.mark.parametrize("kind", ["planar", "floating"])
def test_spheres_that_meet_keep_momentum_and_energy(kind):
    from dynarig.core.dynamics import momentum
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Sphere

    rng = np.random.default_rng(2)
    model = free_bodies([(n, 1.0 + k, 0.1 + k) for k, n in enumerate("abc")], kind, (0, 0, 0))
    contacts = tuple(
        Contact(
            name=one + two,
            a=Sphere(port(one, 0.2, 0, 0), 0.5),
            b=Sphere(port(two, 0, 0.1, 0), 0.4),
            restitution=1.0,
        )
        for one, two in ("ab", "bc", "ca")
    )
    places = np.array([[2.0, 0, 0], [-2.0, 0.1, 0], [0.0, 2.0, 0]])
    q, v = model.neutral(), np.zeros(model.nv)
    for name, place in zip("abc", places, strict=True):
        where, rates = model.q_slices[f"{name} joint"], model.v_slices[f"{name} joint"]
        if kind == "planar":
            q[where], v[rates] = [*place[:2], 0.0], [*-place[:2], rng.normal()]
        else:
            q[where.start : where.start + 3] = place
            v[rates] = [*rng.normal(size=3), *-place]
    motion = run(ContactSystem(model, contacts=contacts), 2.0, q, v, tolerance=1e-12)
    assert len(motion.impacts) >= 2
    for hit in motion.impacts:
        before, after = (momentum(model, hit.q, x) for x in (hit.v_left, hit.v_right))
        assert_close(after, before, 1e-12)
        assert_close(hit.lost, 0.0, 1e-12)
        assert (hit.impulses > 0.0).all() and (hit.speeds_right >= 0.0).all()
    assert motion.energy_drift < 1e-9


def test_a_fast_turn_within_one_step_does_not_hide_a_contact():
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Point

    # the tip comes round 48 times in each second, and the rod floats down slowly
    model = free_bodies([("rod", 1.0, 0.1)], gravity=(0, 0, 0))
    tip, floor = Point(port("rod", 0.5, 0, 0)), Plane(port(None, 0, 0, 0), (0, 1, 0))
    contact = Contact(name="tip", a=tip, b=floor, restitution=1.0)
    motion = run(ContactSystem(model, contacts=(contact,)), 1.26, [0, 2, 0], [0, -1.2, 300.0])
    hit = motion.impacts[0]
    # 2 - 1.2 t + sin(300 t) / 2 passes zero first within the turn that follows t = 1.25
    t = np.linspace(1.2, hit.time - 1e-9, 100000)
    assert (2 - 1.2 * t + 0.5 * np.sin(300 * t) > 0.0).all()
    assert_close(2 - 1.2 * hit.time + 0.5 * np.sin(300 * hit.time), 0.0, 1e-10)


def test_contacts_and_switches_together():
    from dynarig.core.dynamics.constraints import Hold, Port, Switch
    from dynarig.core.dynamics.contact import ContactSystem

    falls = bouncing(0.0)
    hold = Hold(name="hand", port=Port("ball"), switches=(Switch.at(1.0, False),))
    system = ContactSystem(falls.model, constraints=(hold,), contacts=falls.contacts)
    motion = run(system, 2.0, [0.0, 1.1, 0.0])
    assert_close([hit.time for hit in motion.impacts], 1.0 + np.sqrt(2 / G), 1e-10)
    assert_close(motion.q[-1], [0.0, 0.1, 0.0], 1e-12)


@pytest.mark.parametrize("method", ["rk4", "rosenbrock", "generalized-alpha"])
def test_every_scheme_meets_them(method):
    step = {} if method == "rosenbrock" else {"step": 0.05}
    motion = run(bouncing(0.2), 1.0, [0.0, 1.1, 0.0], method=method, **step)
    assert_close(motion.impacts[0].time, np.sqrt(2 / G), 1e-10)
    assert_close(motion.q[-1], [0.0, 0.1, 0.0], 1e-10)


def test_names_and_orders_are_checked():
    from dynarig.core.dynamics.constraints import Hold, Port
    from dynarig.core.dynamics.contact import ContactSystem
    from dynarig.core.errors import ArgumentError

    system = bouncing(0.5)
    hold = Hold(name="floor", port=Port("ball"))
    with pytest.raises(ArgumentError, match="contact 'floor': wanted a name of its own"):
        ContactSystem(system.model, constraints=(hold,), contacts=system.contacts)
    with pytest.raises(ArgumentError, match="order: wanted the names of all contacts"):
        ContactSystem(system.model, contacts=system.contacts, order=("roof",))
    with pytest.raises(ArgumentError, match="wanted 'joint' or 'sequential'"):
        ContactSystem(system.model, contacts=system.contacts, impacts="none")


def test_a_motion_with_contacts_is_saved_and_read(tmp_path):
    from dynarig.core.trajectory import load_trajectory

    motion = run(bouncing(0.3), 1.5, [0.0, 1.1, 0.0])
    motion.save(tmp_path / "bounce.npz")
    again = load_trajectory(tmp_path / "bounce.npz", bouncing(0.3))
    assert_close(again.sample(0.7)[0], motion.sample(0.7)[0], 0.0)
    assert [jump.causes for jump in again.jumps] == [jump.causes for jump in motion.jumps]
    assert_close(again.constraint("floor", 1.4).force, -G, 1e-9)


@pytest.mark.parametrize("seed", [2007, 2019, 2023])
def test_boxes_and_circles_at_random_in_a_pit(seed):
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem, Plane, Sphere

    rng = np.random.default_rng(seed)
    e = float(rng.choice([0.0, 1.0]))
    model = free_bodies([("a", 1.0, 0.1), ("b", 2.0, 0.15)])
    shapes = [Box(port("a", 0, 0, 0), rng.uniform(0.2, 0.5, 2)), Sphere(port("b", 0, 0, 0), 0.3)]
    grounds = [((0, 0, 0), (0, 1, 0)), ((-1.5, 0, 0), (1, 0, 0)), ((1.5, 0, 0), (-1, 0, 0))]
    contacts = [
        Contact(name=f"{k} on {n}", a=shape, b=Plane(port(None, *point), up), restitution=e)
        for k, (point, up) in enumerate(grounds)
        for n, shape in enumerate(shapes)
    ]
    contacts.append(Contact(name="each other", a=shapes[0], b=shapes[1], restitution=e))
    system = ContactSystem(model, contacts=tuple(contacts))
    q = [rng.uniform(-0.5, 0.5), 1.0, rng.uniform(-3, 3), rng.uniform(-0.5, 0.5), 2.5, 0.0]
    motion = run(system, 1.5, q, rng.normal(size=6), tolerance=1e-8)
    assert motion.impacts
    for hit in motion.impacts:
        assert (hit.impulses > 0.0).all() and (hit.speeds_right >= -1e-9).all()
        assert hit.lost > -1e-9
        if e == 1.0:
            assert_close(hit.lost, 0.0, 1e-11)
    # nothing is in anything, at any time
    states = motion.dense(np.linspace(0.0, 1.5, 150))[:, : model.nq]
    assert max(system.gaps.depth(system.gaps.at(state)).max() for state in states) < 1e-10
    assert motion.energy_drift < 1e-6
