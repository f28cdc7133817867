"""What a motion by time stepping tells: contacts, forces, files, remarks; and what is refused."""

import numpy as np
import pytest
from dynarig.core.dynamics import Prescribed, System
from dynarig.core.errors import SimulationError, TrajectoryError
from dynarig.core.simulate import Simulation, run, simulate
from dynarig.core.trajectory import load_trajectory

from ...close import assert_close
from ..constraints.mechanisms import chain, four_bar
from .benches import G, ball, box, ground, placed, scene, solid_ball, solid_box, stepped

HALF = [0.1, 0.15, 0.2]
TIMES = np.linspace(0.0, 1.0, 51)


def dropped(**options):
    """A box that falls on the ground and rests: (system, q)."""
    system = scene([solid_box("box", HALF, 2.0)], [ground(), box("box", HALF)], **options)
    return system, placed(system, [0.0, 0.0, 0.4])


def test_touches_tell_forces_and_depths():
    system, q = dropped()
    motion = stepped(system, TIMES, q)
    touches = motion.touches
    assert touches.colliders == ("ground", "box")
    assert touches.steps == motion.steps == 500
    assert touches.unconverged == 0
    assert touches.residual < 1e-6
    assert motion.remarks == ()
    # nothing in the air, the weight at rest, and the opposite on the ground
    assert_close(touches.force("box", 0.1), np.zeros(3), atol=0.0)
    assert_close(touches.force("box", [0.8, 0.9]), np.array([[0, 0, 2.0 * G]] * 2), atol=1e-3)
    assert_close(touches.force("ground", 0.8, "box"), [0, 0, -2.0 * G], atol=1e-3)
    # all impulses together stop the fall and carry the weight
    total = touches.impulse.sum(axis=0) * np.where(touches.first[0] == 1, 1.0, -1.0)
    assert_close(total, [0, 0, 2.0 * G * 1.0], atol=0.05)
    assert touches.depth(0.5) <= touches.deepest < 1e-5
    assert_close(np.linalg.norm(touches.normal, axis=1), np.ones(len(touches)), atol=1e-12)
    assert_close(touches.point[:, 2], np.zeros(len(touches)), atol=0.01)
    with pytest.raises(TrajectoryError, match="no collider 'table'; there are: ground, box"):
        touches.force("table", 0.0)


def test_joint_forces_tell_those_of_contacts():
    system, q = dropped()
    motion = stepped(system, TIMES, q)
    forces = motion.joint_forces(np.array([0.1, 0.9]))
    assert_close(forces.contact[0], np.zeros(6), atol=0.0)
    assert_close(forces.contact[1], [0, 0, 0, 0, 0, 2.0 * G], atol=1e-3)
    assert_close(forces.total, forces.contact, atol=1e-12)
    needed = motion.inverse_dynamics(0.9)
    assert_close(needed, forces.contact[1], atol=1e-2)


def test_a_drive_carries_what_stands_on_it():
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.dynamics.friction import CollisionSystem
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    none, axis = np.zeros((3, 3)), np.array([0.0, 0.0, 1.0])
    bodies = (
        Body("base", 0.0, np.zeros(3), none),
        Body("lift", 3.0, np.zeros(3), none),
        Body("load", 2.0, np.zeros(3), 0.02 * np.eye(3)),
    )
    joints = (
        TreeJoint("rise", "prismatic", "base", "lift", np.eye(4), axis),
        TreeJoint("fly", "floating", "base", "load", np.eye(4), np.zeros(3)),
    )
    model = compile_tree(Tree("lift", bodies, joints, "base"), gravity=(0, 0, -G))
    given = Prescribed(0, 0, lambda t: (0.5 * t**2, t, 1.0))
    colliders = (box("lift", [0.5, 0.5, 0.1]), box("load", [0.1, 0.1, 0.1]))
    system = CollisionSystem(model, prescribed=(given,), colliders=colliders)
    q = model.neutral()
    q[3] = 0.2
    motion = stepped(system, TIMES, q)
    assert_close(motion.q[:, 3], 0.2 + 0.5 * TIMES**2, atol=1e-4)
    drive = motion.joint_forces(0.5).drive
    assert_close(drive[0], 5.0 * (G + 1.0), atol=0.02)


def test_files_hold_all_of_it(tmp_path):
    system, q = dropped()
    motion = stepped(system, TIMES, q)
    place = tmp_path / "drop.npz"
    motion.save(place)
    for model in (system, system.model):
        again = load_trajectory(place, model)
        t = np.linspace(0.0, 1.0, 77)
        for one, two in zip(motion.sample(t), again.sample(t), strict=True):
            assert_close(one, two, atol=0.0)
        assert again.method == "time-stepping"
        assert_close(again.accelerations(t), motion.accelerations(t), atol=0.0)
        assert_close(again.touches.force("box", t), motion.touches.force("box", t), atol=0.0)
        assert again.touches.colliders == motion.touches.colliders
        assert repr(again.touches) == repr(motion.touches)
        assert_close(again.joint_forces(0.9).contact, motion.joint_forces(0.9).contact, atol=1e-9)
    table = tmp_path / "drop.csv"
    motion.save(table)
    read = load_trajectory(table, system.model)
    assert_close(read.q, motion.q, atol=1e-12)
    assert read.touches is None


def test_a_start_in_the_ground_is_pushed_out_gently_and_told():
    system, _ = dropped()
    motion = stepped(system, TIMES, placed(system, [0.0, 0.0, 0.17]))
    assert motion.remarks == ("'box' starts 0.03 m inside 'ground' and is pushed out",)
    assert motion.touches.deepest == pytest.approx(0.03, abs=1e-9)
    assert_close(motion.q[-1, 2], 0.2, atol=2e-5)
    # it is moved, and not thrown
    assert motion.q[:, 2].max() < 0.2 + 1e-5
    assert np.abs(motion.v).max() < 1e-3
    assert motion.touches.lifted == pytest.approx(2.0 * G * 0.03, rel=0.02)


