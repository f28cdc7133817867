"""What reading one mesh file gives, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.errors import DynarigError

# Blender computes with float32, whose squares overflow at 1.8e19; no robot is that far away (m, or
# whatever the unit of a file is).
LARGEST_COORDINATE = 1e15

# Of one file: ten million triangles, which take 3 GB on their way into Blender.
MOST_CORNERS = 30_000_000
LARGEST_FILE = 2_000_000_000  # bytes; so many triangles are 0.5 GB as STL, 1 GB as text


class MeshFileError(DynarigError):
    """A mesh file that cannot be used; the message is the reason, without the file's name."""


class MissingLibraryError(MeshFileError):
    """A kind of file that needs a library which is missing here; told once for all such files."""


@dataclass(frozen=True)
class ReadMesh:
    """New mesh data in metres, in the axes of the file, with a slot for each material.

    An empty slot stands for parts without a material of their own. `notes` are things to tell
    about the file; `ignored_up` is the up axis that a Collada file names and that was not applied;
    `lost_libraries` are the names of MTL files that are not there and leave slots empty. `shaded`
    says that it is smooth or sharp already, as `build_mesh` leaves it.
    """

    mesh: bpy.types.Mesh
    notes: tuple[str, ...] = ()
    ignored_up: str | None = None
    lost_libraries: tuple[str, ...] = ()
    shaded: bool = False


def check_positions(positions: NDArray[Any]) -> None:
    """Refuse vertices (n, 3) that Blender would quietly put at the origin, or lose.

    Raises:
        MeshFileError: for numbers that are not finite or too large.
    """
    if not np.isfinite(positions).all():
        raise MeshFileError("vertices that are not finite numbers")
    largest = np.abs(positions).max(initial=0.0)
    if largest > LARGEST_COORDINATE:
        raise MeshFileError(
            f"a vertex at {largest:.3g}; wanted coordinates up to {LARGEST_COORDINATE:g}"
        )
