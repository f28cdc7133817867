"""A bake ready to be simulated: all that it needs, read from the scene."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import Model, System
from ....core.dynamics.constraints import Constraint
from ...errors import RigError
from ..contact.plan import ContactPlan, plan_contacts
from ..loops import loop_constraints, read_loops
from ..matrices import from_blender
from ..pose import get_configuration
from ..rig_access import open_rig
from .checks import check_editable
from .settings import BakeSettings, gravity_in_armature, scale_of
from .system import Start, loop_system, possible_start, touching_system

# rad or m: how far curves may be from a motion with contacts, so that nothing sinks in between keys
CONTACT_TOLERANCE = 3e-4


@dataclass(frozen=True, eq=False)
class BakePlan:
    """A bake ready to be simulated: plain values and the robot's name, no Blender objects.

    gravity in model is that of the armature's own coordinates; q (nq,) is the pose to start at,
    which is the robot's at `frame` of the scene. The constraints are those of its loop joints;
    scale is how many metres of the scene one of the armature's own is; contact is what may touch.
    """

    object_name: str
    model: Model
    q: FloatArray
    settings: BakeSettings
    frame: float
    constraints: tuple[Constraint, ...] = ()
    scale: float = 1.0
    contact: ContactPlan = field(default_factory=ContactPlan)

    @cached_property
    def system(self) -> System:
        """The model with its loops."""
        return loop_system(self.model, self.constraints, self.q)

    @cached_property
    def start(self) -> Start:
        """Where the simulation starts; errors as `possible_start`."""
        return possible_start(self.system, self.contact, self.q, self.scale)

    @property
    def tolerance(self) -> float | None:
        """How far curves may be from the motion (rad or m): near contacts they follow closely."""
        own, contact = self.settings.tolerance, self.settings.contact
        # of exact impacts on limits alone keys at their times are enough
        hits = contact.has_contacts or (contact.scheme == "FRICTION" and self.contact.stops)
        if not (hits and contact.use_impact_keys):
            return own
        near = CONTACT_TOLERANCE / max(self.scale, 1.0)
        return near if own is None else min(own, near)

    def touching_system(self) -> System:
        """The model with its loops, contacts and motors."""
        contact = replace(self.contact, stops=self.start.stops)
        return touching_system(self.system, contact, self.settings.contact, self.start.q)


def prepare_bake(
    context: bpy.types.Context,
    armature_object: bpy.types.Object,
    settings: BakeSettings,
    *,
    simulated: bool = True,
) -> BakePlan:
    """Read from the scene what a bake needs, contacts for a simulation; errors as `bake_robot`."""
    settings.times()
    check_editable(armature_object)
    rig = open_rig(armature_object)
    evaluated = armature_object.evaluated_get(context.evaluated_depsgraph_get())
    if not rig.channels:
        raise RigError(f"robot '{armature_object.name}' has no joint that moves: nothing to bake")
    gravity = np.array(settings.gravity, dtype=float)
    world_from_armature = from_blender(evaluated.matrix_world)
    model = rig.compile(gravity_in_armature(world_from_armature, gravity))
    contact = ContactPlan()
    if simulated:
        own, limits = settings.contact, settings.use_limits
        own.check()
        contact = plan_contacts(context, rig, model, own, limits, world_from_armature)
    return BakePlan(
        armature_object.name,
        model,
        get_configuration(rig, model),
        settings,
        context.scene.frame_current_final,
        loop_constraints(rig, model, read_loops(armature_object)),
        scale_of(world_from_armature),
        contact,
    )
