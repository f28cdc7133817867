"""Coils, rods and their ends: closed surfaces of the right size that follow two links."""

from __future__ import annotations

import numpy as np
import pytest


def volume(arrays) -> float:
    """Enclosed by faces that look outward, by the divergence theorem, m^3."""
    total, start = 0.0, 0
    for size in arrays.face_sizes:
        corners = arrays.positions[arrays.corners[start : start + size]]
        fan = [(corners[0], corners[i], corners[i + 1]) for i in range(1, size - 1)]
        total += sum(np.linalg.det(np.array(triangle)) for triangle in fan) / 6.0
        start += size
    return total


def edges(arrays) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    start = 0
    for size in arrays.face_sizes:
        corners = arrays.corners[start : start + size].tolist()
        for pair in zip(corners, corners[1:] + corners[:1], strict=True):
            found[pair] = found.get(pair, 0) + 1
        start += size
    return found


@pytest.mark.parametrize(("radius", "length"), [(0.1, 1.0), (0.1, 0.3), (0.02, 2.0), (1.0, 0.5)])
def test_a_coil_is_one_closed_wire_from_end_to_end(radius: float, length: float) -> None:
    from dynarig.addon.blender.mechanism.shapes import SIDES, WIRE, coil_arrays

    arrays = coil_arrays(radius, length)
    found = edges(arrays)
    assert set(found.values()) == {1}
    assert all((b, a) in found for a, b in found)
    assert volume(arrays) > 0.0
    assert np.hypot(*arrays.positions[:, [0, 2]].T).max() == pytest.approx(radius, rel=0.02)
    # both ends on the axis; a wide coil's wire may be thicker than its leads are long
    wire, y = WIRE * radius, arrays.positions[:, 1]
    assert -wire <= y.min() <= 0.0 and length <= y.max() <= length + wire
    for end in (arrays.positions[:SIDES], arrays.positions[-SIDES:]):
        assert np.ptp(end[:, 1]) < 1e-12
        np.testing.assert_allclose(np.hypot(end[:, 0], end[:, 2]), wire)
    assert arrays.positions[0, 1] == 0.0
    assert arrays.positions[-1, 1] == pytest.approx(length)


def test_a_rod_stands_along_y() -> None:
    from dynarig.addon.blender.mechanism.shapes import rod_arrays

    arrays = rod_arrays(0.1, 2.0)
    assert set(edges(arrays).values()) == {1}
    assert volume(arrays) == pytest.approx(np.pi * 0.1**2 * 2.0, rel=0.01)
    np.testing.assert_allclose(arrays.positions.min(axis=0), (-0.1, 0.0, -0.1), atol=1e-9)
    np.testing.assert_allclose(arrays.positions.max(axis=0), (0.1, 2.0, 0.1), atol=1e-9)


@pytest.mark.parametrize("kind", ["objects", "armature"])
@pytest.mark.parametrize("line", ["rod", "spring", "damper", "spring-damper", "rope"])
def test_a_line_reaches_from_link_to_link_at_every_frame(workshop, kind, line) -> None:
    import bpy
    from dynarig.addon.blender.mechanism.play import Play, enter_play
    from dynarig.core.mechanism.picture import Line, Picture

    tree = workshop.tree(
        workshop.joint("floating", 0, "world"), workshop.joint("floating", 1, "world")
    )
    motion = workshop.motion(tree, 0.5)
    near, far = np.array([0.1, 0.2, -0.1]), np.array([-0.2, 0.1, 0.3])
    lines = (Line("line", line, ("link0", near), ("link1", far), 0.05),)
    times = np.arange(0.0, 0.5, 1.0 / 24.0)
    play = Play("made", Picture((), lines, 1.0, False), motion, tree)
    enter_play(bpy.context, play, times, 24.0, 1, kind)
    parts = [obj for obj in bpy.data.objects if obj.constraints]
    assert len(parts) == {"damper": 2, "spring-damper": 3}.get(line, 1)
    for index, t in enumerate(times):
        bpy.context.scene.frame_set(1 + index)
        poses = motion.link_poses(t)
        start, end = (
            pose[:3, :3] @ at + pose[:3, 3] for pose, at in zip(poses[1:], (near, far), strict=True)
        )
        along = (end - start) / np.linalg.norm(end - start)
        for part in parts:
            found = workshop.world_poses(part)
            axis = found[:3, 1]
            np.testing.assert_allclose(found[:3, 3], start, atol=2e-6)
            np.testing.assert_allclose(axis / np.linalg.norm(axis), along, atol=2e-6)
            if any(item.type == "STRETCH_TO" for item in part.constraints):
                tip = max(vertex.co.y for vertex in part.data.vertices)
                np.testing.assert_allclose(found[:3, 3] + tip * axis, end, atol=1e-5)
            else:
                # a tube that never reaches the other end, and is not stretched
                assert max(v.co.y for v in part.data.vertices) < np.linalg.norm(end - start)
                assert np.linalg.norm(axis) == pytest.approx(1.0, abs=1e-5)


def test_solids_have_their_sizes(workshop) -> None:
    import bpy
    from dynarig.addon.blender.mechanism.play import Play, enter_play
    from dynarig.core.mechanism.picture import Picture, Solid

    tree = workshop.tree(workshop.joint("floating", 0, "world"))
    pose = workshop.pose()
    sizes = {"box": (0.4, 0.2, 0.1), "cylinder": (0.1, 0.5), "sphere": (0.3,)}
    solids = tuple(
        Solid(kind, kind, "link0", pose, size, (0.2, 0.4, 0.6)) for kind, size in sizes.items()
    )
    play = Play("made", Picture(solids, (), 1.0, False), workshop.motion(tree), tree)
    enter_play(bpy.context, play, np.array([0.0]), 24.0, 1, "objects")
    found = {kind: tuple(bpy.data.objects[kind].dimensions) for kind in sizes}
    np.testing.assert_allclose(found["box"], (0.4, 0.2, 0.1), rtol=1e-5)
    np.testing.assert_allclose(found["cylinder"], (0.2, 0.2, 0.5), rtol=1e-5)
    np.testing.assert_allclose(found["sphere"], (0.6, 0.6, 0.6), rtol=1e-5)
    world = play.trajectory.link_poses(0.0)[1] @ pose
    for kind in sizes:
        bpy.context.view_layer.update()
        np.testing.assert_allclose(workshop.world_poses(bpy.data.objects[kind]), world, atol=2e-6)
        # the display colour that was asked for, in linear light
        colour = bpy.data.objects[kind].active_material.diffuse_color
        np.testing.assert_allclose(colour[:3], (0.0331, 0.1329, 0.3185), atol=1e-3)
