"""Constraints that begin and cease to act: impulses, flights, and instants that are met exactly."""

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import WORLD, slides, tree

G = 9.81
STEPS = {"semi-implicit-euler": 0.011, "rk4": 0.013, "implicit-midpoint": 0.011}
METHODS = [
    *((name, 1, {}) for name in ("auto", "dop853", "dormand-prince", "rosenbrock")),
    *((name, 1, {"step": step}) for name, step in STEPS.items()),
    *((name, k, {"step": 0.011}) for name in ("generalized-alpha", "newmark") for k in (1, 2, 3)),
]
EVERY_METHOD = pytest.mark.parametrize(("method", "index", "options"), METHODS)


def moved(model, constraints, times, q=None, v=None, **options):
    from dynarig.core.dynamics import System
    from dynarig.core.simulate import run, simulate

    system = System(model, constraints=tuple(constraints))
    return run(simulate(system, times, q, v, **{"tolerance": 1e-11, **options}))


def falling(switches, times, *, height=0.0, speed=0.0, **options):
    """A mass that falls along y and drifts along x, with a hand that may hold it."""
    from dynarig.core.dynamics.constraints import Hold, Port

    hand = Hold(name="hand", port=Port("on y0"), active=False, switches=switches)
    return moved(slides([2.0]), [hand], times, [0.0, height], [1.0, speed], **options)


def fixed(**options):
    """The options of a scheme with steps of one size, which has no tolerance."""
    return options if "step" not in options else {"tolerance": None, **options}


@pytest.fixture(scope="module")
def flyer():
    """A body of any inertia, which flies freely."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.mechanism import Body, TreeJoint

    inertia = np.array([[0.3, 0.02, -0.01], [0.02, 0.4, 0.03], [-0.01, 0.03, 0.5]])
    body = Body("body", 1.7, np.array([0.05, -0.1, 0.02]), inertia)
    joint = TreeJoint("free", "floating", WORLD, "body", np.eye(4), np.zeros(3))
    return compile_tree(tree("flyer", [body], [joint]), gravity=(0, 0, -G))


FLIGHT_V = np.array([0.7, -1.1, 0.4, 1.0, 0.5, 2.0])
GRIP, CATCH = np.array([0.3, 0.2, -0.1]), 0.4


@pytest.mark.parametrize("kind", ["Ball", "Hinge", "Weld"])
def test_a_catch_keeps_the_angular_momentum_that_its_impulse_cannot_change(flyer, kind):
    from dynarig.core.dynamics import center_of_mass, link_poses, momentum
    from dynarig.core.dynamics import constraints as c

    free = moved(flyer, [], [0.0, CATCH], v=FLIGHT_V)
    there = link_poses(flyer, free.q[-1])[flyer.link_names.index("body")]
    pose = there @ c.Port.at("body", GRIP).link_from_port
    axis = np.array([0.2, -0.5, 0.8]) / np.linalg.norm([0.2, -0.5, 0.8])
    own = {"axis": axis} if kind == "Hinge" else {}
    catch = getattr(c, kind)(
        name="catch",
        a=c.Port(None, pose),
        b=c.Port.at("body", GRIP),
        active=False,
        switches=[c.Switch.at(CATCH, True)],
        **own,
    )
    motion = moved(flyer, [catch], [0.0, 0.2, 1.0], v=FLIGHT_V)
    (jump,) = motion.jumps
    assert jump.time == CATCH
    assert_close(jump.q_left, free.q[-1], atol=1e-9)
    assert_close(jump.v_left, free.v[-1], atol=1e-9)
    assert_close(jump.q_right, jump.q_left, atol=1e-9)

    def about_pivot(v):
        both = momentum(flyer, jump.q_left, v)
        arm = center_of_mass(flyer, jump.q_left) - pose[:3, 3]
        return both[:3] + np.cross(arm, both[3:])

    gained = about_pivot(jump.v_right) - about_pivot(jump.v_left)
    if kind == "Ball":
        assert_close(gained, 0.0, atol=1e-12)
    elif kind == "Hinge":
        assert_close(gained @ pose[:3, :3] @ axis, 0.0, atol=1e-12)
        assert np.abs(gained).max() > 0.1
    else:
        assert_close(jump.v_right, 0.0, atol=1e-12)
    assert_close(motion.constraint("catch", [CATCH, 0.7, 1.0]).equation, 0.0, atol=1e-11)


def test_the_energy_that_a_catch_takes_is_that_of_the_velocity_it_removes(flyer):
    """Lost is the kinetic energy of v_left - v_right, as v_right is at right angles to it."""
    from dynarig.core.dynamics import kinetic_energy

    motion = caught(flyer, [0.0, CATCH, 1.0])
    (jump,) = motion.jumps
    removed = kinetic_energy(flyer, jump.q_left, jump.v_left - jump.v_right)
    assert removed > 0.5
    assert_close(jump.lost, removed, atol=1e-9)
    # which counts as work that was taken out
    assert motion.energy_drift < 1e-8


def caught(flyer, times, **options):
    """The body is caught by a ball where it is at CATCH, to within what a simulation leaves."""
    from dynarig.core.dynamics import constraints as c
    from dynarig.core.dynamics import link_poses

    free = moved(flyer, [], [0.0, CATCH], v=FLIGHT_V)
    there = link_poses(flyer, free.q[-1])[flyer.link_names.index("body")]
    point = (there @ np.append(GRIP, 1.0))[:3]
    switch = c.Switch.at(CATCH, True)
    ball = c.Ball(
        name="catch",
        a=c.Port.at(None, point),
        b=c.Port.at("body", GRIP),
        active=False,
        switches=[switch],
    )
    return moved(flyer, [ball], times, v=FLIGHT_V, **options)


def test_a_rod_that_is_caught_at_its_end_turns_by_the_closed_form():
    """omega = (I omega + m r x v) / (I + m r^2), and what is lost follows."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.dynamics.constraints import Ball, Port, Switch
    from dynarig.core.mechanism import Body, TreeJoint

    m, inertia, r = 1.5, 0.2, 0.5
    body = Body("rod", m, np.zeros(3), np.diag([0.01, inertia, inertia]))
    joint = TreeJoint("plane", "planar", WORLD, "rod", np.eye(4), np.array([0.0, 0, 1.0]))
    model = compile_tree(tree("rod", [body], [joint]), gravity=(0, 0, 0))
    # planar joints have axes of their own: what they do is read off
    v = np.array([0.4, -1.2, 0.9])
    from dynarig.core.dynamics import link_poses, link_velocities

    linear = link_velocities(model, np.zeros(3), v)[1, 3:]
    time = 0.25
    there = link_poses(model, v * time)[1] @ [r, 0, 0, 1.0]
    switch = Switch.at(time, True)
    grip = Ball(
        name="grip",
        a=Port.at(None, there[:3]),
        b=Port.at("rod", [r, 0, 0]),
        active=False,
        switches=[switch],
    )
    (jump,) = moved(model, [grip], [0.0, 1.0], v=v).jumps
    arm = (link_poses(model, v * time)[1] @ [-r, 0, 0, 0.0])[:3]
    spin = (inertia * v[2] + m * np.cross(arm, linear)[2]) / (inertia + m * r * r)
    assert_close(jump.v_right[2], spin, atol=1e-12)
    before = 0.5 * m * linear @ linear + 0.5 * inertia * v[2] ** 2
    assert_close(jump.lost, before - 0.5 * (inertia + m * r * r) * spin**2, atol=1e-11)


