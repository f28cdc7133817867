"""The robot that is active, which most operators work on."""

import bpy

from .blender.rig_access import find_robot
from .errors import RigError

NO_ROBOT = "Select a robot that was imported by Dynarig, or one of its parts"


class RobotOperator(bpy.types.Operator):
    """What an operator on the active robot inherits."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a robot is active; the tooltip says why not."""
        if find_robot(context.active_object) is None:
            cls.poll_message_set(NO_ROBOT)
            return False
        return True


def active_robot(context: bpy.types.Context) -> bpy.types.Object:
    """The robot that is active, or that the active object is a part of.

    Raises:
        RigError: there is none.
    """
    robot = find_robot(context.active_object)
    if robot is None:
        raise RigError(NO_ROBOT)
    return robot
