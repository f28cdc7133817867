"""Motions with impacts against closed forms: bouncing, rest, cradles, walls, corners, chains."""

import numpy as np
import pytest

from ...close import assert_close
from .benches import free_bodies, moved

G = 9.81


def run(system, end, q, v=None, count=5, **options):
    from dynarig.core.simulate import run, simulate

    return run(simulate(system, np.linspace(0.0, end, count), q, v, **options))


def port(link, *point):
    from dynarig.core.dynamics.constraints import Port

    return Port.at(link, point)


def bouncing(restitution):
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Sphere

    floor = Plane(port(None, 0, 0, 0), (0, 1, 0))
    ball = Sphere(port("ball", 0, 0, 0), 0.1)
    contact = Contact(name="floor", a=ball, b=floor, restitution=restitution)
    return ContactSystem(free_bodies([("ball", 1.0, 0.1)]), contacts=(contact,))


@pytest.mark.parametrize(("e", "end"), [(0.5, 1.5), (0.9, 8.0), (1.0, 18.0)])
def test_a_bouncing_ball_keeps_its_times(e, end):
    motion = run(bouncing(e), end, [0.0, 1.1, 0.0], [1.0, 0.0, 2.0], tolerance=1e-12)
    fall = np.sqrt(2.0 / G)
    times = fall + 2.0 * fall * np.cumsum([0.0, *(e ** np.arange(1, 20))])
    assert_close([hit.time for hit in motion.impacts[:20]], times, 1e-10)
    # along the floor and in its turn nothing has happened
    assert_close(motion.q[-1, [0, 2]], [end, 2 * end], 1e-12)
    assert motion.energy_drift < 1e-9


def test_chattering_ends_in_rest_and_is_told():
    motion = run(bouncing(0.5), 2.0, [0.0, 1.1, 0.0])
    assert 20 < len(motion.impacts) < 40
    assert_close(motion.q[-1], [0.0, 0.1, 0.0], 1e-12)
    assert_close(motion.v[-1], 0.0, 1e-12)
    assert "'floor' comes to rest at t = 1.35" in motion.remarks[0]
    # its weight is on the floor: M a + J^T lambda = f, so a push has lambda < 0
    assert_close(motion.constraint("floor", 1.9).force, -G, 1e-9)


def test_without_restitution_it_rests_at_once():
    motion = run(bouncing(0.0), 1.0, [0.0, 1.1, 0.0])
    assert len(motion.impacts) == 1
    assert_close(motion.impacts[0].time, np.sqrt(2 / G), 1e-12)
    assert_close(motion.q[-1], [0.0, 0.1, 0.0], 1e-13)


def test_rest_ends_where_the_force_would_pull():
    # the lift grows past the weight at t = 0.5, and from then on y'' = 2 g (t - 0.5)
    motion = run(
        bouncing(0.3), 1.0, [0.0, 0.1, 0.0], tau=lambda t, q, v: np.array([0, 2 * G * t, 0.0])
    )
    assert not motion.impacts
    leaving = motion.jumps[-1].time
    assert_close(leaving, 0.5, 1e-10)
    assert_close(motion.q[-1, 1], 0.1 + 2 * G * 0.5**3 / 6, 1e-10)


def test_a_force_that_begins_to_push_is_taken():
    system = bouncing(0.3)
    motion = run(system, 1.0, [0.0, 0.1, 0.0], tau=lambda t, q, v: np.array([0, G - t * t, 0.0]))
    assert_close(motion.q[-1], [0.0, 0.1, 0.0], 1e-10)


def balls(rule="joint"):
    """Three balls in a row, as Newton's cradle, without gravity."""
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Sphere

    model = free_bodies([(name, 1.0, 0.1) for name in "abc"], gravity=(0, 0, 0))
    contacts = tuple(
        Contact(
            name=f"{one} {two}",
            a=Sphere(port(one, 0, 0, 0), 0.5),
            b=Sphere(port(two, 0, 0, 0), 0.5),
            restitution=1.0,
        )
        for one, two in ("ab", "bc")
    )
    return ContactSystem(model, contacts=contacts, impacts=rule)


