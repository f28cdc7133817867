"""The impact law: momentum, energy and complementarity, and answers by hand."""

import json
from pathlib import Path

import numpy as np
import pytest

from ...close import assert_close
from .benches import free_bodies, jack_contacts, jack_model

CASES = Path(__file__).parents[2] / "data" / "impact" / "jack_in_a_box.json"
CRADLE = np.array([[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]])  # gaps of three balls in a row


def random_case(rng, n=4, nv=6):
    root = rng.normal(size=(nv, nv))
    mass = root @ root.T + np.eye(nv)
    jacobian = rng.normal(size=(n, nv))
    return mass, jacobian, rng.normal(size=nv)


@pytest.mark.parametrize("rule", ["joint", "sequential"])
@pytest.mark.parametrize("e", [0.0, 0.6, 1.0])
def test_laws_at_random(rule, e):
    from dynarig.core.dynamics.contact import impact, mobility

    rng = np.random.default_rng(7)
    for _ in range(30):
        mass, jacobian, v = random_case(rng)
        done = impact(v, jacobian, mobility(mass), np.full(4, e), rule)
        after, pushed = jacobian @ done.v, done.impulses
        assert_close(mass @ (done.v - v), jacobian.T @ pushed, 1e-11)
        assert (pushed >= 0.0).all() and (after >= -1e-10).all()
        energy = 0.5 * v @ mass @ v, 0.5 * done.v @ mass @ done.v
        if e == 1.0:
            assert_close(energy[1], energy[0], 1e-11 * energy[0])
        else:
            assert energy[1] <= energy[0] * (1 + 1e-13)


def test_joint_rule_is_a_complementarity_where_all_close():
    from dynarig.core.dynamics.contact import impact, mobility

    rng = np.random.default_rng(8)
    for _ in range(30):
        mass, jacobian, v = random_case(rng)
        jacobian *= -np.sign(jacobian @ v)[:, None]
        e = rng.uniform(0, 1, 4)
        done = impact(v, jacobian, mobility(mass), e)
        slack = jacobian @ done.v + e * (jacobian @ v)
        if done.passes == 1:
            assert (slack >= -1e-11).all()
            assert_close(slack * done.impulses, 0.0, 1e-10)


def test_redundant_rows_do_not_matter():
    from dynarig.core.dynamics.contact import impact, mobility

    rng = np.random.default_rng(9)
    mass, jacobian, v = random_case(rng, n=2)
    jacobian *= -np.sign(jacobian @ v)[:, None]
    once = impact(v, jacobian, mobility(mass), np.full(2, 0.5))
    thrice = impact(v, np.tile(jacobian, (3, 1)), mobility(mass), np.full(6, 0.5))
    assert_close(thrice.v, once.v, 1e-12)
    # shared evenly: symmetry is kept in what is told, too
    assert_close(thrice.impulses, np.tile(once.impulses / 3, 3), 1e-11)


def test_constraints_and_prescribed_velocities_hold():
    from dynarig.core.dynamics.contact import impact, mobility

    rng = np.random.default_rng(10)
    mass, jacobian, v = random_case(rng, n=2)
    rows = rng.normal(size=(2, 6))
    rows = np.vstack((rows, rows.sum(axis=0)))  # one is redundant
    free = np.arange(1, 6)
    moves = mobility(mass, rows, free)
    done = impact(v, jacobian, moves, np.ones(2))
    assert_close(rows @ (done.v - v), 0.0, 1e-12)
    assert done.v[0] == v[0]
    # what is left of the momentum is in the rows' range
    left = (mass @ (done.v - v) - jacobian.T @ done.impulses)[free]
    inside = rows[:, free].T @ np.linalg.lstsq(rows[:, free].T, left, rcond=None)[0]
    assert_close(left, inside, 1e-11)


