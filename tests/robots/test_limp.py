"""Robots without motors that are dropped: they fall in a heap, and through nothing."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_robot, link_poses
from dynarig.core.dynamics.collision import Collider
from dynarig.core.dynamics.collision.from_urdf import colliders_of
from dynarig.core.dynamics.constraints import Port
from dynarig.core.dynamics.contact import Plane
from dynarig.core.dynamics.friction import CollisionSystem
from dynarig.core.simulate import run, simulate
from dynarig.core.urdf import load_urdf

STEP = 0.002
ROBOTS = {
    # height of the base over the ground, m; the joints that start beyond their limits
    "anymal_b_simple_description/robots/anymal.urdf": (0.9, ()),
    "panda_description/urdf/panda_collision.urdf": (0.3, ("panda_joint4",)),
}


@pytest.mark.parametrize("path", ROBOTS)
def test_a_limp_robot_falls_in_a_heap(robots, path):
    height, beyond = ROBOTS[path]
    robot = load_urdf(robots / path)
    model = compile_robot(robot, floating_base=True)
    # all are made of boxes, cylinders and spheres
    links, notes = colliders_of(robot, friction=0.6)
    assert notes == ()
    ground = Collider(name="ground", shape=Plane(Port(None)), friction=0.6)
    system = CollisionSystem(model, colliders=(ground, *links))
    start = model.neutral()
    start[2] = height
    times = STEP * np.arange(501)
    motion = run(simulate(system, times, start, method="time-stepping"))
    touches = motion.touches
    assert touches.unconverged == 0
    assert touches.deepest < 1e-3
    # links that touch at the start do not collide, and that is all that is told
    assert motion.remarks[0].startswith("overlap at the start and do not collide: ")
    told = tuple(remark.split("'")[1] for remark in motion.remarks[1:])
    assert told == beyond
    # it has come down and lost energy, of which it was given no more than is told
    assert motion.q[-1, 2] < height
    mass = model.frame_pseudo_inertia[1:, 3, 3].sum()
    bound = 2.0 * mass * (9.80665 * STEP) ** 2 + touches.lifted
    assert (motion.energy - np.minimum.accumulate(motion.energy)).max() < bound
    assert motion.energy[-1] < 0.6 * motion.energy[0]
    assert link_poses(model, motion.q[-1])[1:, 2, 3].min() > 0.0
