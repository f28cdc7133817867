"""Single states: fewer rows, one solve, and the same answers as many states get."""

import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import COUPLER, CRANK, GROUND, ROCKER, four_bar, four_bar_angles, stewart_platform
from .row_cases import CASES, constraints, evaluated


def turn_of(rng):
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return q * np.linalg.det(q)


@pytest.mark.parametrize("case", [name for name in CASES if "function" not in name])
def test_combinations_are_those_of_the_rows_of_every_kind(case, model, motion):
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import ConstraintRows
    from dynarig.core.dynamics.constraints.one_state_rows import one_state_rows

    rows = ConstraintRows(model, [constraints()[case]])
    fewer = one_state_rows(rows, None)
    assert fewer is not None
    positions, rates = evaluated(rows, *motion(0.0))
    at = System(model).moment(*motion(0.0))
    jacobian, gamma = fewer.at(at, at.one)
    assert_close(jacobian, fewer.gather @ positions.jacobian, atol=1e-11)
    assert_close(gamma, fewer.gather @ rates.gamma, atol=1e-11)
    again, residual = fewer.positions(at, at.one)
    assert_close(again, jacobian, atol=1e-14)
    assert_close(residual, fewer.gather @ positions.residual, atol=1e-11)


@pytest.mark.parametrize("kind", ["PlanarHinge", "Ball", "Hinge", "Weld"])
def test_a_loop_in_a_plane_has_two_rows_in_every_orientation(kind, rng):
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c

    for _ in range(5):
        system, _ = four_bar("Ball", turn_of(rng))
        if kind == "Weld":
            own = system.constraints[0]
            system = System(system.model, constraints=(c.Weld(name="loop", a=own.a, b=own.b),))
            # which also holds the last bar's angle
            assert len(system.rows.one_state.gather) == 3
            continue
        assert len(four_bar(kind, turn_of(rng))[0].rows.one_state.gather) == 2


@pytest.mark.parametrize("kind", ["PlanarHinge", "Ball", "Hinge"])
def test_one_state_answers_as_many_do(kind, rng):
    system, _ = four_bar(kind, turn_of(rng))
    cranks = np.linspace(0.3, 6.0, 7)
    states = np.array([four_bar_angles(crank) for crank in cranks])
    still = system.moment(np.zeros(7), states, rng.normal(size=(7, 3)))
    rates = system.projection.velocities(still)
    many = system.moment(np.zeros(7), states, rates)
    force = rng.normal(size=(7, 3))
    answer = system.respond(many, force)
    for index in range(7):
        at = system.moment(0.0, states[index], rates[index])
        one = system.respond(at, force[index])
        # the quick way was gone
        quick = system.rows.one_state.solve(at, at.one, force[index])
        assert_close(quick[0], one.a, atol=0.0)
        for name in ("a", "multipliers", "pull"):
            size = np.abs(getattr(answer, name)).max()
            assert_close(getattr(one, name), getattr(answer, name)[index], atol=1e-10 * size)


def test_one_state_answers_many_forces():
    system, q = four_bar()
    forces = np.array([[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]])
    both = system.accelerations(0.0, q, np.zeros(3), forces)
    for own, force in zip(both, forces, strict=True):
        assert_close(own, system.accelerations(0.0, q, np.zeros(3), force), atol=1e-11)


def test_many_rows_of_a_platform_answer_as_many_states_do(rng):
    system, q, _, _ = stewart_platform()
    model = system.model
    q, v = system.projection.state(np.asarray(0.0), q, rng.normal(size=model.nv))
    force = rng.normal(size=model.nv)
    one = system.respond(system.moment(0.0, q, v), force)
    both = system.moment(np.zeros(2), np.array([q, q]), np.array([v, v]))
    many = system.respond(both, np.array([force, force]))
    for name in ("a", "multipliers", "pull"):
        expected = getattr(many, name)[0]
        assert_close(getattr(one, name), expected, atol=1e-10 * np.abs(expected).max())


