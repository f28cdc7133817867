"""A mechanism's picture as objects: solids hang from what carries their link, lines follow two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.frames import minimal_rotation
from ....core.mechanism.picture import Color, Line, Picture, Solid
from ....core.urdf.document import Sphere
from ..geometry.materials import MaterialLibrary
from ..geometry.mesh_arrays import MeshArrays, build_mesh
from ..geometry.shapes import shape_arrays
from ..labels import label
from .carriers import Carrier
from .palette import END, LINES, PISTON, solid_colours
from .shapes import coil_arrays, rod_arrays, solid_arrays

END_SIZE = 0.3  # radius of the ball at the end of a spring or damper, of the coil's
TUBE_SIZE, PISTON_SIZE = 0.55, 0.28  # radii of a damper's parts, of its own
INSIDE_COIL = 0.75  # a damper's radius inside a coil, of the coil's
TUBE_LENGTH = 0.55  # of the least length of the damper

Lengths = Mapping[int, tuple[float, float]]  # least and greatest of each line over the motion, m


class Drawing:
    """Draws one picture into a collection."""

    def __init__(self, collection: bpy.types.Collection, carrier: Carrier) -> None:
        """Take the collection and what moves as the links do."""
        self._collection = collection
        self._carrier = carrier
        self._materials = MaterialLibrary([])

    def draw(self, picture: Picture, lengths: Lengths) -> None:
        """Make all objects.

        Args:
            picture: what is to be seen.
            lengths: least and greatest length of each line between two links, by its place among
                the lines, m.
        """
        colours = solid_colours(picture)
        for solid in picture.solids:
            self._solid(solid, solid.color or colours[solid.like or solid.component])
        for index, line in enumerate(picture.lines):
            if line.start[0] == line.end[0]:
                self._still_line(line)
            else:
                self._line(line, *lengths[index])

    def _solid(self, solid: Solid, colour: Color) -> None:
        obj = self._object(solid.component, solid_arrays(solid), colour)
        self._carrier.hang(obj, solid.link, solid.link_from_solid)

    def _still_line(self, line: Line) -> None:
        """A line whose ends stay where they are to each other: one shape on one link."""
        link, start = line.start
        along = line.end[1] - start
        length = float(np.linalg.norm(along))
        if length == 0.0:
            return
        arrays = rod_arrays(line.radius, length)
        obj = self._object(line.component, arrays, line.color or LINES[line.kind])
        self._carrier.hang(obj, link, pose_along(start, along))

    def _line(self, line: Line, least: float, greatest: float) -> None:
        """A line between two links: parts that are stretched or pointed from end to end."""
        start, end = (
            self._end(line, f"{line.component} {name}", *where)
            for name, where in (("start", line.start), ("end", line.end))
        )
        colour = line.color or LINES[line.kind]
        usual = max((least + greatest) / 2.0, line.radius)
        if line.kind in ("spring", "spring-damper"):
            coil = self._object(line.component, coil_arrays(line.radius, usual), colour)
            stretch(coil, start, end, usual)
        if line.kind in ("damper", "spring-damper"):
            inside = line.kind == "spring-damper"
            size = line.radius * (INSIDE_COIL if inside else 1.0)
            own = LINES["damper"] if inside else colour
            tube = rod_arrays(TUBE_SIZE * size, max(TUBE_LENGTH * least, 0.1 * usual))
            point(self._object(f"{line.component} tube", tube, own), start, end)
            piston = rod_arrays(PISTON_SIZE * size, usual)
            stretch(self._object(f"{line.component} piston", piston, PISTON), start, end, usual)
        if line.kind in ("rod", "rope"):
            rod = self._object(line.component, rod_arrays(line.radius, usual), colour)
            stretch(rod, start, end, usual)

    def _end(self, line: Line, name: str, link: str, at: FloatArray) -> bpy.types.Object:
        """The ball at an end of a line, which the line follows."""
        arrays = shape_arrays(Sphere(END_SIZE * line.radius))
        obj = self._object(name, arrays, END)
        pose = np.eye(4)
        pose[:3, 3] = at
        self._carrier.hang(obj, link, pose)
        return obj

    def _object(self, name: str, arrays: MeshArrays, colour: Color) -> bpy.types.Object:
        material = self._materials.coloured(label(name), (*colour, 1.0))
        mesh = build_mesh(label(name), arrays, (material,))
        obj = bpy.data.objects.new(label(name), mesh)
        self._collection.objects.link(obj)
        return obj


def pose_along(start: FloatArray, along: FloatArray) -> FloatArray:
    """A pose (4, 4) at a point with +Y along a vector."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = minimal_rotation((0.0, 1.0, 0.0), along), start
    return pose


def stretch(
    obj: bpy.types.Object, start: bpy.types.Object, end: bpy.types.Object, length: float
) -> None:
    """Let a shape along +Y of a length (m) reach from one object to another."""
    _begin(obj, start)
    constraint: Any = obj.constraints.new("STRETCH_TO")
    constraint.target, constraint.rest_length = end, length
    constraint.volume, constraint.keep_axis = "NO_VOLUME", "SWING_Y"


def point(obj: bpy.types.Object, start: bpy.types.Object, end: bpy.types.Object) -> None:
    """Let a shape along +Y stand at one object and point to another."""
    _begin(obj, start)
    constraint: Any = obj.constraints.new("DAMPED_TRACK")
    constraint.target, constraint.track_axis = end, "TRACK_Y"


def _begin(obj: bpy.types.Object, start: bpy.types.Object) -> None:
    constraint: Any = obj.constraints.new("COPY_LOCATION")
    constraint.target = start
