"""Rates, Jacobian and gamma of every kind of row, against differences along real motion."""

import numpy as np

from ...close import assert_close
from .row_cases import STENCIL, STEP, constraints, evaluated


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
