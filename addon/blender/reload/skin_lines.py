"""What changed on the visuals in a skin, as it is told of visuals with objects of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ....core.urdf.document import Collision, Visual
from ..parts import PartTag
from ..parts.skin_pieces import SkinPiece
from .changes import ReloadChanges
from .part_lines import told_geometry, told_material, told_part, told_place
from .skin_exchange import SkinPieces

Shapes = Mapping[PartTag, Visual | Collision]


def tell_skin(
    changes: ReloadChanges, pieces: SkinPieces | None, before: Shapes, after: Shapes
) -> None:
    """Add what of the visuals in a skin is other than before.

    Args:
        pieces: the visuals in the skin as it was and is; None where a user's edits of the faces
            have made them unknown: then it is what the descriptions say.
        before, after: the shapes of the old description and of the new one.
    """
    visuals = [{tag for tag in shapes if tag.role == "visual"} for shapes in (before, after)]
    known: list[dict[PartTag, SkinPiece]] = [{}, {}]
    if pieces is not None:
        known = [{own.tag: own for own in some} for some in (pieces.old, pieces.new)]
        lost = {own.tag for own in pieces.lost}
        visuals = [own.keys() - lost for own in known]
    told = _Told(changes, before, after)
    for tag in sorted(visuals[0] | visuals[1], key=repr):
        if tag not in visuals[0]:
            told.add("new_shapes", f"{told_part(tag)}: new", tag)
        elif tag not in visuals[1]:
            told.add("removed_shapes", f"{told_part(tag)}: removed", tag)
        else:
            told.compare(tag, *(own.get(tag) for own in known))
    # where no visual is another, links moved, which their joints tell
    if told.is_silent and (pieces is None or not changes.phrases()):
        changes.add("meshes", "the skin: other faces")


@dataclass
class _Told:
    """What was told, so that a mesh or material of several visuals counts once."""

    changes: ReloadChanges
    before: Shapes
    after: Shapes
    seen: set[Any] = field(default_factory=set)

    def compare(self, tag: PartTag, old: SkinPiece | None, new: SkinPiece | None) -> None:
        """Tell what is other of a visual that was and is in the skin."""
        one, other = self.before.get(tag), self.after.get(tag)
        if not isinstance(one, Visual) or not isinstance(other, Visual):
            return
        faces = old is not None and new is not None and old.faces_look != new.faces_look
        colours = old is not None and new is not None and old.colours_look != new.colours_look
        if faces or one.geometry != other.geometry:
            self.add("meshes", f"{told_part(tag)}: {told_geometry(one, other)}", other.geometry)
        if one.origin != other.origin:
            self.add("placed", f"{told_part(tag)}: {told_place(one, other)}", tag)
        if one.material != other.material:
            line = f"{told_part(tag)}: {told_material(one, other)}"
            self.add("materials", line, other.material)
        elif colours and not faces:
            line = f"{told_part(tag)}: other colours in its file"
            self.add("materials", line, (other.geometry, other.material))

    @property
    def is_silent(self) -> bool:
        """Whether nothing was told."""
        return not self.seen

    def add(self, kind: str, line: str, key: object) -> None:
        """Tell a change; those of one kind and key count once."""
        self.changes.add(kind, line, count=int((kind, key) not in self.seen))
        self.seen.add((kind, key))
