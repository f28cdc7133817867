"""Screws between frames: closed forms over many turns, threads, and errors."""

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import tree

GRAVITY, MASS, INERTIA, PITCH = 9.81, 2.0, 0.03, 0.05


def floating(names, turn, gravity=GRAVITY):
    """Free bodies side by side, with gravity down along z of a world that is turned."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.mechanism import Body, TreeJoint

    inertia = np.diag([0.02, 0.025, INERTIA])
    bodies = [Body(name, MASS, np.zeros(3), inertia) for name in names]
    joints = [
        TreeJoint(f"free {name}", "floating", "base", name, np.eye(4), np.zeros(3))
        for name in names
    ]
    return compile_tree(tree("screws", bodies, joints), gravity=turn @ [0, 0, -gravity])


def moved(system, times, q, v, **options):
    from dynarig.core.simulate import run, simulate

    return run(simulate(system, times, q, v, **options))


def orientation(seed):
    from dynarig.core.frames import rotation_from_rpy

    return rotation_from_rpy(np.random.default_rng(seed).uniform(-3.0, 3.0, 3))


@pytest.mark.parametrize("pitch", [PITCH, -PITCH])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_nut_sinks_on_a_screw_by_its_closed_form(seed, pitch):
    """z'' = -g / (1 + I / (m pitch^2)), over several turns, wherever the thread points."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Port, ScrewJoint
    from dynarig.core.frames import quaternion_from_rotation

    turn = orientation(seed)
    thread = ScrewJoint(
        name="thread", a=Port.at(None, [0, 0, 0], turn), b=Port("nut"), pitch=pitch, offset=0.3
    )
    system = System(floating(["nut"], turn), constraints=(thread,))
    # on its way up at first, a quarter turn along the thread
    start, speed = 0.3 + 0.5 * np.pi * pitch, 0.2
    about = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    q = np.concatenate((turn @ [0, 0, start], quaternion_from_rotation(turn @ about)))
    v = np.array([0, 0, speed / pitch, 0, 0, speed])
    times = np.linspace(0.0, 2.0, 21)
    motion = moved(system, times, q, v, tolerance=1e-10)
    gain = GRAVITY / (1.0 + INERTIA / (MASS * PITCH**2))
    height = start + speed * times - 0.5 * gain * times**2
    assert np.abs(height - start).max() > 3 * 2 * np.pi * PITCH
    along = motion.q[:, :3] @ turn
    assert_close(along, height[:, None] * [0, 0, 1], atol=1e-9)
    assert_close(motion.v[:, 2], (speed - gain * times) / pitch, atol=1e-8)
    # M a + J^T lambda = f: the thread carries the nut with -lambda, N
    told = motion.constraint("thread", times)
    assert told.rows == ("thread.0", "thread.1", "thread.turn 0", "thread.turn 1", "thread.thread")
    assert_close(told.force[:, 4], -MASS * (GRAVITY - gain), atol=1e-7)
    assert_close(told.force[:, :4], 0.0, atol=1e-7)


