"""Kinematics and dynamics of robots against pinocchio and MuJoCo, all called from Python.

python3 scripts/dev.py bench dynamics

Three tables, from one run. Each line of the first is one quantity of one robot: microseconds a
state of this package and of pinocchio, and how many times as long this package takes. Of many
states this package computes all in one call, and pinocchio each in a loop that keeps nothing of
the results; only "poses, kept" puts them into an array, as this package does. Both run in turn,
in rounds (`rounds`); a ratio is the median over rounds of the ratio in a round.

The second is the cost of one forward dynamics against the number of links. The third is the time
to a given accuracy: an arm swings for 5 s, this package integrates with error control, MuJoCo
with RK4 at the largest step that is as accurate.

The run fails where results differ, and where a stated limit is missed beyond noise: in three of
four rounds, and again so when it is measured for longer.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from package import load_package

from benchmarks.robots import ROBOTS, Pair, pair, robot_text, tree_text
from benchmarks.rounds import Compared, Work, compared, median_time
from benchmarks.work_precision import precision_table

SECONDS = 0.25  # for one line: rounds go on until then
AGAIN = 2.0  # for one that seems to be too slow
STATES = (1, 64, 1024)
FRAMES = 1000  # of an animation
SAME = 1e-8  # of the largest entry
LINKS = (2, 5, 10, 20, 50, 100, 200)
SLOWEST = 3e-3  # s for one forward dynamics of 100 links
# the largest ratio to pinocchio that is promised: (robot, quantity, states)
LIMITS = {
    ("Panda", "forward dynamics", 1): 25.0,
    ("G1", "forward dynamics", 1): 8.0,
    ("Panda", "forward dynamics", 64): 2.5,
    ("Panda", "poses", FRAMES): 1.0,
    **{(name, "poses, kept", FRAMES): 1.0 for name in ROBOTS},
}


@dataclass(frozen=True)
class Line:
    """One quantity of one robot: what is computed, by both, and whether it is the same."""

    robot: str
    quantity: str
    states: int
    ours: Work
    theirs: Work
    difference: float

    @property
    def limit(self) -> float | None:
        """The largest ratio that is promised."""
        return LIMITS.get((self.robot, self.quantity, self.states))

    def fault(self, result: Compared) -> str | None:
        """What is wrong with it, beyond noise."""
        if not self.difference < SAME:
            return f"results differ by {self.difference:.1e} of the largest entry"
        if self.limit is not None and result.at_best > self.limit:
            return f"ratio {result.ratio:.2f}, wanted at most {self.limit:g}"
        return None

    def measured(self) -> Compared:
        """Both in turn; for longer, where the limit seems to be missed."""
        result = compared(self.ours, self.theirs, SECONDS)
        if self.limit is not None and result.at_best > self.limit:
            result = compared(self.ours, self.theirs, AGAIN)
        return result


def main() -> int:
    """Measure and print; return 1 where results differ or a limit is missed."""
    load_package()
    faults: list[str] = []
    print(f"numpy {np.__version__}; µs a state")
    print(f"{'robot':<17}{'quantity':<18}{'states':>6}{'dynarig':>9}{'pinocchio':>10}{'ratio':>7}")
    for name, (_, floating, _) in ROBOTS.items():
        for line in lines(name, pair(robot_text(name), floating)):
            faults += told(line)
    faults += growth()
    faults += precision_table()
    print("\n".join(faults) or "all limits are kept")
    return 1 if faults else 0


def told(line: Line) -> list[str]:
    """Print one line; return what is wrong with it."""
    what = f"{line.robot}, {line.quantity}, {line.states} states"
    result = line.measured()
    limit = "" if line.limit is None else f"  (at most {line.limit:g})"
    print(
        f"{line.robot:<17}{line.quantity:<18}{line.states:6d}{result.ours / line.states * 1e6:9.2f}"
        f"{result.theirs / line.states * 1e6:10.2f}{result.ratio:7.2f}{limit}",
        flush=True,
    )
    fault = line.fault(result)
    return [] if fault is None else [f"{what}: {fault}"]


def lines(name: str, robot: Pair) -> Iterator[Line]:
    """All that is compared for one robot."""
    for states in STATES:
        yield from quantities(name, robot, states)
    yield from animation(name, robot)


def quantities(name: str, robot: Pair, states: int) -> Iterator[Line]:
    """The lines of one robot for one number of states."""
    from dynarig.core.dynamics import forward_dynamics, inverse_dynamics, mass_matrix

    pin, model, data = robot.pin, robot.pin_model, robot.pin_data
    q, v, tau = robot.states(states, seed=states)
    peers = [robot.pin_q(q), robot.pin_v(v), robot.pin_v(tau)]
    own = [q, v, tau] if states > 1 else [q[0], v[0], tau[0]]
    order = robot.order

    def one_by_one(function: Callable[..., Any], *arguments: Any) -> Any:
        return np.array(
            [np.array(function(model, data, *state)) for state in zip(*arguments, strict=True)]
        )

    for quantity, ours, theirs, used, across in (
        ("forward dynamics", forward_dynamics, pin.aba, 3, False),
        ("inverse dynamics", inverse_dynamics, pin.rnea, 3, False),
        ("mass matrix", mass_matrix, pin.crba, 1, True),
    ):
        call = partial(ours, robot.model, *own[:used])
        loop = peer_call(theirs, robot, peers[:used])
        expected = one_by_one(theirs, *peers[:used])
        value = call()[..., order]
        if across:
            value = value[..., order, :]
            expected = np.triu(expected) + np.triu(expected, 1).swapaxes(-1, -2)
        yield Line(name, quantity, states, call, loop, difference(value, expected))
    yield poses(name, robot, states)


def poses(name: str, robot: Pair, states: int) -> Line:
    """The poses of all links."""
    from dynarig.core.dynamics import link_poses

    q, _, _ = robot.states(states, seed=7)
    peers = robot.pin_q(q)
    call = partial(link_poses, robot.model, q if states > 1 else q[0])
    off = difference(link_poses(robot.model, q[-1]), robot.pin_poses(peers[-1]))
    off = max(off, difference(call().reshape(states, -1)[-1], robot.pin_poses(peers[-1]).ravel()))
    loop = peer_call(robot.pin.framesForwardKinematics, robot, [peers])
    return Line(name, "poses", states, call, loop, off)


def animation(name: str, robot: Pair) -> Iterator[Line]:
    """The poses of all links over the frames of an animation."""
    line = poses(name, robot, FRAMES)
    q, _, _ = robot.states(FRAMES, seed=7)
    peers = robot.pin_q(q)
    yield replace(line, theirs=partial(in_two_steps, robot, peers))
    yield replace(line, quantity="poses, kept", theirs=partial(all_poses, robot, peers))


def in_two_steps(robot: Pair, states: Any) -> None:
    """The peer's poses of joints, then of links, in a loop that keeps nothing."""
    forward, update = robot.pin.forwardKinematics, robot.pin.updateFramePlacements
    model, data = robot.pin_model, robot.pin_data
    for q in states:
        forward(model, data, q)
        update(model, data)


