"""What free bodies keep when they collide, over random collisions."""

import numpy as np
import pytest
from dynarig.core.dynamics import momentum

from ...close import assert_close
from .benches import ball, box, placed, scene, solid_ball, solid_box, stepped

HALF = [0.1, 0.15, 0.12]
NAMES = ("a", "b", "c")
PLACES = [0.0, 0.02, 0.0], [0.5, 0.0, 0.03], [0.2, 0.5, 0.0]
SPEEDS = [3.0, 1.0, 0.0], [-3.0, 0.5, 0.0], [0.0, -3.0, 0.0]  # m/s


def collided(seed, restitution, is_ball):
    """How far momentum (n, 6) is from that of the start: angular about the origin, linear."""
    rng = np.random.default_rng(seed)
    surface = {"friction": 0.4, "restitution": restitution}
    if is_ball:
        bodies = [solid_ball(name, 0.12, 1.2) for name in NAMES]
        colliders = [ball(name, 0.12, **surface) for name in NAMES]
    else:
        bodies = [solid_box(name, HALF, 1.2) for name in NAMES]
        colliders = [box(name, HALF, **surface) for name in NAMES]
    system = scene(bodies, colliders, gravity=(0.0, 0.0, 0.0))
    v = 4.0 * rng.normal(size=(3, 6))
    v[:, 3:] = SPEEDS
    motion = stepped(system, np.linspace(0.0, 0.25, 26), placed(system, *PLACES), v.ravel())
    assert len(motion.touches)
    kept = momentum(system.model, motion.q, motion.v)
    return kept - kept[0]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("is_ball", [True, False])
def test_linear_momentum_is_kept(seed, restitution, is_ball):
    off = collided(seed, restitution, is_ball)
    assert_close(off[:, 3:], np.zeros((26, 3)), atol=1e-11)
    # where what moves bodies is not what goes on, angular momentum is off by order of a step
    assert np.abs(off[:, :3]).max() < 0.05


@pytest.mark.parametrize("seed", range(3))
def test_angular_momentum_is_kept_where_nothing_bounces(seed):
    off = collided(seed, 0.0, is_ball=True)
    assert_close(off, np.zeros((26, 6)), atol=1e-11)