def test_rows_in_the_tree_s_own_pass_are_what_they_are_by_themselves(rng):
    from dynarig.core.dynamics import System

    for case in (four_bar("Hinge", turn_of(rng)), many_four_bars(3)):
        system, q = case[:2]
        v = rng.normal(size=system.model.nv)
        rows = system.rows.one_state
        together = system.moment(0.0, q, v)
        apart = System(system.model).moment(0.0, q, v)
        assert together.one.owner is rows and apart.one.owner is None
        for own, other in zip(
            rows.at(together, together.one), rows.at(apart, apart.one), strict=True
        ):
            assert_close(own, other, atol=1e-12)
        assert_close(together.one.mass, apart.one.mass, atol=1e-13)
        assert_close(together.one.bias, apart.one.bias, atol=1e-12)


@pytest.mark.parametrize("count", [12, 30])
def test_many_loops_side_by_side_are_solved_as_one_system_is(count, rng):
    from dynarig.core.dynamics.constraints.solve import solve_independent

    system, q, _ = many_four_bars(count)
    # no two loops alike
    q = q + 0.05 * np.repeat(rng.normal(size=count), 3)
    q, v = system.projection.state(np.asarray(0.0), q, rng.normal(size=3 * count))
    rows, force = system.rows.one_state, rng.normal(size=3 * count)
    at = system.moment(0.0, q, v)
    a, multipliers, pull = rows.solve(at, at.one, force)
    jacobian, gamma = rows.at(at, at.one)
    whole = solve_independent(at.one.mass, force - at.one.bias, jacobian, gamma)
    assert rows._solve_many is not solve_independent
    assert_close(a, whole[0], atol=1e-11 * np.abs(a).max())
    expected = rows.spread @ whole[1]
    assert_close(multipliers, expected, atol=1e-11 * np.abs(expected).max())
    assert_close(pull, -jacobian.T @ whole[1], atol=1e-11 * np.abs(pull).max())
    # one of them stretched: none is answered
    stretched = q.copy()
    stretched[3:6] = 0.0
    at = system.moment(0.0, stretched, v)
    assert rows.solve(at, at.one, force) is None


def test_loops_that_share_a_body_are_no_blocks():
    from dynarig.core.dynamics.constraints.block_solve import block_solve

    system, _, _, _ = stewart_platform()
    acts = np.ones((18, system.model.nv), dtype=bool)
    assert block_solve(system.model, acts) is None


def test_near_a_singular_configuration_the_quick_way_steps_aside():
    """Three unit bars and a ground of three, all in a line."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c

    from .mechanisms import chain

    model = chain([1.0, 1.0, 1.0])
    loop = c.PlanarHinge(
        name="loop", a=c.Port.at(None, [3.0, 0, 0]), b=c.Port.at("rod2", [1, 0, 0])
    )
    system = System(model, constraints=(loop,), reference=np.array([0.3, -0.4, 0.2]))
    for angle, steps_aside in ((0.0, True), (1e-3, True), (1.0, False)):
        at = system.moment(0.0, np.array([angle, -2 * angle, angle]), np.zeros(3))
        found = system.rows.one_state.solve(at, at.one, np.ones(3))
        assert (found is None) == steps_aside


def test_projection_of_one_state_is_that_of_many(rng):
    for kind in ("PlanarHinge", "Hinge"):
        system, q = four_bar(kind, turn_of(rng))
        off, v = q + 1e-2 * rng.normal(size=3), rng.normal(size=3)
        one = system.projection.state(np.asarray(0.0), off, v)
        many = system.projection.state(np.zeros(1), off[None], v[None])
        for own, other in zip(one, many, strict=True):
            assert_close(own, other[0], atol=1e-11)
        residual = system.rows.at(system.moment(0.0, *one)).residual
        assert_close(residual, 0.0, atol=1e-12)


def test_rows_that_never_move_anything_must_be_met_all_the_same():
    """A hinge off its plane by a millimetre cannot be closed, which fewer rows would not see."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c
    from dynarig.core.errors import SimulationError

    system, q = four_bar("Hinge")
    own = system.constraints[0]
    off = own.b.link_from_port.copy()
    off[2, 3] += 1e-3
    moved = System(system.model, constraints=(replace(own, b=c.Port(own.b.link, off)),))
    assert len(moved.rows.one_state.gather) == 2
    with pytest.raises(SimulationError, match=r"Hinge 'loop' by 0\.001 m"):
        moved.projection.state(np.asarray(0.0), q, np.zeros(3))