def test_bodies_that_overlap_at_the_start_do_not_collide():
    names = ("left", "right")
    system = scene(
        [solid_ball(name, 0.1) for name in names],
        [ground(), *(ball(name, 0.1) for name in names)],
    )
    motion = stepped(system, TIMES, placed(system, [0.0, 0.0, 0.1], [0.05, 0.0, 0.1]))
    assert motion.remarks == ("overlap at the start and do not collide: 'left' and 'right'",)
    assert_close(motion.q, np.broadcast_to(motion.q[0], motion.q.shape), atol=1e-5)


def test_pairs_and_what_is_ignored():
    names = ("left", "right")
    for options in ({"pairs": (("ground", "left"),)}, {"ignored": (("ground", "right"),)}):
        system = scene(
            [solid_ball(name, 0.1) for name in names],
            [ground(), *(ball(name, 0.1) for name in names)],
            **options,
        )
        motion = stepped(system, (0.0, 1.0), placed(system, [0.0, 0, 0.1], [1.0, 0, 0.1]))
        assert_close(motion.q[-1, [2, 9]], [0.1, 0.1 - 0.5 * G], atol=1e-6)


def test_a_tolerance_that_is_not_met_is_told():
    system, q = dropped()
    turned = q + np.array([0, 0, 0, 0, 0.2, 0.1, 0.0])
    motion, fine = (
        stepped(system, (0.0, 0.35), turned, tolerance=tolerance) for tolerance in (1e-13, 1e-6)
    )
    assert fine.touches.unconverged <= motion.touches.unconverged
    for own in (motion, fine):
        told = [text for text in own.remarks if "impulses of contacts are off by up to" in text]
        assert len(told) == (own.touches.unconverged > 0)


def test_samples_come_as_the_motion_is_worked_out():
    system, q = dropped()
    seen = []
    motion = None
    simulation = simulate(system, TIMES, q, method="time-stepping")
    while motion is None:
        try:
            sample = next(simulation)
            seen.append((sample.time, sample.q, sample.v))
        except StopIteration as end:
            motion = end.value
    assert [time for time, _, _ in seen] == TIMES.tolist()
    assert_close([q for _, q, _ in seen], motion.q, atol=1e-14)
    assert_close([v for _, _, v in seen], motion.v, atol=1e-12)


def test_steps_tell_the_time_reached():
    system, q = dropped()
    times = []
    simulation = Simulation(system, (0.0, 0.0101), q, method="time-stepping", step=0.002)
    run(times.append(t) or None for t in simulation.steps())
    assert_close(times, [0.0, 0.002, 0.004, 0.006, 0.008, 0.01, 0.0101], atol=1e-15)


def test_other_methods_point_to_this_one():
    system, q = dropped()
    for method in ("auto", "dop853", "rk4"):
        options = {"step": 0.01} if method == "rk4" else {}
        with pytest.raises(SimulationError, match="method: wanted 'time-stepping' for a Collision"):
            simulate(system, TIMES, q, method=method, **options)


def test_exact_contacts_are_refused_with_a_hint():
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Sphere

    model = scene([solid_ball("ball", 0.1)], []).model
    own = Contact(name="floor", a=Sphere(Port("ball"), 0.1), b=Plane(Port(None)))
    system = ContactSystem(model, contacts=(own,))
    with pytest.raises(SimulationError, match="takes the colliders of a CollisionSystem"):
        stepped(system, (0.0, 1.0))


def test_switches_are_refused():
    from dataclasses import replace

    from dynarig.core.dynamics.constraints import Switch

    system, q = four_bar()
    loop = replace(system.constraints[0], switches=(Switch.at(0.5, False),))
    with pytest.raises(SimulationError, match="does not switch constraints"):
        stepped(System(system.model, constraints=(loop,)), (0.0, 1.0), q)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": 0.0}, "step: wanted a positive number"),
        ({"step": np.nan}, "step: wanted a positive number"),
        ({"rtol": 1e-3}, "rtol, atol: method 'time-stepping' takes a tolerance"),
        ({"tolerance": 5.0}, "tolerance: wanted a number"),
        ({"max_step": 0.1}, "max_step: method 'time-stepping' makes steps of one size"),
        ({"index": 2}, "index: method 'time-stepping' holds constraints at index 1"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(options, message):
    with pytest.raises(SimulationError, match=message):
        stepped(chain([1.0]), (0.0, 1.0), **options)


def test_a_motion_that_runs_away_is_told_with_its_joint():
    model = chain([1.0])
    with pytest.raises(SimulationError, match="joint 'hinge0' moves at"):
        stepped(model, (0.0, 10.0), tau=lambda t, q, v: 1e9 * (1.0 + np.abs(v)))


def test_what_has_no_joints_does_not_move():
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.dynamics.friction import CollisionSystem
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    bodies = (
        Body("base", 0.0, np.zeros(3), np.zeros((3, 3))),
        Body("box", 1.0, np.zeros(3), np.eye(3)),
    )
    weld = TreeJoint("weld", "fixed", "base", "box", np.eye(4), np.array([0.0, 0.0, 1.0]))
    model = compile_tree(Tree("still", bodies, (weld,), "base"))
    motion = stepped(CollisionSystem(model, colliders=(ground(), box("box", HALF))), (0.0, 0.1))
    assert motion.q.shape == (2, 0)
    assert len(motion.touches) == 0
    assert motion.touches.deepest == 0.0
