"""How deep bodies go in each other while they tumble: contacts are looked at where steps lead."""

import numpy as np
import pytest
from dynarig.core.dynamics.collision import Collider
from dynarig.core.dynamics.constraints import Port
from dynarig.core.dynamics.contact import Box, Capsule, Hull
from dynarig.core.frames import quaternion_from_rotation_vector

from .benches import ground, placed, scene, stepped

DEPTH = 5e-4  # m, in steps of 2 ms


def heap(seed, count=4):
    """Boxes, hulls and capsules thrown at each other and at the ground: (system, q, v)."""
    rng = np.random.default_rng(seed)
    bodies, colliders, poses, v = [], [ground()], [], []
    for k in range(count):
        name = f"body{k}"
        corners = 0.1 * rng.normal(size=(12, 3))
        shape = (
            Box(Port(name), rng.uniform(0.05, 0.2, 3)),
            Hull(Port(name), corners - corners.mean(axis=0)),
            Capsule(Port(name), 0.06, 0.25),
        )[rng.integers(3)]
        colliders.append(Collider(name=name, shape=shape, restitution=rng.choice([0.0, 0.5])))
        bodies.append((name, 1.0, 0.008))
        turn = quaternion_from_rotation_vector(2.0 * rng.normal(size=3))
        poses.append([*rng.uniform(-0.1, 0.1, 2), 0.35 + 0.5 * k, *turn])
        v += [*(20.0 * rng.normal(size=3)), *(2.0 * rng.normal(size=2)), -6.0 - 3.0 * rng.normal()]
    system = scene(bodies, colliders)
    return system, placed(system, *poses), np.array(v)


@pytest.mark.parametrize("seed", [1, 17, 18])  # with one look: up to 4 mm
def test_what_tumbles_stays_outside(seed):
    system, q, v = heap(seed)
    motion = stepped(system, (0.0, 0.3, 0.6), q, v)
    assert motion.touches.unconverged == 0
    assert motion.touches.deepest < DEPTH
    assert len(motion.touches) > 10
