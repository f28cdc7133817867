"""The posed joints of a robot, brought to the nearest pose in which its loops are closed."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import Model, System
from ....core.dynamics.constraints.assembly import assemble
from ....core.dynamics.solve import check_inertia
from ....core.errors import DynarigError
from ...errors import RigError
from ..bake_checks import check_editable
from ..pose import get_configuration, set_configuration
from ..rig_access import open_rig
from .constraints import loop_constraints
from .finding import read_loops
from .placing import usual_size

CLOSED = 1e-5  # of the robot's size, or rad: gaps below it are Blender's digits
TOLD = 1e-6  # rad or m: a joint that moved by less did not


@dataclass(frozen=True)
class CloseResult:
    """What Close Loops did.

    Attributes:
        name: of the robot's object; loops: how many there are.
        moved: the joint's coordinate that moved furthest, by how much, and its unit; None where
            the loops were closed already.
        open: loops that the limits of the rig's bones hold open, with their gaps.
    """

    name: str
    loops: int
    moved: tuple[str, float, str] | None
    open: tuple[str, ...] = ()

    def summary(self) -> str:
        """One line for the user."""
        which = "1 loop joint" if self.loops == 1 else f"{self.loops} loop joints"
        if self.moved is None:
            return f"{self.name}: {which} closed already"
        joint, change, unit = self.moved
        text = f"{self.name}: {which} closed, joints moved by up to {change:.3g} {unit} ('{joint}')"
        if self.open:
            text += f"; limits of the bones keep open: {', '.join(self.open)}"
        return text


def close_loops(context: bpy.types.Context, armature_object: bpy.types.Object) -> CloseResult:
    """Pose a robot where its enabled loop joints are closed, nearest to the pose it has.

    The masses weigh which joints move, as in the bake's own start. Keys stay as they are: the
    new pose is one to be keyed, or to bake from.

    Args:
        context: whose view layer is brought up to date.
        armature_object: the robot.

    Returns:
        By how much it moved.

    Raises:
        RigError: for an object that is no robot, or one without loop joints, or with ones that
            cannot be used.
        DynarigError: for loops that cannot be closed, naming them and their gaps. The pose is
            then as it was.
    """
    check_editable(armature_object)
    rig = open_rig(armature_object)
    loops = read_loops(armature_object)
    if not loops:
        raise RigError(
            f"robot '{armature_object.name}' has no loop joint that is enabled; add one first"
        )
    model = rig.compile(np.zeros(3))
    try:
        check_inertia(model)
        system = System(model, constraints=loop_constraints(rig, model, loops))
        q = get_configuration(rig, model)
        assert system.projection is not None
        found = assemble(system.projection, 0.0, q, np.zeros(model.nv))
    except np.linalg.LinAlgError as error:
        raise RigError(
            f"robot '{armature_object.name}': its mass matrix is singular; links beyond moving "
            "joints need mass and inertia"
        ) from error
    except DynarigError as error:
        if armature_object.name in str(error):
            raise
        raise RigError(f"robot '{armature_object.name}': {error}") from error
    most = int(np.argmax(np.abs(found.moved)))
    change = float(np.abs(found.moved[most]))
    if not change > TOLD:
        return CloseResult(armature_object.name, len(loops), None)
    set_configuration(rig, model, found.q)
    context.view_layer.update()
    moved = (found.names[most], change, found.units[most].removesuffix("/s"))
    still = open_loops(system, get_configuration(rig, model), CLOSED, usual_size(rig))
    return CloseResult(armature_object.name, len(loops), moved, still)


def open_loops(system: System, q: FloatArray, tolerance: float, size: float) -> tuple[str, ...]:
    """The loops that are open at q (nq,), each with its largest gap.

    Args:
        system: whose constraints are loop joints.
        tolerance: rad, and of the size (m).
    """
    rows = system.rows
    assert rows is not None
    model: Model = system.model
    at = system.moment(0.0, q, np.zeros(model.nv))
    gaps = np.abs(rows.at(at).residual)
    room = np.array([tolerance * (size if unit == "m" else 1.0) for unit in rows.units])
    told = []
    for own in system.constraints:
        places = rows.where[own.name]
        if (gaps[places] > room[places]).any():
            row = int(places[np.argmax(gaps[places] / room[places])])
            told.append(f"'{own.name}' by {gaps[row]:.3g} {rows.units[row]}")
    return tuple(told)
