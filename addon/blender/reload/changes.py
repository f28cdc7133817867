"""What is different between two descriptions of a robot, counted and named for the user."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import astuple, dataclass, field

from ....core.urdf.document import Joint, Limit, Link, Origin, Robot

LINES_OF_KIND = 8  # changes of one kind that a report names
# one and many of each kind, in the order in which they are told
WORDS = {
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
    "axes": ("axis", "axes"),
    "hung": ("joint on another link", "joints on other links"),
    "inertias": ("inertia", "inertias"),
    "new_links": ("new link", "new links"),
    "new_joints": ("new joint", "new joints"),
    "removed_links": ("link removed", "links removed"),
    "removed_joints": ("joint removed", "joints removed"),
    "removed_curves": ("F-curve removed", "F-curves removed"),
}


@dataclass
class ReloadChanges:
    """What changed, by kind: how many, and a line for each.

    meshes are files or shapes whose faces are others; placed are shapes that stand elsewhere. A
    kind may have more lines than its count: two parts may show one mesh.
    """

    counts: dict[str, int] = field(default_factory=dict)
    lines: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, line: str, count: int = 1) -> None:
        """One more, or so many more, of a kind of WORDS, told by a line."""
        self.add_count(kind, count)
        self.lines.setdefault(kind, []).append(line)

    def add_count(self, kind: str, count: int) -> None:
        """So many more of a kind, told by no line."""
        self.counts[kind] = self.counts.get(kind, 0) + count

    def phrases(self) -> list[str]:
        """Each kind that there is, such as "2 meshes"."""
        counts = [(self.counts.get(kind, 0), *texts) for kind, texts in WORDS.items()]
        return [
            f"{number} {one if number == 1 else many}" for number, one, many in counts if number
        ]

    def details(self) -> Iterator[str]:
        """A line for each change, kind by kind; of many of a kind the first ones."""
        for kind in WORDS:
            lines = self.lines.get(kind, [])
            # one more would take no more room than saying so
            shown = len(lines) if len(lines) <= LINES_OF_KIND + 1 else LINES_OF_KIND
            yield from lines[:shown]
            if shown < len(lines):
                yield f"(and {len(lines) - shown:,} more {WORDS[kind][1]})"


def described_changes(old: Robot, new: Robot) -> ReloadChanges:
    """What differs in links and joints; what objects show is found from the objects.

    Joints and links are known by their names: one that is called otherwise is one that was
    removed and a new one.
    """
    changes = ReloadChanges()
    joints = _joints(old), _joints(new)
    links = _links(old), _links(new)
    renamed = links[0].keys() ^ links[1].keys()
    for name, joint in joints[1].items():
        if name in joints[0]:
            _compare_joints(changes, joints[0][name], joint, renamed)
    for name, link in links[1].items():
        if name in links[0] and links[0][name].inertial != link.inertial:
            values = [_inertial(own) for own in (links[0][name], link)]
            changes.add("inertias", f"link '{name}': inertia {values[0]} -> {values[1]}")
    _compare_names(changes, "link", *links)
    _compare_names(changes, "joint", *joints)
    return changes


def _joints(robot: Robot) -> dict[str, Joint]:
    return {joint.name: joint for joint in robot.joints}


def _links(robot: Robot) -> dict[str, Link]:
    return {link.name: link for link in robot.links}


def _compare_names(
    changes: ReloadChanges, what: str, old: Mapping[str, object], new: Mapping[str, object]
) -> None:
    for name in new:
        if name not in old:
            changes.add(f"new_{what}s", f"{what} '{name}': new")
    for name in old:
        if name not in new:
            changes.add(f"removed_{what}s", f"{what} '{name}': removed")


def _compare_joints(changes: ReloadChanges, old: Joint, new: Joint, renamed: Set[str]) -> None:
    """Add what differs of one joint; renamed are links that are told as removed or new."""
    values = {
        "types": ("type", _type),
        "limits": ("limit", _limit),
        "numbers": ("numbers", _numbers),
        "mimics": ("mimic", _mimic),
        "origins": ("origin", _origin),
        "axes": ("axis", _axis),
        "hung": ("links", _ends),
    }
    for kind, (what, of) in values.items():
        before, after = of(old), of(new)
        if before == after or (kind == "hung" and {*_moved_ends(old, new)} <= renamed):
            continue
        changes.add(kind, f"joint '{new.name}': {what} {before} -> {after}")


def _moved_ends(old: Joint, new: Joint) -> Iterator[str]:
    """The links between which a joint is no more, and is now."""
    for one, other in ((old.parent, new.parent), (old.child, new.child)):
        if one != other:
            yield from (one, other)


def _type(joint: Joint) -> str:
    return joint.type


def _limit(joint: Joint) -> str:
    if joint.limit is None or (joint.limit.lower, joint.limit.upper) == (None, None):
        return "none"
    ends = [
        "none" if end is None else _number(end) for end in (joint.limit.lower, joint.limit.upper)
    ]
    return f"{ends[0]} to {ends[1]} {'m' if joint.type == 'prismatic' else 'rad'}"


def _numbers(joint: Joint) -> str:
    limit, dynamics = joint.limit or Limit(), joint.dynamics
    given = {
        "effort": limit.effort,
        "velocity": limit.velocity,
        "damping": dynamics.damping or None,
        "friction": dynamics.friction or None,
    }
    told = [f"{name} {_number(value)}" for name, value in given.items() if value is not None]
    for what, found in (("calibration", joint.calibration), ("safety", joint.safety)):
        if found is not None:
            values = (value for value in astuple(found) if value is not None)
            told.append(f"{what} {told_numbers(values)}")
    return ", ".join(told) or "none"


def _mimic(joint: Joint) -> str:
    mimic = joint.mimic
    if mimic is None:
        return "none"
    return f"{_number(mimic.multiplier)} * '{mimic.joint}' + {_number(mimic.offset)}"


def _origin(joint: Joint) -> str:
    return told_origin(joint.origin)


def _axis(joint: Joint) -> str:
    return f"({told_numbers(joint.axis)})"


def _ends(joint: Joint) -> str:
    return f"'{joint.parent}' to '{joint.child}'"


def _inertial(link: Link) -> str:
    own = link.inertial
    if own is None:
        return "none"
    return f"{_number(own.mass)} kg at {told_origin(own.origin)} with ({told_numbers(own.inertia)})"


def told_origin(origin: Origin) -> str:
    """An origin as its attributes, turned only where it is."""
    told = f"xyz {told_numbers(origin.xyz)}"
    return f"{told} rpy {told_numbers(origin.rpy)}" if any(origin.rpy) else told


def told_numbers(values: Iterable[float]) -> str:
    """Numbers as an attribute has them."""
    return " ".join(map(_number, values))


def _number(value: float) -> str:
    """All digits, as `repr`: two numbers that differ are told differently."""
    return repr(value).removesuffix(".0")
