"""Joints that come to rest at limits: low bounces, limits that contradict, followers outside."""

import numpy as np
import pytest

from ...close import assert_close
from .test_limits import limited, moved, rods


@pytest.mark.parametrize("g", [1e-3, 0.02, 9.81])
@pytest.mark.parametrize("e", [0.3, 0.7])
def test_bounces_too_low_to_be_seen_end_in_rest(g, e):
    """A rod falls a little onto its limit: it comes to rest there and sinks no deeper."""
    system = limited(rods([0.0], [1.0], gravity=(0.0, -g, 0.0)), e)
    fall = np.sqrt(2.0 * 1e-4 / (1.5 * g))
    # bounces follow each other ever faster, and end after (1 + e) / (1 - e) of the fall
    end = fall * (1.0 + e) / (1.0 - e)
    motion = moved(system, 1.5 * end, [1e-4])
    (rest,) = [own for own in motion.remarks if "comes to rest" in own]
    assert_close(float(rest.split("t = ")[1].split()[0]) / end, 1.0, 1e-3)
    assert_close(motion.q[-1], 0.0, 1e-15)
    gap = system.gaps.at(motion.dense(np.linspace(0.0, 1.5 * end, 3000))[:, :1]).gap
    assert gap.min() > -1e-14


def gripper(multiplier, offset, lower, upper, leader=(0.0, 0.5), weight=9.81):
    """Two rods of 1 kg, side by side, about z; the second follows the first."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.mechanism import Body, Tree, TreeJoint
    from dynarig.core.tree import Mimic

    inertia = np.diag([0.001, 0.1, 0.1])
    bodies = [Body("base", 0.0, np.zeros(3), np.zeros((3, 3)))]
    bodies += [Body(name, 1.0, np.array([0.5, 0.0, 0.0]), inertia) for name in ("a", "b")]
    axis = np.array([0.0, 0.0, 1.0])
    joints = [
        TreeJoint("one", "revolute", "base", "a", np.eye(4), axis, *leader),
        TreeJoint(
            "two",
            "revolute",
            "base",
            "b",
            np.eye(4),
            axis,
            lower=lower,
            upper=upper,
            mimic=Mimic("one", multiplier, offset),
        ),
    ]
    tree = Tree("gripper", tuple(bodies), tuple(joints), "base")
    return compile_tree(tree, gravity=(0.0, -weight, 0.0))


def test_a_follower_whose_limits_leave_its_leader_no_way_holds_it():
    """x >= 0 of the leader, and -x >= 0 of the follower."""
    model = gripper(-1.0, 0.0, 0.0, 0.5)
    motion = moved(limited(model), 0.5, [0.0])
    assert_close(motion.q, 0.0, 1e-14)


def test_impacts_elsewhere_agree_with_limits_that_hold_a_joint_from_both_sides():
    from dynarig.core.dynamics.contact import impact

    # a heavy slide hits its limit; a light joint hardly moves against limits on both sides
    jacobian = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [0.0, 1.0]])
    moves = np.diag([1e-2, 4e2])
    answer = impact(np.array([-1e-3, 1.7e-17]), jacobian, moves, np.zeros(4))
    assert_close(answer.v, 0.0, 1e-16)
    answer = impact(np.array([-1.8e-16, -3e-7]), jacobian, moves, np.zeros(4))
    assert_close(answer.v, 0.0, 1e-15)


@pytest.mark.parametrize("offset", [0.2, -0.2])
def test_limits_of_a_follower_that_starts_outside_act_once_it_is_inside(offset):
    """The follower, at x + 0.2 or x - 0.2, starts beyond 0 to 0.1 at x = 0.05, and passes it."""
    model = gripper(1.0, offset, 0.0, 0.1, leader=(-0.5, 0.5), weight=0.0)
    away = -np.sign(offset)
    motion = moved(limited(model), 1.0, [0.05], [away])
    (told,) = [own for own in motion.remarks if "does not act" in own]
    side = "upper" if offset > 0.0 else "lower"
    assert f"'limit of two, {side}' does not act until joint 'two' has come inside" in told
    assert f"'one', which it follows, holds it at {0.05 + offset:.6g} rad, wanted 0 to 0.1" in told
    # it is stopped where the follower would leave its range on the other side
    stop = (0.0 if offset > 0.0 else 0.1) - offset
    assert_close(motion.q[-1], stop, 1e-13)
    assert [hit.contacts for hit in motion.impacts] == [
        ("limit of two, lower" if offset > 0.0 else "limit of two, upper",)
    ]


def test_a_follower_comes_back_to_the_limit_that_it_started_beyond():
    model = gripper(1.0, 0.2, 0.0, 0.1, leader=(-0.5, 0.5), weight=0.0)
    motion = moved(limited(model, 1.0), 1.0, [0.05], [-1.0])
    # at the lower limit the follower turns round, and at the upper one again
    assert [hit.contacts[0].split()[-1] for hit in motion.impacts[:2]] == ["lower", "upper"]


def test_steps_without_changes_are_told_by_bounds_that_hold():
    from dynarig.core.contact_quiet import gap_ranges
    from dynarig.core.integrate import DenseOutput

    rng = np.random.default_rng(1)
    model = rods([-0.5, -1.0], [0.5, 1.0], (1.0, 0.5))
    gaps = limited(model).gaps
    for _ in range(20):
        powers = rng.normal(size=(1, 5, 7))
        start = rng.normal(size=(1, 5))
        step = DenseOutput(np.array([0.3, 0.4]), np.concatenate((start, start)), powers)
        least, largest = gap_ranges(gaps, step)
        gap = gaps.at(step(np.linspace(0.3, 0.4, 500)[:-1])[:, :2]).gap
        assert (gap.min(axis=0) >= least - 1e-14).all()
        assert (gap.max(axis=0) <= largest + 1e-14).all()


def test_a_limit_that_has_just_been_left_is_not_behind_where_it_is_a_little_too_deep():
    from dynarig.core.contact_watch import TOUCH, ContactWatch, State

    gaps = limited(rods([0.0], [1.0])).gaps
    watch = ContactWatch(gaps, 1, np.zeros(2, bool))
    watch.states[0] = State.LEAVING
    watch.follow(0.0, np.array([-2.0 * TOUCH * watch.size]))
    assert watch.states[0] == State.LEAVING
    watch.follow(0.1, np.array([1e-3]))
    assert watch.states[0] == State.OPEN


def test_guesses_and_single_steps_find_the_same_complementary_solution():
    from dynarig.core.dynamics.contact import complementary
    from dynarig.core.dynamics.contact.complementarity import _one_by_one

    rng = np.random.default_rng(4)
    for _ in range(50):
        n = int(rng.integers(1, 12))
        half = rng.normal(size=(n, n + 2))
        matrix, vector = half @ half.T, rng.normal(size=n)
        x = complementary(matrix, vector)
        slack = matrix @ x + vector
        assert (x >= 0.0).all() and slack.min() > -1e-10
        assert_close(x * slack, 0.0, 1e-9)
        slow = _one_by_one(matrix, vector, np.ones(n), np.full(n, 1e-13))
        assert_close(x, slow, 1e-7 * (1.0 + np.abs(x).max()))


def test_fingers_that_an_impact_shakes_loose_for_no_time_stay_at_rest():
    """An arm falls onto its limit; rods on it rest at theirs, and the impact hardly lifts them."""
    model = rods([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5], (1.0, 0.1, 0.1))
    motion = moved(limited(model), 2.0, [0.4, -0.5, -0.5])
    for hit in motion.impacts:
        assert hit.lost > -1e-12
    assert_close(motion.q[-1], -0.5, 1e-12)
    assert_close(motion.v[-1], 0.0, 1e-12)
