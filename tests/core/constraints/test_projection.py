"""States put onto the manifold, and mechanisms put together."""

import json
import re

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import (
    COUPLER,
    CRANK,
    GROUND,
    ROCKER,
    chain,
    four_bar,
    four_bar_angles,
    slides,
    stewart_platform,
)


def project(system, t, q, v):
    return system.projection.state(np.asarray(t), np.asarray(q), np.asarray(v))


def test_positions_and_velocities_are_met_to_rounding(rng):
    system, q0 = four_bar("Hinge")
    q, v = q0 + rng.normal(scale=1e-3, size=(4, 3)), rng.normal(size=(4, 3))
    q, v = project(system, 0.0, q, v)
    at = system.moment(np.asarray(0.0), q, v)
    positions = system.rows.at(at)
    assert_close(positions.residual, 0.0, atol=1e-12)
    assert_close(system.rows.rates(at, positions), 0.0, atol=1e-12)


def test_what_is_on_the_manifold_stays_where_it_is(rng):
    system, q0 = four_bar("PlanarHinge")
    q, v = project(system, 0.0, q0 + rng.normal(scale=1e-3, size=3), rng.normal(size=3))
    again, rate = project(system, 0.0, q, v)
    assert np.array_equal(again, q)
    assert_close(rate, v, atol=1e-13)


def test_the_correction_moves_the_masses_least(rng):
    """M d is a combination of the rows: no step along the manifold would be shorter."""
    from dynarig.core.dynamics import mass_matrix

    system, q0 = four_bar("PlanarHinge")
    q, _ = project(system, 0.0, q0, np.zeros(3))
    v = rng.normal(size=3)
    _, rate = project(system, 0.0, q, v)
    at = system.moment(np.asarray(0.0), q, v)
    jacobian = system.rows.at(at).jacobian
    free = np.linalg.svd(jacobian)[2][-1]
    assert_close(free @ mass_matrix(system.model, q) @ (rate - v), 0.0, atol=1e-12)
    # positions likewise, to second order in how far they were off
    off = 1e-5 * rng.normal(size=3)
    back, _ = project(system, 0.0, q + off, v)
    assert_close(free @ mass_matrix(system.model, q) @ (back - q - off), 0.0, atol=1e-9)


def test_rows_at_velocity_level_leave_positions_alone(rng):
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import CoordinateMarker, CoordinateVector

    model = slides([2.0])
    row = CoordinateVector(
        name="c",
        marker0="ground",
        marker1=CoordinateMarker("m", ["x0", "y0"]),
        X1=[[1, 2]],
        offset=[0.3],
        velocity_level=True,
    )
    q, v = rng.normal(size=2), rng.normal(size=2)
    end, rate = project(System(model, constraints=(row,)), 0.0, q, v)
    assert np.array_equal(end, q)
    assert_close(rate @ [1, 2], 0.3, atol=1e-14)
    assert_close((rate - v) @ [2, -1], 0.0, atol=1e-14)


def test_the_four_bar_starts_as_its_file_says(data):
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Distance, Port
    from dynarig.core.dynamics.constraints.assembly import assemble

    case = json.loads((data / "constraints" / "four_bar_point_masses.json").read_text())
    spec, truth = case["spec"], case["truth"]["suite_ICs_projected"]
    model = slides(spec["masses"])
    left, right = (Port.at(None, [*point, 0]) for point in spec["ground"])
    ends = (left, Port("on y0")), (Port("on y0"), Port("on y1")), (Port("on y1"), right)
    rods = [
        Distance(name=f"rod{k}", a=a, b=b, length=length)
        for k, ((a, b), length) in enumerate(zip(ends, spec["distances"].values(), strict=True))
    ]
    start = assemble(
        System(model, constraints=tuple(rods)).projection,
        0.0,
        np.array(spec["q0"]),
        np.array([4.0, 0, 10, 0]),
    )
    assert_close(start.q, spec["q0"], atol=1e-14)
    assert_close(start.v, truth["v0"], atol=1e-12)
    assert start.notice == "the constraints have moved the initial velocities by up to 3 m/s ('x0')"


