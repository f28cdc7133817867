"""Spatial loops: every kind of joint closes them, and so do robots; closed forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ...close import assert_close
from .loop_benches import cut, tight

TIMES = np.linspace(0.0, 1.5, 7)


def single_loop(name: str, base: Any, bars: Sequence[Any], joints: Any, order: Any) -> Any:
    """World, joint, bar, joint, bar, …, joint, base; the joints are given in that order."""
    from dynarig.core.mechanism import Mechanism, spatial

    world = spatial.World("world", g=3.0)
    mechanism = Mechanism(name, [world, base, *bars, *(joints[index] for index in order)])
    parts = [world]
    for joint, bar in zip(joints, [*bars, None], strict=True):
        parts += [joint] if bar is None else [joint, bar]
    mechanism.chain(*parts)
    mechanism.connect(joints[-1].frame_b, base.frame_b)
    return mechanism


def bars() -> list[Any]:
    from dynarig.core.mechanism import spatial

    ends = (0.0, 0.5, 0.3), (1.0, 0.2, 0.9), (0.3, 0.8, 0.5)
    return [
        spatial.BodyShape(f"b{index}", r=r, m=1.0 + index, I=(0.05, 0.06, 0.07))
        for index, r in enumerate(ends)
    ]


def loop_of(kind: str, order: Sequence[int]) -> Any:
    """Mechanisms of one degree of freedom, with every joint that has an axis, or a ball."""
    from dynarig.core.mechanism import spatial

    base = spatial.Fixed("base", r=(1.3, 1.2, 1.4), n=(1, 2, 3), angle=0.5)
    crank = spatial.Revolute("j0", n=(0, 0, 1), phi0=0.3, w0=1.0)
    joints = {
        "cylinders": lambda: [
            spatial.Cylindrical("j1", n=(0, 1, 0.3)),
            spatial.Cylindrical("j2", n=(1, 1, 0)),
            spatial.Cylindrical("j3", n=(1, 0.2, 0.1)),
        ],
        "plane": lambda: [
            spatial.Universal("j1", n_a=(0, 1, 0), n_b=(0.6, 0, 0.8)),
            spatial.Prismatic("j2", n=(1, 1, 0)),
            spatial.Planar("j3", n=(1, 0.2, 0.1)),
        ],
        "ball": lambda: [
            spatial.Spherical("j1"),
            spatial.Universal("j2", n_a=(1, 0, 0), n_b=(0, 1, 0)),
            spatial.Prismatic("j3", n=(0.1, 0.2, 1)),
        ],
        "thread": lambda: [
            spatial.Spherical("j1"),
            spatial.Universal("j2", n_a=(1, 0, 0), n_b=(0, 1, 0)),
            spatial.Screw("j3", n=(0.1, 0.2, 1), pitch=0.1),
        ],
        # none of these can be cut as it is
        "odd": lambda: [
            spatial.Spherical("j1", orientation_state="euler", d=0.05),
            spatial.Universal("j2", n_a=(1, 0, 0), n_b=(0.3, 1, 0)),
            spatial.Screw("j3", n=(0.1, 0.2, 1), pitch=2.0, d=0.02),
        ],
    }[kind]()
    return single_loop(kind, base, bars(), [crank, *joints], order)


KINDS = [
    *(("cylinders", order) for order in ((0, 1, 3, 2), (0, 2, 3, 1))),
    *(("plane", order) for order in ((0, 1, 3, 2), (0, 2, 3, 1))),
    *(("ball", order) for order in ((0, 1, 3, 2), (0, 2, 3, 1))),
    *(("thread", order) for order in ((0, 1, 3, 2), (0, 2, 3, 1))),
    *(("odd", order) for order in ((0, 1, 3, 2), (0, 2, 3, 1), (1, 2, 3, 0))),
]


@pytest.fixture(scope="module")
def usual() -> dict[str, Any]:
    """Cut at the last joint."""
    return {kind: tight(loop_of(kind, range(4)), TIMES) for kind, _ in KINDS}


@pytest.mark.parametrize(("kind", "order"), KINDS)
def test_cut_elsewhere_it_is_the_same(usual: Any, kind: str, order: Any) -> None:
    expected, mechanism = usual[kind], loop_of(kind, order)
    assert cut(mechanism) == [f"j{order[-1]}"]
    assert expected.compiled.loops[0][-1] == "j3"
    assert mechanism.compile().freedom == 1
    sol = tight(mechanism, TIMES)
    assert np.ptp(expected(TIMES, "j0.phi")) > 0.1
    for name in expected.names:
        loose = name.split(".")[-1] in ("a", "wd", "f", "tau", "a_x", "a_y", "a_cm")
        if name.split(".")[-1] in ("Q", "Q_hat") and "frame" in name:
            continue  # whose sign is chosen at each instant
        if name.split(".")[-1] in ("equation", "force"):
            continue  # of the joint that is cut alone
        assert_close(
            sol(TIMES, name), expected(TIMES, name), atol=1e-6 if loose else 1e-8, err_msg=name
        )


def test_rates_of_a_cut_joint_are_those_of_its_coordinates(usual: Any, bench: Any) -> None:
    inner = TIMES[1:-1]
    for kind, pairs in (
        ("cylinders", [("phi", "w", "wd"), ("s", "v", "a")]),
        ("plane", [("x", "v_x", "a_x"), ("y", "v_y", "a_y"), ("phi", "w", "wd")]),
    ):
        for value, rate, gain in pairs:
            for of, its in ((value, rate), (rate, gain)):
                quotient = bench.rate(usual[kind], f"j3.{of}", inner)
                assert_close(usual[kind](inner, f"j3.{its}"), quotient, atol=1e-7, err_msg=its)


def test_a_slider_crank_in_the_plane_is_its_closed_form() -> None:
    from dynarig.core.mechanism import Mechanism, planar

    world, crank = planar.World("world", g=0.0), planar.Revolute("crank", w0=5.0)
    arm, rod = planar.BodyShape("arm", r=(0.3, 0), m=1.0), planar.BodyShape("rod", r=(1.0, 0))
    pins = [planar.Revolute("wrist"), planar.Revolute("pin")]
    block, slide = planar.Body("block", m=2.0), planar.Prismatic("slide", n=(1, 0))
    mechanism = Mechanism("engine", [world, crank, arm, *pins, rod, block, slide])
    mechanism.chain(world, crank, arm, pins[0], rod, pins[1], block)
    mechanism.chain(world, slide)
    mechanism.connect(slide.frame_b, block.frame_a)
    assert cut(mechanism) == ["slide"]
    sol = tight(mechanism, TIMES)
    phi = sol(TIMES, "crank.phi")
    beta = np.arcsin(0.3 * np.sin(phi))
    assert_close(sol(TIMES, "slide.s"), 0.3 * np.cos(phi) + np.cos(beta), atol=1e-10)
    assert_close(sol(TIMES, "rod.frame_a.phi"), -beta, atol=1e-10)
    assert_close(sol(TIMES, "block.frame_a.phi"), 0.0 * phi, atol=1e-10)


LINK = (
    '<link name="{0}"><inertial><origin xyz="{1} 0 0"/><mass value="{2}"/>'
    '<inertia ixx="0.03" iyy="0.04" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>'
)
JOINT = (
    '<joint name="{0}" type="{4}"><parent link="{1}"/><child link="{2}"/>'
    '<origin xyz="{3} 0 0"/><axis xyz="0 0 1"/></joint>'
)


def robot_loop(tmp_path: Any, tie: str, robot_last: bool = False) -> Any:
    """A robot of three links, tied to the world at its tip by a joint or by a constraint."""
    from dynarig.core.mechanism import Mechanism, spatial

    parts = ['<robot name="r"><link name="base"/><link name="tip"/>']
    parts += [LINK.format(*own) for own in (("a", 0.35, 1), ("b", 1.05, 2), ("c", 0.65, 1.5))]
    ends = (("h0", "base", "a", 0), ("h1", "a", "b", 0.7), ("h2", "b", "c", 2.1))
    parts += [JOINT.format(*own, "continuous") for own in ends]
    parts += [JOINT.format("end", "c", "tip", 1.3, "fixed"), "</robot>"]
    path = tmp_path / "bars.urdf"
    path.write_text("".join(parts))
    world = spatial.World("world", g=9.81, n=(0, -1, 0))
    arm = spatial.Robot("arm", path, q0={"h0": 0.4}, v0={"h0": 3.0})
    post = spatial.Fixed("post", r=(2.0, 0.3, 0.0))
    kind = {"joint": spatial.Revolute, "hinge": spatial.Hinge, "plane": spatial.PlanarHinge}[tie]
    h3 = kind("h3")
    mechanism = Mechanism("cell", [world, post, h3, arm] if robot_last else [world, arm, post, h3])
    mechanism.chain(world, arm)
    mechanism.connect(arm.frame("tip"), h3.frame_a)
    mechanism.connect(h3.frame_b, post.frame_b)
    return mechanism


@pytest.mark.parametrize(
    ("tie", "robot_last"), [("joint", False), ("joint", True), ("hinge", False), ("plane", False)]
)
def test_a_robot_closes_a_loop(tmp_path: Any, tie: str, robot_last: bool) -> None:
    from .loop_benches import four_bar

    expected = tight(four_bar(space="spatial"), TIMES)
    mechanism = robot_loop(tmp_path, tie, robot_last)
    assert cut(mechanism) == (["h3"] if tie == "joint" else [])
    sol = tight(mechanism, TIMES)
    for own, other in (
        ("arm.h0.phi", "h0.phi"),
        ("arm.h2.w", "h2.w"),
        ("h3.frame_a.f", "h3.frame_a.f"),
        ("post.frame_b.f", "post.frame_b.f"),
        ("world.frame_b.f", "world.frame_b.f"),
    ):
        assert_close(sol(TIMES, own), expected(TIMES, other), atol=1e-6, err_msg=own)
    assert_close(sol(TIMES, "arm.h1.f_cut"), -expected(TIMES, "h1.frame_b.f"), atol=1e-6)


def test_two_links_of_a_robot_are_tied_by_a_joint(tmp_path: Any) -> None:
    from dynarig.core.mechanism import Mechanism, spatial

    path = tmp_path / "tree.urdf"
    links = [LINK.format(*own) for own in (("a", 0.5, 1), ("b", 0.5, 1), ("c", 0.5, 2))]
    ends = (("h0", "base", "a", 0), ("h1", "base", "b", 1), ("h2", "a", "c", 1))
    parts = [*links, *(JOINT.format(*own, "continuous") for own in ends)]
    path.write_text(f'<robot name="r"><link name="base"/>{"".join(parts)}</robot>')
    world, tie = spatial.World("world", n=(0, -1, 0)), spatial.Revolute("tie")
    arm = spatial.Robot("arm", path, q0={"h0": 0.5, "h1": 0.5, "h2": -0.5})
    rods = [spatial.FixedTranslation(name, r=(1, 0, 0)) for name in ("left", "right")]
    mechanism = Mechanism("cell", [world, tie, arm, *rods])
    mechanism.chain(world, arm)
    mechanism.connect(arm.frame("c"), rods[0].frame_a)
    mechanism.connect(arm.frame("b"), rods[1].frame_a)
    mechanism.connect(rods[0].frame_b, tie.frame_a)
    mechanism.connect(rods[1].frame_b, tie.frame_b)
    assert cut(mechanism) == ["tie"]
    assert mechanism.compile().notice is None
    sol = tight(mechanism, 1.0)
    # a parallelogram: both arms turn alike, the bar between them stays as it is
    assert_close(sol(TIMES[:4], "arm.h0.phi"), sol(TIMES[:4], "arm.h1.phi"), atol=1e-10)
    assert_close(sol(TIMES[:4], "tie.phi"), sol(TIMES[:4], "arm.h1.phi"), atol=1e-10)
    assert_close(sol(TIMES[:4], "arm.c.R"), np.broadcast_to(np.eye(3), (4, 3, 3)), atol=1e-10)


def legs() -> list[tuple[Any, Any]]:
    """The ends (3,) of the legs of a platform, in the ground and in the platform."""
    out = []
    for leg in range(6):
        low, high = np.deg2rad([60.0 * leg + 10.0 * (-1) ** leg, 60.0 * leg - 15.0 * (-1) ** leg])
        start = np.array([np.cos(low), np.sin(low), 0.0])
        out.append((start, np.array([0.6 * np.cos(high), 0.6 * np.sin(high), 0.0])))
    return out


def platform(lengths: Any = None, *extra: Any) -> Any:
    """Six legs, of given lengths or sprung, between the ground and a platform 1 m above it."""
    from dynarig.core.mechanism import Mechanism, spatial

    world, top = spatial.World("world", n=(0, 0, -1)), spatial.Body("top", m=10.0, I=(0.5, 0.6, 1))
    mechanism = Mechanism("platform", [world, top, *extra])
    for component in extra:
        mechanism.chain(world, component, top)
    for leg, (start, end) in enumerate(legs()):
        way = end + np.array([0.0, 0.0, 1.0]) - start
        usual = float(np.linalg.norm(way))
        n = way / usual
        across = np.cross(n, (0.0, 0.0, 1.0))
        shift = None if lengths is None else float(lengths[leg]) - usual
        foot = spatial.Fixed(f"foot{leg}", r=start)
        parts = [
            foot,
            spatial.Universal(f"u{leg}", n_a=across, n_b=np.cross(n, across)),
            spatial.BodyShape(f"low{leg}", r=0.5 * n, m=0.5, I=0.01),
            spatial.Prismatic(f"p{leg}", n=n, s0=shift),
            spatial.BodyShape(f"high{leg}", r=way - 0.5 * n, m=0.3, I=0.01),
            spatial.Spherical(f"s{leg}"),
        ]
        arm = spatial.FixedTranslation(f"arm{leg}", r=end)
        spring = spatial.SpringDamper(f"k{leg}", c=2e3, d=50.0, s_unstretched=usual)
        mechanism.add(*parts, arm, spring)
        mechanism.chain(*parts)
        mechanism.connect(parts[-1].frame_b, arm.frame_b, spring.frame_b)
        mechanism.connect(arm.frame_a, top.frame_a)
        mechanism.connect(spring.frame_a, foot.frame_b)
    return mechanism


def test_a_platform_on_six_legs_keeps_the_pose_that_it_was_given() -> None:
    from dynarig.core.mechanism import spatial

    free = spatial.FreeMotion("free", r0=(0.02, 0.0, 1.0), v0=(0.05, 0, 0), w0=(0, 0, 0.3))
    mechanism = platform(None, free)
    compiled = mechanism.compile()
    assert (compiled.freedom, compiled.redundant) == (6, 0)
    assert cut(mechanism) == [f"s{leg}" for leg in range(6)]
    sol = tight(mechanism, 0.05)
    assert_close(sol(0.0, "top.r"), (0.02, 0.0, 1.0), atol=1e-12)
    assert_close(sol(0.0, "top.w"), (0.0, 0.0, 0.3), atol=1e-12)
    for leg in range(6):
        ends = [sol(0.05, f"{name}{leg}.frame_b.r_0") for name in ("high", "arm")]
        assert_close(*ends, atol=1e-11)


def test_the_lengths_of_six_legs_lead_to_the_pose_of_the_platform() -> None:
    from dynarig.core.frames import rotation_from_axis_angle

    turn, place = rotation_from_axis_angle((1, 2, 3), 0.3), np.array([0.1, -0.05, 1.15])
    lengths = [np.linalg.norm(place + turn @ end - start) for start, end in legs()]
    mechanism = platform(lengths)
    assert cut(mechanism) == [f"s{leg}" for leg in range(1, 6)]
    sol = tight(mechanism, 1e-3)
    assert_close(sol(0.0, "top.r"), place, atol=1e-11)
    assert_close(sol(0.0, "top.R"), turn, atol=1e-11)


def test_a_nut_beside_its_guide_runs_down_a_thread_of_many_turns() -> None:
    from dynarig.core.mechanism import Mechanism, spatial

    inertia, pitch = 0.1, 0.02
    world, nut = spatial.World("world", g=9.81, n=(0, 0, 1)), spatial.Body("nut", m=1.0, I=inertia)
    guide = spatial.Cylindrical("guide", n=(0, 0, 1))
    thread = spatial.Screw("thread", n=(0, 0, 1), pitch=pitch)
    mechanism = Mechanism("nut", [world, nut, guide, thread])
    mechanism.chain(world, guide, nut)
    mechanism.chain(world, thread, nut)
    assert cut(mechanism) == ["thread"]
    times = np.linspace(0.0, 6.0, 9)
    sol = tight(mechanism, times)
    fall = 0.5 * 9.81 * times**2 / (1.0 + inertia / pitch**2)
    assert fall[-1] / pitch > 4.0 * np.pi
    for name in ("thread.phi", "guide.phi"):
        assert_close(sol(times, name), fall / pitch, atol=1e-9, err_msg=name)
    assert_close(sol(times, "thread.s"), fall, atol=1e-11)
    assert_close(sol(times, "thread.w"), 2.0 * fall / pitch / np.maximum(times, 1e-9), atol=1e-9)