@pytest.mark.parametrize(
    ("rule", "after"), [("sequential", [0, 0, 1]), ("joint", [-1 / 3, 2 / 3, 2 / 3])]
)
def test_newtons_cradle(rule, after):
    motion = run(balls(rule), 2.0, [-2, 0, 0, 0, 0, 0, 1, 0, 0], [1, 0, 0] + [0] * 6)
    assert_close(motion.impacts[0].time, 1.0, 1e-12)
    assert_close(motion.v[-1, ::3], after, 1e-12)
    assert motion.energy_drift < 1e-12


def test_a_rod_that_falls_on_one_end():
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Point

    length, angle, mass = 1.0, 0.4, 2.0
    inertia = mass * length**2 / 12
    model = free_bodies([("rod", mass, inertia)])
    floor = Plane(port(None, 0, 0, 0), (0, 1, 0))
    ends = [
        Contact(name=f"end {k}", a=Point(port("rod", x, 0, 0)), b=floor, restitution=1.0)
        for k, x in enumerate((-0.5, 0.5))
    ]
    system = ContactSystem(model, contacts=tuple(ends))
    height = 1.0 + 0.5 * np.sin(angle)
    motion = run(system, 0.46, [0.0, height, angle])
    (hit,) = motion.impacts
    assert hit.contacts == ("end 0",)
    assert_close(hit.time, np.sqrt(2 / G), 1e-12)
    # lambda = 2 u / (1/m + (l/2 cos)^2 / I)
    speed = np.sqrt(2 * G)
    arm = 0.5 * length * np.cos(angle)
    push = 2 * speed / (1 / mass + arm**2 / inertia)
    assert_close(hit.impulses, push, 1e-10)
    assert_close(hit.v_right, [0.0, -speed + push / mass, -arm * push / inertia], 1e-10)
    assert_close(hit.lost, 0.0, 1e-11)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_double_sided_wall_is_met_from_both_sides(side):
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Point, Wall

    wall = Wall(port(None, 0, 0, 0), (1, 0, 0), along=(0, 1, 0), length=2.0, double_sided=True)
    model = free_bodies([("dot", 1.0, 0.1)], gravity=(0, 0, 0))
    contact = Contact(name="wall", a=Point(port("dot", 0, 0, 0)), b=wall, restitution=0.5)
    system = ContactSystem(model, contacts=(contact,))
    motion = run(system, 3.0, [side, 0.0, 0.0], [-side, 0.1, 0.0])
    assert_close(motion.q[-1, :2], [side * 1.0, 0.3], 1e-12)
    # beyond its end it is passed, and then met from behind
    passed = run(system, 3.0, [side, 0.0, 0.0], [-side, 1.5, 0.0])
    assert not passed.impacts
    assert_close(passed.q[-1, :2], [-2 * side, 4.5], 1e-12)


def test_a_wall_of_one_side_lets_through_from_behind():
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Point, Wall

    model = free_bodies([("dot", 1.0, 0.1)], gravity=(0, 0, 0))
    wall = Wall(port(None, 0, 0, 0), (1, 0, 0))
    contact = Contact(name="wall", a=Point(port("dot", 0, 0, 0)), b=wall, restitution=1.0)
    system = ContactSystem(model, contacts=(contact,))
    assert not run(system, 3.0, [-1, 0, 0], [1, 0, 0]).impacts
    assert len(run(system, 3.0, [1, 0, 0], [-1, 0, 0]).impacts) == 1


def corner(e, turn=None):
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Sphere

    turn = np.eye(4) if turn is None else turn
    model = free_bodies([("ball", 1.0, 0.1)], turn=turn)
    ball = Sphere(port("ball", 0, 0, 0), 0.1)
    contacts = tuple(
        Contact(name=name, a=ball, b=Plane(moved(turn), normal), restitution=e)
        for name, normal in (("floor", (0, 1, 0)), ("wall", (1, 0, 0)))
    )
    return ContactSystem(model, contacts=contacts)


def test_a_ball_in_a_corner_hits_both_walls_at_once():
    t, fall = 0.5, 0.5 * G * 0.25
    motion = run(corner(1.0), 1.0, [1.1, 0.1 + fall, 0], [-2.0, 0, 0])
    hit = motion.impacts[0]
    assert set(hit.contacts) == {"floor", "wall"}
    assert_close(hit.time, t, 1e-12)
    assert_close(hit.v_right, [2.0, G * t, 0.0], 1e-11)
    assert_close(motion.q[-1], [1.1, 0.1 + fall, 0], 1e-10)


