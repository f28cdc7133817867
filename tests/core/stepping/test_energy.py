"""Energy in random scenes: contact takes it, and gives no more than is told."""

import numpy as np
import pytest
from dynarig.core.frames import quaternion_from_rotation_vector

from .benches import G, ball, box, ground, placed, scene, solid_ball, solid_box, stepped

STEP = 0.002
TIMES = STEP * np.arange(401)


def hull(name, points, **surface):
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Hull

    return Collider(name=name, shape=Hull(Port(name), points), **surface)


def thrown(seed):
    """A box, a stone and a ball of random sizes thrown at the ground: (system, mass, q, v)."""
    rng = np.random.default_rng(seed)
    surface = {"friction": rng.choice([0, 0.3, 0.8]), "restitution": rng.choice([0, 0.3, 0.9])}
    half, radius = rng.uniform(0.03, 0.2, 3), rng.uniform(0.03, 0.15)
    corners = rng.normal(size=(16, 3)) * [0.1, 0.15, 0.08]
    masses = 10.0 ** rng.uniform(-1.0, 1.0, 3)
    bodies = [
        solid_box("box", half, masses[0]),
        ("stone", masses[1], masses[1] * np.array([0.02, 0.015, 0.03])),
        solid_ball("ball", radius, masses[2]),
    ]
    colliders = [
        ground(**surface),
        box("box", half, **surface),
        hull("stone", corners - corners.mean(axis=0), **surface),
        ball("ball", radius, **surface),
    ]
    system = scene(bodies, colliders)
    turns = quaternion_from_rotation_vector(2.0 * rng.normal(size=(3, 3)))
    places = rng.uniform(-0.05, 0.05, (3, 3))
    places[:, 2] += [0.4, 0.9, 1.4]
    q = placed(system, *np.hstack((places, turns)))
    v = rng.normal(size=18) * np.tile([8, 8, 8, 1, 1, 1], 3)
    v[9:12] -= [0.0, 0.0, 2.0]
    return system, masses.sum(), q, v


@pytest.mark.parametrize("seed", range(10))
def test_the_energy_of_random_bodies_never_rises_by_more_than_is_told(seed):
    system, mass, q, v = thrown(seed)
    motion = stepped(system, TIMES, q, v)
    touches = motion.touches
    assert len(touches) > 5
    assert touches.unconverged == 0
    # what is told at one instant or at the next, m (g h)^2, of all bodies
    bound = 2.0 * mass * (G * STEP) ** 2 + touches.lifted
    assert (motion.energy - np.minimum.accumulate(motion.energy)).max() < bound
    assert touches.lifted < 1e-3 * (motion.energy[0] - motion.energy.min())
    assert touches.deepest < 1e-3


def test_a_ball_rolls_on_evenly_while_another_lands():
    speed, radius, names = 4.0, 0.1, ("rolling", "falling")
    system = scene(
        [solid_ball(name, radius) for name in names],
        [ground(friction=0.5), *(ball(name, radius, friction=0.5) for name in names)],
    )
    q = placed(system, [0.0, 0.0, radius], [0.0, 1.0, 0.3])
    v = np.zeros(12)
    v[:6] = [0.0, speed / radius, 0.0, speed, 0.0, 0.0]
    motion = stepped(system, TIMES, q, v)
    assert np.abs(motion.q[-1, 9] - radius) < 1e-5
    # the energy of the one that rolls, at every instant: the frame turns by 0.08 rad in a step
    rolling = 0.5 * (motion.v[:, 3:6] ** 2).sum(axis=1) + 0.2 * radius**2 * (
        motion.v[:, :3] ** 2
    ).sum(axis=1)
    assert np.abs(rolling - 0.7 * speed**2).max() < 2.0 * (G * STEP) ** 2