def test_held_coordinates_stay_where_the_constraints_allow_it():
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import CoordinateMarker, CoordinateVector
    from dynarig.core.dynamics.constraints.assembly import assemble, assemble_positions

    # x0 + y0 + 2 x1 = 4 and x1 = 1; both masses are 1
    model = slides([1.0, 1.0])
    names = ["x0", "y0", "x1"]
    rows = CoordinateVector(
        name="c",
        marker0="ground",
        marker1=CoordinateMarker("m", names),
        X1=[[1, 1, 2], [0, 0, 1]],
        offset=[4.0, 1.0],
    )
    projection = System(model, constraints=(rows,)).projection
    q, v = np.array([0.5, 0.2, 0.0, 7.0]), np.array([1.0, 0.0, 0.0, 0.0])
    for held, wanted in (
        ([[0]], [0.5, 1.5, 1, 7]),
        ([[1]], [1.8, 0.2, 1, 7]),
        ([[0], [1]], [0.5, 1.5, 1, 7]),
        ([[1], [0]], [1.8, 0.2, 1, 7]),
        ([[2], [1]], [1.8, 0.2, 1, 7]),
        ([[0, 1]], [1.15, 0.85, 1, 7]),
        ([[2]], [1.15, 0.85, 1, 7]),
        ([], [1.15, 0.85, 1, 7]),
    ):
        end = assemble_positions(projection, 0.0, q, v, held)
        assert_close(end, wanted, atol=1e-12)
        start = assemble(projection, 0.0, q, v, held)
        assert_close(start.q, wanted, atol=1e-12)
        assert_close(start.v, [0.5, -0.5, 0, 0], atol=1e-12)
    assert np.array_equal(assemble_positions(projection, 0.0, q, v, [[0]])[[0, 3]], q[[0, 3]])
    told = "'x1') and the initial velocities by up to 0.5 m/s ('x0'); "
    assert told + "x1 from 0 to 1 m, x0 from 0.5 to 1.15 m, y0 from 0.2 to 0.85 m" in start.notice


def test_a_start_far_away_is_put_together():
    system, _ = four_bar("Hinge")
    from dynarig.core.dynamics.constraints.assembly import assemble

    for start in ([0.0, 0.0, 0.0], [2.0, 1.0, 1.0], [-1.0, 2.5, -3.0]):
        end = assemble(system.projection, 0.0, np.array(start), np.zeros(3))
        at = system.moment(np.asarray(0.0), end.q, end.v)
        assert_close(system.rows.at(at).residual, 0.0, atol=1e-12)
        assert "initial positions by up to" in end.notice


@pytest.mark.parametrize("kind", ["PlanarHinge", "Hinge", "Ball"])
def test_an_impossible_assembly_says_which_loop_and_by_how_much(kind):
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c
    from dynarig.core.dynamics.constraints.assembly import assemble
    from dynarig.core.errors import SimulationError

    model = chain([1.0, 1.0, ROCKER])
    make = getattr(c, kind)
    tip, elbow = c.Port.at("rod2", [ROCKER, 0, 0]), c.Port("rod1")
    # the elbow reaches its hook, the tip stays half a metre short of its own
    hook = c.Distance(name="hook", a=c.Port.at(None, [1, 0.5, 0]), b=elbow, length=0.5)
    far = make(name="far", a=c.Port.at(None, [1.0 + ROCKER + 1.5, 0, 0]), b=tip)
    system = System(model, constraints=(hook, far))
    with pytest.raises(SimulationError, match="cannot be met from this start") as error:
        assemble(system.projection, 0.0, np.array([0.3, -0.2, 0.1]), np.zeros(3))
    message = str(error.value)
    assert f"{kind} 'far' by 0.5" in message or f"{kind} 'far' by 0.4" in message


