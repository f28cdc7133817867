"""Loop joints of a robot whose bones change: they stay on their links."""

from __future__ import annotations

from dataclasses import replace

import bpy

from ...errors import RigError
from ..loops import LoopEnd, LoopJoint, is_moved, mend_loops, read_loop
from ..loops.finding import loop_objects
from ..loops.placing import place_empty
from ..loops.values import write_loop
from ..rig_access import Rig


class LoopPlaces:
    """The loop joints of a robot that can be used, and which of them hang where they were put."""

    def __init__(self, rig: Rig) -> None:
        self._loops: list[tuple[bpy.types.Object, LoopJoint, bool]] = []
        for obj in loop_objects(rig.object):
            try:
                loop = read_loop(obj, rig.object)
            except RigError:
                continue
            self._loops.append((obj, loop, is_moved(rig, obj, loop)))

    def settle(self, rig: Rig) -> list[str]:
        """Let each be on the bones that carry its links now; returns what cannot be used."""
        for obj, loop, moved in self._loops:
            ends = [_on_its_bone(rig, end) for end in loop.ends]
            if obj.library is not None or None in ends:
                continue
            first, second = (end for end in ends if end is not None)
            settled = replace(loop, a=first, b=second)
            if (first.bone, second.bone) != (loop.a.bone, loop.b.bone):
                write_loop(obj, rig.object, settled)
            if not moved and obj.parent == rig.object:
                scale = obj.scale.copy()
                place_empty(rig, obj, settled)
                obj.scale = scale
        _, problems = mend_loops(rig)
        return list(problems)


def _on_its_bone(rig: Rig, end: LoopEnd) -> LoopEnd | None:
    """The end with the bone that carries its link; None where there is no such link."""
    if end.link is None:
        return end
    record = rig.table.links.get(end.link)
    return None if record is None else replace(end, bone=record.bone)