def test_a_ball_stays_in_a_corner():
    motion = run(corner(0.0), 1.0, [1.1, 0.1 + 0.5 * G * 0.25, 0], [-2.0, 0, 0])
    assert_close(motion.q[-1], [0.1, 0.1, 0], 1e-12)


def test_a_grazing_touch_within_one_step_is_found():
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Sphere

    model = free_bodies([("ball", 1.0, 0.1)])
    # thrown up against a ceiling that it would pass by 1e-9 m for 3e-5 s
    ball, ceiling = Sphere(port("ball", 0, 0, 0), 0.1), Plane(port(None, 0, 2.1, 0), (0, -1, 0))
    contact = Contact(name="ceiling", a=ball, b=ceiling, restitution=1.0)
    speed = np.sqrt(2 * G * (2.0 + 1e-9))
    motion = run(ContactSystem(model, contacts=(contact,)), 1.0, [0, 0, 0], [0, speed, 0])
    (hit,) = motion.impacts
    u = np.sqrt(2 * G * 1e-9)
    # rounding of the height, 1e-12 m, is 1e-7 m/s
    assert_close(hit.speeds_left, -u, 1e-6)
    assert_close(hit.time, (speed - u) / G, 1e-7)
    # and one that stays as far below does not touch it
    short = np.sqrt(2 * G * (2.0 - 1e-9))
    assert not run(ContactSystem(model, contacts=(contact,)), 1.0, [0, 0, 0], [0, short, 0]).impacts


def test_events_do_not_depend_on_the_output_rate():
    few = run(bouncing(0.8), 3.0, [0.0, 1.1, 0.0], count=2)
    many = run(bouncing(0.8), 3.0, [0.0, 1.1, 0.0], count=301)
    assert [hit.time for hit in few.impacts] == [hit.time for hit in many.impacts]
    assert (few.q[-1] == many.q[-1]).all()


def test_the_scene_may_be_turned_and_moved():
    from dynarig.core.frames import transform_from_xyz_rpy

    turn = transform_from_xyz_rpy([2.0, -1.0, 3.0], [0.3, -0.5, 1.1])
    start = [1.1, 0.9, 0], [-2.0, 0, 1.0]
    one, other = run(corner(0.7), 1.5, *start), run(corner(0.7, turn), 1.5, *start)
    assert [hit.contacts for hit in one.impacts] == [hit.contacts for hit in other.impacts]
    times = [[hit.time for hit in motion.impacts] for motion in (one, other)]
    assert_close(times[1], times[0], 1e-10)
    assert_close(other.q, one.q, 1e-9)


def test_a_start_in_penetration_is_refused():
    from dynarig.core.errors import SimulationError

    with pytest.raises(
        SimulationError, match=r"Contact 'floor' starts in penetration.*0.03 m deep"
    ):
        run(bouncing(0.5), 1.0, [0.0, 0.07, 0.0])
    run(bouncing(0.5), 0.1, [0.0, 0.1, 0.0])


def test_a_box_rests_on_its_face_and_slides_off_nothing():
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem, Plane

    model = free_bodies([("crate", 2.0, 0.3)], "floating", gravity=(0, 0, -G))
    contact = Contact(
        name="floor", a=Box(port("crate", 0, 0, 0), (0.5, 0.4, 0.3)), b=Plane(port(None, 0, 0, 0))
    )
    system = ContactSystem(model, contacts=(contact,))
    q = model.neutral()
    q[2] = 0.5
    motion = run(system, 1.0, q, [0, 0, 0, 0.7, 0, 0])
    assert_close(motion.q[-1, :3], [0.7, 0.0, 0.3], 1e-10)
    assert_close(np.abs(motion.q[-1, 4:]), 0.0, 1e-10)
    told = [motion.constraint(f"floor corner {k}", 0.9).force for k in (0, 2, 4, 6)]
    assert_close(told, -0.25 * 2.0 * G, 1e-8)


def test_a_ball_slides_off_a_table_at_its_edge():
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Point, Wall

    model = free_bodies([("dot", 1.0, 0.1)])
    table = Wall(port(None, 0, 0, 0), (0, 1, 0), along=(1, 0, 0), length=2.0)
    contact = Contact(name="table", a=Point(port("dot", 0, 0, 0)), b=table)
    motion = run(ContactSystem(model, contacts=(contact,)), 1.0, [0.0, 0, 0], [2.0, 0, 0])
    assert_close(motion.jumps[-1].time, 0.5, 1e-9)
    assert_close(motion.q[-1, :2], [2.0, -0.5 * G * 0.25], 1e-8)