def test_a_pendulum_that_is_let_go_flies_a_parabola():
    from dynarig.core.dynamics.constraints import Distance, Port, Switch

    t = np.linspace(0.0, 1.2, 25)
    for switch in (Switch.at(0.613, False), Switch.when(lambda t, q, v: q[0], False)):
        rod = Distance(name="rod", a=Port(None), b=Port("on y0"), length=1.0, switches=[switch])
        motion = moved(slides([2.0]), [rod], t, [0.8, -0.6], tolerance=1e-13)
        (jump,) = motion.jumps
        assert_close(jump.v_right, jump.v_left, atol=0.0)
        assert abs(jump.lost) < 1e-14
        assert_close(np.linalg.norm(jump.q_left), 1.0, atol=1e-12)
        # energy gives the speed, and the circle its direction
        down = -jump.q_left[1]
        speed = np.sqrt(2.0 * G * (down - 0.6))
        along = np.array([jump.q_left[1], -jump.q_left[0]])
        along *= np.sign(along @ jump.v_left)
        assert_close(jump.v_left, speed * along, atol=1e-10)
        flight = t[t > jump.time] - jump.time
        place = jump.q_left + speed * along * flight[:, None]
        place[:, 1] -= 0.5 * G * flight**2
        assert_close(motion.q[t > jump.time], place, atol=1e-10)
        force = motion.constraint("rod", t).force[:, 0]
        assert (force[t < jump.time] != 0.0).all()
        assert_close(force[t >= jump.time], 0.0, atol=0.0)
    # by the condition it is let go where it is lowest, at a quarter of its period
    assert_close(jump.q_left, [0.0, -1.0], atol=1e-11)


