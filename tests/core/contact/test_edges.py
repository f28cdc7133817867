"""Edges and corners of boxes in space; boxes that are flush; what is in each other at a start."""

import numpy as np
import pytest

from ...close import assert_close
from .benches import free_bodies
from .test_motions import G, port, run

DOWN = (0.0, 0.0, -G)


def turned(link, point, axis, angle):
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.frames import rotation_from_axis_angle

    return Port.at(link, point, rotation_from_axis_angle(axis, angle))


def ball_on_box(gravity=DOWN, e=0.0):
    """A sphere of radius 0.2, and a fixed box whose top is z = 0, |x|, |y| <= 1."""
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem, Sphere

    model = free_bodies([("ball", 1.0, 0.1)], "floating", gravity)
    ball, box = Sphere(port("ball", 0, 0, 0), 0.2), Box(port(None, 0, 0, -0.5), (1.0, 1.0, 0.5))
    return ContactSystem(model, contacts=(Contact(name="box", a=ball, b=box, restitution=e),))


def start(system, point, speed):
    q = system.model.neutral()
    q[:3] = point
    return q, [0.0, 0.0, 0.0, *speed]


def bars(e=0.0, gravity=DOWN, shift=(0.0, 0.0, 0.0)):
    """A bar along y with an edge down, over a fixed one along x with an edge up at z = 0.

    The lower edge of the upper bar is its frame's x, y plane, and 0.5 long to either side.
    """
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem
    from dynarig.core.frames import rotation_from_axis_angle

    high = 0.1 * np.sqrt(2.0)
    model = free_bodies([("bar", 2.0, (0.3, 0.1, 0.2))], "floating", gravity)
    low = Box(turned(None, (0, 0, -high), (1, 0, 0), 0.25 * np.pi), (1.0, 0.1, 0.1))
    along_y = rotation_from_axis_angle((0, 0, 1), 0.5 * np.pi)
    roll = rotation_from_axis_angle((1, 0, 0), 0.25 * np.pi)
    from dynarig.core.dynamics.constraints import Port

    place = Port.at("bar", np.add(shift, (0, 0, high)), along_y @ roll)
    upper = Box(place, (0.5, 0.1, 0.1))
    contact = Contact(name="bars", a=upper, b=low, restitution=e)
    return ContactSystem(model, contacts=(contact,))


CROSSED = "bars a edge x-- b edge x++"


def test_gaps_of_edges_by_hand():
    system = bars()
    gaps = system.gaps
    index = gaps.names.index(CROSSED)
    q, _ = start(system, (0.4, 0.2, 0.7), (0, 0, 0))
    state = gaps.at(q)
    assert_close(state.gap[index], 0.7, 1e-14)
    # the upper edge goes from y = -0.3 to 0.7, the lower one from x = -1 to 1
    assert_close(state.ends[index], 0.3, 1e-14)
    assert state.cones[index] > 0.05
    assert_close(gaps.jacobian(q)[index], [-0.2, 0.0, 0.0, 0.0, 0.0, 1.0], 1e-14)
    # of no other pair of edges is one above the other, met from outside with both ends there
    edges = np.array([name.count("edge") == 2 for name in gaps.names])
    assert np.flatnonzero(edges & (state.margin >= 0.0) & (state.gap > 0.0)).tolist() == [index]
    beyond = gaps.at(start(system, (1.4, 0.2, 0.7), (0, 0, 0))[0])
    assert_close(beyond.margin[index], -0.4, 1e-14)


def test_edges_that_hit_each_other_out_of_the_middle():
    system = bars(1.0)
    q, v = start(system, (0.3, 0.2, 1.0), (0, 0, 0))
    motion = run(system, 0.6, q, v)
    hit = motion.impacts[0]
    assert hit.contacts == (CROSSED,)
    assert_close(hit.time, np.sqrt(2.0 / G), 1e-12)
    speed = np.sqrt(2.0 * G)
    push = 2.0 * speed / (1.0 / 2.0 + 0.2**2 / 0.3)
    assert_close(hit.impulses, push, 1e-10)
    assert_close(hit.v_right, [-0.2 * push / 0.3, 0, 0, 0, 0, -speed + push / 2.0], 1e-10)
    assert_close(hit.lost, 0.0, 1e-11)


def test_an_edge_rests_on_an_edge_and_slides_off_its_end():
    system = bars(0.0)
    q, v = start(system, (0.4, 0.0, 0.1), (1.0, 0, 0))
    motion = run(system, 1.2, q, v)
    fall = np.sqrt(0.2 / G)
    assert_close(motion.impacts[0].time, fall, 1e-12)
    assert_close(motion.constraint(CROSSED, 0.4).force, -2.0 * G, 1e-9)
    assert_close(motion.sample(0.5)[0][:3], [0.9, 0.0, 0.0], 1e-10)
    assert_close(motion.jumps[-1].time, 0.6, 1e-8)
    assert_close(motion.q[-1, :3], [1.6, 0.0, -0.5 * G * 0.36], 1e-7)
    assert motion.energy_drift < 1e-9 + motion.jumps[0].lost


