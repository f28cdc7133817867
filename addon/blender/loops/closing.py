"""The posed joints of a robot, brought to the nearest pose in which its loops are closed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import Model, System, difference_q
from ....core.dynamics.constraints.assembly import Assembly, assemble
from ....core.dynamics.constraints.projection import Projection
from ....core.dynamics.solve import check_inertia
from ....core.errors import DynarigError, SimulationError
from ...errors import RigError
from ...single_thread import single_thread
from ..bake.checks import check_editable
from ..joint_limits import limit_of
from ..pose import get_configuration, set_configuration
from ..rig_access import Rig, open_rig
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


@single_thread()
def close_loops(context: bpy.types.Context, armature_object: bpy.types.Object) -> CloseResult:
    """Pose a robot where its enabled loop joints are closed, nearest to the pose it has.

    The masses weigh which joints move, as in the bake's own start. Joints that would leave the
    limits of their bones stop there, and the others close the loops, if they can. Keys stay as
    they are: the new pose is one to be keyed, or to bake from.

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
        found = _nearest(system, get_configuration(rig, model), shown_limits(rig, model))
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


def shown_limits(rig: Rig, model: Model) -> tuple[FloatArray, FloatArray]:
    """Lower and upper (nq,): what the limit constraints of the bones let Blender show."""
    lower, upper = np.full(model.nq, -np.inf), np.full(model.nq, np.inf)
    for joint in model.joint_names:
        limit, sign = limit_of(rig.pose_bone(joint)), rig.bone_of_joint[joint].sign
        where = model.q_index(joint)
        if limit is not None and lower[where].size == 1:
            lower[where], upper[where] = sorted((sign * limit[0], sign * limit[1]))
    return lower, upper


def _nearest(system: System, q: FloatArray, limits: tuple[FloatArray, FloatArray]) -> Assembly:
    """The pose next to q (nq,) in which the loops are closed, within limits if that can be.

    Joints that leave them are put there and held, again and again until none does.

    Raises:
        SimulationError: for loops that cannot be closed even without limits.
    """
    model, still = system.model, np.zeros(system.model.nv)
    lower, upper = limits
    assert system.rows is not None
    assert system.projection is not None
    start, held = q.copy(), np.zeros(model.nv, dtype=bool)
    first = found = assemble(system.projection, 0.0, start, still)
    while True:
        beyond = np.maximum(lower - found.q, found.q - upper) > TOLD
        leaving = [joint for joint in model.joint_names if beyond[model.q_slices[joint]].any()]
        if not leaving:
            return replace(found, moved=difference_q(model, q, found.q))
        for joint in leaving:
            where = model.q_slices[joint]
            start[where] = np.clip(found.q[where], lower[where], upper[where])
            held[model.v_slices[joint]] = True
        if held.all():
            return first
        inner = Projection(system.rows, system.moment, np.flatnonzero(~held))
        try:
            found = assemble(inner, 0.0, start, still)
        except SimulationError:
            return first


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
