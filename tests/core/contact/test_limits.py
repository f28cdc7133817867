"""Joints at their limits: starts there, motors that lead there, loops, and rests that depend."""

import numpy as np
import pytest

from ...close import assert_close

G = 9.81


def moved(system, end, q, v=None, count=9, **options):
    from dynarig.core.simulate import run, simulate

    return run(simulate(system, np.linspace(0.0, end, count), q, v, **options))


def rods(lower, upper, lengths=(1.0,), axis=(0.0, 0.0, 1.0), gravity=(0.0, -G, 0.0)):
    """Rods of 1 kg in a row on hinges, each with limits (lower[k], upper[k]), rad."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    bodies, joints = [Body("base", 0.0, np.zeros(3), np.zeros((3, 3)))], []
    for k, length in enumerate(lengths):
        inertia = length**2 / 12.0
        bodies.append(
            Body(f"rod{k}", 1.0, np.array([0.5 * length, 0, 0]), np.diag([0.001, inertia, inertia]))
        )
        place = np.eye(4)
        place[0, 3] = lengths[k - 1] if k else 0.0
        joints.append(
            TreeJoint(
                f"hinge{k}",
                "revolute",
                bodies[k].name,
                f"rod{k}",
                place,
                np.asarray(axis),
                lower=lower[k],
                upper=upper[k],
            )
        )
    return compile_tree(Tree("rods", tuple(bodies), tuple(joints), "base"), gravity=gravity)


def limited(model, restitution=0.0, **more):
    from dynarig.core.dynamics.contact import ContactSystem, joint_limits

    return ContactSystem(model, contacts=joint_limits(model, restitution), **more)


def test_a_start_at_a_limit_rests_there_or_leaves_it():
    model = rods([-0.5], [0.25])
    resting = moved(limited(model), 1.0, [-0.5])
    assert not resting.impacts
    assert_close(resting.q, -0.5, 1e-14)
    # its weight, at half a metre from the hinge
    told = resting.constraint("limit of hinge0, lower", 0.5).force
    assert_close(np.abs(told), 0.5 * G * np.cos(0.5), 1e-9)
    leaving = moved(limited(model), 0.2, [0.25])
    assert (np.diff(leaving.q[:, 0]) < 0.0).all()


@pytest.mark.parametrize("start", [0.25 + 9e-7, 0.25 + 1e-15, -0.5 - 9e-7])
def test_a_start_outside_by_rounding_is_put_onto_the_limit(start):
    motion = moved(limited(rods([-0.5], [0.25], gravity=(0, 0, 0))), 1.0, [start])
    assert_close(motion.q, np.clip(start, -0.5, 0.25), 1e-14)


def test_a_start_further_outside_names_joint_value_and_limits():
    from dynarig.core.errors import SimulationError

    with pytest.raises(
        SimulationError,
        match=r"t = 0 s joint 'hinge0' starts outside its limits: it is at 0.3 rad, wanted -0.5 "
        r"to 0.25; or switch the limits of this joint off",
    ):
        moved(limited(rods([-0.5], [0.25])), 1.0, [0.3])


def test_limits_that_leave_no_way_hold_a_joint():
    model = rods([0.2, -1.0], [0.2, 1.0], (1.0, 0.5))
    motion = moved(limited(model), 1.0, [0.2, 0.9])
    assert_close(motion.q[:, 0], 0.2, 1e-13)
    # beyond it the other falls onto its own limit and stays
    assert_close(motion.q[-1, 1], -1.0, 1e-13)


def test_a_limit_without_any_force_is_no_endless_change():
    # about the vertical nothing weighs; the second hinge stands at its limit while the first turns
    model = rods([-9.0, 0.0], [9.0, 0.0], (1.0, 0.5), axis=(0, 0, 1), gravity=(0, 0, -G))
    motion = moved(limited(model), 2.0, [0.0, 0.0], [1.0, 0.0])
    assert_close(motion.q[-1], [2.0, 0.0], 1e-12)
    model = rods([-9.0, 0.0], [9.0, 1.0], (1.0, 0.5), axis=(0, 0, 1), gravity=(0, 0, -G))
    still = moved(limited(model), 2.0, [0.0, 0.0])
    assert_close(still.q, 0.0, 1e-12)


def test_rest_ends_where_a_small_force_of_a_heavy_scene_turns():
    # beside a weight of some N the push of the second rod fades to 0 at t = 0.3, then pulls
    model = rods([-0.5, -0.5], [0.5, 0.5], (1.0, 0.1))
    system = limited(model)

    def torque(t, q, v):
        weight = 0.05 * G * np.cos(q[0] + q[1])
        return np.array([0.0, weight + 1e-4 * (t - 0.3)])

    motion = moved(system, 0.6, [-0.5, -0.5], tau=torque)
    leaving = [own for own in motion.remarks if "leaves rest" in own]
    assert leaving == ["'limit of hinge1, lower' leaves rest at t = 0.3 s"]
    assert_close(motion.jumps[-1].time, 0.3, 1e-7)
    assert motion.q[-1, 1] > -0.5


def test_chattering_between_two_joints_ends_in_rest():
    model = rods([-0.3, -0.3], [0.3, 0.3], (1.0, 1.0))
    motion = moved(limited(model, 0.5), 4.0, [0.3, 0.3])
    assert_close(motion.q[-1], -0.3, 1e-12)
    assert_close(motion.v[-1], 0.0, 1e-12)
    gap = motion.equations.system.gaps.at(motion.dense(np.linspace(0, 4, 2000))[:, :2]).gap
    assert gap.min() > -1e-11
    assert 20 < len(motion.impacts) < 500


def driven(motion_of_t):
    from dynarig.core.dynamics.system import Prescribed

    model = rods([-0.5, -2.0], [0.5, 2.0], (1.0, 0.5))
    return limited(model, prescribed=(Prescribed(0, 0, motion_of_t),))


def test_a_prescribed_motion_may_touch_a_limit_but_not_pass_it():
    from dynarig.core.errors import SimulationError

    def swing(size):
        return lambda t: (size * np.sin(t), size * np.cos(t), -size * np.sin(t))

    motion = moved(driven(swing(0.5)), 3.0, [0.0, 0.0])
    assert_close(motion.q[:, 0], 0.5 * np.sin(motion.times), 1e-12)
    with pytest.raises(
        SimulationError,
        match=r"the prescribed motion of joint 'hinge0' is beyond its limits: it is at 0.5\d* rad, "
        "wanted -0.5 to 0.5; or switch the limits of this joint off",
    ):
        moved(driven(swing(0.6)), 3.0, [0.0, 0.0])
    with pytest.raises(SimulationError, match="joint 'hinge0' starts outside its limits"):
        moved(driven(lambda t: (0.7, 0.0, 0.0)), 3.0, [0.0, 0.0])


def bar(restitution, **limits):
    """(System, q): a crank-rocker of hinges, with limits at some of them, its crank at 1 rad."""
    from dynarig.core.dynamics.constraints import PlanarHinge, Port

    from ..constraints.mechanisms import COUPLER, CRANK, GROUND, ROCKER, four_bar_angles

    wide = [limits.get(f"hinge{k}", (-30.0, 30.0)) for k in range(3)]
    model = rods(*zip(*wide, strict=True), (CRANK, COUPLER, ROCKER))
    a = Port.at(None, (GROUND, 0.0, 0.0))
    loop = PlanarHinge(name="loop", a=a, b=Port.at("rod2", (ROCKER, 0.0, 0.0)))
    system = limited(model, restitution, constraints=(loop,))
    return system, four_bar_angles(1.0), four_bar_angles


def test_a_loop_bounces_at_a_limit_and_keeps_its_energy():
    system, q, angles = bar(1.0, hinge0=(0.5, 1.5))
    motion = moved(system, 3.0, q, tolerance=1e-10)
    assert len(motion.impacts) > 2
    assert motion.energy_drift < 1e-7
    assert motion.q[:, 0].min() >= 0.5 - 1e-11
    assert_close(motion.q[-1], angles(motion.q[-1, 0]), 1e-9)


def test_limits_of_a_loop_that_are_reached_at_once_depend_on_each_other():
    # with one degree of freedom, two limits and the loop hold it twice
    from ..constraints.mechanisms import four_bar_angles

    at = four_bar_angles(0.5)
    system, q, _ = bar(0.0, hinge0=(0.5, 3.0), hinge2=(-30.0, float(at[2])))
    if q[2] > at[2]:
        system, q, _ = bar(0.0, hinge0=(0.5, 3.0), hinge2=(float(at[2]), 30.0))
    motion = moved(system, 3.0, q)
    assert motion.impacts
    assert_close(motion.q[-1], at, 1e-9)
    assert_close(motion.v[-1], 0.0, 1e-10)


def test_a_driven_loop_that_runs_into_a_limit_is_told():
    from dynarig.core.dynamics.system import Prescribed
    from dynarig.core.errors import SimulationError

    system, q, _ = bar(0.0, hinge2=(-30.0, float(bar(0.0)[2](2.0)[2])))
    crank = Prescribed(0, 0, lambda t: (1.0 + t, 1.0, 0.0))
    backwards = Prescribed(0, 0, lambda t: (1.0 - t, -1.0, 0.0))
    refused = []
    for own in (crank, backwards):
        try:
            moved(
                limited(system.model, constraints=system.constraints[:1], prescribed=(own,)), 1.5, q
            )
        except SimulationError as error:
            refused.append(str(error))
    assert refused
    for text in refused:
        assert "'limit of hinge2, upper' is reached by a motion that it cannot stop" in text


def test_fingers_that_follow_each_other_stop_together():
    """Two slides that a gear ties to each other reach their limits at one instant."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.dynamics.constraints import Gear
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    names = ("left", "right")
    bodies = [Body("base", 0.0, np.zeros(3), np.zeros((3, 3)))]
    bodies += [Body(name, 0.5, np.zeros(3), 0.001 * np.eye(3)) for name in names]
    bounds = {"left": (-0.02, 0.0), "right": (0.0, 0.02)}
    joints = [
        TreeJoint(
            f"{name} slide",
            "prismatic",
            "base",
            name,
            np.eye(4),
            np.array([0.0, 0.0, 1.0]),
            lower=bounds[name][0],
            upper=bounds[name][1],
        )
        for name in names
    ]
    model = compile_tree(
        Tree("gripper", tuple(bodies), tuple(joints), "base"), gravity=(0.0, 0.0, 0.0)
    )
    gear = Gear(name="gear", driver="left slide", driven="right slide", ratio=-1.0)
    # they are pressed onto their limits, and drawn off these from t = 0.5 on
    system = limited(model, constraints=(gear,))
    motion = moved(system, 0.75, [-0.02, 0.02], tau=lambda t, q, v: np.array([1.0 - 2.0 * t, 0.0]))
    assert_close(motion.q[:, 0], -motion.q[:, 1], 1e-13)
    assert motion.q[:, 0].max() <= 1e-13
    (hit,) = motion.impacts[:1]
    assert set(hit.contacts) <= {"limit of left slide, upper", "limit of right slide, lower"}
    # x'' = (1 - 2 t) / 1 kg from rest at t = 0.5 on
    assert_close(motion.q[-1, 0], -(0.25**3) / 3.0, 1e-9)


def test_joints_at_rest_leave_the_implicit_scheme_the_true_slopes():
    from dataclasses import replace

    from dynarig.core.motion import Motion

    model = rods([-2.0] * 3, [2.0] * 3, (1.0, 0.5, 0.7))
    system = limited(model)
    held = tuple(
        replace(own, active=own.name == "limit of hinge1, lower") for own in system.constraints
    )
    motion = Motion(replace(system, constraints=held), None, 0.3, False, True)
    rng = np.random.default_rng(5)
    y = np.array([0.3, -2.0, 0.4, 0.0, 0.0, 0.0, 0.0])
    multiply, solve = motion.linearised(0.0, y, 0.01)
    # at rest all slopes but those of gravity are those of the damping
    away = np.concatenate((np.zeros(3), rng.normal(size=3), [0.0]))
    away[4] = 0.0
    slope = (
        motion.derivative(0.0, y + 1e-5 * away) - motion.derivative(0.0, y - 1e-5 * away)
    ) / 2e-5
    assert_close(multiply(away)[3:6], slope[3:6], 1e-8)
    right = rng.normal(size=7)
    x = solve(right)
    assert_close(x - 0.01 * multiply(x), right, 1e-12)
