"""Visuals and collision shapes as the scene has them: moved, resized, swapped, deleted, added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.frames import transform_from_xyz_rpy
from ....core.urdf.document import Collision, Geometry, Material, Mesh, Origin, Robot, Visual
from ..parts import PART_KEY, PartTag, Role
from ..parts.part_record import fingerprint, recorded_parts, same_shape
from ..rig_access import Rig
from .kept_numbers import UNMOVED, kept_geometry, kept_origin
from .looks import edited_material, new_material, settled
from .new_meshes import NewMeshes
from .placed import SHOWN, Placed, placed_objects
from .solids import is_flat, resized, taken_apart

Shape = Visual | Collision
Entry = tuple[Material | None, Shape]  # the material as it was, and the shape as it is


@dataclass
class ShownEdits:
    """What became of the shapes: how many were edited, added, removed, and what to tell."""

    edited: int = 0
    added: int = 0
    removed: int = 0
    notes: list[str] = field(default_factory=list)


def with_edited_shapes(rig: Rig, robot: Robot, meshes: NewMeshes) -> tuple[Robot, ShownEdits]:
    """The robot with visuals and collisions as the scene has them.

    Args:
        rig: opened with rest_edited.
        robot: the description, with its mesh files found.
        meshes: takes the objects whose faces go into files of their own.
    """
    return _Edit(rig, robot, meshes).run()


class _Edit:
    """One walk over all links and all objects."""

    def __init__(self, rig: Rig, robot: Robot, meshes: NewMeshes) -> None:
        self._rig = rig
        self._robot = robot
        self._meshes = meshes
        self._record = recorded_parts(rig.object)
        self._shapes = self._known_shapes()
        self._edits = ShownEdits()
        self._told: set[bpy.types.ID | None] = set()  # meshes with a note
        self._objects: dict[PartTag, list[Placed]] = {}
        self._others: list[Placed] = []
        self._entries: dict[tuple[Role, str], list[Entry]] = {}

    def run(self) -> tuple[Robot, ShownEdits]:
        self._sort_objects()
        self._forget_absent()
        for tag, shape in _tagged(self._robot):
            self._keep_or_edit(tag, shape)
        for placed in self._others:
            self._add(placed)
        return self._rebuilt(), self._edits

    def _known_shapes(self) -> list[tuple[str, Geometry]]:
        """Fingerprints of what import made, and the geometry of each."""
        return [
            (self._record[tag], shape.geometry)
            for tag, shape in _tagged(self._robot)
            if tag in self._record
        ]

    def _sort_objects(self) -> None:
        """The objects of the file's parts by their tags; copies of them, and others, apart."""
        known = {tag for tag, _ in _tagged(self._robot)}
        for placed in placed_objects(self._rig, self._edits.notes):
            if placed.tag is not None and placed.tag.role not in SHOWN:
                self._tell_of_skin(placed)
            elif placed.tag in known:
                self._objects.setdefault(placed.tag, []).append(placed)
            elif _is_bent(placed.object, self._rig.object):
                self._edits.notes.append(
                    f"object '{placed.object.name}' is bent by bones; a URDF has rigid shapes only"
                )
            else:
                self._others.append(placed)

    def _forget_absent(self) -> None:
        """A kind of shapes that has no object at all was not made, or is written as it was.

        A copy of a robot is without what was hidden when it was copied: to take this for deleted
        would lose all its collision shapes.
        """
        shown = {tag.role for tag in self._objects}
        shown.update("collision" if _is_collision(own) else "visual" for own in self._others)
        for role in {tag.role for tag in self._record if tag.role in SHOWN} - shown:
            self._record = {tag: made for tag, made in self._record.items() if tag.role != role}
            self._edits.notes.append(
                f"no object is a {role} of the robot (a copy is without those that were hidden); "
                f"the {role} shapes of its source are written"
            )

    def _tell_of_skin(self, placed: Placed) -> None:
        made = self._record.get(placed.tag) if placed.tag is not None else None
        if placed.tag is None or placed.tag.role != "skin" or made is None:
            return
        if not same_shape(made, fingerprint(placed.object.data)):
            self._edits.notes.append(
                f"the skin '{placed.object.name}' was edited; the visuals are written as they were"
            )

    def _keep_or_edit(self, tag: PartTag, shape: Shape) -> None:
        candidates = self._objects.get(tag, [])
        entries = self._entries.setdefault((tag.role, tag.link), [])
        old = getattr(shape, "material", None)
        if not candidates:
            if tag in self._record:
                self._edits.removed += 1
            else:
                entries.append((old, shape))
            return
        # of copies, the one that is still in its place is the part
        own = min(candidates, key=lambda placed: self._distance(tag, shape, placed))
        self._others += [placed for placed in candidates if placed is not own]
        edited = self._edited(tag, shape, own)
        if edited is None:
            self._edits.removed += 1
            return
        self._edits.edited += edited != shape
        self._entries.setdefault((tag.role, own.link), []).append((old, edited))

    def _distance(self, tag: PartTag, shape: Shape, placed: Placed) -> float:
        if placed.link != tag.link:
            return np.inf
        return float(np.abs(_pose(shape) - placed.link_from_object).max())

    def _edited(self, tag: PartTag, shape: Shape, placed: Placed) -> Shape | None:
        """A part as it is; the same object where nothing was edited; None without faces."""
        made = self._record.get(tag)
        own = fingerprint(placed.object.data)
        is_same = made is None or same_shape(made, own)
        if is_same:
            self._tell_of_file(placed.object, made is not None and made != own)
        if not (is_same and placed.link == tag.link and _is_unmoved(shape, placed)):
            signs = getattr(shape.geometry, "scale", (1.0, 1.0, 1.0))
            found = self._solid(placed, shape.geometry if is_same else None, signs)
            if found is None:
                return None
            origin, geometry = found
            if placed.link == tag.link:
                origin = kept_origin(shape.origin, origin)
            if is_same:
                geometry = kept_geometry(shape.geometry, geometry)
            shape = replace(shape, origin=origin, geometry=geometry)
        if isinstance(shape, Visual):
            material = edited_material(shape.material, placed.object)
            if material is not shape.material:
                shape = replace(shape, material=material)
        return shape

    def _tell_of_file(self, obj: bpy.types.Object, has_other_looks: bool) -> None:
        """What an object that is written by its file shows besides."""
        if len(obj.modifiers):
            self._edits.notes.append(
                f"modifiers of '{obj.name}' are not written: it is written by its file or shape"
            )
        if has_other_looks and obj.data not in self._told:
            self._told.add(obj.data)
            self._edits.notes.append(
                f"materials of mesh '{obj.data.name if obj.data else ''}' are those of its file; "
                "what was edited in them is not written"
            )

    def _solid(
        self, placed: Placed, geometry: Geometry | None, signs: Any = (1.0, 1.0, 1.0)
    ) -> tuple[Origin, Geometry] | None:
        """Origin and geometry of an object: of a known shape, else of a file of its own.

        None, and a note, for one that shows no faces.
        """
        name = placed.object.name
        if is_flat(placed.link_from_object):
            self._edits.notes.append(
                f"object '{name}' is left out: it is flat, its scale is 0 along an axis; give it "
                "another scale"
            )
            return None
        found = self._in_size(placed, geometry, signs)
        if found is None:
            self._edits.notes.append(f"object '{name}' is left out: it has no face with an area")
        return found

    def _in_size(
        self, placed: Placed, geometry: Geometry | None, signs: Any
    ) -> tuple[Origin, Geometry] | None:
        known = geometry if geometry is not None else self._known(placed.object)
        parted = taken_apart(placed.link_from_object, signs)
        if known is not None and parted is not None:
            shape = resized(known, parted.scale)
            if shape is not None:
                return parted.origin, shape
        if parted is None:
            mesh = self._meshes.add(placed.object, placed.link_from_object)
            return None if mesh is None else (Origin(), mesh)
        mesh = self._meshes.add(placed.object, np.eye(4))
        return None if mesh is None else (parted.origin, replace(mesh, scale=parted.scale))

    def _known(self, obj: bpy.types.Object) -> Geometry | None:
        """The geometry of the file that an object shows, unless modifiers change it."""
        if len(obj.modifiers):
            return None
        own = fingerprint(obj.data)
        return next((shape for found, shape in self._shapes if same_shape(found, own)), None)

    def _add(self, placed: Placed) -> None:
        """An object of the user's as a visual, or as a collision shape if it is among those."""
        found = self._solid(placed, None)
        if found is None:
            return
        origin, geometry = found
        role: Role = "collision" if _is_collision(placed) else "visual"
        name = placed.object.name
        shape: Shape
        if role == "visual":
            shape = Visual(geometry, origin, name, new_material(placed.object))
        else:
            shape = Collision(geometry, origin, name)
        self._edits.added += 1
        self._entries.setdefault((role, placed.link), []).append((None, shape))

    def _rebuilt(self) -> Robot:
        """The robot with the shapes that were collected, and with materials of unique names."""
        links = self._robot.links
        entries = [
            entry for link in links for entry in self._entries.get(("visual", link.name), [])
        ]
        pairs = [(old, getattr(shape, "material", None)) for old, shape in entries]
        top, materials = settled(dict(self._robot.materials), pairs)
        waiting = iter(materials)
        rebuilt = []
        for link in links:
            visuals = [shape for _, shape in self._entries.get(("visual", link.name), [])]
            collisions = [shape for _, shape in self._entries.get(("collision", link.name), [])]
            rebuilt.append(
                replace(
                    link,
                    visuals=tuple(_with_material(shape, next(waiting)) for shape in visuals),
                    collisions=tuple(_only_collisions(collisions)),
                )
            )
        return replace(self._robot, links=tuple(rebuilt), materials=top)


