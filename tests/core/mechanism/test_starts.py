"""Initial values: beyond limits they are refused, and their size costs no digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError
from dynarig.core.mechanism import Mechanism, planar, spatial
from dynarig.core.urdf import parse_urdf

from ...close import assert_close

INF = float("inf")
PLANAR_AND_SPATIAL = [
    *(
        (getattr(planar, kind), start)
        for kind, start in (("Revolute", "phi0"), ("Prismatic", "s0"))
    ),
    *(
        (getattr(spatial, kind), start)
        for kind, start in (("Revolute", "phi0"), ("Prismatic", "s0"))
    ),
    (lambda name, **given: spatial.Screw(name, pitch=0.1, **given), "phi0"),
]
MIMIC = """<robot name="r"><link name="a"/>{links}{joints}</robot>"""


def robot_text() -> str:
    """j1 within 2 either way, j2 = -j1 + 0.5 and j3 = 2 j2, each with limits of its own."""
    inertial = (
        '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial>"
    )
    links = "".join(f'<link name="b{n}">{inertial}</link>' for n in (1, 2, 3))
    mimics = (
        "",
        '<mimic joint="j1" multiplier="-1" offset="0.5"/>',
        '<mimic joint="j2" multiplier="2"/>',
    )
    limits = (2.0, 1.0, 2.5)
    joints = "".join(
        f'<joint name="j{n}" type="revolute"><parent link="{"a" if n == 1 else f"b{n - 1}"}"/>'
        f'<child link="b{n}"/><axis xyz="0 0 1"/>'
        f'<limit lower="{-limits[n - 1]}" upper="{limits[n - 1]}" effort="1" velocity="1"/>'
        f"{mimics[n - 1]}</joint>"
        for n in (1, 2, 3)
    )
    return MIMIC.format(links=links, joints=joints)


@pytest.mark.parametrize(("part", "start"), PLANAR_AND_SPATIAL)
@pytest.mark.parametrize("limits", [(-INF, 1.0), (-1.0, 1.0), (-1.0, INF)])
def test_a_start_beyond_a_limit_is_refused(part: Any, start: str, limits: Any) -> None:
    for beyond in (1.5, -1.5):
        inside = limits[0] <= beyond <= limits[1]
        if inside:
            part("j", **{start: beyond, "limits": limits})
            continue
        message = (
            rf"'j': {start}: .* within the limits, .*{limits[0]:g} to {limits[1]:g}, got {beyond}"
        )
        with pytest.raises(ArgumentError, match=message):
            part("j", **{start: beyond, "limits": limits})
    for bound in limits:
        if np.isfinite(bound):
            part("j", **{start: bound, "limits": limits})
            part("j", **{start: np.nextafter(bound, 9.0 * bound), "limits": limits})


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (3.0, r"Robot 'arm': q0\['j1'\]: .* limits, -2 to 2, got 3$"),
        (-1.0, r"Robot 'arm': q0\['j1'\] \(joint 'j2' follows it\): .* -1 to 1, got 1.5$"),
        (-0.9, r"Robot 'arm': q0\['j1'\] \(joint 'j2' follows it\)"),
        (-0.8, r"Robot 'arm': q0\['j1'\] \(joint 'j2' .* 1.3$"),
        (1.5, None),
        (-0.5, None),
    ],
)
def test_starts_of_a_robot_beyond_limits(start: float, message: str | None) -> None:
    robot = parse_urdf(robot_text(), "r.urdf")
    if message is None:
        arm = spatial.Robot("arm", robot, q0={"j1": start})
        mechanism = Mechanism("m", [spatial.World("world"), arm])
        mechanism.chain(*mechanism.components.values())
        assert_close(mechanism.compile().q, [start], atol=0.0)
        return
    with pytest.raises(ArgumentError, match=message):
        spatial.Robot("arm", robot, q0={"j1": start})


@pytest.mark.parametrize("length", [1e-320, 1e-200, 1e-170, 1e-20, 3.0, 1e20, 1e160, 1e200, 1e308])
def test_directions_of_any_length(length: float) -> None:
    way = np.array([0.6, 0.0, -0.8])
    rounding = 1e-15 if length > 1e-300 else 1e-3
    for axis in (
        spatial.Revolute("j", n=length * way).n,
        spatial.Universal("j", n_a=length * way).n_a,
        spatial.World("w", n=length * way).gravity / 9.80665,
        spatial.TorsionSpring("s", n=length * way).axis,
    ):
        assert_close(axis, way, atol=rounding)
    for axis in (
        planar.Prismatic("j", n=length * way[[0, 2]]).n,
        planar.World("w", n=length * way[[0, 2]]).gravity[:2] / 9.80665,
    ):
        assert_close(axis, way[[0, 2]], atol=rounding)


def test_gravity_of_a_direction_of_any_length_acts() -> None:
    for length in (1e-200, 1.0, 1e200):
        world = spatial.World("world", n=(0, 0, -length))
        sol = Mechanism("fall", [world, spatial.Body("body")]).simulate(1.0)
        assert_close(sol(1.0, "body.r"), [0.0, 0.0, -0.5 * 9.80665], atol=1e-9)


@pytest.mark.parametrize(
    "length", [5e-324, 1e-200, 1e-90, 1e-11, 1e-3, 1e3, 1e11, 1e90, 1e200, 1e308]
)
def test_quaternions_of_any_length_start_the_same_motion(length: float) -> None:
    def turned(scale: float, kind: str) -> Any:
        body = spatial.Body(
            "b", I=(1, 2, 2.5), w0=(1, 2, 3), Q0=(scale, 0, 0, -scale), orientation_state=kind
        )
        return Mechanism("free", [spatial.World("world"), body]).simulate(1.0, rtol=1e-10)

    for kind, rounding in (("quaternion", 1e-7), ("euler", 1e-12)):
        expected, sol = turned(1.0, kind), turned(length, kind)
        assert_close(sol([0.0, 1.0], "b.R"), expected([0.0, 1.0], "b.R"), atol=rounding)
    start = turned(length, "quaternion")(0.0, "b.Q_hat")
    # it keeps its length where squares of it can be taken
    keeps = 1e-12 < length < 1e12
    assert_close(start[0], length if keeps else np.sqrt(0.5), atol=1e-15 * (length if keeps else 1))
