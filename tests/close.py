"""Equality within a stated distance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def assert_close(value: ArrayLike, expected: ArrayLike, atol: float, err_msg: str = "") -> None:
    """|value - expected| <= atol in every entry, however large the entry is.

    numpy's own `assert_allclose(…, atol=…)` adds 1e-7 of the expected value to the bound.
    """
    np.testing.assert_allclose(value, expected, rtol=0.0, atol=atol, err_msg=err_msg)
