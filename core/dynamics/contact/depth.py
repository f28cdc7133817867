"""How deep bodies are in each other, at a start that should have them apart.

Two boxes are in each other where no face and no pair of edges has one on the one side and one on
the other (separating axes); the depth is the least of these. A wall of two sides is in a box that
has corners on both. Else a part is in the other body as far as its gap is below 0 within the ends
of what it is in: of several faces, the nearest.

Source: C. Ericson, Real-Time Collision Detection (2005), section 5.2.1, for separating axes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .contact import Contact
from .features import Crossing, Feature, OnPlane
from .shapes import Box, Wall

CONE = 1e-9  # m: by how little a normal may be outside of its cone


class Depths:
    """The depths of the features of contacts."""

    def __init__(self, features: Sequence[Feature]) -> None:
        self._count = len(features)
        self._behind = np.array([_thickness(own) for own in features])
        self._boxes: list[tuple[list[IntArray], IntArray]] = []
        self._walls: list[tuple[IntArray, list[IntArray], IntArray]] = []
        self._nearest = _grouped(
            features,
            lambda own: (own.contact, own.a),
            lambda own: isinstance(own, OnPlane) and np.isfinite(own.behind),
        )
        for contact in dict.fromkeys(own.contact for own in features):
            kinds = {type(contact.a), type(contact.b)}
            if kinds == {Box}:
                self._boxes.append((_faces(features, contact), _edges(features, contact)))
            elif kinds == {Box, Wall}:
                self._add_wall(features, contact)

    def __call__(self, gap: FloatArray, ends: FloatArray, cones: FloatArray) -> FloatArray:
        """How deep each feature is (n,), m, of gaps and margins (n,); 0 where it is not."""
        deep: FloatArray = np.maximum(-gap, 0.0)
        deep[(deep >= self._behind) | (ends < 0.0)] = 0.0
        for group in self._nearest:
            nearest = group[np.argmax(gap[group])]
            deep[group[group != nearest]] = 0.0
        for faces, edges in self._boxes:
            apart = [group[np.argmin(gap[group])] for group in faces]
            apart += edges[cones[edges] >= -CONE].tolist()
            deep[np.concatenate((*faces, edges))] = 0.0
            most = max(apart, key=lambda index: float(gap[index]))
            deep[most] = max(-float(gap[most]), 0.0)
        for corners, faces, edges in self._walls:
            least, most = corners[np.argmin(gap[corners])], corners[np.argmax(gap[corners])]
            through = min(-float(gap[least]), float(gap[most]))
            # how far past each of its ends
            apart = [float(gap[group].min()) for group in faces]
            apart += gap[edges[cones[edges] >= -CONE]].tolist()
            deep[least] = max(deep[least], min(through, -max(apart, default=-np.inf)), 0.0)
        return deep

    def apart(self, gap: FloatArray, slack: float) -> BoolArray:
        """Which features (n,) faces alone tell to be at most so deep, m, by gaps (n,)."""
        out = np.zeros(self._count, dtype=bool)
        for group in self._nearest:
            out[group] = gap[group].max() > -slack
        for faces, edges in self._boxes:
            told = max(float(gap[group].min()) for group in faces) > -slack
            for group in (*faces, edges):
                out[group] = told
        for corners, _, _ in self._walls:
            out[corners] = False  # of what lies across, neither side tells
        return out

    def _add_wall(self, features: Sequence[Feature], contact: Contact) -> None:
        box, wall = contact.a, contact.b
        if isinstance(box, Wall):
            box, wall = wall, box
        assert isinstance(box, Box) and isinstance(wall, Wall)
        faces = [
            group
            for group in _faces(features, contact)
            if features[group[0]].a.link == wall.port.link
        ]
        if not wall.double_sided:
            return
        corners = [
            index
            for index, own in enumerate(features)
            if own.contact is contact and isinstance(own, OnPlane)
            if own.b.link == wall.port.link and not own.name.endswith(" back")
        ]
        edges = _edges(features, contact)
        self._walls.append((np.array(corners, dtype=np.intp), faces, edges))


def _faces(features: Sequence[Feature], contact: Contact) -> list[IntArray]:
    """Of each face of a contact, the features of points above it."""
    return _grouped(
        features,
        lambda own: (own.b.link, own.b.link_from_port.tobytes(), _normal(own).tobytes()),
        lambda own: own.contact is contact and isinstance(own, OnPlane),
    )


def _edges(features: Sequence[Feature], contact: Contact) -> IntArray:
    own = [
        index
        for index, one in enumerate(features)
        if one.contact is contact and isinstance(one, Crossing)
    ]
    return np.array(own, dtype=np.intp)


def _thickness(own: Feature) -> float:
    """How far below 0 a gap may be where the part is still in the other body, m."""
    if isinstance(own, OnPlane):
        return own.behind
    # edges are looked at with the faces about them
    return 0.0 if isinstance(own, Crossing) else np.inf


def _normal(own: Feature) -> FloatArray:
    assert isinstance(own, OnPlane)
    return own.normal


def _grouped(
    features: Sequence[Feature],
    key: Callable[[Feature], object],
    wanted: Callable[[Feature], bool],
) -> list[IntArray]:
    groups: dict[object, list[int]] = {}
    for index, own in enumerate(features):
        if wanted(own):
            groups.setdefault(key(own), []).append(index)
    return [np.array(group, dtype=np.intp) for group in groups.values()]
