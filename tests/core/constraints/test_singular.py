"""Through configurations where a loop loses its hold: the motion goes on as it was, or says so."""

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import chain

DOWN, NONE = (0.0, -9.81, 0.0), (0.0, 0.0, 0.0)


def parallelogram(kind, gravity, crank):
    """(System, q, v): a bar of 2 on equal cranks of 1; both motions cross when all is in line."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics import constraints as c

    far = c.Port.at(None, [2.0, 0, 0])
    q, v = np.array([crank, -crank, crank - np.pi]), np.array([8.0, -8.0, 8.0])
    if kind == "Distance":
        model = chain([1.0, 2.0], gravity=gravity)
        own = (c.Distance(name="crank", a=far, b=c.Port.at("rod1", [2.0, 0, 0]), length=1.0),)
        return System(model, constraints=own), q[:2], v[:2]
    model = chain([1.0, 2.0, 1.0], gravity=gravity)
    end = c.Port.at("rod2", [1.0, 0, 0])
    if kind == "three cranks":
        middle = c.Port.at("rod1", [1.0, 0, 0])
        third = c.Distance(name="third", a=c.Port.at(None, [1.0, 0, 0]), b=middle, length=1.0)
        own = (c.PlanarHinge(name="loop", a=far, b=end), third)
    else:
        own = (getattr(c, kind)(name="loop", a=far, b=end),)
    return System(model, constraints=own), q, v


def moved(system, times, q, v, **options):
    from dynarig.core.simulate import run, simulate

    return run(simulate(system, times, q, v, **options))


@pytest.mark.parametrize("gravity", [DOWN, NONE])
@pytest.mark.parametrize("kind", ["PlanarHinge", "Hinge", "Distance", "three cranks"])
def test_a_parallelogram_stays_one_through_its_dead_points(kind, gravity):
    system, q, v = parallelogram(kind, gravity, 1.0)
    motion = moved(system, np.linspace(0.0, 2.0, 100), q, v, tolerance=1e-10)
    assert motion.q[-1, 0] > 4 * np.pi
    # the bar keeps its direction, and the cranks each other's
    assert_close(motion.q[:, 0] + motion.q[:, 1], 0.0, atol=1e-6)
    assert motion.energy_drift < 1e-8 * np.abs(motion.energy).max()


@pytest.mark.parametrize("crank", np.random.default_rng(3).uniform(0.3, 2.8, 4))
def test_it_passes_from_wherever_it_starts(crank):
    for tolerance in (1e-6, 1e-9):
        system, q, v = parallelogram("PlanarHinge", NONE, crank)
        motion = moved(system, [0.0, 1.0], q, v, tolerance=tolerance)
        # without gravity all turns evenly
        assert_close(motion.q[-1], q + v, atol=1e-5)


def test_a_start_in_the_dead_point_keeps_the_motion_that_it_has():
    """All in line: the velocities say which of both motions goes on, if it is one of them."""
    from dynarig.core.errors import SimulationError

    system, q, v = parallelogram("PlanarHinge", NONE, 0.0)
    motion = moved(system, [0.0, 0.1], q, v, tolerance=1e-9)
    assert_close(motion.q[-1], q + 0.1 * v, atol=1e-8)
    # crossed: for a rate a of the crank the bar turns by -2 a and the rocker by -3 a
    other = np.array([4.0, -12.0, -4.0])
    crossed = moved(system, [0.0, 0.05], q, other, tolerance=1e-9)
    assert_close(crossed.v[0], other, atol=1e-9)
    assert_close(crossed.q[-1] - q, 0.05 * other, atol=0.1)
    assert abs(crossed.q[-1, 0] + crossed.q[-1, 1]) > 0.3
    # a mixture of both is no motion at all
    with pytest.raises(SimulationError, match="no accelerations satisfy PlanarHinge 'loop'"):
        moved(system, [0.0, 0.1], q, v + other, tolerance=1e-9)


def test_a_slider_goes_on_through_the_crank_s_own_bearing():
    """Crank and rod of one length: at 90 degrees the slider passes the bearing, x = 2 cos phi."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import PointOnLine, Port

    model = chain([1.0, 1.0], gravity=NONE)
    tip = Port.at("rod1", [1.0, 0, 0])
    rail = PointOnLine(name="rail", a=Port(None), b=tip, axis=[1.0, 0.0, 0.0])
    system = System(model, constraints=(rail,))
    times = np.linspace(0.0, 1.5, 40)
    motion = moved(system, times, [0.4, -0.8], [5.0, -10.0], tolerance=1e-10)
    assert motion.q[-1, 0] > 1.5 * np.pi
    assert_close(motion.q[:, 1], -2.0 * motion.q[:, 0], atol=1e-7)
    slider = motion.link_poses(times)[:, -1] @ [1.0, 0, 0, 1.0]
    assert_close(slider[:, 0], 2.0 * np.cos(motion.q[:, 0]), atol=1e-7)
    assert motion.energy_drift < 1e-8 * motion.energy.max()


def test_a_straight_toggle_says_so():
    """Two rods pulled straight between fixed points cannot move, whatever pulls at the knee."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import PlanarHinge, Port
    from dynarig.core.errors import SimulationError

    model = chain([1.0, 1.0], gravity=DOWN)
    tip = Port.at("rod1", [1.0, 0, 0])
    fixed = PlanarHinge(name="fixed", a=Port.at(None, [2.0, 0, 0]), b=tip)
    system = System(model, constraints=(fixed,))
    with pytest.raises(SimulationError, match="singular configuration of PlanarHinge 'fixed'"):
        moved(system, [0.0, 0.5], [0.0, 0.0], [0.0, 0.0])


def test_a_start_at_rest_in_a_dead_point_says_so():
    from dynarig.core.errors import SimulationError

    system, q, v = parallelogram("PlanarHinge", DOWN, 0.0)
    with pytest.raises(SimulationError, match="with the velocities of the motion that is meant"):
        moved(system, [0.0, 0.1], q, 0.0 * v)


@pytest.mark.parametrize("kind", ["Hinge", "three cranks"])
def test_a_start_at_rest_elsewhere_is_fine_however_redundant(kind):
    system, q, v = parallelogram(kind, DOWN, 0.5)
    motion = moved(system, [0.0, 0.3], q, 0.0 * v, tolerance=1e-9)
    assert_close(motion.q[:, 0] + motion.q[:, 1], 0.0, atol=1e-9)
    assert motion.q[-1, 0] < 0.4