def test_limits_of_joints_are_contacts(pendulum):
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.dynamics.contact import ContactSystem, joint_limits
    from dynarig.core.errors import ModelError

    model = compile_tree(pendulum(type="revolute", lower=-0.5, upper=0.5))
    system = ContactSystem(model, contacts=joint_limits(model))
    motion = run(system, 1.0, [0.0])
    assert motion.impacts[0].contacts == ("limit of hinge, upper",)
    assert_close(motion.q[-1], 0.5, 1e-12)
    lively = run(
        ContactSystem(model, contacts=joint_limits(model, 1.0)), 1.0, [0.0], tolerance=1e-12
    )
    assert_close(lively.energy_drift, 0.0, 1e-9)
    assert lively.q.max() <= 0.5 + 1e-12
    off = joint_limits(model, switched={"hinge": False})
    assert off == ()
    with pytest.raises(ModelError, match="joint 'knee' has no limits; those that have some: hinge"):
        joint_limits(model, switched={"knee": False})


def test_a_loop_hits_the_floor_with_its_constraints_held():
    from dynarig.core.dynamics.constraints import Distance
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Point

    model = free_bodies([("a", 1.0, 0.1), ("b", 3.0, 0.1)])
    rod = Distance(name="rod", a=port("a", 0, 0, 0), b=port("b", 0, 0, 0), length=1.0)
    floor = Contact(
        name="floor",
        a=Point(port("a", 0, 0, 0)),
        b=Plane(port(None, 0, 0, 0), (0, 1, 0)),
        restitution=1.0,
    )
    system = ContactSystem(model, constraints=(rod,), contacts=(floor,))
    motion = run(system, 0.5, [0, 1.0, 0, 0.8, 1.6, 0])
    hit = motion.impacts[0]
    u = np.sqrt(2 * G)
    # 1/m_eff = 1/ma - (ey/ma)^2 / (1/ma + 1/mb), e = (0.8, 0.6)
    push = 2 * u / (1.0 - 0.36 / (1.0 + 1.0 / 3.0))
    assert_close(hit.impulses, push, 1e-9)
    apart = motion.q[-1, 3:5] - motion.q[-1, :2]
    assert_close(np.linalg.norm(apart), 1.0, 1e-12)
    assert motion.energy_drift < 1e-9


def test_a_long_chain_falls_on_the_floor():
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Point
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    count, length = 30, 0.1
    names = [f"link {k}" for k in range(count)]
    inertia = np.eye(3) * 0.1 * length**2 / 12
    bodies = [Body("base", 0.0, np.zeros(3), np.zeros((3, 3)))]
    bodies += [Body(name, 0.1, np.array([0.05, 0, 0]), inertia) for name in names]
    z, ahead = np.array([0.0, 0, 1]), np.eye(4)
    ahead[0, 3] = length
    joints = [TreeJoint("free", "planar", "base", names[0], np.eye(4), z)]
    joints += [
        TreeJoint(f"hinge {k}", "continuous", names[k - 1], names[k], ahead, z, damping=1e-3)
        for k in range(1, count)
    ]
    model = compile_tree(Tree("chain", tuple(bodies), tuple(joints), "base"), gravity=(0, -G, 0))
    floor = Plane(port(None, 0, 0, 0), (0, 1, 0))
    tips = [(name, length) for name in names]
    contacts = tuple(
        Contact(name=f"end of {name}", a=Point(port(name, x, 0, 0)), b=floor) for name, x in tips
    )
    system = ContactSystem(model, contacts=contacts)
    q = np.zeros(count + 2)
    q[1], q[2] = 0.16, -0.05
    motion = run(system, 0.13, q, tolerance=1e-5, method="dop853")
    assert motion.impacts
    gap = system.gaps.at(motion.dense(np.linspace(0, 0.13, 200))[:, : model.nq]).gap
    assert gap.min() > -1e-6
    total = motion.energy + motion.work
    assert_close(total, total[0], 1e-3 * abs(total[0]))
