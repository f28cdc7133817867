"""A tree of joints of all kinds, rows of constraints of all kinds, and a motion of the tree."""

import numpy as np
import pytest

from .row_cases import CASES, KINDS, constraints


@pytest.fixture(scope="module")
def model(random_tree):
    from dynarig.core.dynamics import compile_tree

    return compile_tree(random_tree(7, KINDS))


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