@EVERY_METHOD
def test_a_fall_is_stopped_at_its_height_and_goes_on(method, index, options):
    """Caught where it falls through -1 m, let go at 0.9 s: by every scheme."""
    from dynarig.core.dynamics.constraints import Switch

    switches = [
        Switch.when(lambda t, q, v: q[1] + 1.0, True, direction=-1),
        Switch.at(0.9, False),
    ]
    times = np.array([0.0, 0.2, 0.7, 0.9, 1.3])
    motion = falling(switches, times, **fixed(method=method, index=index, **options))
    catch, release = motion.jumps
    assert release.time == 0.9
    exact = np.sqrt(2.0 / G)
    # all but the first-order scheme have no error in a fall
    within = 0.012 if method == "semi-implicit-euler" else 1e-11
    assert_close(catch.time, exact, atol=within)
    assert_close(catch.q_left[1], -1.0, atol=1e-12)
    assert_close(catch.v_left, [1.0, -G * exact], atol=12.0 * within)
    assert_close(catch.v_right, 0.0, atol=1e-12)
    assert_close(motion.sample([0.7, 0.9])[0], [catch.q_left] * 2, atol=1e-12)
    assert_close(motion.v[2:4], 0.0, atol=1e-12)
    end = catch.q_left - [0.0, 0.5 * G * 0.4**2]
    assert_close(motion.q[-1], end, atol=5.0 * within)
    told = motion.constraint("hand", times)
    free = [0, 1, 3, 4]
    assert_close(told.force[free], 0.0, atol=0.0)
    # lambda with M a + J^T lambda = f: the hand exerts -lambda
    assert_close(told.force[2, :3], [0.0, -2.0 * G, 0.0], atol=1e-9)
    assert np.isnan(told.equation[:2]).all()
    assert_close(told.equation[2:4], 0.0, atol=1e-12)
    assert_close(catch.lost, 0.5 * 2.0 * (1.0 + 2.0 * G), atol=100.0 * within)
    assert "Hold 'hand' switched on at t = 0.4" in motion.remarks[0]
    assert "Hold 'hand' switched off at t = 0.9 s" in motion.remarks[1]


def test_a_double_crossing_inside_one_step_is_found():
    """Thrown up, it is above a height for a ten-thousandth second: it is caught coming down."""
    from dynarig.core.dynamics.constraints import Switch

    speed = 5.0
    for above in (1e-3, 1e-6, 1e-8):
        height, half = speed**2 / (2.0 * G) - above, np.sqrt(2.0 * above / G)
        switch = Switch.when(lambda t, q, v, h=height: q[1] - h, True, direction=-1)
        motion = falling([switch], [0.0, 3.0], speed=speed)
        (jump,) = motion.jumps
        # where it hardly moves, the rounding of its place is a longer time
        assert_close(jump.time, speed / G + half, atol=max(1e-11, 2e-13 / (G * half)))
        # it lies within one step
        knots = motion.dense.knots
        before = knots[np.searchsorted(knots, jump.time) - 1]
        assert before < speed / G - half


def test_the_motion_does_not_depend_on_where_it_is_sampled():
    from dynarig.core.dynamics.constraints import Switch

    def motion(times):
        switches = [
            Switch.when(lambda t, q, v: q[1] + 1.0, True),
            Switch.at(0.7, False),
            Switch.when(lambda t, q, v: q[1] + 1.7, True, -1),
        ]
        return falling(switches, times)

    rare, often = motion([0.0, 1.5]), motion(np.linspace(0.0, 1.5, 997))
    t = np.linspace(0.0, 1.5, 311)
    for one, other in zip(rare.sample(t), often.sample(t), strict=True):
        assert np.array_equal(one, other)
    assert [jump.time for jump in rare.jumps] == [jump.time for jump in often.jumps]


def test_samples_on_the_way_are_those_of_the_trajectory():
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Hold, Port, Switch
    from dynarig.core.simulate import simulate

    hand = Hold(
        name="hand",
        port=Port("on y0"),
        active=False,
        switches=[Switch.at(0.5, True), Switch.at(1.0, False)],
    )
    samples, states = simulate(System(slides([2.0]), constraints=(hand,)), [0, 0.2, 0.5, 1.0]), []
    while True:
        try:
            sample = next(samples)
        except StopIteration as end:
            motion = end.value
            break
        states.append((sample.q.copy(), sample.v.copy()))
    for index, (q, v) in enumerate(states):
        assert_close(q, motion.q[index], atol=1e-14)
        assert_close(v, motion.v[index], atol=1e-14)
    assert_close(states[2][1], 0.0, atol=1e-14)


