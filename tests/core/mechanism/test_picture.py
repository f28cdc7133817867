"""The picture of a mechanism: shapes where its components are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dynarig.core.dynamics import link_poses
from dynarig.core.mechanism import Mechanism, planar, spatial
from dynarig.core.mechanism.picture import picture

from ...close import assert_close


class Seen:
    """The picture of a mechanism at its start, in world coordinates."""

    def __init__(self, mechanism: Any) -> None:
        compiled = mechanism.compile()
        self.picture = picture(compiled)
        poses = link_poses(compiled.model, compiled.q)
        self.world = dict(zip(compiled.model.link_names, poses, strict=True))

    def solids(self, component: str) -> list[tuple[str, Any, tuple[float, ...]]]:
        """(kind, world_from_solid, size) of each of a component."""
        return [
            (solid.kind, self.world[solid.link] @ solid.link_from_solid, solid.size)
            for solid in self.picture.solids
            if solid.component == component
        ]

    def ends(self, component: str) -> list[Any]:
        """Both ends of its one line."""
        (line,) = [line for line in self.picture.lines if line.component == component]
        return [(self.world[link] @ [*at, 1.0])[:3] for link, at in (line.start, line.end)]


def chain(*parts: Any) -> Any:
    mechanism = Mechanism("scene", parts)
    mechanism.chain(*parts)
    return mechanism


def test_a_planar_pendulum() -> None:
    hinge, rod = planar.Revolute("hinge", phi0=0.5), planar.FixedTranslation("rod", r=(2, 0))
    seen = Seen(chain(planar.World(), hinge, rod, planar.Body("body")))
    tip = 2 * np.array([np.cos(0.5), np.sin(0.5), 0])
    assert seen.picture.planar
    assert_close(seen.picture.size, 2.0, atol=1e-12)
    start, end = seen.ends("rod")
    assert_close([start, end], [np.zeros(3), tip], atol=1e-12)
    ((kind, pose, size),) = seen.solids("body")
    assert kind == "sphere" and len(size) == 1 and 0 < size[0] < 1
    assert_close(pose[:3, 3], tip, atol=1e-12)
    ((kind, pose, _),) = seen.solids("hinge")
    assert kind == "cylinder"
    assert_close(pose[:3, 2], [0, 0, 1], atol=1e-12)
    assert_close(pose[:3, 3], np.zeros(3), atol=1e-12)


@pytest.mark.parametrize(
    ("joint", "kind", "axis"),
    [
        (spatial.Revolute("j", n=(0, 1, 0)), "cylinder", 2),
        (spatial.Prismatic("j", n=(0, 1, 0), s0=0.5), "box", 0),
        (spatial.Cylindrical("j", n=(0, 1, 0), s0=0.5), "cylinder", 2),
        (spatial.Screw("j", n=(0, 1, 0), pitch=0.1, phi0=2), "cylinder", 2),
        (spatial.Planar("j", n=(0, 1, 0)), "box", 2),
        (spatial.Spherical("j"), "sphere", None),
        (spatial.Universal("j", n_a=(0, 1, 0), n_b=(0, 0, 1)), "cylinder", 2),
    ],
    ids=lambda value: type(value).__name__,
)
def test_joints_in_space(joint: Any, kind: str, axis: int | None) -> None:
    seen = Seen(chain(spatial.World(), joint, spatial.BodyShape("body", r=(1, 0, 0), I=0.1)))
    solids = seen.solids("j")
    assert {shape for shape, _, _ in solids} == {kind}
    assert len(solids) == (2 if isinstance(joint, spatial.Universal) else 1)
    if axis is not None:
        assert_close(solids[0][1][:3, axis], [0, 1, 0], atol=1e-12)
    slides = isinstance(joint, spatial.Prismatic | spatial.Cylindrical | spatial.Screw)
    if slides:
        start, end = seen.ends("j")
        assert_close(start, np.zeros(3), atol=1e-12)
        assert (end[1] > 0.1) and abs(end[[0, 2]]).max() < 1e-12


def test_bodies_of_a_shape_are_drawn_as_they_are() -> None:
    box = spatial.BodyBox("box", r=(0, 0.8, 0.6), width_dir=(1, 0, 0), width=0.2, height=0.1)
    pipe = spatial.BodyCylinder("pipe", r=(0.5, 0, 0), diameter=0.1, color=(1, 0, 0))
    ball = spatial.BodySphere("ball", r_shape=(0, 0, 1), diameter=0.3)
    seen = Seen(Mechanism("scene", [spatial.World(), box, pipe, ball]))
    ((kind, pose, size),) = seen.solids("box")
    assert kind == "box"
    assert_close(size, [1.0, 0.2, 0.1], atol=1e-15)
    assert_close(pose[:3, 0], [0, 0.8, 0.6], atol=1e-12)
    assert_close(pose[:3, 1], [1, 0, 0], atol=1e-12)
    assert_close(pose[:3, 3], [0, 0.4, 0.3], atol=1e-12)
    ((kind, pose, size),) = seen.solids("pipe")
    assert kind == "cylinder"
    assert_close(size, [0.05, 0.5], atol=1e-15)
    assert_close(pose[:3, 2], [1, 0, 0], atol=1e-12)
    assert_close(pose[:3, 3], [0.25, 0, 0], atol=1e-12)
    ((kind, pose, size),) = seen.solids("ball")
    assert kind == "sphere"
    assert_close(size, [0.15], atol=1e-15)
    assert_close(pose[:3, 3], [0, 0, 1], atol=1e-12)
    for solid in seen.picture.solids:
        assert solid.color == ((1, 0, 0) if solid.component == "pipe" else None)
        assert_close(np.linalg.det(solid.link_from_solid[:3, :3]), 1.0, atol=1e-12)
    assert not seen.picture.planar


def test_a_body_with_two_frames_is_a_round_rod() -> None:
    seen = Seen(
        chain(planar.World(), planar.Revolute("j"), planar.BodyShape("b", r=(0, 2), radius=0.1))
    )
    ((kind, pose, size),) = seen.solids("b")
    assert kind == "cylinder"
    assert_close(size, [0.1, 2.0], atol=1e-15)
    assert_close(pose[:3, 3], [0, 1, 0], atol=1e-12)
    assert_close(pose[:3, 2], [0, 1, 0], atol=1e-12)


def test_bars_of_one_mechanism_are_equally_thick() -> None:
    """So that a crank is not a hair beside long bars; none is thicker than it is long."""
    lengths = {"crank": 1.0, "coupler": 4.0, "short": 0.05}
    bars = [planar.BodyShape(name, r=(0, length)) for name, length in lengths.items()]
    pins = [planar.Revolute(f"pin {name}") for name in lengths]
    parts = [part for pair in zip(pins, bars, strict=True) for part in pair]
    seen = Seen(chain(planar.World(), *parts))
    crank, coupler, short = (seen.solids(name)[0][2][0] for name in lengths)
    assert_close(crank, coupler, atol=1e-15)
    assert 0.01 < crank / seen.picture.size < 0.05
    assert 0.0 < short < 0.25 * 0.05


def test_a_cable_is_thicker_than_the_slide_it_runs_along() -> None:
    slide, cable = planar.Prismatic("slide", s0=1.0), planar.Cable("cable", length=1.0)
    hoist = Mechanism("hoist", [world := planar.World(), slide, body := planar.Body("b"), cable])
    hoist.chain(world, slide, body)
    hoist.chain(world, cable)
    hoist.connect(cable.frame_b, body.frame_a)
    radius = {line.component: line.radius for line in picture(hoist.compile()).lines}
    assert radius["cable"] > 1.2 * radius["slide"] > 0.0


def test_a_body_whose_mass_is_aside_hangs_on_a_rod() -> None:
    seen = Seen(chain(planar.World(), planar.Revolute("j"), planar.Body("b", r_cm=(0, -1))))
    ((_, pose, _),) = seen.solids("b")
    assert_close(pose[:3, 3], [0, -1, 0], atol=1e-12)
    assert_close(seen.ends("b"), [[0, 0, 0], [0, -1, 0]], atol=1e-12)


def test_a_robot_is_drawn_by_its_visuals(data: Path) -> None:
    arm = spatial.Robot("arm", data / "arm" / "arm.urdf")
    seen = Seen(chain(spatial.World(), arm))
    kinds = [kind for kind, _, _ in seen.solids("arm")]
    assert kinds == ["box", "box", "cylinder", "box", "box"]
    _, pose, size = seen.solids("arm")[1]
    assert size == (0.08, 0.08, 0.4)
    assert_close(pose[:3, 3], [0, 0, 0.7], atol=1e-12)
    assert seen.picture.solids[-1].color == (0.9, 0.4, 0.1)


def test_lines_and_solids_hang_from_links_of_the_model() -> None:
    world, hinge, body = planar.World(), planar.Revolute("j"), planar.BodyShape("b")
    mechanism = chain(world, hinge, body)
    mechanism.add(nail := planar.Fixed("nail", r=(1, 1)), slide := planar.Prismatic("s"))
    mechanism.add(block := planar.Body("block"))
    mechanism.chain(nail, slide, block)
    compiled = mechanism.compile()
    drawn = picture(compiled)
    links = set(compiled.model.link_names)
    assert {solid.link for solid in drawn.solids} <= links
    for line in drawn.lines:
        assert {line.start[0], line.end[0]} <= links
        assert line.radius > 0.0


def test_a_mechanism_in_one_place_still_has_a_size() -> None:
    def size(body: Any) -> float:
        return picture(Mechanism("m", [spatial.World(), body]).compile()).size

    assert_close(size(spatial.Body("b")), 1.0, atol=0.0)
    assert_close(size(spatial.BodySphere("b", diameter=0.3)), 0.3, atol=1e-15)
