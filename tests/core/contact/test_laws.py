"""What holds of every motion with impacts, at random: planar and in space."""

import numpy as np
import pytest

from ...close import assert_close
from .benches import free_bodies
from .test_motions import port, run

NAMES = "ab"


def check_laws(system, motion, momentum_kept=False):
    """Each impact by itself, and that nothing is in anything at any time."""
    from dynarig.core.dynamics import kinetic_energy, mass_matrix, momentum

    model, gaps = system.model, system.gaps
    for hit in motion.impacts:
        own = [gaps.names.index(name) for name in hit.contacts]
        e = gaps.restitution[own]
        jump = mass_matrix(model, hit.q) @ (hit.v_right - hit.v_left)
        push = gaps.jacobian(hit.q)[own].T @ hit.impulses
        scale = np.abs(hit.v_left).max() + 1.0
        # p+ - p- = lambda dphi/dq with lambda > 0: bodies are pushed apart
        assert_close(jump, push, 1e-11 * scale)
        assert (hit.impulses > 0.0).all()
        # what has pushed parts by Newton's law, and nothing sticks or is pulled
        assert (hit.speeds_right >= -e * np.minimum(hit.speeds_left, 0.0) - 1e-10 * scale).all()
        if len(own) == 1:
            assert_close(hit.speeds_right, -e * hit.speeds_left, 1e-10 * scale)
        before, after = (kinetic_energy(model, hit.q, v) for v in (hit.v_left, hit.v_right))
        assert after <= before + 1e-11 * scale**2
        if (e == 1.0).all():
            assert_close(after, before, 1e-11 * scale**2)
        if momentum_kept:
            told = (momentum(model, hit.q, v) for v in (hit.v_left, hit.v_right))
            assert_close(*told, 1e-11 * scale)
        # located to 1e-12 s of the motion, but for rounding of the gap; what is nearly closed
        # takes part
        gap = np.abs(gaps.at(hit.q).gap[own])
        assert gap.min() <= 1e-12 * np.abs(hit.speeds_left).max() + 1e-14
        assert_close(gap, 0.0, 1e-10)
    states = motion.dense(np.linspace(0.0, motion.times[-1], 120))[:, : model.nq]
    assert max(gaps.depth(gaps.at(state)).max() for state in states) < 1e-10


def free_pair(kind, e, turn=None):
    """Two boxes of different sizes, and a ball fixed to the first, far from anything else."""
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem, Sphere

    size = 2 if kind == "planar" else 3
    model = free_bodies([("a", 1.0, 0.1), ("b", 2.0, 0.15)], kind, (0, 0, 0), turn)
    first = Box(port("a", 0, 0, 0), (0.5, 0.3, 0.4)[:size])
    second = Box(port("b", 0.1, 0, 0), (0.3, 0.4, 0.6)[:size])
    ball = Sphere(port("a", 0.7, 0, 0), 0.25)
    contacts = (
        Contact(name="boxes", a=first, b=second, restitution=e),
        Contact(name="ball", a=ball, b=second, restitution=1.0),
    )
    return ContactSystem(model, contacts=contacts)


def at_each_other(rng, kind):
    """q and v of two bodies that are turned at random, spin, and are thrown at each other."""
    from dynarig.core.dynamics import integrate_q, link_poses

    model = free_bodies([(name, 1.0, 1.0) for name in NAMES], kind, (0, 0, 0))
    turns = rng.normal(size=model.nv)
    q, v = model.neutral(), rng.normal(size=model.nv)
    for name, side in zip(NAMES, (-1.5, 1.5), strict=True):
        rates = model.v_slices[f"{name} joint"]
        places = slice(rates.start, rates.start + 2)
        if kind == "floating":
            places = slice(rates.start + 3, rates.start + 6)
        turns[places], v[places] = 0.0, 0.15 * v[places]
        q[model.q_slices[f"{name} joint"].start] = side
        v[places.start] -= 2.0 * np.sign(side)
    q = integrate_q(model, q, turns, 1.0)
    if kind == "floating":
        # velocities of floating bodies are in their own axes
        for name in NAMES:
            rates = model.v_slices[f"{name} joint"]
            turn = link_poses(model, q)[model.link_names.index(name), :3, :3]
            v[rates.start + 3 : rates.stop] = turn.T @ v[rates.start + 3 : rates.stop]
    return q, v


