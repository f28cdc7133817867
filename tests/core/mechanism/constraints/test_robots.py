"""Constraints between links and joints of a robot description."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....close import assert_close
from .benches import joined

T = np.linspace(0.0, 1.0, 5)


def link(name: str, x: float = 0.0, z: float = 0.0) -> str:
    return f"""<link name="{name}"><inertial><origin xyz="{x} 0 {z}"/><mass value="1"/><inertia
        ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>"""


def joint(name: str, parent: str, child: str, x: float = 0.0, z: float = 0.0) -> str:
    return f"""<joint name="{name}" type="continuous"><parent link="{parent}"/>
        <child link="{child}"/><origin xyz="{x} 0 {z}"/><axis xyz="0 1 0"/></joint>"""


def tip(name: str, parent: str, x: float = 0.0, z: float = 0.0) -> str:
    return f"""<link name="{name}"/><joint name="to_{name}" type="fixed"><parent link="{parent}"/>
        <child link="{name}"/><origin xyz="{x} 0 {z}"/></joint>"""


def swing(*extra: Any, **start: float) -> Any:
    """Two bars of 0.5 m that hang 0.4 m apart, and a third of 0.4 m at the end of the first."""
    from dynarig.core.mechanism import spatial
    from dynarig.core.urdf import parse_urdf

    text = (
        '<robot name="swing"><link name="base"/>'
        + link("left", z=-0.25)
        + link("seat", x=0.2)
        + link("right", z=-0.25)
        + joint("a", "base", "left")
        + joint("b", "left", "seat", z=-0.5)
        + joint("c", "base", "right", x=0.4)
        + tip("seat_end", "seat", x=0.4)
        + tip("right_end", "right", z=-0.5)
        + "</robot>"
    )
    world = spatial.World("world", g=9.81)
    robot = spatial.Robot("swing", parse_urdf(text), q0=start)
    mechanism = joined("park", [world, robot, *extra], (world.frame_b, robot.frame_a))
    for constraint in extra:
        if constraint.frames:
            mechanism.connect(robot.frame("seat_end"), constraint.frame_a)
            mechanism.connect(robot.frame("right_end"), constraint.frame_b)
    return mechanism


def test_links_that_are_tied_close_a_loop() -> None:
    """A parallelogram: both bars turn alike and the seat stays level, by 2, 3 or 5 rows."""
    from dynarig.core.mechanism import spatial

    answers = []
    for kind, given in (
        ("PlanarHinge", {"n": (0, 1, 0)}),
        ("Ball", {}),
        ("Hinge", {"n": (0, 1, 0)}),
    ):
        loop = getattr(spatial, kind)("loop", **given)
        sol = swing(loop, a=0.6, b=-0.6, c=0.6).simulate(1.0, tolerance=1e-10)
        a, b, c = (sol(T, f"swing.{name}.phi") for name in "abc")
        assert_close(b, -a, atol=1e-10)
        assert_close(c, a, atol=1e-10)
        assert sol.trajectory.energy_drift < 1e-9
        answers.append(a)
    assert_close(answers[1:], [answers[0]] * 2, atol=1e-8)
    assert np.ptp(answers[0]) > 0.5


def test_joints_are_tied_by_name_or_by_themselves() -> None:
    """One follows another at twice its angle and 0.2 rad more."""
    from dynarig.core.mechanism import spatial

    tie = {"follower": "swing.b", "multiplier": 2.0, "offset": 0.2}
    by_name = spatial.Mimic("tie", leader="swing.a", **tie)
    sol = swing(by_name, a=1.0, b=2.2).simulate(1.0, tolerance=1e-10)
    a, b = sol(T, "swing.a.phi"), sol(T, "swing.b.phi")
    assert_close(b, 2.0 * a + 0.2, atol=1e-12)
    assert sol.trajectory.energy_drift < 1e-9
    assert np.ptp(a) > 0.3
    mechanism = swing()
    mechanism.add(spatial.Mimic("tie", leader=mechanism.components["swing"].joint("a"), **tie))
    (own,) = mechanism.compile().system.constraints
    assert (own.leader, own.follower) == ("swing.a", "swing.b")
