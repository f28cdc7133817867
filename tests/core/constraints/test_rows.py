"""Residual, Jacobian and gamma of every kind of row, against differences along real motion."""

from typing import NamedTuple

import numpy as np
import pytest

from ...close import assert_close

KINDS = ["revolute", "floating", "universal", "spherical", "prismatic", "floating ZYX"]
STEP = 1e-3
# first derivative by central differences of order 4
STENCIL = ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12))


@pytest.fixture(scope="module")
def model(random_tree):
    from dynarig.core.dynamics import compile_tree

    return compile_tree(random_tree(7, KINDS))


def ports():
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.frames import transform_from_xyz_rpy

    return (
        Port("b3", transform_from_xyz_rpy([0.2, -0.1, 0.3], [0.5, 0.2, -0.4])),
        Port("b6", transform_from_xyz_rpy([-0.3, 0.2, 0.1], [0.1, -0.7, 0.4])),
    )


def pose_of_time(t):
    """A turn about x with a travel, for real and complex times."""
    c, s = np.cos(0.7 * t), np.sin(0.7 * t)
    return np.array([[1, 0, 0, t * t], [0, c, -s, 0.3], [0, s, c, s], [0, 0, 0, 1]])


def circle(t, q, v, velocity_level):
    x = v if velocity_level else q
    return np.array([x[0] ** 2 + x[1] * x[2] - np.cos(t), np.sin(x[3]) * x[4] + t * q[0]])


def circle_in_real_numbers(t, q, v, velocity_level):
    return circle(float(t), np.asarray(q, dtype=float), np.asarray(v, dtype=float), velocity_level)


def vector(**options):
    from dynarig.core.dynamics.constraints import CoordinateMarker, CoordinateVector

    # seven coordinates of a floating joint with a quaternion, one of a slide
    first, second = CoordinateMarker("free", "j2"), CoordinateMarker("slide", ["j5"])
    return CoordinateVector(name="c", marker0=first, marker1=second, **options)


def matrices(rng, names):
    sizes = {"X0": 7, "Y0": 7, "X1": 1, "Y1": 1}
    return {name: rng.normal(size=(2, sizes[name])) for name in names}


def by_functions(**options):
    return vector(X0=np.zeros((2, 1)), **options)


