"""Starts that cannot be: bodies in each other, and joints beyond their limits."""

import numpy as np
import pytest
from dynarig.core.dynamics import Prescribed, System, compile_tree, link_poses

from ...close import assert_close
from ..constraints.mechanisms import chain
from .benches import G, ball, box, ground, placed, scene, solid_box, stepped

CUBE = [0.1, 0.1, 0.1]
TIMES = np.linspace(0.0, 1.0, 51)
DOWN = (0.0, 0.0, -G)


@pytest.mark.parametrize("depth", [3e-5, 4e-4, 0.01])
def test_links_of_one_robot_that_are_in_each_other_do_not_collide(depth):
    from dynarig.core.dynamics.friction import CollisionSystem

    model, q = chain([1.0, 1.0, 1.0]), np.array([0.0, 2.5, 0.0])
    places = dict(zip(model.link_names, link_poses(model, q)[:, :3, 3], strict=True))
    radius = 0.5 * (np.linalg.norm(places["rod2"] - places["rod0"]) + depth)
    colliders = ball("rod0", radius), ball("rod2", radius)
    motion = stepped(CollisionSystem(model, colliders=colliders), TIMES, q)
    assert motion.remarks == ("overlap at the start and do not collide: 'rod0' and 'rod2'",)
    assert_close(motion.q, stepped(System(model), TIMES, q).q, atol=1e-12)


def test_free_bodies_that_are_a_little_in_each_other_are_pushed_out():
    names, depth = ("lower", "upper"), 5e-4
    system = scene(
        [solid_box(name, CUBE) for name in names],
        [ground(), *(box(name, CUBE) for name in names)],
    )
    motion = stepped(system, TIMES, placed(system, [0.0, 0.0, 0.1], [0.0, 0.0, 0.3 - depth]))
    assert motion.remarks == ("'lower' starts 0.0005 m inside 'upper' and is pushed out",)
    assert_close(motion.q[-1, [2, 9]], [0.1, 0.3], atol=5e-5)
    assert np.abs(motion.v).max() < 1e-3


def test_joints_beyond_their_limits_are_moved_back_and_told(pendulum):
    types = {"revolute": "rad", "prismatic": "m"}
    for kind, unit in types.items():
        model = compile_tree(pendulum(type=kind, lower=-0.5, upper=0.4), gravity=(0.0, 0.0, 0.0))
        motion = stepped(System(model), np.linspace(0.0, 4.0, 81), [1.6])
        assert motion.remarks == (
            f"joint 'hinge' starts at 1.6 {unit}, beyond its limits -0.5 to 0.4 {unit}, and is "
            "moved back",
        )
        assert_close(motion.q[-1], [0.4], atol=1e-4)
        # it is moved, at no more than half a unit a second, and not thrown
        assert np.diff(motion.q[:, 0]).min() > -0.5 * 0.05 - 1e-9
        assert_close(motion.v, np.zeros((81, 1)), atol=1e-9)
        assert stepped(System(model), TIMES, [1.6], limits=False).remarks == ()
        assert stepped(System(model), TIMES, [0.4]).remarks == ()


def test_limits_do_not_stop_a_prescribed_motion(pendulum):
    model = compile_tree(pendulum(type="revolute", lower=-0.5, upper=0.5), gravity=DOWN)
    given = Prescribed(0, 0, lambda t: (np.sin(3.0 * t), 3.0 * np.cos(3.0 * t), 0.0))
    motion = stepped(System(model, prescribed=(given,)), TIMES)
    assert_close(motion.q[:, 0], np.sin(3.0 * TIMES), atol=1e-12)
    assert motion.touches.unconverged == 0
    assert motion.remarks == ()
