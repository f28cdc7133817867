"""Impacts of many bodies in a row, which pass on what they get, come to an end."""

import numpy as np
import pytest

from ...close import assert_close


@pytest.mark.parametrize("e", [0.0, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("count", [10, 40])
def test_a_row_of_balls_parts_within_some_passes(rng, count, e):
    from dynarig.core.dynamics.contact import impact

    jacobian = np.diff(np.eye(count + 1), axis=0)
    mass, v = rng.uniform(0.1, 3.0, size=count + 1), rng.normal(size=count + 1)
    done = impact(v, jacobian, np.diag(1.0 / mass), np.full(count, e))
    assert done.passes <= 205
    assert (jacobian @ done.v).min() > -1e-11
    assert (done.impulses >= 0.0).all()
    assert_close(mass @ done.v, mass @ v, 1e-11)
    lost = 0.5 * mass @ (v**2 - done.v**2)
    assert lost > -1e-10
    if e == 1.0:
        assert_close(lost, 0.0, 1e-10)
