"""A frame that is welded to the world at run time, where it is, and let go again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...arrays import FloatArray, as_finite, frozen
from ...errors import ModelError
from ..kinematics import frame_poses
from ..model import Model
from .constraint import Constraint
from .pairs import Relation, Weld
from .port import Port


@dataclass(frozen=True, eq=False, kw_only=True)
class Hold(Weld):
    """A weld of a port to the world at the pose that it has when it is switched on: 6 rows.

        Hold(name="hand", port=Port("ball"), active=False,
             switches=[Switch.at(1.0, True), Switch.at(2.0, False)])

    In a simulation each switching on takes the pose anew, and `active` from the start takes that
    of the start. Outside of one, and where a fixed pose is meant, `world_from_port` says it.

    Attributes:
        port: the frame that is held.
        world_from_port: (4, 4), where it is held; None for where it is when it is switched on.
    """

    port: Port
    world_from_port: FloatArray | None = None
    a: Port = field(init=False, repr=False)
    b: Port = field(init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.port, Port):
            raise self.refused("port", "a Port", self.port)
        pose = np.eye(4)
        if self.world_from_port is not None:
            name = f"{self.label}: world_from_port"
            pose = as_finite(self.world_from_port, (4, 4), name)
            if pose.shape != (4, 4):
                raise self.refused("world_from_port", "shape (4, 4)", self.world_from_port)
            object.__setattr__(self, "world_from_port", frozen(pose.copy()))
        object.__setattr__(self, "a", Port(None, pose))
        object.__setattr__(self, "b", self.port)

    def relations(self) -> Sequence[Relation]:
        """Positions, then turns about x, y, z, in the axes of the pose that is held.

        Raises:
            ModelError: where that is not known yet.
        """
        if self.world_from_port is None:
            raise ModelError(
                f"{self.label}: where it holds is known in a simulation only; wanted "
                "world_from_port, the pose (4, 4)"
            )
        return super().relations()

    def at(self, model: Model, q: FloatArray) -> Hold:
        """The same, where the port is at q (nq,)."""
        frame, frame_from_port = self.port.place(model)
        return replace(self, world_from_port=frame_poses(model, q)[frame] @ frame_from_port)


def placed(constraint: Constraint) -> Constraint:
    """The same; a hold that has no pose yet gets one, so that its rows can be named."""
    if isinstance(constraint, Hold) and constraint.world_from_port is None:
        return replace(constraint, world_from_port=np.eye(4))
    return constraint