def test_edges_hold_as_constraints_while_a_bar_slides_and_turns():
    system = bars(0.0)
    gaps = system.gaps
    index = gaps.names.index(CROSSED)
    # along the lower edge, with a turn about the vertical and a little roll
    q, v = start(system, (-0.3, 0.05, 0.0), (0.8, 0.1, 0.02 * 0.05))
    motion = run(system, 0.25, q, [0.02, 0.0, 1.5, *v[3:]], tolerance=1e-11)
    assert not motion.impacts
    states = motion.dense(np.linspace(0.0, 0.25, 40))[:, : system.model.nq]
    assert_close(gaps.at(states).gap[:, index], 0.0, 1e-10)
    assert motion.energy_drift < 1e-9


def test_a_ball_hits_an_edge_and_a_corner():
    for place, name, n in (
        ((1.1, 0.3), "box edge y++", (0.5, 0.0, np.sqrt(0.75))),
        ((1.1, 1.1), "box corner 7", (0.5, 0.5, np.sqrt(0.5))),
        ((-1.1, -1.1), "box corner 1", (-0.5, -0.5, np.sqrt(0.5))),
        ((0.9, 0.9), "box +z", (0.0, 0.0, 1.0)),
    ):
        system = ball_on_box((0, 0, 0), e=1.0)
        motion = run(system, 2.0, *start(system, (*place, 1.0), (0, 0, -1.0)))
        (hit,) = motion.impacts
        n = np.array(n)
        assert hit.contacts == (name,)
        assert_close(hit.time, 1.0 - 0.2 * n[2], 1e-12)
        assert_close(hit.v_right[3:], [0, 0, -1] + 2.0 * n[2] * n, 1e-12)


def test_a_ball_slides_off_a_face_around_its_edge():
    system = ball_on_box()
    motion = run(system, 1.5, *start(system, (0.0, 0.5, 0.2), (1.0, 0, 0)))
    assert not motion.impacts
    around, off = motion.jumps[-2:]
    assert "'box edge y++' comes to rest" in " ".join(around.causes)
    assert_close(around.time, 1.0, 1e-9)
    # it leaves the edge where cos = (2 + v^2 / (g r)) / 3
    cos = (2.0 + 1.0 / (G * 0.2)) / 3.0
    assert_close(off.q_left[:3], [1 + 0.2 * np.sqrt(1 - cos**2), 0.5, 0.2 * cos], 1e-6)
    assert motion.energy_drift < 1e-8


def test_a_ball_meets_the_end_of_a_strip_away_from_its_middle():
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Sphere, Wall

    model = free_bodies([("ball", 1.0, 0.1)], "floating", (0, 0, 0))
    strip = Wall(port(None, 0, 0, 0), (0, 0, 1), along=(1, 0, 0), length=2.0, double_sided=True)
    own = Contact(name="w", a=Sphere(port("ball", 0, 0, 0), 0.2), b=strip, restitution=1.0)
    system = ContactSystem(model, contacts=(own,))
    motion = run(system, 2.0, *start(system, (2.2, 7.0, 0.0), (-1.0, 0, 0)))
    (hit,) = motion.impacts
    assert hit.contacts == ("w end",)
    assert_close(hit.time, 1.0, 1e-12)


def test_a_box_meets_the_end_of_a_strip_with_an_edge():
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem, Wall

    model = free_bodies([("crate", 1.0, 0.1)], "floating", (0, 0, 0))
    strip = Wall(port(None, 0, 0, 0), (0, 0, 1), along=(1, 0, 0), length=2.0)
    # a cube that stands on an edge along y, turned a little about x
    cube = Box(turned("crate", (0, 0, 0), (0, 1, 0), 0.25 * np.pi), (0.2, 0.2, 0.2))
    own = Contact(name="w", a=cube, b=strip, restitution=1.0)
    system = ContactSystem(model, contacts=(own,))
    half = 0.2 * np.sqrt(2.0)
    q, v = start(system, (2.0 + half, 3.0, 0.0), (-1.0, 0, 0))
    q[3:] = _turn_about_x(system, 0.3)
    motion = run(system, 1.5, q, v)
    hit = motion.impacts[0]
    assert all(name.startswith("w edge y") and "end" in name for name in hit.contacts)
    assert_close(hit.time, 1.0, 1e-12)
    assert_close(hit.lost, 0.0, 1e-12)


def _turn_about_x(system, angle):
    from dynarig.core.dynamics import integrate_q

    model = system.model
    return integrate_q(model, model.neutral(), np.array([angle, 0, 0, 0, 0, 0]), 1.0)[3:]