@pytest.mark.parametrize("kind", ["planar", "floating"])
@pytest.mark.parametrize("seed", range(4))
def test_bodies_thrown_at_each_other(kind, seed):
    rng = np.random.default_rng(100 + seed)
    q, v = at_each_other(rng, kind)
    e = float(rng.choice([0.0, 0.5, 1.0]))
    system = free_pair(kind, e)
    motion = run(system, 0.9, q, v, tolerance=1e-9)
    assert motion.impacts
    check_laws(system, motion, momentum_kept=True)


def test_edges_are_among_what_meets_at_random():
    kinds = set()
    for seed in range(4):
        q, v = at_each_other(np.random.default_rng(seed), "floating")
        motion = run(free_pair("floating", 1.0), 0.8, q, v, tolerance=1e-7)
        kinds |= {
            (name.count("edge"), "ball" in name) for hit in motion.impacts for name in hit.contacts
        }
    # an edge across an edge, a corner on a face, and the ball
    assert {(2, False), (0, False)} <= kinds
    assert any(ball for _, ball in kinds)


def test_output_times_have_no_part_in_events():
    q, v = at_each_other(np.random.default_rng(3), "floating")
    few, many = (run(free_pair("floating", 0.6), 1.0, q, v, count=n) for n in (2, 61))
    assert [hit.contacts for hit in few.impacts] == [hit.contacts for hit in many.impacts]
    assert [hit.time for hit in few.impacts] == [hit.time for hit in many.impacts]
    assert (few.q[-1] == many.q[-1]).all()


@pytest.mark.parametrize("kind", ["planar", "floating"])
def test_a_scene_that_is_turned_and_moved_goes_on_as_before(kind):
    from dynarig.core.frames import transform_from_xyz_rpy

    turn = transform_from_xyz_rpy([2.0, -1.0, 3.0], [0.3, -0.5, 1.1])
    q, v = at_each_other(np.random.default_rng(5), kind)
    motions = [run(free_pair(kind, 1.0, own), 1.0, q, v, tolerance=1e-12) for own in (None, turn)]
    one, other = motions
    assert one.impacts
    assert [hit.contacts for hit in one.impacts] == [hit.contacts for hit in other.impacts]
    assert_close([hit.time for hit in other.impacts], [hit.time for hit in one.impacts], 1e-9)
    assert_close(other.q[-1], one.q[-1], 1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_leaves_a_room_however_fast(seed):
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Point, Sphere, Wall

    rng = np.random.default_rng(seed)
    model = free_bodies([("ball", 1.0, 0.1), ("rod", 1.0, 0.05)], gravity=(0, -9.81, 0))
    ball = Sphere(port("ball", 0.05, 0, 0), 0.1)
    ends = [Point(port("rod", x, 0, 0)) for x in (-0.3, 0.3)]
    contacts = []
    for index, way in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
        normal, along = (*way, 0), (-way[1], way[0], 0)
        place = port(None, -way[0], -way[1], 0)
        wall = Wall(place, normal, along=along, length=2.0, double_sided=bool(index % 2))
        contacts += [
            Contact(name=f"{index} {name}", a=shape, b=wall, restitution=float(rng.uniform(0.8, 1)))
            for name, shape in (("ball", ball), ("left", ends[0]), ("right", ends[1]))
        ]
    system = ContactSystem(model, contacts=tuple(contacts))
    q = [*rng.uniform(-0.5, 0.5, 2), 0.3, *rng.uniform(-0.5, 0.5, 2), rng.uniform(-3, 3)]
    v = [*rng.uniform(-40, 40, 2), 5.0, *rng.uniform(-30, 30, 2), 60.0]
    motion = run(system, 0.3, q, v, count=2)
    assert len(motion.impacts) > 5
    check_laws(system, motion)
    states = motion.dense(np.linspace(0.0, 0.3, 500))
    assert np.abs(states[:, [0, 1]]).max() < 0.95 + 1e-9
    assert np.abs(states[:, [3, 4]]).max() < 1.0


def test_forces_of_the_user_s_move_bodies_into_each_other():
    from .test_motions import bouncing

    # a spring and a damper that the user writes, and a push that grows: floor at y = 0.1
    def drive(t, q, v):
        return np.array([0.0, 9.81 - 40.0 * (q[1] - 0.5) - 0.5 * v[1] - 30.0 * t, 0.0])

    system = bouncing(0.4)
    motion = run(system, 2.0, [0.0, 1.0, 0.0], tau=drive, tolerance=1e-11)
    assert motion.impacts
    check_laws(system, motion)
    # at the end it lies on the floor, which carries what the drive presses
    force = 40.0 * (0.1 - 0.5) + 30.0 * 1.9
    assert_close(motion.q[-1, 1], 0.1, 1e-12)
    assert_close(motion.constraint("floor", 1.9).force, -force, 1e-8)