def test_both_sides_of_a_jump_are_at_hand():
    from dynarig.core.dynamics.constraints import Switch
    from dynarig.core.errors import TrajectoryError

    motion = falling([Switch.at(0.5, True), Switch.at(1.0, False)], [0.0, 1.5])
    t = np.array([[0.25, 0.5], [0.75, 1.0]])
    right, left = motion.sample(t), motion.sample(t, side="left")
    assert_close(right[0], left[0], atol=1e-12)
    assert_close(right[1][..., 1], [[-0.25 * G, 0.0], [0.0, 0.0]], atol=1e-12)
    assert_close(left[1][..., 1], [[-0.25 * G, -0.5 * G], [0.0, 0.0]], atol=1e-12)
    assert_close(motion.accelerations(t)[..., 1], [[-G, 0], [0, -G]], atol=1e-11)
    assert_close(motion.accelerations(t, side="left")[..., 1], [[-G, -G], [0, 0]], atol=1e-11)
    held = motion.constraint("hand", t, side="left").force[..., 1]
    assert_close(held, [[0.0, 0.0], [-2 * G, -2 * G]], atol=1e-9)
    assert_close(motion.joint_forces(t).drive, 0.0, atol=0.0)
    with pytest.raises(TrajectoryError, match="side: wanted 'left' or 'right', got 'up'"):
        motion.sample(t, side="up")


def test_caught_and_let_go_fifty_times():
    from dynarig.core.dynamics.constraints import Switch

    period, count = 0.1, 50
    switches = []
    for k in range(count):
        switches += [Switch.at((k + 0.4) * period, True), Switch.at((k + 1.0) * period, False)]
    times = np.arange(count + 1) * period
    motion = falling(switches, times, tolerance=1e-7)
    assert len(motion.jumps) == 2 * count
    drop = 0.5 * G * (0.4 * period) ** 2
    assert_close(motion.q[:, 1], -drop * np.arange(count + 1), atol=1e-11)
    assert_close(motion.q[1:, 0], [0.4 * period] * count, atol=1e-12)
    assert motion.energy_drift < 1e-9


def test_caught_by_a_condition_on_every_step_of_a_stair():
    from dynarig.core.dynamics.constraints import Switch

    stairs = [
        Switch.when(lambda t, q, v: np.sin(np.pi * (q[1] / 0.1 + 0.5)), True),
        Switch.when(lambda t, q, v: np.sin(np.pi * t / 0.25), False),
    ]
    motion = falling(stairs, [0.0, 5.1], tolerance=1e-7)
    assert len(motion.jumps) == 40
    places = np.array([jump.q_left[1] for jump in motion.jumps[::2]])
    assert_close(places, -0.1 * (np.arange(20) + 0.5), atol=1e-11)
    # let go at every quarter second, behind the first two of which nothing was caught yet
    assert_close([jump.time % 0.25 for jump in motion.jumps[1::2]][:1], 0.0, atol=1e-11)


def test_rows_are_compiled_once_for_all_times_that_the_same_ones_act():
    from dynarig.core.dynamics.constraints import PointOnLine, Port, Switch

    switches = [Switch.at(0.1 * k, bool(k % 2)) for k in range(1, 12)]
    rail = PointOnLine(
        name="rail",
        a=Port(None),
        b=Port("on y0"),
        axis=(0, 1.0, 0),
        active=False,
        switches=switches,
    )
    motion = moved(slides([2.0]), [rail], [0.0, 1.2])
    systems = [phase.system for phase in motion.equations.phases]
    assert len(systems) == 12
    assert len({id(system) for system in systems}) == 2


@pytest.mark.parametrize("index", [2, 3])
def test_levels_keep_their_order_from_rod_to_flight_to_rod(index):
    """A pendulum is let go, flies, and is caught by another rod where it comes near enough."""
    from dynarig.core.dynamics.constraints import Distance, Port, Switch

    post, length = np.array([2.0, 0.0]), 0.9

    def near(t, q, v):
        return (q - post) @ (q - post) - length**2

    def motion(**options):
        first = Distance(
            name="first",
            a=Port(None),
            b=Port("on y0"),
            length=1.0,
            switches=[Switch.at(0.75, False)],
        )
        second = Distance(
            name="second",
            a=Port.at(None, [*post, 0.0]),
            b=Port("on y0"),
            length=length,
            active=False,
            switches=[Switch.when(near, True, direction=-1)],
        )
        return moved(slides([2.0]), [first, second], [0.0, 1.2], [-1.0, 0.0], **fixed(**options))

    exact = motion()
    steps = {"method": "generalized-alpha", "index": index}
    coarse, fine = (motion(step=step, **steps) for step in (0.02, 0.01))
    assert [len(own.jumps) for own in (exact, coarse, fine)] == [2, 2, 2]
    ends, instants = [
        [np.abs(own.q[-1] - exact.q[-1]).max() for own in (coarse, fine)],
        [abs(own.jumps[1].time - exact.jumps[1].time) for own in (coarse, fine)],
    ]
    assert 3.0 < ends[0] / ends[1] < 5.5, ends
    assert 3.0 < instants[0] / instants[1] < 5.5, instants
    for name in ("first", "second"):
        t = np.array([0.5, 0.85, 1.1])
        force, true = (own.constraint(name, t).force[:, 0] for own in (fine, exact))
        assert force[1] == true[1] == 0.0
        assert_close(force, true, atol=0.01 * np.abs(true).max())


