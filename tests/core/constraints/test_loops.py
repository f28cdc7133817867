"""Closed loops: what they allow, however they lie in space and however often they are said."""

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import CRANK, GROUND, ROCKER, chain, four_bar, four_bar_angles, turned


def turns():
    """Orientations of space: the axes' own, exchanged ones, and any."""
    from dynarig.core.frames import rotation_from_rpy

    rng = np.random.default_rng(8)
    exchanged = np.eye(3)[[1, 2, 0]]
    quarter = rotation_from_rpy([np.pi / 2, 0, 0])
    return [np.eye(3), exchanged, quarter, *rotation_from_rpy(rng.uniform(-3, 3, (12, 3)))]


def moving(system, q, crank_rate=2.0):
    """The state at q with the crank turning at that rate."""
    at = system.moment(np.asarray(0.0), q, np.zeros(len(q)))
    jacobian = system.rows.at(at).jacobian
    # the direction that the loop leaves free
    free = np.linalg.svd(jacobian)[2][-1]
    return crank_rate * free / free[0]


@pytest.mark.parametrize("kind", ["PlanarHinge", "Hinge", "Ball"])
def test_a_four_bar_moves_the_same_in_every_orientation_of_space(kind):
    system, q = four_bar("PlanarHinge")
    v = moving(system, q)
    expected = system.accelerations(0.0, q, v)
    for turn in turns():
        same, _ = four_bar(kind, turn)
        assert_close(same.accelerations(0.0, q, v), expected, atol=1e-10)


def test_a_four_bar_accelerates_as_its_closed_form():
    system, q = four_bar("Hinge")
    v = moving(system, q)
    a = system.accelerations(0.0, q, v)
    # q is a function of the crank angle alone: q'' = q_c c'' + q_cc c'^2
    h = 1e-3
    ahead, here, behind = (four_bar_angles(q[0] + s) for s in (h, 0.0, -h))
    far, back = four_bar_angles(q[0] + 2 * h), four_bar_angles(q[0] - 2 * h)
    first = (8 * (ahead - behind) - (far - back)) / (12 * h)
    second = (16 * (ahead + behind) - (far + back) - 30 * here) / (12 * h * h)
    assert_close(v, first * v[0], atol=1e-10)
    assert_close(a, first * a[0] + second * v[0] ** 2, atol=1e-8)


def test_multipliers_of_a_spatial_loop_have_no_part_out_of_its_plane():
    for turn in turns():
        system, q = four_bar("Hinge", turn)
        v = moving(system, q)
        at = system.moment(np.asarray(0.0), q, v)
        lam = system.respond(at, system.applied_forces(at)).multipliers
        # x, y in the axes of the port, which turn along; z and the tilts do nothing
        assert_close(lam[2:], 0.0, atol=1e-9)
        flat, _ = four_bar("PlanarHinge")
        same = flat.moment(np.asarray(0.0), q, v)
        assert_close(
            np.linalg.norm(lam[:2]),
            np.linalg.norm(flat.respond(same, flat.applied_forces(same)).multipliers),
            atol=1e-9,
        )


def test_constraint_forces_do_no_work():
    system, q = four_bar("Hinge")
    v = moving(system, q)
    at = system.moment(np.asarray(0.0), q, v)
    response = system.respond(at, np.array([3.0, -1.0, 2.0]))
    assert_close(response.pull @ v, 0.0, atol=1e-10)
    assert np.abs(response.pull).max() > 1.0


def test_parallel_cranks_are_redundant_on_the_manifold_only():
    """Three equal bars: any two and the plate fix the motion, and the third says nothing new."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Distance, Port

    # a plate hung from a crank at the origin, and from equal bars
    model = chain([1.0, 2.0])
    rods = [
        Distance(
            name=f"bar{x}", a=Port.at(None, [x, 0, 0]), b=Port.at("rod1", [x, 0, 0]), length=1.0
        )
        for x in (1.0, 2.0)
    ]
    q, v = np.array([0.7, -0.7]), np.array([1.5, -1.5])
    both, one = (System(model, constraints=tuple(rods[:n])) for n in (2, 1))
    expected = one.accelerations(0.0, q, v)
    assert_close(both.accelerations(0.0, q, v), expected, atol=1e-9)
    # a little off, the two rods are rows of their own, but within the slack they are not
    off = q + np.array([1e-6, -2e-6])
    assert_close(both.accelerations(0.0, off, v), expected, atol=1e-4)


def test_weld_and_hinge_hold_what_they_say(random_tree):
    """After projection the frames are where a weld, and the axes where a hinge, wants them."""
    from dynarig.core.dynamics import System, compile_tree, link_poses
    from dynarig.core.dynamics.constraints import Hinge, Port, Weld
    from dynarig.core.dynamics.constraints.assembly import assemble

    model = compile_tree(random_tree(5, ["floating"]))
    target = turned(np.eye(3)[[1, 2, 0]], [0.3, 0.2, -0.4])
    start = np.zeros(model.nv)
    for kind in (Weld, Hinge):
        hold = kind(name="hold", a=Port(None, target), b=Port("b1"))
        system = System(model, constraints=(hold,))
        end = assemble(system.projection, 0.0, model.neutral(), start)
        pose = link_poses(model, end.q)[model.link_names.index("b1")]
        assert_close(pose[:3, 3], target[:3, 3], atol=1e-12)
        reached = pose[:3, :3] if kind is Weld else pose[:3, 2]
        assert_close(reached, target[:3, :3] if kind is Weld else target[:3, 2], atol=1e-12)


def test_a_hundred_loops_are_one_batch_of_rows():
    """The number of numpy calls of the rows does not grow with the number of loops."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Hinge, Port

    calls = []
    for loops in (2, 100):
        model = chain([1.0] * (loops + 1))
        hinges = [
            Hinge(name=f"loop{k}", a=Port(None), b=Port.at(f"rod{k + 1}", [0.5, 0, 0]))
            for k in range(loops)
        ]
        system = System(model, constraints=tuple(hinges))
        at = system.moment(np.asarray(0.0), np.full(model.nq, 0.1), np.full(model.nv, 0.2))
        calls.append(numpy_calls(lambda at=at, rows=system.rows: rows.gamma(at, rows.at(at))))
    assert calls[0] == calls[1]


def numpy_calls(work):
    """How many C functions and Python functions of numpy run in `work`."""
    import sys

    count = 0

    def watch(frame, event, argument):
        nonlocal count
        count += event == "c_call"

    work()
    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_the_crank_rocker_is_closed_where_its_angles_say():
    system, q = four_bar("Hinge")
    at = system.moment(np.asarray(0.0), q, np.zeros(3))
    assert_close(system.rows.at(at).residual, 0.0, atol=1e-14)
    assert CRANK + GROUND > ROCKER