def constraints():
    from dynarig.core.dynamics import constraints as c

    a, b = ports()
    rng = np.random.default_rng(4)
    axes = {"axis": [0.3, -0.5, 0.8], "axis_b": [0.1, 0.9, 0.2]}
    every = matrices(rng, ("X0", "X1", "Y0", "Y1"))

    def wave(t, offset):
        return offset + np.array([np.sin(3.0 * t), t**3])

    return {
        "ball": c.Ball(name="c", a=a, b=b),
        "weld": c.Weld(name="c", a=a, b=b),
        "weld to the world": c.Weld(name="c", a=c.Port(None, a.link_from_port), b=b),
        "hinge": c.Hinge(name="c", a=a, b=b, **axes),
        "planar hinge": c.PlanarHinge(name="c", a=a, b=b, **axes),
        "universal": c.Universal(name="c", a=a, b=b, axis_a=[1, 2, 0], axis_b=[0, 1, 1]),
        "cylindrical": c.Cylindrical(name="c", a=a, b=b, **axes),
        "prismatic": c.Prismatic(name="c", a=a, b=b, **axes),
        "screw joint": c.ScrewJoint(name="c", a=a, b=b, **axes, pitch=-0.2, offset=0.1),
        "line": c.PointOnLine(name="c", a=a, b=b, **axes),
        "plane": c.PointOnPlane(name="c", a=a, b=b, axis=[1, 2, 3]),
        "distance": c.Distance(name="c", a=a, b=b, length=0.4),
        "cable": c.Cable(name="c", points=[a, b, c.Port.at("b1", [0.1, 0, 0])], length=0.4),
        "wheel": c.RollingWheel(name="c", wheel=b, radius=0.2),
        "wheel on a body": c.RollingWheel(
            name="c", wheel=b, radius=0.2, axis=[0, 1, 1], plane=a, normal=[1, 1, 2]
        ),
        "castor": c.RollingWheel(
            name="c", wheel=b, radius=0.2, touches=False, grips_sideways=False
        ),
        "frame": c.PrescribedFrame(name="c", port=b, motion=pose_of_time),
        "position": c.PrescribedFrame(name="c", port=b, motion=pose_of_time, rows="position"),
        "gear": c.Gear(name="c", driver="j1", driven="j5", ratio=-2.5, offset=0.3),
        "rack": c.RackAndPinion(name="c", pinion="j3.first", rack="j5", radius=0.1),
        "screw": c.Screw(name="c", turn="j1", slide="j2.y", pitch=0.1),
        "mimic": c.Mimic(name="c", leader="j1", follower="j3.second"),
        "differential": c.LinearRelation(name="c", coefficients={"j1": 1.0, "j5": 2.0, "j2.qx": 3}),
        "driven": c.PrescribedCoordinate(name="c", coordinate="j5", motion=lambda t: np.sin(t)),
        "driven by three": c.PrescribedCoordinate(
            name="c", coordinate="j1", motion=lambda t: (t**3, 3 * t**2, 6 * t)
        ),
        "linear": vector(**matrices(rng, ("X0", "X1")), offset=[0.1, 0.2]),
        "quadratic": vector(**every, offset=[0.1, 0.2]),
        "moving offset": vector(**every, offset=[0.1, 0.2], offset_function=wave),
        "offset and rate": vector(
            **every,
            offset_function=lambda t, o: [float(t), np.cos(float(t))],
            offset_function_t=lambda t, o: [1.0, -np.sin(float(t))],
        ),
        "at velocities": vector(**every, velocity_level=True, offset=[0.1, 0.2]),
        "moving at velocities": vector(
            **every, velocity_level=True, offset=[0.1, 0.2], offset_function_t=wave
        ),
        "function": by_functions(constraint_function=circle),
        "real function": by_functions(constraint_function=circle_in_real_numbers),
        "function of velocities": by_functions(constraint_function=circle, velocity_level=True),
        "real function of velocities": by_functions(
            constraint_function=circle_in_real_numbers, velocity_level=True
        ),
    }


CASES = [
    *("ball", "weld", "weld to the world", "hinge", "planar hinge", "universal", "cylindrical"),
    *(
        "prismatic",
        "screw joint",
        "line",
        "plane",
        "distance",
        "cable",
        "wheel",
        "wheel on a body",
        "castor",
    ),
    *("frame", "position", "gear", "rack", "screw", "mimic", "differential", "driven"),
    *("driven by three", "linear", "quadratic", "moving offset", "offset and rate"),
    *("at velocities", "moving at velocities", "function", "real function"),
    *("function of velocities", "real function of velocities"),
]


@pytest.fixture(params=CASES)
def rows(request, model):
    from dynarig.core.dynamics.constraints import ConstraintRows

    return ConstraintRows(model, [constraints()[request.param]])


@pytest.fixture
def motion(model):
    """A function s -> (t, q, v): a way through a random state with constant accelerations."""
    from dynarig.core.dynamics import q_derivative

    rng = np.random.default_rng(5)
    q = rng.uniform(-0.5, 0.5, model.nq)
    q[model.quaternion_q] = rng.normal(size=(len(model.quaternion_q), 4))
    v, a = rng.uniform(-1, 1, (2, model.nv))

    def at(s):
        def slope(r, x):
            return q_derivative(model, x, v + r * a)

        # one step of Runge and Kutta, whose error s^5 is below what differences see
        k1 = slope(0.0, q)
        k2 = slope(0.5 * s, q + 0.5 * s * k1)
        k3 = slope(0.5 * s, q + 0.5 * s * k2)
        k4 = slope(s, q + s * k3)
        return 0.3 + s, q + s / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), v + s * a

    at.a = a
    return at


class Rates(NamedTuple):
    rate: np.ndarray
    gamma: np.ndarray


