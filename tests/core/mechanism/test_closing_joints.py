"""Joints that close loops answer as constraints do, beside what all joints tell."""

from __future__ import annotations

import numpy as np
import pytest

from ...close import assert_close
from .loop_benches import four_bar, tight


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_joint_that_closes_a_loop_tells_its_equations_and_multipliers(space: str) -> None:
    t = np.linspace(0.0, 0.4, 5)
    sol, other = (
        tight(four_bar(order, space=space, w0=6.0), t, tolerance=1e-10)
        for order in (("h0", "h1", "h2", "h3"), ("h3", "h1", "h2", "h0"))
    )
    rows = {"planar": 2, "spatial": 5}[space]
    assert not any(name in sol.names for name in ("h0.equation", "h0.force", "h1.force"))
    assert "h3.force" not in other.names
    assert sol(t, "h3.equation").shape == sol(t, "h3.force").shape == (5, rows)
    assert_close(sol(t, "h3.equation"), 0.0, atol=1e-11)
    assert_close(sol(t, "h3.force"), sol.trajectory.constraint("h3", t).force, atol=0.0)
    # what the rocker exerts on the post where another joint is cut; lambda is in its axes
    names = ("fx", "fy") if space == "planar" else ("f",)
    through = np.column_stack([other(t, f"h3.frame_a.{name}") for name in names])
    lengths = np.linalg.norm(through, axis=-1)
    assert lengths.min() > 1.0
    own = sol(t, "h3.force")[:, : through.shape[-1]]
    assert_close(np.linalg.norm(own, axis=-1), lengths, atol=1e-7)