def test_start_and_end_are_instants_too():
    from dynarig.core.dynamics.constraints import Switch

    # before and at the start: as if it had acted from there
    for early in (-1.0, 0.0):
        with pytest.warns(UserWarning, match="moved the initial velocities by up to 1 m/s"):
            motion = falling([Switch.at(early, True)], [0.0, 1.0])
        assert motion.jumps == ()
        assert_close(motion.q[-1], 0.0, atol=1e-12)
        assert (len(motion.remarks) == 1) == (early == 0.0)
    # the last of those before the start counts
    motion = falling([Switch.at(-1.0, True), Switch.at(-0.5, False)], [0.0, 1.0])
    assert_close(motion.q[-1], [1.0, -0.5 * G], atol=1e-11)
    # at the end: the last state is the one behind it
    motion = falling([Switch.at(1.0, True)], [0.0, 1.0])
    assert_close(motion.v[-1], 0.0, atol=1e-12)
    assert_close(motion.jumps[0].v_left, [1.0, -G], atol=1e-11)
    assert_close(motion.constraint("hand", 1.0).force[:3], [0.0, -2 * G, 0.0], atol=1e-9)
    assert_close(motion.constraint("hand", 1.0, side="left").force, 0.0, atol=0.0)
    # behind the end: never
    assert falling([Switch.at(1.5, True)], [0.0, 1.0]).jumps == ()


def test_conditions_that_have_crossed_before_or_never_do_nothing():
    from dynarig.core.dynamics.constraints import Switch

    for condition in (
        lambda t, q, v: q[1] - 1.0,  # below it from the start
        lambda t, q, v: q[1] + 100.0,
        lambda t, q, v: q[1],  # starts at zero
    ):
        motion = falling([Switch.when(condition, True)], [0.0, 1.0])
        assert motion.jumps == ()
        assert_close(motion.q[-1], [1.0, -0.5 * G], atol=1e-11)


def test_a_switch_that_finds_its_constraint_so_has_no_effect():
    from dynarig.core.dynamics.constraints import Switch

    switches = [
        Switch.at(0.2, False),
        Switch.at(0.4, True),
        Switch.at(0.6, True),
        Switch.when(lambda t, q, v: q[1] + 0.5, True),
    ]
    motion = falling(switches, [0.0, 1.0])
    assert [jump.time for jump in motion.jumps] == [pytest.approx(np.sqrt(1.0 / G), abs=1e-11)]


def two_masses(switches, **options):
    """Two masses side by side, each with a hand; switches for both."""
    from dynarig.core.dynamics.constraints import Hold, Port

    hands = [
        Hold(name=f"hand{k}", port=Port(f"on y{k}"), active=False, switches=own)
        for k, own in enumerate(switches)
    ]
    return moved(slides([2.0, 3.0]), hands, [0.0, 1.0], **options)


def test_switches_at_one_instant_are_made_together():
    from dynarig.core.dynamics.constraints import Switch

    exact = np.sqrt(1.0 / G)

    def condition(k):
        return lambda t, q, v: q[2 * k + 1] + 0.5

    motion = two_masses([[Switch.when(condition(k), True)] for k in range(2)])
    (jump,) = motion.jumps
    assert_close(jump.time, exact, atol=1e-11)
    assert len(jump.causes) == 2
    assert_close(motion.q[-1], jump.q_right, atol=1e-12)
    # a time and a condition
    motion = two_masses([[Switch.at(float(exact), True)], [Switch.when(condition(1), True)]])
    (jump,) = motion.jumps
    assert len(jump.causes) == 2
    assert_close(motion.v[-1], 0.0, atol=1e-12)