def evaluated(rows, t, q, v):
    from dynarig.core.dynamics import System

    at = System(rows.model).moment(t, q, v)
    positions = rows.at(at)
    return positions, Rates(rows.rates(at, positions), rows.gamma(at, positions))


def test_rates_are_those_of_the_residuals(rows, motion):
    _, rates = evaluated(rows, *motion(0.0))
    slope = (
        sum(weight * evaluated(rows, *motion(k * STEP))[0].residual for k, weight in STENCIL) / STEP
    )
    place = ~rows.velocity_level
    assert_close(rates.rate[place], slope[place], atol=1e-9)


def test_the_jacobian_is_the_derivative_of_the_rates_by_velocities(rows, motion):
    t, q, v = motion(0.0)
    steps, weights = np.array(STENCIL).T
    varied = v + STEP * steps[:, None, None] * np.eye(len(v))
    places = np.broadcast_to(q, (*varied.shape[:2], len(q)))
    _, rates = evaluated(rows, t, places, varied)
    slopes = np.tensordot(weights / STEP, rates.rate, axes=1)
    jacobian = evaluated(rows, t, q, v)[0].jacobian
    assert_close(jacobian, slopes.T, atol=1e-9)


def test_gamma_is_what_is_left_of_the_second_derivative(rows, motion):
    positions, rates = evaluated(rows, *motion(0.0))
    bend = sum(weight * evaluated(rows, *motion(k * STEP))[1].rate for k, weight in STENCIL) / STEP
    assert_close(positions.jacobian @ motion.a - rates.gamma, bend, atol=1e-8)


def test_batches_give_what_single_states_give(rows, model):
    rng = np.random.default_rng(6)
    q, v = rng.uniform(-1, 1, (2, 3, model.nq)), rng.normal(size=(2, 3, model.nv))
    q[..., model.euler_q] *= 0.3
    t = rng.uniform(size=(2, 3))
    positions, rates = evaluated(rows, t, q, v)
    for index in np.ndindex(2, 3):
        one, rate = evaluated(rows, t[index], q[index], v[index])
        # one state and many are summed in different orders; entries are up to 4e4 (gamma)
        assert_close(positions.residual[index], one.residual, atol=1e-11)
        assert_close(positions.jacobian[index], one.jacobian, atol=1e-10)
        assert_close(rates.rate[index], rate.rate, atol=1e-10)
        assert_close(rates.gamma[index], rate.gamma, atol=1e-7)


def test_one_time_serves_a_batch_of_states(rows, model):
    rng = np.random.default_rng(7)
    q, v = rng.uniform(-1, 1, (3, model.nq)), rng.normal(size=(3, model.nv))
    q[..., model.euler_q] *= 0.3
    many, rates = evaluated(rows, 0.4, q, v)
    same, same_rates = evaluated(rows, np.full(3, 0.4), q, v)
    assert_close(many.residual, same.residual, atol=1e-14)
    assert_close(many.jacobian, same.jacobian, atol=1e-14)
    assert_close(rates.gamma, same_rates.gamma, atol=1e-12)


def test_all_kinds_together_are_each_by_itself(model, motion):
    from dataclasses import replace

    from dynarig.core.dynamics.constraints import ConstraintRows

    own = {name: replace(one, name=name) for name, one in constraints().items()}
    rows = ConstraintRows(model, list(own.values()))
    positions, rates = evaluated(rows, *motion(0.0))
    assert len(rows) == sum(len(places) for places in rows.where.values())
    for name, one in own.items():
        alone = ConstraintRows(model, [one])
        single, single_rates = evaluated(alone, *motion(0.0))
        where = rows.where[name]
        assert [rows.names[place] for place in where] == list(alone.names)
        assert_close(positions.residual[where], single.residual, atol=1e-13)
        assert_close(positions.jacobian[where], single.jacobian, atol=1e-13)
        assert_close(rates.rate[where], single_rates.rate, atol=1e-13)
        assert_close(rates.gamma[where], single_rates.gamma, atol=1e-12)
