"""Which bones of a rig are which of a new one, so that they keep their ids and names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count

import bpy

from ..labels import unique_label
from ..rig_access import Rig
from ..robot_table import BONE_KEY, BoneRecord, FixedBone

Record = BoneRecord | FixedBone


@dataclass(frozen=True)
class Matching:
    """Bones of a new rig, by its ids.

    Attributes:
        ids: what each is to be in the old one: the id of its match, or a fresh one.
        labels: names likewise: the user's, or new ones.
        old: the record of its match.
        vanished: records of the old rig that have no match.
    """

    ids: Mapping[str, str]
    labels: Mapping[str, str]
    old: Mapping[str, Record]
    vanished: tuple[Record, ...]


def match_bones(old: Rig, new: Rig) -> Matching:
    """Match by the joint's name; where there is none of that name, by the link that is moved.

    Of joints that were renamed, and of fixed bones, the link decides: the same link moved in the
    same way first, then in any other way, so that a bone stays when its joint becomes a fixed one
    or is none any more. Where both names are others, it is another bone.
    """
    matches = _matches(old, new)
    taken_ids = set(old.pose_bones)
    names: dict[str, None] = {bone.name: None for bone in old.object.data.bones}
    ids: dict[str, str] = {}
    labels: dict[str, str] = {}
    for record in _records(new):
        match = matches.get(record.id)
        if match is not None:
            ids[record.id], labels[record.id] = match.id, old.pose_bones[match.id].name
            continue
        ids[record.id] = next(name for n in count() if (name := f"bone_{n}") not in taken_ids)
        taken_ids.add(ids[record.id])
        labels[record.id] = unique_label(record.link, names)
        names[labels[record.id]] = None
    kept = {match.id for match in matches.values()}
    gone = tuple(record for record in _records(old) if record.id not in kept)
    return Matching(ids, labels, matches, gone)


def rename_bones(rig: Rig, labels: Mapping[str, str]) -> None:
    """Give the bones of a rig other names, whatever they had."""
    armature = rig.object.data
    assert isinstance(armature, bpy.types.Armature)
    by_id = {bone[BONE_KEY]: bone for bone in armature.bones}
    # Blender looks at all names and drivers each time
    others = {key: text for key, text in labels.items() if by_id[key].name != text}
    for index, key in enumerate(others):
        by_id[key].name = f"waiting for its name {index}"
    for key, text in others.items():
        by_id[key].name = text


def _matches(old: Rig, new: Rig) -> dict[str, Record]:
    """The record of the old rig for each id of the new one that has one; each is of one only."""
    matches = _by_joint(old, new)
    used = {match.id for match in matches.values()}
    # a joint that came, went or is called otherwise, and a bone that is fixed now or was
    for same in (_moves_alike, _carries_the_link):
        free: dict[tuple[str, ...], Record] = {}
        for record in _records(old):
            if record.id not in used:
                free.setdefault(same(record), record)
        for record in _records(new):
            if record.id not in matches and (match := free.pop(same(record), None)) is not None:
                matches[record.id] = match
                used.add(match.id)
    return matches


def _by_joint(old: Rig, new: Rig) -> dict[str, Record]:
    joints = {record.joint: record for record in old.table.bones}
    return {record.id: joints[record.joint] for record in new.table.bones if record.joint in joints}


def _moves_alike(record: Record) -> tuple[str, ...]:
    return record.link, record.kind if isinstance(record, BoneRecord) else "fixed"


def _carries_the_link(record: Record) -> tuple[str, ...]:
    return (record.link,)


def _records(rig: Rig) -> Iterable[Record]:
    records: tuple[Record, ...] = (*rig.table.bones, *rig.table.fixed_bones)
    return records
