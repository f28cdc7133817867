"""A rendered film: where it is, and which pixel shows which point at which time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_finite
from ..core.errors import ArgumentError
from ..core.mechanism.picture import Color
from .film_arguments import number


@dataclass(frozen=True, eq=False)
class Film:
    """A moving picture or a single one, with the camera that saw it.

    Attributes:
        path: of the file.
        size: width and height, pixels.
        times: (n,), s, of the frames.
        world_from_camera: (n, 4, 4) at these times; a camera looks along its -z, +y is up.
        focal: pixels that a length shows at as large a distance.
        colours: display colour of each component that shows a solid.
    """

    path: Path
    size: tuple[int, int]
    times: FloatArray
    world_from_camera: FloatArray
    focal: float
    colours: Mapping[str, Color]

    def pixel(self, point: ArrayLike, t: float | None = None) -> tuple[float, float]:
        """Where in the picture a point of the world is.

            x = w / 2 + f p_x / -p_z,   y = h / 2 - f p_y / -p_z,   p in the camera's axes

        Args:
            point: (3,), or (2,) in the world's xy plane, m.
            t: s; the nearest frame's camera is taken, the first's if none. Most cameras do not
                move.

        Returns:
            (x, y) in pixels from the upper left corner, x to the right and y down; the middle of
            the first pixel is at (0.5, 0.5).

        Raises:
            ArgumentError: for another shape, NaN, or a point that is not in front of the camera.
        """
        try:
            shape = np.shape(point)
        except ValueError:  # rows of different lengths
            shape = None
        if shape not in ((2,), (3,)):
            raise ArgumentError(f"point: wanted 2 or 3 numbers, got {point!r}")
        given = as_finite(point, shape, "point")
        where = given if shape == (3,) else np.append(given, 0.0)
        frame = 0
        if t is not None:
            frame = int(np.abs(self.times - number(t, "t", "a time in s")).argmin())
        pose = self.world_from_camera[frame]
        x, y, z = ((where - pose[:3, 3]) @ pose[:3, :3]).tolist()
        if z >= 0.0:
            raise ArgumentError(f"point: {where.tolist()} is behind the camera")
        width, height = self.size
        return width / 2.0 + self.focal * x / -z, height / 2.0 - self.focal * y / -z