def test_what_a_jump_throws_across_zero_is_switched_with_it():
    """The second hand takes hold where the first has stopped the fall."""
    from dynarig.core.dynamics.constraints import Switch

    stops = Switch.when(lambda t, q, v: v[1] + 0.1, True, direction=1)
    motion = two_masses([[Switch.at(0.5, True)], [stops]], q=[0, 0, 1.0, 0], v=[0, 0, 0.5, 0.0])
    (jump,) = motion.jumps
    assert jump.time == 0.5
    assert [cause.split(" switched")[0] for cause in jump.causes] == [
        "Hold 'hand0'",
        "Hold 'hand1'",
    ]
    assert_close(jump.v_right, 0.0, atol=1e-12)
    assert_close(jump.v_left, [0.0, -0.5 * G, 0.5, -0.5 * G], atol=1e-11)
    assert motion.energy_drift < 1e-10


def test_switching_without_end_is_an_error_that_names_it():
    """Each of two lifts drives the mass to where the other one takes over."""
    from dynarig.core.dynamics.constraints import CoordinateMarker, CoordinateVector, Switch
    from dynarig.core.errors import SimulationError

    def lift(name, speed, way):
        return CoordinateVector(
            name=name,
            marker0="ground",
            marker1=CoordinateMarker(f"height of {name}", ["y0"]),
            X1=[[1.0]],
            offset=[speed],
            velocity_level=True,
            active=False,
            switches=[
                Switch.when(lambda t, q, v: v[1], True, direction=way),
                Switch.when(lambda t, q, v: v[1], False, direction=-way),
            ],
        )

    lifts = [lift("up", 1.0, -1), lift("down", -1.0, 1)]
    message = r"at t = 0.20387.* s CoordinateVector '(up|down)' is switched on and off without end"
    with pytest.raises(SimulationError, match=message):
        moved(slides([2.0]), lifts, [0.0, 1.0], v=[0.0, 2.0])


def test_two_switches_that_want_one_constraint_differently_are_an_error():
    from dynarig.core.dynamics.constraints import Switch
    from dynarig.core.errors import SimulationError

    through = [Switch.when(lambda t, q, v: q[1] + 0.5, active, -1) for active in (True, False)]
    with pytest.raises(SimulationError) as error:
        # a little later, but at the same instant as clocks tell it
        falling([*through, Switch.at(float(np.sqrt(1.0 / G)) + 1e-13, False)], [0.0, 1.0])
    assert (
        "Hold 'hand' is switched on and off at one instant, by its condition (falling) and"
        in str(error.value)
    )


def test_positions_that_do_not_fit_are_moved_and_told():
    from dynarig.core.dynamics.constraints import Distance, Port, Switch
    from dynarig.core.simulate import ConstraintWarning

    leash = Distance(
        name="leash",
        a=Port(None),
        b=Port("on y0"),
        length=1.0,
        active=False,
        switches=[Switch.at(0.5, True)],
    )
    message = (
        r"masses: at t = 0.5 s switching on Distance 'leash' has moved positions by up to "
        r"0.22625 m \('y0'\)"
    )
    with pytest.warns(ConstraintWarning, match=message):
        motion = moved(slides([2.0]), [leash], [0.0, 1.0])
    (jump,) = motion.jumps
    assert_close(jump.q_right, [0.0, -1.0], atol=1e-12)
    assert_close(jump.v_right, 0.0, atol=1e-12)
    assert motion.energy_drift < 1e-10


def test_what_cannot_be_switched_on_is_told():
    from dynarig.core.dynamics.constraints import Distance, Port, Switch
    from dynarig.core.errors import SimulationError

    pair = [
        Distance(name=f"leash{k}", a=Port.at(None, [3.0 * k, 0, 0]), b=Port("on y0"), length=1.0)
        for k in range(2)
    ]
    from dataclasses import replace

    late = replace(pair[1], active=False, switches=[Switch.at(0.5, True)])
    with pytest.raises(SimulationError, match=r"at t = 0\.5 s where Distance 'leash1' is to be"):
        moved(slides([2.0]), [pair[0], late], [0.0, 1.0], [1.0, 0.0])


@pytest.mark.parametrize("late", [False, True])
def test_a_jacobian_that_is_not_its_functions_is_told_where_it_begins_to_act(late):
    from dynarig.core.dynamics.constraints import CoordinateMarker, CoordinateVector, Switch
    from dynarig.core.errors import ArgumentError

    bowl = CoordinateVector(
        name="bowl",
        marker0="ground",
        marker1=CoordinateMarker("mass", ["x0", "y0"]),
        X0=np.zeros((1, 1)),
        constraint_function=lambda t, q, v, level: np.array([q[1] - q[0] ** 2 + 1.0]),
        jacobian_function=lambda t, q, v, level: np.array([[-2.0 * q[0], 7.0]]),
        active=not late,
        switches=[Switch.at(0.25, True)],
    )
    with pytest.raises(ArgumentError, match=r"wanted the derivative .* is 1 at \[0, 1\] at t = 0"):
        moved(slides([2.0]), [bowl], [0.0, 1.0], [0.0, -1.0])


