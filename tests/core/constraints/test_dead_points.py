"""Dead points passed many times, with drives, by all schemes; and what cannot pass says so.

The change-point linkage has bars 1, 3, 1.5 on a ground of 2.5: once a turn all lie in line, where
two motions cross. On each the knee has a closed form, whose bend changes sign there.
"""

from functools import partial

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import chain, tree, turned

DOWN = (0.0, -9.81, 0.0)
CHANGE_POINT = (1.0, 3.0, 1.5, 2.5)
PARALLELOGRAM = (1.0, 2.0, 1.0, 2.0)


def linkage(lengths, kind="PlanarHinge", gravity=DOWN, prescribed=(), more=()):
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c

    *bars, ground = lengths
    model = chain(bars, gravity=gravity)
    far = c.Port.at(None, [ground, 0, 0])
    end = c.Port.at("rod2", [bars[-1], 0, 0])
    own = getattr(c, kind)(name="loop", a=far, b=end)
    return System(model, prescribed=tuple(prescribed), constraints=(own, *more))


def driven(motion, index=0):
    from dynarig.core.dynamics.system import Prescribed

    return Prescribed(index, index, motion)


def moved(system, times, q, v, **options):
    from dynarig.core.simulate import run, simulate

    return run(simulate(system, times, q, v, **options))


def angles(crank, side, lengths=CHANGE_POINT):
    """Joint angles at a crank angle, on the motion that bends to `side` in the first turn."""
    first, second, third, ground = lengths
    tip = first * np.array([np.cos(crank), np.sin(crank)])
    away = np.array([ground, 0.0]) - tip
    far = np.hypot(*away)
    cosine = (second**2 + far**2 - third**2) / (2 * second * far)
    bend = side * (-1) ** np.floor(crank / (2 * np.pi)) * np.arccos(np.clip(cosine, -1.0, 1.0))
    coupler = np.arctan2(away[1], away[0]) + bend
    knee = tip + second * np.array([np.cos(coupler), np.sin(coupler)])
    rocker = np.arctan2(-knee[1], ground - knee[0])
    return np.array([crank, coupler - crank, rocker - coupler])


def start(crank, speed, side):
    q, step = angles(crank, side), 1e-5
    slope = (angles(crank + step, side) - angles(crank - step, side)) / (2 * step)
    return q, speed * slope


def off_its_branch(motion, side):
    """The largest error of the joint angles that belong to the crank's, as turns of bars."""
    wanted = np.array([angles(crank, side) for crank in motion.q[:, 0]])
    return np.abs(np.exp(1j * motion.q) - np.exp(1j * wanted)).max()


@pytest.mark.filterwarnings("ignore:.*have moved the initial velocities")
@pytest.mark.parametrize(("side", "kind"), [(1, "PlanarHinge"), (-1, "Hinge")])
def test_a_change_point_is_passed_on_either_branch(side, kind):
    q, v = start(1.0, 9.0, side)
    system = linkage(CHANGE_POINT, kind)
    motion = moved(system, np.linspace(0.0, 1.6, 17), q, v, tolerance=1e-8)
    assert motion.q[-1, 0] > 4 * np.pi
    assert off_its_branch(motion, side) < 1e-9
    assert motion.energy_drift < 1e-8 * np.abs(motion.energy).max()


@pytest.mark.parametrize("kind", ["PlanarHinge", "Hinge"])
def test_twenty_dead_points_cost_no_energy(kind):
    q, v = np.array([1.0, -1.0, 1.0 - np.pi]), np.array([8.0, -8.0, 8.0])
    system = linkage(PARALLELOGRAM, kind)
    drifts = []
    for tolerance in (1e-7, 1e-9):
        # where steps come to lie beside a dead point is decided by rounding: the middle of three
        own = []
        for rounding in (0.0, 1e-15, 2e-15):
            start = q + rounding * np.array([1.0, -1.0, 1.0])
            motion = moved(system, np.linspace(0.0, 7.2, 5), start, v, tolerance=tolerance)
            assert motion.q[-1, 0] > 20 * np.pi
            assert_close(motion.q[:, 0] + motion.q[:, 1], 0.0, atol=1e-10)
            own.append(motion.energy_drift / np.abs(motion.energy).max())
        drifts.append(np.median(own))
    # what is left is the scheme's own error
    assert drifts[0] < 1e-6 and drifts[1] < 1e-8


