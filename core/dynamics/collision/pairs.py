"""Which pairs of colliders may touch at all, decided once."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import ModelError
from ..contact.shapes import Point
from ..model import Model
from .colliders import Collider
from .solids import Solid

Names = Sequence[tuple[str, str]]


def allowed_pairs(
    model: Model,
    colliders: Sequence[Collider],
    solids: Sequence[Solid],
    pairs: Names | None,
    ignored: Names,
) -> list[tuple[int, int]]:
    """The pairs that may touch, by the indices of their colliders.

    Left out unless they are asked for are links that a joint connects; always are what is fixed to
    each other, and ground against ground. What is on the world itself, on no link, touches links
    that are connected with the world as well: a base that floats falls on the floor.

    Args:
        pairs: by names, those that are asked for; None for all.
        ignored: by names, those that never touch.

    Raises:
        ModelError: for names that are not unique or not known, and pairs that cannot touch.
    """
    names = [own.name for own in colliders]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ModelError(f"{model.name}: two colliders are named '{twice[0]}'")
    number = {name: index for index, name in enumerate(names)}

    def indices(given: Names, argument: str) -> list[tuple[int, int]]:
        for name in (name for pair in given for name in pair):
            if name not in number:
                known = ", ".join(names) or "none"
                raise ModelError(
                    f"{model.name}: {argument}: no collider '{name}'; there are: {known}"
                )
        return [(number[a], number[b]) for a, b in given]

    never = {frozenset(pair) for pair in indices(ignored, "ignored")}
    asked = indices(pairs, "pairs") if pairs is not None else _usual(model, solids)
    unique = {frozenset(pair): pair for pair in reversed(asked)}
    chosen = [pair for own, pair in reversed(unique.items()) if own not in never]
    for a, b in chosen:
        if reason := _apart(solids[a], solids[b]) or _through(solids[a], solids[b]):
            raise ModelError(f"{model.name}: pair '{names[a]}', '{names[b]}': {reason}")
    return chosen


def _usual(model: Model, solids: Sequence[Solid]) -> list[tuple[int, int]]:
    """All pairs but what cannot touch and links that a joint connects."""
    before = _bodies_before(model)

    def neighbours(a: Solid, b: Solid) -> bool:
        on_links = a.shape.port.link is not None and b.shape.port.link is not None
        return on_links and (before[a.frame] == b.frame or before[b.frame] == a.frame)

    return [
        (a, b)
        for b in range(len(solids))
        for a in range(b)
        if not _apart(solids[a], solids[b]) and not neighbours(solids[a], solids[b])
    ]


def _apart(a: Solid, b: Solid) -> str:
    """Why two solids cannot touch; empty where they can."""
    if a.frame == b.frame:
        return "wanted colliders that can move against each other, got two fixed to each other"
    if a.is_ground and b.is_ground:
        return "wanted one of them to be no plane, wall or triangle mesh"
    return ""


def _through(a: Solid, b: Solid) -> str:
    """Why two solids would not feel each other; empty where they do."""
    for mesh, other in ((a, b), (b, a)):
        if mesh.is_mesh and isinstance(other.shape, Point):
            return "wanted no point, which falls through a mesh, but a Sphere with a radius"
    return ""


def _bodies_before(model: Model) -> list[int]:
    """For each frame (nf,) the frame with links that carries it, past those within one joint."""
    bodies = {0, *(int(frame) for frame in model.link_frame)}
    before: list[int] = []
    for frame in range(len(model.parents)):
        parent = int(model.parents[frame])
        while parent not in bodies:
            parent = int(model.parents[parent])
        before.append(parent)
    return before
