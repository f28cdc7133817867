"""A quadruped that is dropped: it lands, stays on its feet and comes to rest."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_robot, hold_pose, link_poses
from dynarig.core.dynamics.collision import Collider
from dynarig.core.dynamics.collision.from_urdf import colliders_of
from dynarig.core.dynamics.constraints import Port
from dynarig.core.dynamics.contact import Plane
from dynarig.core.dynamics.friction import CollisionSystem
from dynarig.core.frames import quaternion_from_rotation_vector
from dynarig.core.simulate import run, simulate
from dynarig.core.urdf import load_urdf

from ..close import assert_close

LEGS = ("FL", "FR", "HL", "HR")
TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
FRICTION = 0.8


def points_of(mesh):
    """The corners (n, 3) of a binary .stl."""
    data = mesh.path.read_bytes()
    count = int(np.frombuffer(data, "<u4", 1, 80)[0])
    triangles = np.frombuffer(data, TRIANGLE, count, 84)
    return np.unique(triangles["corners"].reshape(-1, 3), axis=0).astype(float) * mesh.scale


@pytest.fixture(scope="module")
def quadruped(robots):
    """Solo12 on a ground, held in its stance by motors: (system, q with the feet on z = 0)."""
    robot = load_urdf(robots / "solo_description" / "robots" / "solo12.urdf")
    model = compile_robot(robot, floating_base=True)
    q = model.neutral()
    for leg in LEGS:
        sign = 1.0 if leg[0] == "F" else -1.0
        q[model.q_index(f"{leg}_HFE")] = 0.8 * sign
        q[model.q_index(f"{leg}_KFE")] = -1.6 * sign
    links, notes = colliders_of(robot, points_of, friction=FRICTION)
    assert notes == ()
    ground = Collider(name="ground", shape=Plane(Port(None)), friction=FRICTION)
    system = CollisionSystem(
        model,
        joint_forces=hold_pose(model, q, frequency=8.0, damping_ratio=1.0),
        colliders=(ground, *links),
        pairs=tuple(("ground", own.name) for own in links),
    )
    poses = dict(zip(model.link_names, link_poses(model, q), strict=True))
    lowest = [
        (poses[own.name] @ own.shape.port.link_from_port @ np.append(point, 1.0))[2]
        for own in links
        for point in own.shape.corners
    ]
    q[2] -= min(lowest)
    return system, q


@pytest.mark.parametrize("turn", [(0, 0, 0), (0.2, 0, 0), (0, 0.3, 0), (-0.3, -0.3, 1.0)])
def test_it_lands_on_its_feet_and_comes_to_rest(quadruped, turn):
    system, stance = quadruped
    start = stance.copy()
    start[2] += 0.5
    start[3:7] = quaternion_from_rotation_vector(np.array(turn, dtype=float))
    times = np.linspace(0.0, 2.5, 251)
    motion = run(simulate(system, times, start, method="time-stepping"))
    touches = motion.touches
    assert touches.unconverged == 0
    assert touches.deepest < 1e-3
    # only feet touch
    on = {touches.colliders[k] for k in np.concatenate((touches.first, touches.second))}
    assert on == {"ground", *(f"{leg}_FOOT" for leg in LEGS)}
    # no link jitters after rest
    places = motion.link_poses(times[times > 2.0])[..., :3, 3]
    assert np.ptp(places, axis=0).max() < 1e-4
    # it stands upright, wherever it heads
    w, x, y, z = motion.q[-1, 3:7]
    assert 1.0 - 2.0 * (x * x + y * y) > 0.995
    assert abs(2.0 * np.arctan2(z, w) - turn[2]) < 0.4
    assert abs(motion.q[-1, 2] - stance[2]) < 0.02
    weight = 9.80665 * system.model.frame_pseudo_inertia[1:, 3, 3].sum()
    assert touches.force("ground", 2.4)[2] == pytest.approx(-weight, rel=1e-3)


def test_it_may_be_stepped_coarsely(quadruped):
    system, stance = quadruped
    start = stance.copy()
    start[2] += 0.5
    ends = [
        run(simulate(system, (0.0, 2.0), start, method="time-stepping", step=step)).q[-1]
        for step in (0.002, 0.008)
    ]
    assert_close(ends[0], ends[1], atol=2e-3)