@pytest.mark.filterwarnings("ignore:.*have moved the initial velocities")
@pytest.mark.parametrize("by", ["drive", "row"])
def test_a_driven_crank_takes_the_loop_through(by):
    from dynarig.core.dynamics.constraints import PrescribedCoordinate

    side, speed = -1, 7.0
    q, v = start(1.0, speed, side)
    if by == "drive":
        system = linkage(CHANGE_POINT, prescribed=[driven(lambda t: (1.0 + speed * t, speed, 0.0))])
    else:
        turn = PrescribedCoordinate(
            name="turn", coordinate="hinge0", motion=lambda t: (1.0 + speed * t, speed, 0.0)
        )
        system = linkage(CHANGE_POINT, more=(turn,))
    motion = moved(system, np.linspace(0.0, 1.0, 11), q, v, tolerance=1e-9)
    assert_close(motion.q[:, 0], 1.0 + speed * motion.times, atol=1e-11)
    assert off_its_branch(motion, side) < 1e-9
    assert motion.energy_drift < 1e-8 * np.abs(motion.energy).max()


def toggle(motion):
    """Two rods of 1 from a fixed pin to a slider of prescribed place: x = 2 cos phi."""
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics.constraints import PlanarHinge, Port
    from dynarig.core.mechanism import Body, TreeJoint

    center, inertia = np.array([0.5, 0, 0]), np.diag([1e-3, 1.0, 1.0]) / 12.0
    bodies = [Body(name, 1.0, center, inertia) for name in "ab"]
    bodies.append(Body("slider", 2.0, np.zeros(3), 0.01 * np.eye(3)))
    z, x, apart = np.array([0, 0, 1.0]), np.array([1.0, 0, 0]), turned(np.eye(3), [1.0, 0, 0])
    joints = [
        TreeJoint("first", "continuous", "base", "a", np.eye(4), z),
        TreeJoint("second", "continuous", "a", "b", apart, z),
        TreeJoint("slide", "prismatic", "base", "slider", np.eye(4), x),
    ]
    model = compile_tree(tree("toggle", bodies, joints), gravity=DOWN)
    pin = PlanarHinge(name="pin", a=Port("slider"), b=Port.at("b", [1.0, 0, 0]))
    return System(model, prescribed=(driven(motion, 2),), constraints=(pin,))


def test_a_driven_toggle_goes_straight_through():
    """x = 2 cos(t - 0.3): the knee turns evenly, through the line and on to the other side."""
    system = toggle(lambda t: tuple(2 * np.cos(t - 0.3 + k * np.pi / 2) for k in range(3)))
    q = [-0.3, 0.6, 2 * np.cos(0.3)]
    motion = moved(system, np.linspace(0.0, 1.0, 11), q, [1.0, -2.0, 0.0], tolerance=1e-9)
    # in line itself, what rounds off the slider's place moves the knee by its square root
    assert_close(motion.q[:, 0], motion.times - 0.3, atol=3e-8)
    assert motion.energy_drift < 1e-8 * np.abs(motion.energy).max()


def test_a_start_in_line_has_the_accelerations_of_its_motion():
    """In line and close to it: the knee keeps its speed while the slider turns back."""
    system = toggle(lambda t: tuple(2 * np.cos(t + k * np.pi / 2) for k in range(3)))
    for angle in (0.0, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2):
        q, v = [angle, -2 * angle, 0.0], [1.0, -2.0, 0.0]
        assert_close(system.accelerations(angle, q, v), [0, 0, -2 * np.cos(angle)], atol=1e-8)


def test_a_toggle_that_just_does_not_come_into_line_turns_round():
    """1e-6 short of it the knee comes back on its own side."""

    def place(t):
        return 2.0 - 0.05 * (t - 1.0) ** 2 - 1e-6, -0.1 * (t - 1.0), -0.1

    angle = np.arccos(0.5 * place(0.0)[0])
    q, v = [-angle, 2 * angle, 0.0], [0.1 / (2 * np.sin(angle)), -0.1 / np.sin(angle), 0.0]
    motion = moved(toggle(place), [0.0, 0.5, 1.5, 2.0], q, v, tolerance=1e-5)
    expected = -np.arccos([0.5 * place(t)[0] for t in motion.times])
    assert_close(motion.q[:, 0], expected, atol=1e-9)


def test_a_drive_beyond_the_line_says_so():
    from dynarig.core.errors import SimulationError

    angle = np.arccos(0.95)
    system = toggle(lambda t: (1.9 + 0.2 * t, 0.2, 0.0))
    v = [0.2 / (2 * np.sin(angle)), -0.2 / np.sin(angle), 0.0]
    told = "at t = 0.5 s the motion cannot be continued: PlanarHinge 'pin' has come to a singular"
    with pytest.raises(SimulationError, match=told):
        moved(system, [0.0, 1.0], [-angle, 2 * angle, 0.0], v, tolerance=1e-5)


