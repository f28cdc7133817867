"""The reference cases of coordinate constraints: states to 1e-8, multipliers to 1e-7 of theirs."""

import json

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import slides

TOLERANCE = 1e-11


class Springs:
    """-k x + f on coordinates of slides."""

    def __init__(self, stiffness, force):
        self.stiffness, self.force = np.asarray(stiffness), np.asarray(force)

    def joint_forces(self, at):
        return self.force - self.stiffness * at.q


def marker(name, *coordinates):
    from dynarig.core.dynamics.constraints import CoordinateMarker

    return CoordinateMarker(name, coordinates)


def vector(marker0, marker1, **options):
    from dynarig.core.dynamics.constraints import CoordinateVector

    return CoordinateVector(name="c", marker0=marker0, marker1=marker1, **options)


def rod_to_a_pivot(t, q, v, velocity_level):
    return np.sqrt((q[0] - 0.2 * np.sin(6 * t)) ** 2 + q[1] ** 2) - 0.8


def two_rods(t, q, v, velocity_level):
    return np.sqrt([q[0] ** 2 + q[1] ** 2, (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2]) - 0.8


def slopes_of_two_rods(t, q, v, velocity_level):
    first, second = q[:2], q[2:] - q[:2]
    along = first / np.linalg.norm(first), second / np.linalg.norm(second)
    return [[*along[0], 0.0, 0.0], [*-along[1], *along[1]]]


def point(spec, **options):
    """One mass on two slides against the ground."""
    return slides([spec["mass"]]), (), vector("ground", marker("m", "x0", "y0"), **options)


def system_of(name, spec):
    """(model, force elements, constraint) of a case."""
    if name in ("quadratic_circle", "inactive"):
        acts = spec.get("activeConnector", True)
        return point(spec, Y1=spec["Y1"], offset=spec["offset"], active=acts)
    if name == "velocity_level_linear":
        return point(spec, X1=spec["X1"], offset=spec["offset"], velocity_level=True)
    if name == "rheonomic_pivot":
        return point(spec, X0=np.zeros((1, 1)), constraint_function=rod_to_a_pivot)
    if name == "double_pendulum":
        both = marker("both", "x0", "y0", "x1", "y1")
        own = vector(
            "ground",
            both,
            X0=np.zeros((2, 1)),
            constraint_function=two_rods,
            jacobian_function=slopes_of_two_rods,
        )
        return slides(spec["masses"]), (), own
    if name == "linear_gear":
        acting = Springs([spec["spring_k_on_0"], 0.0], [0.0, spec["force_on_1"]])
        own = vector(
            marker("a", "x0"),
            marker("b", "x1"),
            **{key: spec[key] for key in ("X0", "X1", "offset")},
        )
        return slides(spec["masses"], axes=("x",), gravity=(0, 0, 0)), (acting,), own
    own = vector(
        marker("a", "x0", "y0"),
        marker("b", "x1", "y1"),
        **{key: spec[key] for key in ("X0", "X1", "Y0", "offset")},
    )
    acting = Springs(0.0, np.ravel(spec["forces"]))
    return slides(spec["masses"], gravity=(0, 0, 0)), (acting,), own


def four_bar_of_rods(spec):
    """(System, lengths of its three rods)."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Distance, Port

    left, right = (Port.at(None, [*point, 0]) for point in spec["ground"])
    ends = (left, Port("on y0")), (Port("on y0"), Port("on y1")), (Port("on y1"), right)
    lengths = np.array(list(spec["distances"].values()))
    rods = [
        Distance(name=f"rod{k}", a=a, b=b, length=length)
        for k, ((a, b), length) in enumerate(zip(ends, lengths, strict=True))
    ]
    return System(slides(spec["masses"]), constraints=tuple(rods)), lengths


CASES = [
    *("quadratic_circle", "inactive", "velocity_level_linear", "rheonomic_pivot"),
    *("double_pendulum", "linear_gear", "two_marker_linear_quadratic"),
]


@pytest.mark.parametrize("name", CASES)
def test_the_truth_of_a_case(name, data):
    from dynarig.core.dynamics import System
    from dynarig.core.simulate import run, simulate

    case = json.loads((data / "constraints" / f"{name}.json").read_text())
    spec, truth = case["spec"], case["truth"]
    model, forces, constraint = system_of(name, spec)
    system = System(model, joint_forces=forces, constraints=(constraint,))
    motion = run(simulate(system, [0.0, spec["T"]], spec["q0"], spec["v0"], tolerance=TOLERANCE))
    assert_close(motion.q[-1], truth["q"], atol=1e-8)
    assert_close(motion.v[-1], truth["v"], atol=1e-8)
    expected = np.array(truth.get("lam", truth.get("lam_unit_normal")))
    force = motion.constraint("c", spec["T"]).force
    assert_close(force, expected, atol=1e-7 * max(float(np.abs(expected).max()), 1e-9))


def test_the_velocity_level_case_projects_its_start(data):
    """Its v0 meets the constraint already; another one is put onto it in velocity only."""
    from dynarig.core.dynamics import System
    from dynarig.core.simulate import ConstraintWarning, run, simulate

    case = json.loads((data / "constraints" / "velocity_level_linear.json").read_text())
    model, _, constraint = system_of("velocity_level_linear", case["spec"])
    system = System(model, constraints=(constraint,))
    with pytest.warns(ConstraintWarning, match=r"initial velocities by up to 0.28 m/s \('y0'\)"):
        motion = run(simulate(system, [0.0, 0.1], [5.0, 5.0], [1.0, 0.0]))
    assert_close(motion.q[0], [5.0, 5.0], atol=0.0)
    assert_close(motion.v[0], [0.86, -0.28], atol=1e-14)


@pytest.mark.parametrize("variant", ["consistent", "suite_ICs_projected"])
def test_the_four_bar_of_point_masses(variant, data):
    from dynarig.core.simulate import run, simulate

    case = json.loads((data / "constraints" / "four_bar_point_masses.json").read_text())
    spec, truth = case["spec"], case["truth"][variant]
    system, lengths = four_bar_of_rods(spec)
    times = [0.0, 0.25, 0.5, 1.0, 2.0]
    motion = run(simulate(system, times, spec["q0"], truth["v0"], tolerance=TOLERANCE))
    force = np.concatenate([motion.constraint(f"rod{k}", times).force for k in range(3)], axis=-1)
    for row, time in enumerate(times[1:], start=1):
        expected = truth[str(time)]
        assert_close(motion.q[row], expected["q"], atol=1e-8)
        assert_close(motion.v[row], expected["v"], atol=1e-8)
        # the case's rows are half of d^2, ours are d
        own = np.array(expected["lam_halfsq"])
        assert_close(force[row] / lengths, own, atol=1e-7 * np.abs(own).max())
