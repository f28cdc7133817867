"""Where a mechanism's shapes are during its motion: for the camera, the floor and the springs."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ....core.arrays import FloatArray, frozen
from ....core.dynamics import Model
from ....core.mechanism.contacts.part import COLOR
from ....core.mechanism.picture import Line, Picture, Solid
from ..film.sweep import Sweep
from .robots import Corners

CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
# of the picture's size: ground that is drawn beyond what moves over it, and how deep things may
# reach into ground that is the floor: half a ball that marks a body, and what sinks in a little
MARGIN, SUNK = 0.15, 0.06
LEVEL = 1e-9  # 1 - cos of the greatest angle of level ground


def extent(
    picture: Picture,
    others: Sequence[Corners],
    model: Model,
    poses: FloatArray,
    world_from_studio_rot: FloatArray,
) -> Sweep:
    """The corners of all shapes at n instants, in the studio's axes; frames count from 0.

    Args:
        picture: what is to be seen; others: corners around what else is.
        model: whose links; poses (n, n_links, 4, 4): world_from_link.
        world_from_studio_rot: (3, 3).

    Returns:
        The sweep; its base are the solids that do not move.
    """
    number = {name: index for index, name in enumerate(model.link_names)}
    parts = [_solid_corners(solid, poses[:, number[solid.link]]) for solid in picture.solids]
    parts += [_placed(poses[:, number[link]], corners) for link, corners in others]
    parts += [
        _around(line_ends(line, number, poses)[:, end], line.radius)
        for line in picture.lines
        for end in range(2)
    ]
    still = np.zeros((len(poses), 0, 3))
    corners = np.concatenate([still, *parts], axis=1) @ world_from_studio_rot
    links = [*(solid.link for solid in picture.solids), *(link for link, _ in others)]
    held = [model.link_frame[number[link]] == 0 for link in links]
    rows = np.repeat(held, 8).astype(bool)
    base = corners[0, : len(rows)][rows]
    return Sweep(tuple(range(len(poses))), corners, base)


def reaching(picture: Picture, model: Model, poses: FloatArray) -> Picture:
    """The picture with plates of what has no end as long as all that moves over them.

    Args:
        picture: what is to be seen.
        model: whose links; poses (n, n_links, 4, 4): world_from_link over the motion.
    """
    number = {name: index for index, name in enumerate(model.link_names)}
    points = _ended_points(picture, number, poses)
    margin = MARGIN * picture.size

    def grown(solid: Solid) -> Solid:
        if not solid.endless or not points.shape[1]:
            return solid
        world_from_solid = poses[:, number[solid.link]] @ solid.link_from_solid
        away = points - world_from_solid[:, None, :3, 3]
        seen = (away @ world_from_solid[:, :3, :3]).reshape(-1, 3)
        half = 0.5 * np.array(solid.size)
        low, high = np.minimum(-half, seen.min(0) - margin), np.maximum(half, seen.max(0) + margin)
        fixed = [edge for edge in range(3) if edge not in solid.endless]
        low[fixed], high[fixed] = -half[fixed], half[fixed]
        pose = solid.link_from_solid.copy()
        pose[:3, 3] += pose[:3, :3] @ (0.5 * (low + high))
        return replace(solid, link_from_solid=frozen(pose), size=tuple((high - low).tolist()))

    return replace(picture, solids=tuple(grown(solid) for solid in picture.solids))


def ground_of(
    picture: Picture, model: Model, poses: FloatArray, world_from_studio_rot: FloatArray
) -> tuple[Picture, float | None]:
    """The picture without level ground of the world, and the height of it in the studio, m.

    As it was, and None, where there is no such ground, where it has a colour of its own, or where
    anything gets below it.
    """
    number = {name: index for index, name in enumerate(model.link_names)}
    heights = {}
    for index, solid in enumerate(picture.solids):
        if solid.endless != (0, 2) or model.link_frame[number[solid.link]] or solid.color != COLOR:
            continue
        pose = poses[0, number[solid.link]] @ solid.link_from_solid
        up = world_from_studio_rot[:, 2]
        if pose[:3, 1] @ up > 1.0 - LEVEL:
            heights[index] = float((pose[:3, 3] + 0.5 * solid.size[1] * pose[:3, 1]) @ up)
    if picture.planar or not heights:
        return picture, None
    top = max(heights.values())
    points = _ended_points(picture, number, poses) @ world_from_studio_rot[:, 2]
    if points.min(initial=top) < top - SUNK * picture.size:
        return picture, None
    rest = tuple(solid for index, solid in enumerate(picture.solids) if index not in heights)
    return replace(picture, solids=rest), top


def _ended_points(picture: Picture, number: Mapping[str, int], poses: FloatArray) -> FloatArray:
    """(n, k, 3): corners around all solids that have ends, and the ends of lines."""
    ended = [solid for solid in picture.solids if not solid.endless]
    parts = [_solid_corners(solid, poses[:, number[solid.link]]) for solid in ended]
    parts += [line_ends(line, number, poses) for line in picture.lines]
    return np.concatenate([np.zeros((len(poses), 0, 3)), *parts], axis=1)


def line_lengths(
    picture: Picture, link_names: Sequence[str], poses: FloatArray
) -> dict[int, tuple[float, float]]:
    """The least and the greatest length (m) of each line, by its place in the picture."""
    number = {name: index for index, name in enumerate(link_names)}
    found = {}
    for index, line in enumerate(picture.lines):
        ends = line_ends(line, number, poses)
        lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        found[index] = (float(lengths.min()), float(lengths.max()))
    return found


def line_ends(line: Line, number: Mapping[str, int], poses: FloatArray) -> FloatArray:
    """(n, 2, 3): both ends of a line in the world."""
    ends = [_placed(poses[:, number[link]], at[None]) for link, at in (line.start, line.end)]
    return np.concatenate(ends, axis=1)


def _solid_corners(solid: Solid, poses: FloatArray) -> FloatArray:
    """(n, 8, 3): the corners of the box around a solid."""
    if solid.kind == "sphere":
        return _around(_placed(poses, solid.link_from_solid[None, :3, 3])[:, 0], solid.size[0])
    if solid.kind == "cylinder":
        half = np.array([solid.size[0], solid.size[0], solid.size[1] / 2.0])
    else:
        half = np.array(solid.size) / 2.0
    return _placed(poses @ solid.link_from_solid, CORNERS * half)


def _placed(poses: FloatArray, points: FloatArray) -> FloatArray:
    """(n, k, 3): points (k, 3) under poses (n, 4, 4)."""
    moved: FloatArray = points @ poses[:, :3, :3].swapaxes(-1, -2) + poses[:, None, :3, 3]
    return moved


def _around(centres: FloatArray, radius: float) -> FloatArray:
    """(n, 8, 3): the corners of a box that holds a ball about each centre (n, 3)."""
    corners: FloatArray = centres[:, None] + radius * CORNERS
    return corners