@pytest.mark.parametrize("value", [np.nan, None, [1.0, 2.0]])
def test_a_condition_that_is_no_number_is_told_with_its_constraint(value):
    from dynarig.core.dynamics.constraints import Switch
    from dynarig.core.errors import SimulationError

    def condition(t, q, v):
        return value if t > 0.3 else 1.0

    with pytest.raises(SimulationError, match=r"'hand': the condition of a switch: at t = 0\.3"):
        falling([Switch.when(condition, True)], [0.0, 1.0])


def test_conditions_cannot_write_into_the_motion():
    from dynarig.core.dynamics.constraints import Switch
    from dynarig.core.errors import SimulationError

    def greedy(t, q, v):
        q[0] = 7.0
        return 1.0

    with pytest.raises(SimulationError, match=r"a switch: the function failed .* read-only"):
        falling([Switch.when(greedy, True)], [0.0, 1.0])


def test_bad_arguments_are_refused_by_name():
    from dynarig.core.dynamics.constraints import Ball, Hold, Port, Switch
    from dynarig.core.errors import ArgumentError, ModelError

    def ball(**options):
        return Ball(name="b", a=Port(None), b=Port(None), **options)

    for make, message in (
        (lambda: Switch.at("noon", True), "Switch: time: wanted a finite number of seconds"),
        (lambda: Switch.at(np.nan, True), "Switch: time: wanted a finite number of seconds"),
        (lambda: Switch.at(1.0, 2), r"Switch: active: wanted True .*, got 2"),
        (lambda: Switch.when(0.3, True), r"Switch: function: wanted a function \(t, q, v\)"),
        (lambda: Switch.when(max, True, 2), "Switch: direction: wanted \\+1"),
        (lambda: Switch(True), "Switch: time, function: wanted one of them"),
        (lambda: Switch(True, 1.0, max), "Switch: time, function: wanted one of them"),
        (lambda: Switch(True, 1.0, direction=1), "Switch: direction: wanted none"),
        (lambda: ball(switches=[1.0]), r"Ball 'b': switches: wanted switches such as"),
        (lambda: ball(switches=3), r"Ball 'b': switches: wanted switches such as"),
        (lambda: ball(active=1), r"Ball 'b': active: wanted True or False, got 1"),
        (
            lambda: ball(switches=[Switch.at(1.0, True), Switch.at(1.0, False)]),
            "Ball 'b': switches: wanted one at 1 s, got both on and off",
        ),
        (lambda: Hold(name="h", port="tip"), "Hold 'h': port: wanted a Port, got 'tip'"),
        (
            lambda: Hold(name="h", port=Port("tip"), world_from_port=np.eye(3)),
            r"Hold 'h': world_from_port: wanted shape",
        ),
    ):
        with pytest.raises((ArgumentError, ModelError), match=message):
            make()
    # one switch is as good as a list of one
    assert len(ball(switches=Switch.at(1.0, True)).switches) == 1


def test_outside_of_simulations_only_active_counts(rng):
    from dynarig.core.dynamics import System, forward_dynamics
    from dynarig.core.dynamics.constraints import Hold, Port, Switch
    from dynarig.core.errors import ModelError

    model = slides([2.0, 1.0])
    hold = Hold(name="h", port=Port("on y0"), active=False, switches=[Switch.at(0.0, True)])
    q, v = rng.normal(size=(2, 5, 4))
    free = System(model, constraints=(hold,)).accelerations(1.0, q, v)
    assert_close(free, forward_dynamics(model, q, v), atol=1e-12)
    from dataclasses import replace

    with pytest.raises(ModelError, match="Hold 'h': where it holds is known in a simulation only"):
        System(model, constraints=(replace(hold, active=True),)).accelerations(1.0, q, v)
    pose = np.eye(4)
    there = replace(hold, active=True, world_from_port=pose)
    held = System(model, constraints=(there,)).accelerations(1.0, 0.0 * q, v)
    assert_close(held[:, :2], 0.0, atol=1e-12)