def _tagged(robot: Robot) -> Iterator[tuple[PartTag, Shape]]:
    """All shapes of the description, with the tags that their objects have."""
    for link in robot.links:
        for index, visual in enumerate(link.visuals):
            yield PartTag("visual", link.name, index), visual
        for index, collision in enumerate(link.collisions):
            yield PartTag("collision", link.name, index), collision


def _pose(shape: Shape) -> FloatArray:
    """(4, 4) pose of the object of a shape in its link, scale included."""
    pose: FloatArray = transform_from_xyz_rpy(shape.origin.xyz, shape.origin.rpy)
    if isinstance(shape.geometry, Mesh):
        pose = pose @ np.diag([*shape.geometry.scale, 1.0])
    return pose


def _is_unmoved(shape: Shape, placed: Placed) -> bool:
    wanted, found = _pose(shape), placed.link_from_object
    off = np.abs(wanted - found)
    linear = off[:3, :3].max() <= UNMOVED * np.abs(wanted[:3, :3]).max() * 2.0
    return bool(linear and off[:3, 3].max() <= UNMOVED * max(1.0, np.abs(found[:3, 3]).max()))


def _is_bent(obj: bpy.types.Object, robot: bpy.types.Object) -> bool:
    return any(getattr(own, "object", None) == robot for own in obj.modifiers)


def _is_collision(placed: Placed) -> bool:
    if placed.tag is not None:
        return placed.tag.role == "collision"
    return any(own.get(PART_KEY) == "collision" for own in placed.object.users_collection)


def _with_material(shape: Shape, material: Material | None) -> Visual:
    assert isinstance(shape, Visual), "only visuals have materials"
    return shape if shape.material is material else replace(shape, material=material)


def _only_collisions(shapes: Iterable[Shape]) -> list[Collision]:
    return [shape for shape in shapes if isinstance(shape, Collision)]
