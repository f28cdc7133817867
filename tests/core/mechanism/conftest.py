"""What the tests of mechanisms share: chains of components, and the balance at connections."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ...close import assert_close


class Bench:
    """Builds mechanisms and checks what must hold for all of them."""

    @staticmethod
    def chain(*components: Any) -> Any:
        """A mechanism of components, each connected to the next."""
        from dynarig.core.mechanism import Mechanism

        mechanism = Mechanism("bench", components)
        mechanism.chain(*components)
        return mechanism

    @staticmethod
    def solve(mechanism: Any, times: Any, **options: Any) -> Any:
        """Its motion, tightly."""
        return mechanism.simulate(times, **{"tolerance": 1e-12, "method": "dop853", **options})

    @staticmethod
    def rate(sol: Any, name: str, times: Any, h: float = 5e-4) -> Any:
        """The derivative of a variable at times, by differences of fourth order."""
        early, before, after, late = (sol(times + k * h, name) for k in (-2, -1, 1, 2))
        return (8.0 * (after - before) - (late - early)) / (12.0 * h)

    @staticmethod
    def check_connections(sol: Any, times: Any, atol: float = 1e-10) -> None:
        """Potentials are equal and flows sum to zero at every connection and every lone frame."""
        mechanism = sol.mechanism
        planar = mechanism.space == "planar"
        same, flows = (("x", "y", "phi"), ("fx", "fy", "tau")) if planar else (("r_0", "R"), ())
        flows = flows or ("f", "tau")
        joined = {frame for connection in mechanism.connections for frame in connection}
        nodes: dict[int, list[Any]] = {}
        for frame, node in sol.compiled.assembly.graph.node.items():
            nodes.setdefault(node, []).append(frame)
        world = next(c for c in mechanism.components.values() if type(c).__name__ == "World")
        assert sum(len(frames) for frames in nodes.values() if len(frames) > 1) == len(joined)
        for frames in nodes.values():
            for key in same:
                values = [sol(times, f"{frame.path}.{key}") for frame in frames]
                for value in values[1:]:
                    assert_close(value, values[0], atol=1e-11, err_msg=f"{frames}: {key}")
            if frames == [world.frame_b]:
                continue
            for key in flows:
                total = sum(sol(times, f"{frame.path}.{key}") for frame in frames)
                assert_close(total, np.zeros_like(total), atol=atol, err_msg=f"{frames}: {key}")


@pytest.fixture(scope="session")
def bench() -> Bench:
    """The tools of this folder."""
    return Bench()
