"""What constraints do to the frames they join: forces balance, and loops answer as joints do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ....close import assert_close
from .benches import joined

T = np.linspace(0.0, 0.3, 4)
G = 9.80665


def test_forces_balance_at_every_connection_in_space(bench: Any) -> None:
    """A weld, a ball, a hinge, a rod, a cable over a point, a wheel, a driven and a held frame."""
    from dynarig.core.mechanism import spatial

    world = spatial.World("world", g=G)
    one = spatial.BodyShape("one", r=(0.5, 0, 0), m=1.0, r0=(0, 0, 2.0), w0=(0, 0, 0.2))
    two = spatial.Body("two", m=2.0, I=0.1, r0=(0.5, 0, 2.0), v0=(0, 0.1, 0), w0=(0.1, 0.3, 0.2))
    three = spatial.Body("three", m=1.5, I=0.2, r0=(0.5, 0, 1.0))
    four = spatial.Body("four", m=0.5, I=0.2, r0=(2.0, 0, 1.0))
    coin = spatial.Body(
        "coin", m=1.0, I=(0.1, 0.2, 0.1), r0=(3, 0, 0.4), v0=(0.4, 0, 0), w0=(0, 1, 0.3)
    )
    base = spatial.Body("base", m=1.0, I=0.1, r0=(3.0, 0, 0))
    held = spatial.Body("held", m=1.0, I=0.1, r0=(0, 1, 0))
    pulley = spatial.Fixed("pulley", r=(2.0, 0, 2.0))
    top = spatial.Fixed("top", r=(0, 0, 2.0))
    ball, join = spatial.Ball("ball"), spatial.Ball("join")
    rod = spatial.DistanceConstraint("rod", length=1.0)
    cable = spatial.Cable("cable", length=1.0 + np.hypot(1.5, 1.0), through=1)
    wheel = spatial.RollingWheel("wheel", radius=0.4)
    drive = spatial.PrescribedFrame(
        "drive", motion=lambda t: np.array([3.0, 0, 0.1 * t * t]), rows="position"
    )
    level = spatial.PrescribedFrame("level", motion=np.eye(3), rows="orientation")
    hold = spatial.Hold("hold")
    parts = [world, one, two, three, four, coin, base, held, pulley, top]
    parts += [ball, join, rod, cable, wheel, drive, level, hold]
    mechanism = joined(
        "all",
        parts,
        (top.frame_b, ball.frame_a),
        (ball.frame_b, one.frame_a),
        (one.frame_b, join.frame_a),
        (join.frame_b, two.frame_a, rod.frame_a),
        (rod.frame_b, three.frame_a, cable.frame_a),
        (pulley.frame_b, cable.frame("frame_1")),
        (cable.frame_b, four.frame_a),
        (base.frame_a, wheel.frame_a, drive.frame_b, level.frame_b),
        (wheel.frame_b, coin.frame_a),
        (held.frame_a, hold.frame_b),
    )
    sol = mechanism.simulate(0.3, tolerance=1e-10)
    bench.check_connections(sol, T, atol=1e-9)
    assert_close(sol(T, "hold.frame_b.f"), np.tile([0, 0, -G], (4, 1)), atol=1e-9)
    pull = np.linalg.norm(sol(T, "rod.frame_a.f"), axis=-1)
    assert_close(pull, np.abs(sol(T, "rod.tension")), atol=1e-9)
    assert_close(sol(T, "wheel.frame_b.f")[:, 2], -sol(T, "wheel.normal"), atol=1e-9)


def test_forces_balance_at_every_connection_in_a_plane(bench: Any) -> None:
    from dynarig.core.mechanism import planar

    world, top = planar.World("world", g=G), planar.Fixed("top", r=(0, 1))
    bar = planar.BodyShape("bar", r=(1, 0), r0=(0, 1), w0=0.5)
    bead = planar.Body("bead", r0=(1, 1), v0=(0, 0.5), w0=0.5)
    slider = planar.Body("slider", r0=(0.5, 0))
    pin, weld = planar.Hinge("pin"), planar.WeldConstraint("weld")
    rail, line = planar.PrismaticConstraint("rail"), planar.PointOnLine("line", n=(0, 1))
    mechanism = joined(
        "flat",
        [world, top, bar, bead, slider, pin, weld, rail, line, free := planar.Body("free")],
        (world.frame_b, rail.frame_a, line.frame_a),
        (top.frame_b, pin.frame_a),
        (pin.frame_b, bar.frame_a),
        (bar.frame_b, weld.frame_a),
        (weld.frame_b, bead.frame_a),
        (rail.frame_b, slider.frame_a),
        (line.frame_b, free.frame_a),
    )
    sol = mechanism.simulate(0.3, tolerance=1e-10)
    bench.check_connections(sol, T, atol=1e-9)
    assert_close(sol(T, "slider.r"), np.tile([0.5, 0.0], (4, 1)), atol=1e-10)


def test_a_four_bar_closed_by_a_joint_or_by_a_constraint() -> None:
    """Crank 1, coupler 3, rocker 2.5 over a ground of 3: the same motion either way."""
    from dynarig.core.mechanism import planar

    from ....core.constraints.mechanisms import COUPLER, CRANK, GROUND, ROCKER, four_bar_angles

    def built(how: str) -> Any:
        angles = four_bar_angles(1.0)
        world, far = planar.World("world", g=G), planar.Fixed("far", r=(GROUND, 0))
        pins = [planar.Revolute(f"pin{k}", phi0=angle) for k, angle in enumerate(angles)]
        bars = [
            planar.BodyShape(f"bar{k}", r=(length, 0))
            for k, length in enumerate((CRANK, COUPLER, ROCKER))
        ]
        last = planar.Revolute("last") if how == "joint" else planar.Hinge("last")
        chain = [world, pins[0], bars[0], pins[1], bars[1], pins[2], bars[2]]
        return joined(
            how,
            [*chain, far, last],
            (bars[2].frame_b, last.frame_b),
            (far.frame_b, last.frame_a),
            chains=[chain],
        ).simulate(0.3, tolerance=1e-10)

    sol, other = built("joint"), built("Hinge")
    for k in range(3):
        assert_close(sol(T, f"pin{k}.phi"), other(T, f"pin{k}.phi"), atol=1e-8)
        assert_close(sol(T, f"bar{k}.frame_b.fx"), other(T, f"bar{k}.frame_b.fx"), atol=1e-6)
    assert sol.trajectory.energy_drift < 1e-8


def test_a_gear_keeps_a_loop_s_joint_in_the_tree() -> None:
    """The last joint of a loop would be cut; a gear that names it needs its coordinate."""
    from dynarig.core.mechanism import planar
    from dynarig.core.simulate import ConstraintWarning

    world, far = planar.World("world", g=0.0), planar.Fixed("far", r=(1, 0))
    pins = [planar.Revolute(name) for name in ("a", "b", "c", "d")]
    for_bars = (("left", (0, 1)), ("across", (1, 0)), ("right", (0, -1)))
    bars = [planar.BodyShape(name, r=r) for name, r in for_bars]
    shaft, wheel = planar.Revolute("shaft", w0=-2.0), planar.Body("wheel")
    gear = planar.Gear("gear", joint_a="d", joint_b=shaft, ratio=2.0)
    chain = [world, pins[0], bars[0], pins[1], bars[1], pins[2], bars[2], pins[3]]
    mechanism = joined(
        "loop",
        [*chain, far, shaft, wheel, gear],
        (pins[3].frame_b, far.frame_b),
        chains=[chain, (world, shaft, wheel)],
    )
    with pytest.warns(ConstraintWarning, match="initial velocities"):
        sol = mechanism.simulate(0.3, tolerance=1e-10)
    assert_close(sol(T, "shaft.phi"), 2.0 * sol(T, "d.phi"), atol=1e-10)
    assert np.ptp(sol(T, "d.phi")) > 1e-2
    # a parallelogram: opposite bars turn alike
    assert_close(sol(T, "right.phi"), sol(T, "left.phi"), atol=1e-9)