@pytest.mark.parametrize("kind", ["planar", "floating"])
def test_a_box_slides_on_one_of_the_same_width_without_a_catch(kind):
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem

    size = (0.5, 0.3) if kind == "planar" else (0.5, 0.3, 0.4)
    model = free_bodies([("crate", 2.0, 0.1)], kind, (0, -G, 0))
    contact = Contact(
        name="c", a=Box(port("crate", 0, 0, 0), size), b=Box(port(None, 0, 0, 0), size)
    )
    system = ContactSystem(model, contacts=(contact,))
    q, v = model.neutral(), np.zeros(model.nv)
    q[1] = 0.6
    v[0 if kind == "planar" else 3] = 0.6
    still = run(system, 0.5, q, tolerance=1e-8)
    assert_close(still.q[-1], q, 1e-10)
    motion = run(system, 0.5, q, v, tolerance=1e-8)
    assert not motion.impacts
    assert_close(motion.q[-1, :2], [0.3, 0.6], 1e-9)
    assert_close(motion.v[-1], v, 1e-9)


def test_a_box_that_chatters_on_one_of_the_same_width_ends_flat():
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem

    size = (0.5, 0.4, 0.3)
    model = free_bodies([("crate", 1.0, 0.1)], "floating", DOWN)
    own = Contact(
        name="c",
        a=Box(port(None, 0, 0, 0), size),
        b=Box(port("crate", 0, 0, 0), size),
        restitution=0.3,
    )
    # it overhangs in x and is flush in y, where edges come close to a parallel as it rocks
    system = ContactSystem(model, contacts=(own,))
    q, v = start(system, (0.1, 0.0, 0.65), (0, 0, 0))
    motion = run(system, 0.5, q, v, tolerance=1e-8)
    assert_close(motion.q[-1, 1:3], [0.0, 0.6], 1e-9)
    assert_close(motion.v[-1, :3], 0.0, 1e-9)
    # hardly turned, and not moved by anything but its rocking
    assert_close(np.abs(motion.q[-1, 3]), 1.0, 1e-9)
    assert_close(motion.q[-1, 0], 0.1, 0.05)


def test_flush_boxes_that_meet_face_to_face_swap_their_speeds():
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem

    model = free_bodies([("a", 1.0, 0.1), ("b", 1.0, 0.1)], gravity=(0, 0, 0))
    boxes = [Box(port(name, 0, 0, 0), (0.5, 0.3)) for name in "ab"]
    own = Contact(name="c", a=boxes[0], b=boxes[1], restitution=1.0)
    motion = run(
        ContactSystem(model, contacts=(own,)), 2.0, [-1, 0, 0, 1, 0, 0], [1.0, 0.0, 0, 0, 0.0, 0]
    )
    (hit,) = motion.impacts
    assert_close(hit.time, 1.0, 1e-12)
    assert_close(motion.v[-1], [0, 0, 0, 1, 0, 0], 1e-12)


def test_bars_that_cross_through_each_other_are_refused():
    from dynarig.core.errors import SimulationError

    system = bars()
    # no corner of either is in the other
    q, _ = start(system, (0.0, 0.0, -0.05), (0, 0, 0))
    with pytest.raises(SimulationError, match=r"Contact 'bars' starts in penetration.*0.05 m deep"):
        run(system, 0.1, q)


def test_a_box_on_both_sides_of_a_wall_is_refused():
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem, Wall
    from dynarig.core.errors import SimulationError

    model = free_bodies([("crate", 1.0, 0.1)], gravity=(0, 0, 0))
    crate = Box(port("crate", 0, 0, 0), (0.5, 0.3))
    for length in (None, 4.0):
        wall = Wall(port(None, 0, 0, 0), (0, 1, 0), (1, 0, 0), length, double_sided=True)
        system = ContactSystem(model, contacts=(Contact(name="w", a=crate, b=wall),))
        with pytest.raises(SimulationError, match=r"Contact 'w' starts in penetration.*0.1 m deep"):
            run(system, 0.1, [0.0, 0.2, 0.0])
        run(system, 0.1, [0.0, 0.3, 0.0])
    # beside the end of the wall it is free
    run(system, 0.1, [2.6, 0.2, 0.0])


def test_a_solid_box_on_both_sides_of_a_strip_is_refused():
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem, Wall
    from dynarig.core.errors import SimulationError

    model = free_bodies([("crate", 1.0, 0.1)], "floating", (0, 0, 0))
    crate = Box(port("crate", 0, 0, 0), (0.5, 0.4, 0.3))
    strip = Wall(port(None, 0, 0, 0), (0, 0, 1), along=(1, 0, 0), length=4.0, double_sided=True)
    system = ContactSystem(model, contacts=(Contact(name="w", a=crate, b=strip),))
    for place, deep in (((0.0, 5.0, 0.2), "0.1 m"), ((2.45, 5.0, 0.2), "0.05 m")):
        with pytest.raises(SimulationError, match=rf"Contact 'w' starts in pen.*{deep} deep"):
            run(system, 0.1, *start(system, place, (0, 0, 0)))
    for place in ((0.0, 5.0, 0.3), (2.6, 5.0, 0.2)):
        run(system, 0.1, *start(system, place, (0, 0, 0)))
