"""What reading one mesh file gives, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ...core.errors import DynarigError


class MeshFileError(DynarigError):
    """A mesh file that cannot be used; the message is the reason, without the file's name."""


@dataclass(frozen=True)
class ReadMesh:
    """New mesh data in metres, in the axes of the file, with a slot for each material.

    An empty slot stands for parts without a material of their own. `notes` are things to tell
    about the file; `y_up` says that a Collada file names y as its up axis, which is ignored.
    """

    mesh: bpy.types.Mesh
    notes: tuple[str, ...] = ()
    y_up: bool = False
