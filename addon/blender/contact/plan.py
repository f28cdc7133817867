"""What may touch in a bake, read from the scene before it: plain values, no Blender objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import bpy

from ....core.arrays import FloatArray
from ....core.dynamics import Model
from ....core.dynamics.collision import Collider
from ....core.dynamics.collision.from_urdf import colliders_of
from ....core.dynamics.contact import Contact, JointLimit, joint_limits
from ..rig_access import Rig
from .collision_geometry import points_of_meshes, touching_robot
from .exact import floor_contacts
from .ground import FLOOR, floor_plane, ground_shape, read_ground
from .link_overrides import LinkContact, contact_of_joints, contact_of_links
from .settings import ContactSettings

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class ContactPlan:
    """What may touch.

    Attributes:
        stops: joints that stop at their limits, as contacts.
        contacts: of the exact scheme.
        colliders: of the scheme with friction, and pairs of their names that may touch; None for
            all.
        notes: what was left out, and why.
    """

    stops: tuple[JointLimit, ...] = ()
    contacts: tuple[Contact, ...] = ()
    colliders: tuple[Collider, ...] = ()
    pairs: tuple[Pair, ...] | None = ()
    notes: tuple[str, ...] = ()


def plan_contacts(
    context: bpy.types.Context,
    rig: Rig,
    model: Model,
    settings: ContactSettings,
    use_limits: bool,
    world_from_armature: FloatArray,
) -> ContactPlan:
    """Read the robot's shapes, what its bones say, and the ground.

    Raises:
        RigError: for ground that cannot be used, and shapes that the scheme does not know.
    """
    plan = ContactPlan(stops=joint_stops(rig, model) if use_limits else ())
    if not settings.has_contacts:
        return plan
    meshes = []
    if settings.ground == "OBJECTS":
        meshes = read_ground(context, rig.object, settings.objects)
    colliders, notes = _robot_colliders(context, rig, model, settings)
    still = [
        f"ground '{mesh.name}' is animated: the robot meets it as it stands at this frame"
        for mesh in meshes
        if mesh.is_animated
    ]
    plan = replace(plan, notes=(*still, *notes))
    if settings.scheme == "EXACT":
        floor = floor_plane(world_from_armature)
        return replace(plan, contacts=floor_contacts(colliders, floor))
    shapes = [(mesh.name, ground_shape(mesh, world_from_armature)) for mesh in meshes]
    if settings.ground == "FLOOR":
        shapes.append((FLOOR, floor_plane(world_from_armature)))
    friction = settings.surface_friction
    ground: list[Collider] = []
    for name, shape in shapes:
        free = _free_name(name, (*colliders, *ground))
        # its restitution is 0, so that each link's own is that of its hits
        ground.append(Collider(name=free, shape=shape, friction=friction))
    pairs = None
    if not settings.use_self_collision:
        pairs = tuple((own.name, below.name) for own in colliders for below in ground)
    return replace(plan, colliders=(*colliders, *ground), pairs=pairs)


def joint_stops(rig: Rig, model: Model) -> tuple[JointLimit, ...]:
    """The limits of all joints as contacts, but of those whose bones say otherwise."""
    own = contact_of_joints(rig)
    return tuple(
        replace(stop, restitution=own[stop.joint].limit_restitution)
        for stop in joint_limits(model)
        if own[stop.joint].use_limit
    )


def _robot_colliders(
    context: bpy.types.Context, rig: Rig, model: Model, settings: ContactSettings
) -> tuple[list[Collider], tuple[str, ...]]:
    """The shapes of the links that move and touch, and what there is to tell."""
    own = contact_of_links(rig)
    moving = _moving_links(model)
    links = [name for name in own if own[name].collides and name in moving]
    robot, kind, notes = touching_robot(rig, settings.geometry, links)
    points_of, read = points_of_meshes(context, rig, robot)
    colliders, left_out = colliders_of(robot, points_of, geometry=kind)
    found = [_with_surface(collider, own, settings) for collider in colliders]
    if not found:
        notes = (*notes, f"robot '{rig.object.name}' has no shape that could touch anything")
    return found, (*notes, *read, *left_out)


def _moving_links(model: Model) -> set[str]:
    """The links that do not stand still in the armature."""
    frames = zip(model.link_names, model.link_frame, strict=True)
    return {name for name, frame in frames if int(frame) != 0}


def _with_surface(
    collider: Collider, own: Mapping[str, LinkContact], settings: ContactSettings
) -> Collider:
    """The collider with what its bone says, else with what the bake does."""
    assert collider.shape.port.link is not None
    said = own[collider.shape.port.link]
    return replace(
        collider,
        restitution=settings.restitution if said.restitution is None else said.restitution,
        friction=settings.surface_friction if said.friction is None else said.friction,
    )


def _free_name(name: str, others: Sequence[Collider]) -> str:
    """The name of a ground, other than those of links."""
    taken = {other.name for other in others}
    while name in taken:
        name = f"ground {name}"
    return name