def test_newtons_cradle_by_both_rules():
    from dynarig.core.dynamics.contact import impact

    v, e = np.array([1.0, 0.0, 0.0]), np.ones(2)
    joint = impact(v, CRADLE, np.eye(3), e)
    assert_close(joint.v, [-1 / 3, 2 / 3, 2 / 3], 1e-15)
    for order in ([0, 1], [1, 0]):
        one = impact(v, CRADLE, np.eye(3), e, "sequential", order)
        assert_close(one.v, [0.0, 0.0, 1.0], 1e-15)


def test_a_gap_that_opens_takes_no_part():
    from dynarig.core.dynamics.contact import impact

    v = np.array([1.0, 0.0, 5.0])
    done = impact(v, CRADLE, np.eye(3), np.ones(2))
    assert_close(done.v, [0.0, 1.0, 5.0], 1e-15)
    assert done.impulses[1] == 0.0
    still = impact(np.array([0.0, 1.0, 5.0]), CRADLE, np.eye(3), np.ones(2))
    assert still.passes == 0


def test_two_corners_at_once_by_both_rules():
    from dynarig.core.dynamics import mass_matrix
    from dynarig.core.dynamics.contact import Gaps, impact, mobility

    case = json.loads(CASES.read_text())["simultaneous"]
    model = jack_model(case["params"])
    contacts = jack_contacts(case["params"])
    gaps = Gaps(model, contacts)
    q, v = np.array(case["q"]), np.array(case["v_minus"])
    touching = [
        gaps.names.index(f"wall {wall} corner {corner}") for wall, corner in case["touching"]
    ]
    assert_close(gaps.at(q).gap[touching], 0.0, 1e-15)
    jacobian, moves = gaps.jacobian(q)[touching], mobility(mass_matrix(model, q))
    joint = impact(v, jacobian, moves, np.ones(2))
    assert_close(joint.v, case["joint_elastic"]["v_plus"], 1e-13)
    assert_close(joint.impulses, case["joint_elastic"]["lam"], 1e-13)
    for order, name in (([0, 1], "seed_rule_ascending"), ([1, 0], "seed_rule_descending")):
        one = impact(v, jacobian, moves, np.ones(2), "sequential", order)
        assert_close(one.v, case[name]["v_plus"], 1e-13)
        assert_close(one.impulses[order], [step["lam"] for step in case[name]["steps"]], 1e-13)


def test_bodies_in_the_plane_and_in_space_keep_momentum_and_energy():
    from dynarig.core.dynamics import kinetic_energy, mass_matrix, momentum
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Contact, Gaps, Sphere, impact, mobility

    rng = np.random.default_rng(11)
    for kind in ("planar", "floating"):
        model = free_bodies([("a", 1.0, 0.2), ("b", 2.0, 0.3), ("c", 0.5, 0.1)], kind)
        names = [("a", "b"), ("b", "c"), ("c", "a")]
        pairs = [
            Contact(
                name=f"{one}{two}",
                a=Sphere(Port.at(one, (0.1, 0.2, 0)), 0.5),
                b=Sphere(Port.at(two, (-0.2, 0.1, 0)), 0.5),
            )
            for one, two in names
        ]
        gaps = Gaps(model, pairs)
        for _ in range(10):
            q, v = model.neutral() + rng.uniform(-1, 1, model.nq), rng.normal(size=model.nv)
            done = impact(v, gaps.jacobian(q), mobility(mass_matrix(model, q)), np.ones(3))
            before, after = momentum(model, q, v), momentum(model, q, done.v)
            assert_close(after, before, 1e-12)
            energy = kinetic_energy(model, q, v)
            assert_close(kinetic_energy(model, q, done.v), energy, 1e-12 * float(energy))


def test_an_unknown_rule_is_refused():
    from dynarig.core.dynamics.contact import impact
    from dynarig.core.errors import ArgumentError

    with pytest.raises(ArgumentError, match="wanted 'joint' or 'sequential', got 'random'"):
        impact(np.ones(3), CRADLE, np.eye(3), np.ones(2), "random")
