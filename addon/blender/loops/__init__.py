"""Loop joints of a rig: what closes a loop between two bones, or between a bone and the world.

A loop joint is an Empty that hangs from the robot. Its custom properties hold pointers to the
armature object and the ids of the bones, so that it outlives new names, copies and other files.
"""

from .adding import add_loop, update_loop
from .checking import mend_loops
from .closing import CloseResult, close_loops
from .constraints import loop_constraints
from .ends import WORLD, EndChoice, end_choices, end_text
from .finding import (
    is_loop,
    loop_objects,
    loop_problem,
    read_loop,
    read_loops,
    robot_or_none,
    table_of,
)
from .kinds import KINDS, LoopKind
from .placing import is_moved
from .values import LoopEnd, LoopJoint, is_enabled
from .world_ends import world_end_warnings

__all__ = [
    "KINDS",
    "WORLD",
    "CloseResult",
    "EndChoice",
    "LoopEnd",
    "LoopJoint",
    "LoopKind",
    "add_loop",
    "close_loops",
    "end_choices",
    "end_text",
    "is_enabled",
    "is_loop",
    "is_moved",
    "loop_constraints",
    "loop_objects",
    "loop_problem",
    "mend_loops",
    "read_loop",
    "read_loops",
    "robot_or_none",
    "table_of",
    "update_loop",
    "world_end_warnings",
]