def test_velocities_that_never_move_anything_must_be_met_too():
    """Two rows that ask the same coordinate for different speeds."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c
    from dynarig.core.errors import SimulationError

    model = four_bar()[0].model
    marker = c.CoordinateMarker("crank", ["hinge0"])
    speeds = [
        c.CoordinateVector(
            name=f"speed{k}",
            marker0=c.GROUND,
            marker1=marker,
            X1=[[1.0]],
            offset=[float(k)],
            velocity_level=True,
        )
        for k in (1, 2)
    ]
    system = System(model, constraints=tuple(speeds))
    assert len(system.rows.one_state.gather) == 1
    with pytest.raises(SimulationError, match="contradict"):
        system.projection.state(np.asarray(0.0), np.zeros(3), np.zeros(3))


def test_the_number_of_calls_of_an_evaluation_does_not_grow_with_loops():
    assert calls_of(many_four_bars(12)) == calls_of(many_four_bars(24))


def calls_of(case):
    """How often each function ran in one evaluation and one projection, numpy's included."""
    system, q, v = case
    ran = Counter()

    def watch(frame, event, argument):
        if event in ("call", "c_call"):
            ran[argument.__name__ if event == "c_call" else frame.f_code.co_name] += 1

    def work():
        at = system.moment(0.0, q, v)
        system.respond(at, system.applied_forces(at))
        system.projection.state(np.asarray(0.0), q, v)

    work()
    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return ran


def many_four_bars(count):
    """(System, q, v): four-bars side by side in one mechanism, closed."""
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics.constraints import Hinge, Port
    from dynarig.core.mechanism import Body, TreeJoint

    from .mechanisms import tree, turned

    bodies, joints, loops = [], [], []
    for k in range(count):
        parent, place = "base", [0.0, 0.0, 0.1 * k]
        for index, length in enumerate((CRANK, COUPLER, ROCKER)):
            name = f"rod{index} of {k}"
            center = np.array([0.5 * length, 0, 0])
            bodies.append(Body(name, 1.0, center, 0.1 * np.eye(3)))
            at = turned(np.eye(3), place)
            joints.append(
                TreeJoint(f"j{index} of {k}", "continuous", parent, name, at, np.array([0, 0, 1.0]))
            )
            parent, place = name, [length, 0, 0]
        far, end = Port.at(None, [GROUND, 0, 0.1 * k]), Port.at(parent, [ROCKER, 0, 0])
        loops.append(Hinge(name=f"loop{k}", a=far, b=end))
    model = compile_tree(tree("many", bodies, joints), gravity=(0, -9.81, 0))
    system = System(model, constraints=tuple(loops))
    q = np.tile(four_bar_angles(1.0), count)
    return system, *system.projection.state(np.asarray(0.0), q, np.ones(3 * count))


def test_a_mass_matrix_that_is_singular_is_told():
    """A point mass on a ball joint has no inertia to turn."""
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics.constraints import PointOnPlane, Port
    from dynarig.core.errors import ModelError
    from dynarig.core.mechanism import Body, TreeJoint

    from .mechanisms import tree

    body = Body("point", 1.0, np.array([1.0, 0, 0]), np.zeros((3, 3)))
    joint = TreeJoint("ball", "spherical", "base", "point", np.eye(4), np.zeros(3))
    model = compile_tree(tree("pendulum", [body], [joint]), gravity=(0, 0, -9.81))
    plane = PointOnPlane(name="plane", a=Port(None), b=Port.at("point", [1, 0, 0]), axis=[0, 1, 0])
    system = System(model, constraints=(plane,))
    at = system.moment(0.0, np.array([1.0, 0, 0, 0]), np.zeros(3))
    with pytest.raises(ModelError, match="pendulum: the mass matrix is singular"):
        system.respond(at, np.zeros(3))
