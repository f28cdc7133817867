"""Numbers that were not edited stay as the source has them, beside others that were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar, cast

import numpy as np

from ....core.frames import rotation_from_rpy
from ....core.urdf.document import Box, Geometry, Mesh, Origin, Sphere

# How far a length (m) or an angle may be from the one in the source, relative to 1 or to itself:
# float32 noise of bone and object. A size or a factor is off relative to itself only.
UNMOVED = 2e-6

_Numbers = TypeVar("_Numbers", bound=tuple[float, ...])


def kept(source: _Numbers, now: Sequence[float], *, least: float = 1.0) -> _Numbers:
    """Each number of the source that the one in its place is up to noise, else the latter.

    Args:
        least: what noise is relative to for numbers that are smaller.
    """
    pairs = zip(source, now, strict=True)
    numbers = (
        old if abs(old - new) <= UNMOVED * max(least, abs(old)) else new for old, new in pairs
    )
    return cast(_Numbers, tuple(numbers))


def kept_sizes(source: _Numbers, now: Sequence[float]) -> _Numbers:
    """The same for sizes and factors, however small."""
    return kept(source, now, least=0.0)


def kept_origin(source: Origin, now: Origin) -> Origin:
    """The origin with what is as in the source: each length, the turn as a whole, each angle."""
    off = np.abs(rotation_from_rpy(source.rpy) - rotation_from_rpy(now.rpy)).max()
    rpy = source.rpy if off <= 2.0 * UNMOVED else kept(source.rpy, now.rpy)
    return Origin(kept(source.xyz, now.xyz), rpy)


def kept_geometry(source: Geometry, now: Geometry) -> Geometry:
    """A shape of the same kind with the sizes that are as in the source."""
    if isinstance(source, Mesh):
        return (
            replace(now, scale=kept_sizes(source.scale, now.scale))
            if isinstance(now, Mesh)
            else now
        )
    if isinstance(source, Box):
        return Box(kept_sizes(source.size, now.size)) if isinstance(now, Box) else now
    if isinstance(source, Sphere):
        return (
            Sphere(*kept_sizes((source.radius,), (now.radius,))) if isinstance(now, Sphere) else now
        )
    if isinstance(now, type(source)):
        sizes = kept_sizes((source.radius, source.length), (now.radius, now.length))
        return type(source)(*sizes)
    return now
