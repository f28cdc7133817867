"""Impacts by time stepping: what they keep, what they never make, and how they end."""

import numpy as np
import pytest
from dynarig.core.dynamics import momentum
from dynarig.core.frames import quaternion_from_rotation_vector, transform_from_xyz_rpy

from ...close import assert_close
from .benches import G, ball, box, ground, placed, scene, solid_ball, solid_box, stepped

HALF = [0.1, 0.15, 0.2]
STEP = 0.002
TIMES = STEP * np.arange(501)


def tumbling(seed, restitution, friction):
    """A box thrown at the ground in any pose: (system, q, v)."""
    rng = np.random.default_rng(seed)
    system = scene(
        [solid_box("box", HALF)],
        [
            ground(restitution=restitution, friction=friction),
            box("box", HALF, friction=friction),
        ],
    )
    turn = quaternion_from_rotation_vector(2.0 * rng.normal(size=3))
    q = placed(system, [0.0, 0.0, 0.5, *turn])
    return system, q, rng.normal(size=6) * np.array([8, 8, 8, 1, 1, 1])


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("friction", [0.0, 0.6])
def test_energy_never_rises(restitution, friction):
    for seed in (1, 2):
        system, q, v = tumbling(seed, restitution, friction)
        motion = stepped(system, TIMES, q, v)
        # what a step's worth of gravity does, m (g h)^2, is told at one instant or at the next
        bound = 2.0 * (G * STEP) ** 2 + motion.touches.lifted
        assert (motion.energy - np.minimum.accumulate(motion.energy)).max() < bound
        assert motion.touches.lifted < 0.01
        if restitution == 1.0 and friction == 0.0:
            assert_close(motion.energy, np.full(len(TIMES), motion.energy[0]), atol=1e-5)
        else:
            assert motion.energy[-1] < 0.9 * motion.energy[0]


def test_free_bodies_keep_momentum_when_they_collide():
    rng = np.random.default_rng(7)
    names = [f"ball{k}" for k in range(3)]
    radii = [0.1, 0.15, 0.12]
    system = scene(
        [solid_ball(name, radius, 1.0 + radius) for name, radius in zip(names, radii, strict=True)],
        [ball(n, r, friction=0.4, restitution=0.5) for n, r in zip(names, radii, strict=True)],
        gravity=(0.0, 0.0, 0.0),
    )
    q = placed(system, [0.0, 0.02, 0.0], [0.5, 0.0, 0.03], [0.2, 0.5, 0.0])
    v = rng.normal(size=18)
    v[3:6], v[9:12], v[15:18] = [3.0, 1.0, 0.0], [-3.0, 0.5, 0.0], [0.0, -3.0, 0.0]
    # angular momentum by as much as bodies move in a step, since they touch at its end
    for step, bound in ((2e-3, 0.02), (4e-4, 5e-3)):
        motion = stepped(system, np.linspace(0.0, 0.25, 26), q, v, step=step)
        assert len(motion.touches) > 1
        kept = momentum(system.model, motion.q, motion.v)
        assert_close(kept[:, 3:], np.broadcast_to(kept[0, 3:], (26, 3)), atol=1e-11)
        assert_close(kept[:, :3], np.broadcast_to(kept[0, :3], (26, 3)), atol=bound)


@pytest.mark.parametrize("restitution", [0.5, 0.9, 1.0])
def test_a_bouncing_ball_follows_its_closed_form_to_a_step_a_bounce(restitution):
    system = scene([solid_ball("ball", 0.1)], [ground(restitution=restitution), ball("ball", 0.1)])
    times = np.linspace(0.0, 1.5, 1501)
    motion = stepped(system, times, placed(system, [0.0, 0.0, 1.1]))
    speed = np.sqrt(2.0 * G)
    fall = speed / G
    # energies behind each bounce, and its instant
    rises = np.flatnonzero((motion.v[1:, 5] > 0.0) & (motion.v[:-1, 5] <= 0.0))
    due, gain = fall, restitution
    for count, row in enumerate(rises[:3], start=1):
        assert abs(times[row] - due) < (count + 1) * STEP
        # the top of the rise
        later = motion.q[row:, 2]
        top = 0.1 + gain**2
        if (later.argmax() > 0) and times[row] + gain * fall < times[-1]:
            until = np.searchsorted(times, times[row] + 2.0 * gain * fall)
            assert_close(later[: until - row].max(), top, atol=2e-5)
        due, gain = due + 2.0 * gain * fall, restitution * gain


def test_bouncing_ends_in_rest():
    system = scene([solid_ball("ball", 0.1)], [ground(restitution=0.5), ball("ball", 0.1)])
    motion = stepped(system, (0.0, 2.0, 2.5, 3.0), placed(system, [0.0, 0.0, 0.6]))
    assert_close(motion.q[1:, 2], np.full(3, 0.1), atol=2e-5)
    assert_close(motion.v[1:], np.zeros((3, 6)), atol=1e-5)