def test_a_drive_at_rest_in_line_says_so():
    from dynarig.core.errors import SimulationError

    with pytest.raises(SimulationError, match=r"t = 0 s the start is a singular .*'pin'"):
        moved(toggle(lambda t: (2.0, 0.0, 0.0)), [0.0, 1.0], [0, 0, 0], [0, 0, 0])
    # pulled in: to which side, nobody knows
    with pytest.raises(SimulationError, match="no accelerations satisfy PlanarHinge 'pin'"):
        moved(toggle(lambda t: (2 - t * t, -2 * t, -2.0)), [0.0, 1.0], [0, 0, 0], [0, 0, 0])


def test_a_crank_that_is_driven_to_rest_in_line_and_back():
    def turn(t):
        return 0.5 * (t - 1.0) ** 2, t - 1.0, 1.0

    system = linkage(PARALLELOGRAM, prescribed=[driven(turn)])
    q, v = [0.5, -0.5, 0.5 - np.pi], [-1.0, 1.0, -1.0]
    motion = moved(system, np.linspace(0.0, 2.0, 9), q, v, tolerance=1e-7)
    assert_close(motion.q[:, 0] + motion.q[:, 1], 0.0, atol=1e-9)
    assert_close(motion.q[-1, 0], 0.5, atol=1e-12)


def test_motion_that_comes_to_rest_in_line_goes_back():
    """Braked evenly: phi = (t - 1/4)^2 8, at rest exactly where both motions cross."""
    system = linkage(PARALLELOGRAM, gravity=(0, 0, 0))
    gain, inertia = 16.0, 5.0 / 3.0
    q, v = np.array([0.5, -0.5, 0.5 - np.pi]), np.array([-4.0, 4.0, -4.0])
    torque = np.array([inertia * gain, 0.0, 0.0])
    motion = moved(system, np.linspace(0.0, 0.5, 9), q, v, tau=lambda t, q, v: torque)
    assert_close(motion.q[:, 0], 0.5 * gain * (motion.times - 0.25) ** 2, atol=1e-9)
    assert_close(motion.q[:, 0] + motion.q[:, 1], 0.0, atol=1e-9)


@pytest.mark.filterwarnings("ignore:.*have moved the initial velocities")
@pytest.mark.parametrize(
    ("options", "bound"),
    [
        ({"method": "rosenbrock", "tolerance": 1e-5}, 2e-4),
        ({"method": "dormand-prince", "tolerance": 1e-7}, 1e-6),
        ({"method": "rk4", "step": 0.005}, 1e-4),
        ({"method": "implicit-midpoint", "step": 0.005}, 5e-3),
        ({"method": "generalized-alpha", "step": 0.005}, 5e-3),
        ({"method": "generalized-alpha", "step": 0.005, "index": 2}, 2e-2),
        ({"method": "newmark", "step": 0.005, "index": 2}, 2e-2),
        ({"method": "generalized-alpha", "step": 0.005, "index": 3}, 5e-3),
    ],
)
def test_all_schemes_stay_on_the_branch(options, bound):
    side, times = -1, [0.0, 0.7]
    q, v = start(1.0, 9.0, side)
    motion = moved(linkage(CHANGE_POINT), times, q, v, **options)
    exact = reference(tuple(q), tuple(v), tuple(times))
    assert exact[0] > 2.2 * np.pi
    # index 2 lets positions drift
    assert off_its_branch(motion, side) < (1e-3 if options.get("index") == 2 else 1e-9)
    assert_close(motion.q[-1], exact, atol=bound)


def reference(q, v, times, found={}):  # noqa: B006
    """The last state of the same motion, by DOP853; `found` keeps it."""
    if not found:
        found[q] = moved(linkage(CHANGE_POINT), times, q, v, tolerance=1e-10).q[-1]
    return found[q]


def test_batches_are_their_single_states():
    """Regular, nearly singular and exactly singular states at once."""
    system = linkage(PARALLELOGRAM)
    cranks = np.array([[1.0, 0.2], [3e-3, 0.0]])
    q = np.stack((cranks, -cranks, cranks - np.pi), axis=-1)
    v = np.broadcast_to([8.0, -8.0, 8.0], q.shape)
    many = system.accelerations(0.0, q, v)
    # one degree of freedom: 5/3 phi'' = -2 g cos phi
    gain = -1.2 * 9.81 * np.cos(cranks)
    assert_close(many, gain[..., None] * [1, -1, 1], atol=1e-6)
    one = partial(system.accelerations, 0.0)
    for index in np.ndindex(2, 2):
        assert_close(many[index], one(q[index], v[index]), atol=1e-9)