def test_a_nut_between_two_moving_bodies_keeps_their_momentum():
    """No forces: momentum and angular momentum stay, and slide and turn stay in proportion."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Port, ScrewJoint

    model = floating(["bolt", "nut"], np.eye(3), gravity=0.0)
    thread = ScrewJoint(
        name="thread",
        a=Port.at("bolt", [0.1, 0, 0]),
        b=Port.at("nut", [0, 0.2, 0]),
        axis=[0, 1, 0],
        pitch=PITCH,
    )
    system = System(model, constraints=(thread,))
    q = np.array([0, 0, 0, 1.0, 0, 0, 0, 0.1, -0.2, 0, 1.0, 0, 0, 0])
    # the nut turns against the bolt, and the pair tumbles
    v = np.array([0.1, 0.5, -0.3, 0, 0, 0, 0.1, 9.5, -0.3, 0, 0, 0])
    with pytest.warns(UserWarning, match="have moved the initial velocities"):
        motion = moved(system, np.linspace(0.0, 3.0, 13), q, v, tolerance=1e-10)
    assert motion.energy_drift < 1e-9 * motion.energy.max()
    poses = motion.link_poses(motion.times)
    bolt, nut = (poses[:, model.link_names.index(name)] for name in ("bolt", "nut"))
    between = np.linalg.inv(bolt) @ nut @ np.array([0, 0.2, 0, 1.0])
    assert_close(between[:, [0, 2]], [[0.1, 0.0]] * 13, atol=1e-11)
    relative = (np.linalg.inv(bolt) @ nut)[:, :3, :3]
    angle = np.unwrap(np.arctan2(relative[:, 0, 2], relative[:, 0, 0]))
    assert angle[-1] > 4 * np.pi
    assert_close(between[:, 1], PITCH * angle, atol=1e-10)
    momentum, spin = momenta(model, motion)
    assert_close(momentum - momentum[0], 0.0, atol=1e-8)
    assert_close(spin - spin[0], 0.0, atol=1e-8)


def momenta(model, motion):
    """Momentum and angular momentum about the world origin (n, 3) of free bodies at the origin."""
    poses = motion.link_poses(motion.times)
    linear, angular = np.zeros((2, len(motion.times), 3))
    for body, own in enumerate(("bolt", "nut")):
        rotation = poses[:, model.link_names.index(own), :3, :3]
        place = poses[:, model.link_names.index(own), :3, 3]
        omega, velocity = motion.v[:, 6 * body : 6 * body + 3], motion.v[:, 6 * body + 3 :][:, :3]
        push = MASS * (rotation @ velocity[..., None])[..., 0]
        spin = (rotation @ (omega * [0.02, 0.025, INERTIA])[..., None])[..., 0]
        linear += push
        angular += spin + np.cross(place, push)
    return linear, angular


@pytest.mark.parametrize("turns", [-2, 0, 3])
def test_a_start_beside_the_thread_is_put_onto_the_nearest(turns):
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Port, ScrewJoint

    thread = ScrewJoint(name="thread", a=Port(None), b=Port("nut"), pitch=PITCH)
    system = System(floating(["nut"], np.eye(3), gravity=0.0), constraints=(thread,))
    lead = 2 * np.pi * PITCH
    q = np.array([0, 0, (turns + 0.1) * lead, 1.0, 0, 0, 0])
    with pytest.warns(UserWarning, match="have moved the initial positions"):
        motion = moved(system, [0.0, 0.01], q, np.zeros(6))
    height = motion.q[0, 2]
    angle = 2 * np.arctan2(motion.q[0, 6], motion.q[0, 3])
    assert_close(height, PITCH * angle + turns * lead, atol=1e-12)


def test_a_screw_without_pitch_says_what_is_wanted():
    from dynarig.core.dynamics.constraints import Port, ScrewJoint
    from dynarig.core.errors import ArgumentError

    for pitch in (0.0, 0, -0.0):
        with pytest.raises(ArgumentError, match="ScrewJoint 'nut': pitch: wanted a number that"):
            ScrewJoint(name="nut", a=Port(None), b=Port("nut"), pitch=pitch)
    with pytest.raises(ArgumentError, match="offset: wanted a finite number"):
        ScrewJoint(name="nut", a=Port(None), b=Port("nut"), pitch=1.0, offset=np.nan)


def test_other_axes_have_a_stated_zero():
    """Axis and axis_b unlike: no turn where the smallest turn between them is all there is."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import ConstraintRows, Port, ScrewJoint
    from dynarig.core.frames import (
        minimal_rotation,
        quaternion_from_rotation,
        quaternion_from_rotation_vector,
        rotation_from_quaternion,
    )

    axis, other = np.array([1.0, 2.0, 2.0]) / 3.0, np.array([0.0, 0.6, -0.8])
    thread = ScrewJoint(
        name="thread", a=Port(None), b=Port("nut"), axis=axis, axis_b=other, pitch=PITCH
    )
    model = floating(["nut"], np.eye(3))
    rows = ConstraintRows(model, [thread])
    for angle in (0.0, 1.0, 3.0, -2.0, 7.0):
        spin = rotation_from_quaternion(quaternion_from_rotation_vector(angle * axis))
        rotation = spin @ minimal_rotation(other, axis)
        q = np.concatenate((PITCH * angle * axis, quaternion_from_rotation(rotation)))
        at = System(model).moment(0.0, q, np.zeros(6))
        assert_close(rows.at(at).residual, np.zeros(5), atol=1e-14)