def test_a_box_that_falls_on_its_face_rests_still():
    system = scene([solid_box("box", HALF)], [ground(friction=0.6), box("box", HALF)])
    motion = stepped(system, np.linspace(0.0, 1.0, 101), placed(system, [0.0, 0.0, 0.5]))
    still = motion.times > 0.6
    assert_close(motion.q[still], np.broadcast_to(motion.q[-1], (still.sum(), 7)), atol=1e-6)
    assert_close(motion.q[-1], [0.0, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0], atol=2e-5)


@pytest.mark.parametrize("height", [1.0, 1.013, 1.07, 1.099])
def test_nothing_passes_through_the_ground_however_fast(height):
    system = scene(
        [solid_ball("ball", 0.02)], [ground(), ball("ball", 0.02)], gravity=(0.0, 0.0, 0.0)
    )
    v = np.array([0.0, 0.0, 0.0, 3.0, 0.0, -50.0])
    motion = stepped(system, np.linspace(0.0, 0.1, 301), placed(system, [0.0, 0.0, height]), v)
    assert motion.q[:, 2].min() > 0.02 - 1e-6
    assert motion.touches.deepest < 1e-6


def test_a_ball_that_is_struck_does_not_pass_through_what_is_behind():
    system = scene(
        [solid_ball("fast", 0.05), solid_ball("slow", 0.05)],
        [ground(), ball("fast", 0.05), ball("slow", 0.05)],
        gravity=(0.0, 0.0, 0.0),
    )
    q = placed(system, [0.0, 0.0, 0.4], [0.0, 0.0, 0.06])
    v = np.array([0.0, 0, 0, 0, 0, -50.0, 0, 0, 0, 0, 0, 0])
    motion = stepped(system, np.linspace(0.0, 0.05, 101), q, v)
    assert motion.q[:, 9].min() > 0.05 - 1e-6
    assert (motion.q[:, 2] - motion.q[:, 9]).min() > 0.1 - 1e-6


def test_a_scene_that_is_turned_and_moved_does_the_same():
    turn = transform_from_xyz_rpy((3.0, -2.0, 1.0), (0.7, -0.4, 2.0))
    times = np.linspace(0.0, 0.8, 9)
    ends = []
    for pose in (np.eye(4), turn):
        colliders = [
            ground(pose, restitution=0.4, friction=0.5),
            box("box", HALF, friction=0.5),
            ball("ball", 0.1, friction=0.5),
        ]
        bodies = [solid_box("box", HALF), solid_ball("ball", 0.1)]
        system = scene(bodies, colliders, turn=pose)
        tilt = quaternion_from_rotation_vector([0.3, 0.5, 0.2])
        q = placed(system, [0.0, 0.0, 0.3, *tilt], [0.05, 0.02, 0.7])
        v = np.zeros(12)
        v[3:6] = [0.5, 0.2, 0.0]
        ends.append(stepped(system, times, q, v).link_poses(times)[:, 1:])
    expected = turn @ ends[0]
    assert_close(ends[1][:4], expected[:4], atol=1e-4)
    # errors of the solve grow from bounce to bounce
    assert_close(ends[1], expected, atol=2e-3)


def test_output_times_change_nothing_where_things_bounce():
    system, q, v = tumbling(3, 0.5, 0.5)
    few = stepped(system, (0.0, 0.5, 1.0), q, v)
    many = stepped(system, np.linspace(0.0, 1.0, 97), q, v)
    assert_close(few.q[-1], many.q[-1], atol=0.0)
    assert_close(few.q[1], many.q[48], atol=0.0)


def test_bodies_of_every_shape_land_and_come_to_rest():
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Box, Capsule, Cylinder, Hull, Sphere

    rng = np.random.default_rng(2)
    corners = 0.08 * rng.normal(size=(20, 3))
    shapes = [
        Box(Port("box"), HALF),
        Sphere(Port("ball"), 0.1),
        Cylinder(Port("can"), 0.1, 0.3),
        Capsule(Port("pill"), 0.1, 0.2),
        Hull(Port("stone"), corners - corners.mean(axis=0)),
    ]
    names = [shape.port.link for shape in shapes]
    colliders = [
        Collider(name=name, shape=shape, friction=0.6)
        for name, shape in zip(names, shapes, strict=True)
    ]
    system = scene([(name, 1.0, 0.006) for name in names], [ground(friction=0.6), *colliders])
    turns = quaternion_from_rotation_vector(rng.normal(size=(5, 3)))
    q = placed(system, *([0.5 * k, 0.0, 0.5, *turns[k]] for k in range(5)))
    times = np.linspace(0.0, 3.0, 301)
    motion = stepped(system, times, q, step=0.004)
    assert motion.touches.unconverged == 0
    assert motion.touches.deepest < 1e-3
    bound = 5.0 * 2.0 * (G * 0.004) ** 2 + motion.touches.lifted
    assert (motion.energy - np.minimum.accumulate(motion.energy)).max() < bound
    # what may still roll or rock does so slowly
    assert np.abs(motion.v[-1]).max() < 0.3
    assert np.abs(motion.v[-1].reshape(5, 6)[0]).max() < 1e-4