def all_poses(robot: Pair, states: Any) -> Any:
    """The peer's poses of all links at all states, (states, links, 4, 4)."""
    return np.array([robot.pin_poses(q) for q in states])


def peer_call(function: Callable[..., Any], robot: Pair, arguments: list[Any]) -> Work:
    """The peer's function for all states: one call, or a loop that keeps nothing."""
    if len(arguments[0]) == 1:
        state = (values[0] for values in arguments)
        return partial(function, robot.pin_model, robot.pin_data, *state)
    return partial(in_a_loop, function, robot.pin_model, robot.pin_data, arguments)


def in_a_loop(function: Callable[..., Any], model: Any, data: Any, arguments: list[Any]) -> None:
    """The peer's function for each state."""
    for state in zip(*arguments, strict=True):
        function(model, data, *state)


def difference(value: Any, expected: Any) -> float:
    """The largest difference, as a part of the largest entry."""
    return float(np.abs(value - expected).max() / np.abs(expected).max())


def growth() -> list[str]:
    """Print the cost of one forward dynamics against the number of links."""
    from dynarig.core.dynamics import forward_dynamics

    print("\none forward dynamics, µs")
    print(
        f"{'links':>5}{'chain':>9}{'pinocchio':>10}{'ratio':>7}{'bush':>9}{'pinocchio':>10}", end=""
    )
    print(f"{'ratio':>7}")
    faults = []
    for links in LINKS:
        row = f"{links:5d}"
        for bush in (False, True):
            grown = pair(tree_text(links, bush), floating=False)
            q, v, tau = (values[0] for values in grown.states(1, seed=links))
            call = partial(forward_dynamics, grown.model, q, v, tau)
            peers = [grown.pin_q(q), grown.pin_v(v), grown.pin_v(tau)]
            aba = partial(grown.pin.aba, grown.pin_model, grown.pin_data, *peers)
            result = compared(call, aba, SECONDS)
            row += f"{result.ours * 1e6:9.1f}{result.theirs * 1e6:10.2f}{result.ratio:7.2f}"
            kind = "bush" if bush else "chain"
            slow = links == 100 and result.ours > SLOWEST
            if slow and median_time(call, AGAIN) > SLOWEST:
                faults.append(f"{kind} of {links} links: {result.ours * 1e3:.1f} ms, wanted 3 ms")
            off = difference(call()[grown.order], aba())
            if not off < SAME:
                faults.append(f"{kind} of {links} links: results differ by {off:.1e}")
        print(row, flush=True)
    return faults


if __name__ == "__main__":
    sys.exit(main())
