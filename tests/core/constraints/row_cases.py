"""A constraint of every kind between bodies that move in every way, for tests of their rows."""

from typing import NamedTuple

import numpy as np

KINDS = ["revolute", "floating", "universal", "spherical", "prismatic", "floating ZYX"]
STEP = 1e-3
# first derivative by central differences of order 4
STENCIL = ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12))


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


class Rates(NamedTuple):
    rate: np.ndarray
    gamma: np.ndarray


def evaluated(rows, t, q, v):
    from dynarig.core.dynamics import System

    at = System(rows.model).moment(t, q, v)
    positions = rows.at(at)
    return positions, Rates(rows.rates(at, positions), rows.gamma(at, positions))