@pytest.mark.parametrize("kind", ["Hinge", "Ball"])
def test_axes_that_are_parallel_but_for_their_last_digits_are_told(kind):
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c
    from dynarig.core.errors import SimulationError
    from dynarig.core.frames import rotation_from_axis_angle
    from dynarig.core.simulate import run, simulate

    # the plane of the chain was turned by 1.5708 and back by pi/2
    turn = rotation_from_axis_angle([0, 1, 0], 1.5708 - np.pi / 2)
    model = chain([CRANK, COUPLER, ROCKER], turn=turn)
    end = c.Port.at("rod2", [ROCKER, 0, 0])

    def system(make):
        loop = make(name="loop", a=c.Port.at(None, [GROUND, 0, 0]), b=end)
        return System(model, constraints=(loop,))

    times, start = np.linspace(0.0, 0.2, 3), four_bar_angles(1.0)
    with pytest.raises(SimulationError, match=r"'loop' by .* 1\.5707963267948966.*PlanarHinge"):
        run(simulate(system(getattr(c, kind)), times, start))
    run(simulate(system(c.PlanarHinge), times, start))


def test_contradicting_rows_are_named():
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import PrescribedCoordinate
    from dynarig.core.dynamics.constraints.assembly import assemble
    from dynarig.core.errors import SimulationError

    model = slides([1.0])
    drives = [
        PrescribedCoordinate(name="up", coordinate="y0", motion=lambda t: t),
        PrescribedCoordinate(name="faster", coordinate="y0", motion=lambda t: 2.0 * t),
        PrescribedCoordinate(name="along", coordinate="x0", motion=lambda t: t),
    ]
    system = System(model, constraints=tuple(drives))
    with pytest.raises(SimulationError, match="contradict") as error:
        assemble(system.projection, 0.0, np.zeros(2), np.zeros(2))
    message = str(error.value)
    assert "'up'" in message and "'faster'" in message and "'along'" not in message
    with pytest.raises(SimulationError, match="cannot be met") as error:
        assemble(system.projection, 1.0, np.zeros(2), np.zeros(2))
    # what both are off by is the 1 m that they are apart
    named = re.findall(r"'(\w+)' by ([\d.]+)", str(error.value))
    assert sorted(name for name, _ in named) == ["faster", "up"]
    assert_close(sum(float(off) for _, off in named), 1.0, atol=1e-5)


def test_contradicting_accelerations_are_named():
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import PrescribedCoordinate
    from dynarig.core.errors import SimulationError

    drives = [
        PrescribedCoordinate(name="a", coordinate="y0", motion=lambda t: (0.0, 0.0, 0.0)),
        PrescribedCoordinate(name="b", coordinate="y0", motion=lambda t: (0.0, 0.0, 1.0)),
    ]
    system = System(slides([1.0]), constraints=tuple(drives))
    with pytest.raises(SimulationError, match=r"no accelerations satisfy .*'a'.*'b'"):
        system.accelerations(0.0, np.zeros(2), np.zeros(2))


def test_forward_pose_of_a_stewart_platform_by_assembly(rng):
    """From leg lengths alone the plate goes where inverse kinematics has measured them."""
    from dataclasses import replace

    from dynarig.core.dynamics.constraints import PrescribedCoordinate
    from dynarig.core.dynamics.constraints.assembly import assemble
    from dynarig.core.frames import rotation_from_quaternion, rotation_from_rpy

    system, q, plate, base = stewart_platform()
    model = system.model
    turn, place = rotation_from_rpy([0.15, -0.2, 0.3]), np.array([0.1, -0.05, 1.1])
    lengths = np.linalg.norm(place + plate @ turn.T - base, axis=1)
    legs = [
        PrescribedCoordinate(
            name=f"leg{k}", coordinate=f"slide{k}", motion=lambda t, x=x: (x, 0, 0)
        )
        for k, x in enumerate(lengths)
    ]
    driven = replace(system, constraints=(*system.constraints, *legs))
    end = assemble(driven.projection, 0.0, q, np.zeros(model.nv))
    pose = end.q[model.q_index("free")]
    assert_close(pose[:3], place, atol=1e-11)
    assert_close(rotation_from_quaternion(pose[3:]), turn, atol=1e-11)
