"""All points where the colliders of a model touch, or nearly do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...arrays import FloatArray
from ...errors import ArgumentError, ModelError
from ..contact.shapes import TriangleMesh
from ..model import IntArray, Model
from .bounds import Bounds
from .colliders import Collider
from .contacts import Contacts
from .pairs import Names, allowed_pairs
from .parting import Parting
from .planes import Planes
from .polytope import Polytope
from .polytope_pairs import polytope_contacts
from .round import round_contacts
from .round_polytope import RoundPolytopes
from .solids import Solid, solid_of
from .touching import Touching
from .triangles import MeshTree

# the order of kinds: in a pair the lower comes first
ROUND, POLYTOPE, MESH, PLANE = range(4)


class Collisions:
    """Colliders of a model, compiled: which pairs may touch, and how.

    Attributes:
        colliders: as given.
        solids: what is computed with of each collider.
        pairs: (p, 2), indices of the colliders that may touch.

    Raises:
        ModelError: for names that are not unique, unknown links and colliders, pairs that cannot
            touch, and shapes that time stepping does not know.
    """

    def __init__(
        self,
        model: Model,
        colliders: Sequence[Collider],
        pairs: Names | None = None,
        ignored: Names = (),
    ) -> None:
        """Compile.

        Args:
            pairs: names of two colliders each, those that may touch; None for all but colliders
                of one body, of links that a joint connects, and of the world among themselves.
            ignored: names of two colliders each that never touch.
        """
        self.model, self.colliders = model, tuple(colliders)
        for own in self.colliders:
            if not isinstance(own, Collider):
                raise ArgumentError(f"{model.name}: colliders: wanted Colliders, got {own!r}")
        self.solids = tuple(solid_of(model, own) for own in self.colliders)
        chosen = allowed_pairs(model, self.colliders, self.solids, pairs, ignored)
        kinds = [_kind(own) for own in self.solids]
        # the lower kind first, planes last
        low = {pair: tuple(sorted(pair, key=lambda index: kinds[index])) for pair in chosen}
        chosen.sort(key=lambda pair: (kinds[low[pair][1]], kinds[low[pair][0]]))
        self.pairs: IntArray = np.array(chosen, dtype=np.intp).reshape(-1, 2)
        self._low: IntArray = np.array([low[own] for own in chosen], dtype=np.intp).reshape(-1, 2)
        # what turns normals where the lower kind is the second of a pair
        self._sign = np.where(self._low[:, 0] == self.pairs[:, 0], 1.0, -1.0)
        self._frame = np.array([own.frame for own in self.solids], dtype=np.intp)
        poses = [own.frame_from_port for own in self.solids]
        self._frame_from_port = np.array(poses).reshape(-1, 4, 4)
        of = [(kinds[a], kinds[b]) for a, b in self._low]
        self._bodies = sum(b != PLANE for _, b in of)
        self._planes = Planes(self.solids, self._low[self._bodies :])
        self._bounds = Bounds(self.solids)
        self._parting = Parting(self.solids, self._low)
        self._ends = np.array(
            [
                own.points[[0, -1]] if kind == ROUND else np.zeros((2, 3))
                for own, kind in zip(self.solids, kinds, strict=True)
            ]
        ).reshape(-1, 2, 3)
        self._radius = np.array([own.radius for own in self.solids])
        self._meshes = {
            index: _mesh(model, own, self.solids[index])
            for index, own in enumerate(self.colliders)
            if kinds[index] == MESH
        }
        cores = [own.polytope for own in self.solids if own.polytope is not None]
        self._on_polytopes = RoundPolytopes(cores)
        is_core = np.array([own.polytope is not None for own in self.solids], dtype=bool)
        self._core = np.cumsum(is_core) - 1  # among the polytopes
        finders = {
            (ROUND, ROUND): self._rounds,
            (ROUND, POLYTOPE): self._rounds_on_polytopes,
            (POLYTOPE, POLYTOPE): self._polytopes,
            (ROUND, MESH): self._rounds_on_meshes,
            (POLYTOPE, MESH): self._polytopes_on_meshes,
        }
        # pairs of one kind follow each other: (first row, row after the last, finder)
        self._groups = [
            (of.index(kind), of.index(kind) + of.count(kind), find)
            for kind, find in finders.items()
            if kind in of
        ]

    def __repr__(self) -> str:
        return f"<Collisions: {len(self.colliders)} colliders, {len(self.pairs)} pairs>"

    def find(self, poses: FloatArray, margin: float) -> Touching:
        """All points with a gap of at most `margin`, few enough for each pair.

        Args:
            poses: (nf, 4, 4), world_from_frame.
            margin: m.
        """
        if not len(self.pairs):
            return Touching.none()
        world_from_port = poses[self._frame] @ self._frame_from_port
        parts = []
        if self._bodies < len(self.pairs):
            over = self._planes.find(world_from_port, margin)
            parts.append(self._touching(over, slice(self._bodies, None)))
        if self._bodies:
            a, b = self._low[: self._bodies].T
            near = self._bounds.near(world_from_port, a, b, margin)
            for start, stop, find in self._groups:
                first, last = np.searchsorted(near, (start, stop))
                if (rows := near[first:last]).size:
                    parts.append(self._touching(find(world_from_port, rows, margin), rows))
        return Touching.joined(parts)

    def overlapping(self, poses: FloatArray, depth: float) -> list[tuple[str, str]]:
        """Names of pairs of moving bodies that are deeper in each other than `depth`, m."""
        found = self.find(poses, 0.0)
        moving = (self._frame[found.first] > 0) & (self._frame[found.second] > 0)
        deep = np.flatnonzero(moving & (found.gap < -depth))
        pairs = {(int(found.first[row]), int(found.second[row])): None for row in deep}
        return [(self.colliders[a].name, self.colliders[b].name) for a, b in pairs]

    def swallowed(self, poses: FloatArray) -> list[tuple[str, str]]:
        """Names of a collider and of a closed mesh whose solid it is in without being held.

        Its middle is inside, and no point is found between the two: it would fall as if there was
        nothing.
        """
        out: list[tuple[str, str]] = []
        if not self._meshes:
            return out
        found = self.find(poses, 0.0)
        held = {frozenset(pair) for pair in zip(found.first, found.second, strict=True)}
        world_from_port = poses[self._frame] @ self._frame_from_port
        for index, tree in self._meshes.items():
            own = self._low[self._low[:, 1] == index, 0]
            loose = np.array([a for a in own if frozenset((a, index)) not in held], dtype=np.intp)
            middles = [[self.solids[a].points.mean(axis=0)] for a in loose]
            places = _moved(world_from_port[loose], np.array(middles).reshape(-1, 1, 3))[:, 0]
            names = [self.colliders[a].name for a in loose[tree.holds(places)]]
            out += [(name, self.colliders[index].name) for name in names]
        return out

    def _touching(self, found: Contacts, rows: IntArray | slice) -> Touching:
        """Points of some of the pairs, with the colliders as they stand in these."""
        first, second = self.pairs[rows][found.pair].T
        normal = self._sign[rows][found.pair][:, None] * found.normal
        return Touching(first, second, found.point, normal, found.gap, found.feature)

    def _rounds(self, world_from_port: FloatArray, rows: IntArray, margin: float) -> Contacts:
        a, b = self._low[rows].T
        ends = [_moved(world_from_port[own], self._ends[own]) for own in (a, b)]
        return round_contacts(ends[0], ends[1], self._radius[a], self._radius[b], margin)

    def _rounds_on_polytopes(
        self, world_from_port: FloatArray, rows: IntArray, margin: float
    ) -> Contacts:
        a, b = self._low[rows].T
        ends = _moved(world_from_port[a], self._ends[a])
        of = self._core[b]
        return self._on_polytopes.contacts(of, world_from_port[b], ends, self._radius[a], margin)

    def _polytopes(self, world_from_port: FloatArray, rows: IntArray, margin: float) -> Contacts:
        near = np.flatnonzero(~self._parting.apart(world_from_port, rows, margin))
        if not len(near):
            return Contacts.none()
        a, b = self._low[rows[near]].T
        found = polytope_contacts(
            self._cores(a), world_from_port[a], self._cores(b), world_from_port[b], margin
        )
        touched = np.zeros(len(near), dtype=bool)
        touched[found.pair] = True
        if not touched.all():
            self._parting.learn(world_from_port, rows[near[~touched]], margin)
        return found.of_pairs(near)

    def _rounds_on_meshes(
        self, world_from_port: FloatArray, rows: IntArray, margin: float
    ) -> Contacts:
        parts = []
        for mesh, own, tree in self._on_meshes(rows):
            a = self._low[mesh, 0]
            ends = _moved(world_from_port[a], self._ends[a])
            found = tree.rounded_contacts(ends[:, 0], ends[:, 1], self._radius[a], margin)
            parts.append(found.of_pairs(own))
        return Contacts.joined(parts)

    def _polytopes_on_meshes(
        self, world_from_port: FloatArray, rows: IntArray, margin: float
    ) -> Contacts:
        parts = []
        for mesh, own, tree in self._on_meshes(rows):
            a = self._low[mesh, 0]
            found = tree.polytope_contacts(self._cores(a), world_from_port[a], margin)
            parts.append(found.of_pairs(own))
        return Contacts.joined(parts)

    def _on_meshes(self, rows: IntArray) -> Iterator[tuple[IntArray, IntArray, MeshTree]]:
        """For each mesh its pairs out of `rows`, their places there, and the mesh."""
        for index, tree in self._meshes.items():
            own = np.flatnonzero(self._low[rows, 1] == index)
            if len(own):
                yield rows[own], own, tree

    def _cores(self, indices: IntArray) -> list[Polytope]:
        cores = (self.solids[index].coarse for index in indices)
        return [core for core in cores if core is not None]


def _mesh(model: Model, collider: Collider, solid: Solid) -> MeshTree:
    """The mesh in the world, of whose frame it is a part."""
    shape, pose = collider.shape, solid.frame_from_port
    assert isinstance(shape, TriangleMesh)
    vertices = solid.points @ pose[:3, :3].T + pose[:3, 3]
    try:
        return MeshTree(vertices, shape.triangles, f"{model.name}: {collider.label}")
    except ArgumentError as reason:
        raise ModelError(str(reason)) from reason


def _kind(solid: Solid) -> int:
    if solid.is_plane:
        return PLANE
    if solid.is_mesh:
        return MESH
    return ROUND if solid.polytope is None else POLYTOPE


def _moved(poses: FloatArray, points: FloatArray) -> FloatArray:
    """Points (n, k, 3) of ports in the world."""
    moved: FloatArray = points @ poses[:, :3, :3].swapaxes(1, 2) + poses[:, None, :3, 3]
    return moved
