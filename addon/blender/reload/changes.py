"""What is different between two descriptions of a robot, counted for the user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ....core.urdf.document import Joint, Robot


@dataclass
class ReloadChanges:
    """How many of each kind; the names say what.

    meshes are files or shapes whose faces are others; placed are shapes that stand elsewhere.
    """

    meshes: int = 0
    new_shapes: int = 0
    removed_shapes: int = 0
    placed: int = 0
    materials: int = 0
    limits: int = 0
    numbers: int = 0
    mimics: int = 0
    types: int = 0
    origins: int = 0
    inertias: int = 0
    new_links: int = 0
    new_joints: int = 0
    removed_links: int = 0
    removed_joints: int = 0
    removed_curves: int = 0

    def phrases(self) -> list[str]:
        """Each kind that there is, such as "2 meshes"."""
        words = {
            "meshes": ("mesh", "meshes"),
            "new_shapes": ("new shape", "new shapes"),
            "removed_shapes": ("shape removed", "shapes removed"),
            "placed": ("shape moved", "shapes moved"),
            "materials": ("material", "materials"),
            "limits": ("limit", "limits"),
            "numbers": ("joint's numbers", "joints' numbers"),
            "mimics": ("mimic", "mimics"),
            "types": ("joint type", "joint types"),
            "origins": ("joint origin", "joint origins"),
            "inertias": ("inertia", "inertias"),
            "new_links": ("new link", "new links"),
            "new_joints": ("new joint", "new joints"),
            "removed_links": ("link removed", "links removed"),
            "removed_joints": ("joint removed", "joints removed"),
            "removed_curves": ("F-curve removed", "F-curves removed"),
        }
        counts = [(getattr(self, key), *texts) for key, texts in words.items()]
        return [
            f"{number} {one if number == 1 else many}" for number, one, many in counts if number
        ]


def described_changes(old: Robot, new: Robot) -> ReloadChanges:
    """What differs in links and joints; what objects show is found from the objects."""
    changes = ReloadChanges()
    before, after = _by_name(old.joints), _by_name(new.joints)
    for name in before.keys() & after.keys():
        _count_joint(changes, before[name], after[name])
    changes.new_joints = len(after.keys() - before.keys())
    changes.removed_joints = len(before.keys() - after.keys())
    old_links = {link.name: link for link in old.links}
    new_links = {link.name: link for link in new.links}
    changes.new_links = len(new_links.keys() - old_links.keys())
    changes.removed_links = len(old_links.keys() - new_links.keys())
    changes.inertias = sum(
        old_links[name].inertial != new_links[name].inertial
        for name in old_links.keys() & new_links.keys()
    )
    return changes


def _by_name(joints: Iterable[Joint]) -> Mapping[str, Joint]:
    return {joint.name: joint for joint in joints}


def _count_joint(changes: ReloadChanges, old: Joint, new: Joint) -> None:
    changes.types += old.type != new.type
    changes.mimics += old.mimic != new.mimic
    frames = [(own.parent, own.child, own.origin, own.axis) for own in (old, new)]
    changes.origins += frames[0] != frames[1]
    ends = [own.limit and (own.limit.lower, own.limit.upper) for own in (old, new)]
    changes.limits += ends[0] != ends[1]
    numbers = [
        (
            own.dynamics,
            own.limit and (own.limit.effort, own.limit.velocity),
            own.calibration,
            own.safety,
        )
        for own in (old, new)
    ]
    changes.numbers += numbers[0] != numbers[1]
