"""Linear algebra without other threads does what LAPACK does."""

import numpy as np
import pytest
from dynarig.core.dynamics.friction.quiet import solved, times, upper_inverse

from ...close import assert_close


@pytest.mark.parametrize("m", [1, 3, 6, 7, 20, 48, 49, 130])
def test_systems_are_solved(m):
    rng = np.random.default_rng(m)
    a = rng.normal(size=(m, m)) + 3.0 * np.sqrt(m) * np.eye(m)
    x = rng.normal(size=m)
    assert_close(solved(a, a @ x), x, atol=1e-11)


def test_a_large_system_with_a_singular_block_is_solved():
    # rows in reverse: the first block of rows is zero in its own columns
    a = np.eye(100)[::-1] * 2.0
    x = np.arange(100.0)
    assert_close(solved(a, a @ x), x, atol=1e-9)


@pytest.mark.parametrize("m", [5, 20, 60])
def test_a_singular_matrix_is_refused(m):
    with pytest.raises(np.linalg.LinAlgError):
        solved(np.zeros((m, m)), np.ones(m))


@pytest.mark.parametrize("n", [1, 2, 5, 16, 33])
def test_triangles_are_inverted(n):
    rng = np.random.default_rng(n)
    upper = np.triu(rng.normal(size=(n, n)), 1) / n + np.diag(rng.uniform(1.0, 2.0, n))
    inverse = upper_inverse(upper)
    assert_close(inverse @ upper, np.eye(n), atol=1e-12)
    assert_close(np.tril(inverse, -1), np.zeros((n, n)), atol=0.0)


@pytest.mark.parametrize("shape", [(400, 30, 50), (70, 90, 80), (3, 500, 400), (5, 0, 4)])
def test_products_in_parts_are_products(shape):
    rng = np.random.default_rng(4)
    m, k, n = shape
    a, b, c = rng.normal(size=(m, k)), rng.normal(size=(k, n)), rng.normal(size=k)
    assert_close(times(a, b), a @ b, atol=1e-11)
    assert_close(times(a, c), a @ c, atol=1e-11)
