"""Constraints of mechanisms against closed forms, balances and joints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ....close import assert_close
from .benches import joined, shafts

T = np.linspace(0.0, 1.0, 5)
G = 9.80665


def test_a_gear_train_turns_as_its_teeth_say() -> None:
    """Three shafts at ratios -2 and -2 have the inertia I0 + 4 I1 + 16 I2 at the first."""
    from dynarig.core.mechanism import planar

    inertia = [2.0, 0.5, 0.25]
    mechanism = shafts(
        3,
        planar.Gear("first", joint_a="shaft0", joint_b="shaft1", radius_a=1.0, radius_b=0.5),
        planar.Gear("second", joint_a="shaft1", joint_b="shaft2", ratio=-2.0),
        planar.TorqueMotor("motor", joint="shaft0", tau=4.0),
        inertia=inertia,
        starts=[1.0, -2.0, 4.0],
    )
    sol = mechanism.simulate(1.0, tolerance=1e-11)
    gain = 4.0 / (2.0 + 4 * 0.5 + 16 * 0.25)
    speed, ratios = 1.0 + gain * T, np.array([1.0, -2.0, 4.0])
    for index, ratio in enumerate(ratios):
        assert_close(sol(T, f"shaft{index}.w"), ratio * speed, atol=1e-11)
        assert_close(sol(T, f"shaft{index}.phi"), ratio * (T + 0.5 * gain * T**2), atol=1e-11)
    energy = sum(0.5 * inertia[k] * sol(T, f"shaft{k}.w") ** 2 for k in range(3))
    assert_close(energy - energy[0], 4.0 * sol(T, "shaft0.phi"), atol=1e-11)
    # what turns each shaft beyond a gear
    assert_close(sol(T, "second.torque"), 0.25 * 4.0 * gain, atol=1e-11)
    both = -2.0 * gain * 0.5 + 2.0 * sol(T, "second.torque") * -1.0
    assert_close(sol(T, "first.torque"), both, atol=1e-11)
    assert_close(sol(T, "first.displacement")[:, 0], -3.0 * sol(T, "shaft0.phi"), atol=1e-11)
    assert_close(sol(T, "first.velocity")[:, 0], -3.0 * speed, atol=1e-11)
    assert_close(sol(T, "first.equation"), np.zeros((5, 1)), atol=1e-12)


def test_a_differential_shares_its_torque() -> None:
    """2 carrier = left + right: equal torques on unequal wheels."""
    from dynarig.core.mechanism import planar

    relation = {"shaft0": 2.0, "shaft1": -1.0, "shaft2": -1.0}
    mechanism = shafts(
        3,
        planar.LinearRelation("differential", coefficients=relation),
        planar.TorqueMotor("motor", joint="shaft0", tau=3.0),
        inertia=[0.5, 1.0, 3.0],
    )
    sol = mechanism.simulate(1.0)
    left, right = sol(T, "shaft1.w"), sol(T, "shaft2.w")
    assert_close(1.0 * left, 3.0 * right, atol=1e-12)
    assert_close(2.0 * sol(T, "shaft0.w"), left + right, atol=1e-12)
    # 3 - 0.5 a0 = 2 x with x = 1 a1 = 3 a2 and 2 a0 = a1 + a2
    assert_close(left, 3.0 / (2.0 + 0.5 * (1 + 1 / 3) / 2) * T, atol=1e-12)
    assert_close(sol(T, "differential.displacement"), np.zeros((5, 1)), atol=1e-12)


def test_a_rack_falls_with_its_pinion() -> None:
    from dynarig.core.mechanism import planar

    world, slide = planar.World("world", g=G), planar.Prismatic("rack", n=(0, -1))
    hinge, wheel = planar.Revolute("pinion"), planar.Body("wheel", I=0.3)
    load = planar.Body("load", m=2.0)
    rack = planar.RackAndPinion("teeth", pinion=hinge, rack=slide, radius=0.5)
    parts = [world, slide, load, hinge, wheel, rack]
    mechanism = joined("rack", parts, chains=[(world, slide, load), (world, hinge, wheel)])
    sol = mechanism.simulate(1.0)
    gain = 2.0 * G / (2.0 + 0.3 / 0.25)
    assert_close(sol(T, "rack.s"), 0.5 * gain * T**2, atol=1e-11)
    assert_close(sol(T, "pinion.phi"), gain * T**2, atol=1e-11)
    assert_close(sol(T, "teeth.push"), 2.0 * (gain - G), atol=1e-11)


def test_a_thread_and_a_screw_between_frames_are_the_screw_joint() -> None:
    """A nut that falls along a vertical thread, by a joint, by a cylindrical one, and free."""
    from dynarig.core.mechanism import spatial

    pitch, axis = 0.05, (0.0, 0.0, 1.0)
    heights = []
    for case in ("joint", "coordinates", "frames"):
        world, nut = spatial.World("world", g=G), spatial.Body("nut", m=2.0, I=0.01)
        extra: list[Any] = []
        if case == "joint":
            extra = [spatial.Screw("thread", n=axis, pitch=pitch)]
        elif case == "coordinates":
            guide = spatial.Cylindrical("guide", n=axis)
            thread = spatial.Thread("thread", turn="guide.phi", slide="guide.s", pitch=pitch)
            extra = [guide, thread]
        else:
            extra = [spatial.ScrewConstraint("thread", n=axis, pitch=pitch)]
        chain = (world, extra[0], nut)
        sol = joined(case, [*chain, *extra[1:]], chains=[chain]).simulate(1.0, tolerance=1e-10)
        heights.append(sol(T, "nut.frame_a.r_0")[:, 2])
    gain = G / (1.0 + 0.01 / (2.0 * pitch**2))
    for height in heights:
        assert_close(height, -0.5 * gain * T**2, atol=1e-9)


def test_a_disc_rolls_down_a_slope() -> None:
    """a = g sin(slope) / (1 + I / (m r^2)); the plane carries m g cos(slope)."""
    from dynarig.core.mechanism import planar

    m, r, inertia, slope = 2.0, 0.5, 0.3, 0.4
    down, up = np.array([np.cos(slope), -np.sin(slope)]), np.array([np.sin(slope), np.cos(slope)])
    world = planar.World("world", g=G)
    body = planar.Body("disc", m=m, I=inertia, r0=r * up, phi0=0.0)
    wheel = planar.RollingWheel("roll", radius=r, n=down)
    links = (world.frame_b, wheel.frame_a), (wheel.frame_b, body.frame_a)
    sol = joined("slope", [world, body, wheel], *links).simulate(1.0, tolerance=1e-11)
    gain = G * np.sin(slope) / (1.0 + inertia / (m * r * r))
    path = 0.5 * gain * T**2
    assert_close(sol(T, "disc.r"), r * up + path[:, None] * down, atol=1e-10)
    assert_close(sol(T, "disc.phi"), -path / r, atol=1e-10)
    assert_close(sol(T, "roll.normal"), m * G * np.cos(slope), atol=1e-10)
    assert_close(sol(T, "roll.traction"), m * (gain - G * np.sin(slope)), atol=1e-10)
    assert_close(sol(T, "roll.displacement"), sol(T, "disc.r"), atol=1e-11)
    assert sol.trajectory.energy_drift < 1e-10


def test_a_coin_rolls_and_leans() -> None:
    """A thin disc, upright at the start: it never slips or leaves the plane, and keeps energy."""
    from dynarig.core.mechanism import spatial

    m, r, roll, turn = 1.0, 0.3, 5.0, 1.5
    world = spatial.World("world", g=G)
    inertia = np.diag([0.25 * m * r * r, 0.5 * m * r * r, 0.25 * m * r * r])
    speed = r * roll
    body = spatial.Body("coin", m=m, I=inertia, r0=(0, 0, r), v0=(speed, 0, 0), w0=(0, roll, turn))
    wheel = spatial.RollingWheel("wheel", radius=r)
    links = (world.frame_b, wheel.frame_a), (wheel.frame_b, body.frame_a)
    sol = joined("coin", [world, body, wheel], *links).simulate(1.0, tolerance=1e-11)
    t = np.linspace(0.0, 1.0, 21)
    velocity, omega = sol(t, "coin.v"), sol(t, "coin.w")
    axis = sol(t, "coin.R")[..., 1]
    up = np.array([0.0, 0.0, 1.0]) - axis[:, 2:] * axis
    up /= np.linalg.norm(up, axis=-1)[:, None]
    slip = velocity + np.cross(omega, -r * up)
    assert_close(slip, np.zeros((21, 3)), atol=1e-9)
    lean = np.sqrt(1.0 - axis[:, 2] ** 2)
    assert_close(sol(t, "coin.r")[:, 2], r * lean, atol=1e-11)
    assert sol.trajectory.energy_drift < 1e-9
    assert_close(sol(0.0, "coin.v"), [speed, 0, 0], atol=1e-12)


def test_a_cable_over_a_pulley_is_atwood_s_machine() -> None:
    from dynarig.core.mechanism import planar

    heavy, light = 3.0, 1.0
    world = planar.World("world", g=G)
    left, right = planar.Fixed("left", r=(-1, 0)), planar.Fixed("right", r=(1, 0))
    pulley = planar.Fixed("pulley", r=(0, 2))
    slides = [planar.Prismatic(f"slide{k}", n=(0, -1)) for k in range(2)]
    masses = [planar.Body("heavy", m=heavy), planar.Body("light", m=light)]
    tops = planar.Fixed("top left", r=(-1, 2)), planar.Fixed("top right", r=(1, 2))
    cable = planar.Cable("cable", length=4.0 + 2.0, through=3)
    parts = [world, left, right, pulley, *slides, *masses, *tops, cable]
    mechanism = joined(
        "atwood",
        parts,
        (left.frame_b, slides[0].frame_a),
        (slides[0].frame_b, masses[0].frame_a, cable.frame_a),
        (tops[0].frame_b, cable.frame("frame_1")),
        (pulley.frame_b, cable.frame("frame_2")),
        (tops[1].frame_b, cable.frame("frame_3")),
        (right.frame_b, slides[1].frame_a),
        (slides[1].frame_b, masses[1].frame_a, cable.frame_b),
    )
    t = np.linspace(0.0, 0.5, 5)
    sol = mechanism.simulate(0.5, tolerance=1e-11)
    gain = G * (heavy - light) / (heavy + light)
    assert_close(sol(t, "slide0.s"), 0.5 * gain * t**2, atol=1e-11)
    assert_close(sol(t, "slide1.s"), -0.5 * gain * t**2, atol=1e-11)
    assert_close(sol(t, "cable.tension"), 2 * heavy * light * G / (heavy + light), atol=1e-10)
    assert_close(sol(t, "cable.length"), 6.0, atol=1e-11)
    assert_close(sol(t, "cable.velocity"), np.zeros((5, 1)), atol=1e-11)


def test_a_rod_and_a_ball_joint_swing_alike() -> None:
    """A point mass on a rod from the world, by a distance and by a universal joint."""
    from dynarig.core.mechanism import spatial

    length, t = 0.7, np.linspace(0.0, 1.0, 5)
    start, speed = np.array([length, 0.0, 0.0]), np.array([0.0, 1.1, 0.0])
    world = spatial.World("world", g=G)
    body = spatial.Body("bob", m=2.0, I=0.1, r0=start, v0=speed)
    rod = spatial.DistanceConstraint("rod", length=length)
    links = (world.frame_b, rod.frame_a), (rod.frame_b, body.frame_a)
    by_rod = joined("rod", [world, body, rod], *links).simulate(1.0, tolerance=1e-11)
    world = spatial.World("world", g=G)
    joint = spatial.Universal("joint", n_a=(0, 0, 1), n_b=(0, 1, 0), w_a0=1.1 / length)
    arm, bob = spatial.FixedTranslation("arm", r=start), spatial.Body("bob", m=2.0, I=0.0)
    chain = (world, joint, arm, bob)
    by_joint = joined("joint", chain, chains=[chain]).simulate(1.0, tolerance=1e-11)
    assert_close(by_rod(t, "bob.r"), by_joint(t, "bob.frame_a.r_0"), atol=1e-8)
    # the rod pulls with m (v^2 - g . r) / l
    r, v = by_rod(t, "bob.r"), by_rod(t, "bob.v")
    pull = 2.0 * ((v * v).sum(axis=-1) - G * r[:, 2]) / length
    assert_close(by_rod(t, "rod.tension"), pull, atol=1e-7)
    assert by_rod.trajectory.energy_drift < 1e-9


def test_a_prescribed_frame_is_where_it_is_told_to_be() -> None:
    from dynarig.core.mechanism import planar, spatial

    def pose(t: Any) -> Any:
        c, s = np.cos(t), np.sin(t)
        return np.array([[c, -s, 0, np.sin(2 * t)], [s, c, 0, t], [0, 0, 1, 0.5], [0, 0, 0, 1]])

    body = spatial.Body("body", m=2.0, I=0.3, r0=(0, 0, 0.5), v0=(2, 1, 0), w0=(0, 0, 1))
    drive = spatial.PrescribedFrame("drive", motion=pose)
    sol = joined(
        "driven", [spatial.World("world", g=G), body, drive], (body.frame_a, drive.frame_b)
    ).simulate(1.0)
    poses = np.array([pose(t) for t in T])
    assert_close(sol(T, "body.r"), poses[:, :3, 3], atol=1e-11)
    assert_close(sol(T, "body.R"), poses[:, :3, :3], atol=1e-11)
    assert_close(sol(T, "drive.displacement"), poses[:, :3, 3], atol=1e-11)
    # f = m (a - g): along the target's axes the rows have lambda = -f
    gain = np.stack((-4 * np.sin(2 * T), 0 * T, 0 * T + G), axis=-1)
    force = (poses[:, :3, :3].swapaxes(-1, -2) @ gain[..., None])[..., 0]
    assert_close(sol(T, "drive.force")[:, :3], -2.0 * force, atol=1e-9)

    flat = planar.Body("body", m=2.0, I=0.3, v0=(2, 1), w0=3.0)
    drive = planar.PrescribedFrame("drive", motion=lambda t: (np.sin(2 * t), t, 3.0 * t))
    sol = joined(
        "driven", [planar.World("world", g=G), flat, drive], (flat.frame_a, drive.frame_b)
    ).simulate(1.0)
    assert_close(sol(T, "body.r"), np.stack((np.sin(2 * T), T), axis=-1), atol=1e-11)
    assert_close(sol(T, "body.phi"), 3.0 * T, atol=1e-11)


def test_a_prescribed_coordinate_is_a_prescribed_motion() -> None:
    """By a constraint and without one: the same motion, torque and power."""
    from dynarig.core.mechanism import planar

    def motion(t: Any) -> Any:
        return 0.3 * np.sin(3.0 * t)

    found = []
    for drive in (
        planar.PrescribedMotion("drive", joint="hinge", phi=motion),
        planar.PrescribedCoordinate("drive", coordinate="hinge", motion=motion),
        planar.PrescribedCoordinate(
            "drive",
            coordinate="hinge",
            motion=lambda t: (motion(t), 0.9 * np.cos(3 * t), -2.7 * np.sin(3 * t)),
        ),
    ):
        world, hinge = planar.World("world", g=G), planar.Revolute("hinge", w0=0.9)
        rod, body = planar.FixedTranslation("rod", r=(0.5, 0)), planar.Body("body", m=2.0)
        chain = (world, hinge, rod, body)
        sol = joined("driven", [*chain, drive], chains=[chain]).simulate(1.0)
        found.append(
            [sol(T, name) for name in ("hinge.phi", "hinge.w", "drive.tau", "drive.power")]
        )
        if hasattr(drive, "motion"):
            assert_close(sol(T, "drive.displacement")[:, 0], motion(T), atol=1e-11)
    for other in found[1:]:
        assert_close(other, found[0], atol=1e-7)


def test_a_coordinate_of_a_free_body_is_driven() -> None:
    """The height of a body that is otherwise free to move and to turn."""
    from dynarig.core.mechanism import spatial

    body = spatial.Body("body", m=2.0, I=(0.2, 0.3, 0.4), v0=(1, 0, 0.6), w0=(0.4, 1.0, -0.3))
    lift = spatial.PrescribedCoordinate(
        "lift", coordinate="body.z", motion=lambda t: 0.3 * np.sin(2.0 * t)
    )
    sol = joined("lift", [spatial.World("world", g=G), body, lift]).simulate(1.0, tolerance=1e-11)
    height = 0.3 * np.sin(2 * T)
    assert_close(sol(T, "body.r"), np.stack((T, 0 * T, height), axis=-1), atol=1e-10)
    assert_close(sol(T, "lift.tau"), 2.0 * (G - 4.0 * height), atol=1e-9)
    assert_close(sol(T, "lift.velocity")[:, 0], 0.6 * np.cos(2 * T), atol=1e-10)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_pairs_hold_their_frames_together(space: str) -> None:
    """A weld of a swinging lever's end to a free body: as one body with the mass of both."""
    from dynarig.core.mechanism import planar, spatial

    kinds = {"planar": planar, "spatial": spatial}[space]
    axis = {} if space == "planar" else {"n": (0, 1, 0)}
    reach = (1.0, 0.0) if space == "planar" else (1.0, 0.0, 0.0)
    t, angles = np.linspace(0.0, 1.0, 5), []
    for tied in (False, True):
        world, hinge = kinds.World("world", g=G), kinds.Revolute("hinge", **axis)
        arm, body = kinds.FixedTranslation("arm", r=reach), kinds.Body("body", m=1.0, I=0.1)
        chain = [world, hinge, arm, body]
        if tied:
            other = kinds.Body("other", m=2.0, I=0.3, r0=reach)
            weld = kinds.WeldConstraint("weld")
            mechanism = joined("tied", [*chain, other, weld], chains=[chain])
            mechanism.connect(body.frame_a, weld.frame_a)
            mechanism.connect(weld.frame_b, other.frame_a)
        else:
            chain[-1] = kinds.Body("body", m=3.0, I=0.4)
            mechanism = joined("whole", chain, chains=[chain])
        sol = mechanism.simulate(1.0, tolerance=1e-11)
        angles.append(sol(t, "hinge.phi"))
        if tied:
            assert_close(sol(t, "weld.displacement"), np.zeros((5, len(reach))), atol=1e-11)
            assert_close(sol(t, "weld.velocity"), np.zeros((5, len(reach))), atol=1e-11)
    assert_close(angles[1], angles[0], atol=1e-9)