def test_a_hold_takes_the_pose_that_other_constraints_have_put_it_into():
    from dynarig.core.dynamics.constraints import Distance, Hold, Port, Switch

    switch = Switch.at(0.5, True)
    leash = Distance(
        name="leash", a=Port(None), b=Port("on y0"), length=1.0, active=False, switches=[switch]
    )
    hand = Hold(name="hand", port=Port("on y0"), active=False, switches=[switch])
    with pytest.warns(UserWarning, match="has moved positions by up to"):
        motion = moved(slides([2.0]), [leash, hand], [0.0, 1.0])
    assert_close(motion.q[-1], [0.0, -1.0], atol=1e-12)
    # at the start likewise
    leash, hand = (type(own)(**{**vars_of(own), "active": True}) for own in (leash, hand))
    with pytest.warns(UserWarning, match="moved the initial positions"):
        motion = moved(slides([2.0]), [leash, hand], [0.0, 1.0], [0.0, -1.2])
    assert_close(motion.q[-1], [0.0, -1.0], atol=1e-12)


def vars_of(constraint):
    """The arguments that make a constraint."""
    from dataclasses import fields

    return {own.name: getattr(constraint, own.name) for own in fields(constraint) if own.init}


@pytest.mark.parametrize(("method", "index", "options"), [METHODS[0], METHODS[-1], METHODS[-3]])
def test_the_file_of_a_motion_answers_as_it_did(tmp_path, method, index, options):
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Hold, Port, Switch
    from dynarig.core.errors import TrajectoryError
    from dynarig.core.simulate import run, simulate
    from dynarig.core.trajectory import load_trajectory

    switches = [Switch.when(lambda t, q, v: q[1] + 0.5, True), Switch.at(0.7, False)]
    model = slides([2.0])
    hand = Hold(name="hand", port=Port("on y0"), active=False, switches=switches)
    system = System(model, constraints=(hand,))
    times = np.linspace(0.0, 1.0, 11)
    motion = run(simulate(system, times, v=[1.0, 0.0], method=method, index=index, **options))
    path = tmp_path / "motion.npz"
    motion.save(path)
    back = load_trajectory(path, system)
    t = np.append(np.linspace(-0.1, 1.1, 37), [jump.time for jump in motion.jumps])
    for side in ("left", "right"):
        for ours, theirs in zip(back.sample(t, side), motion.sample(t, side), strict=True):
            assert np.array_equal(ours, theirs)
        assert np.array_equal(back.accelerations(t, side), motion.accelerations(t, side))
        told, wanted = (own.constraint("hand", t, side) for own in (back, motion))
        assert np.array_equal(told.force, wanted.force)
        assert np.array_equal(told.equation, wanted.equation, equal_nan=True)
    for ours, theirs in zip(back.jumps, motion.jumps, strict=True):
        assert (ours.time, ours.causes, ours.lost) == (theirs.time, theirs.causes, theirs.lost)
        for name in ("q_left", "v_left", "q_right", "v_right"):
            assert np.array_equal(getattr(ours, name), getattr(theirs, name))
    # without its constraints it moves as before, jumps included, and counts as given
    given = load_trajectory(path, model)
    assert given.given and len(given.jumps) == 2
    # without constraints there is no projection between samples either
    assert_close(given.sample(t, "left")[1], motion.sample(t, "left")[1], 1e-13)
    other = System(model, constraints=(Hold(name="foot", port=Port("on y0"), active=False),))
    with pytest.raises(TrajectoryError, match="made with the constraints hand, got foot"):
        load_trajectory(path, other)


def test_what_is_driven_stays_driven_where_something_is_caught():
    """A mass on a driven slide: the drive pays for the impulse, the slide keeps its motion."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import PointOnLine, Port, Switch
    from dynarig.core.dynamics.system import Prescribed
    from dynarig.core.simulate import run, simulate

    drive = Prescribed(0, 0, lambda t: (np.sin(t), np.cos(t), -np.sin(t)))
    line = PointOnLine(
        name="rail",
        a=Port.at(None, [0.0, -0.5, 0]),
        b=Port("on y0"),
        axis=(1.0, 1.0, 0.0),
        active=False,
        switches=[Switch.when(lambda t, q, v: q[1] + 0.5 - q[0], True)],
    )
    system = System(slides([2.0]), prescribed=(drive,), constraints=(line,))
    motion = run(simulate(system, np.linspace(0.0, 1.0, 9), [0.0, 1.0], tolerance=1e-11))
    (jump,) = motion.jumps
    assert_close(jump.v_right, np.cos(jump.time), atol=1e-11)
    assert_close(jump.v_left, [np.cos(jump.time), -G * jump.time], atol=1e-9)
    assert_close(motion.q[-1], [np.sin(1.0), np.sin(1.0) - 0.5], atol=1e-11)
    assert motion.energy_drift < 1e-8
