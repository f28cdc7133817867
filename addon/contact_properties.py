"""What the user sets about contact: for a bake, for the ground, and for the links of one bone."""

from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    PointerProperty,
    StringProperty,
)

from ..core.stepping import STEP
from .blender.contact.ground import object_key
from .blender.contact.link_overrides import PROPERTY
from .blender.contact.settings import (
    FRICTION,
    SCHEME_NAMES,
    SHORTEST_STEP,
    ObjectKey,
)


def restitution_property(of: str, **bounds: Any) -> Any:
    """A restitution, with a description that says whose; bounds as Blender's."""
    return FloatProperty(
        name="Restitution",
        description=f"{of}: speed after a hit over speed before, from 0 (dead) to 1 (elastic)",
        default=0.0,
        precision=3,
        **bounds,
    )


def friction_property(of: str, **bounds: Any) -> Any:
    """A coefficient of friction, with a description that says whose; bounds as Blender's."""
    return FloatProperty(
        name="Friction",
        description=f"Coefficient of friction {of}; two surfaces have the root of the product of "
        "theirs",
        default=FRICTION,
        soft_max=2.0,
        precision=3,
        **bounds,
    )


NO_FILE = ""  # a library that no object is of


class ContactProperties:
    """The options of contact and motors, for the scene and for the operator alike.

    As frames are, numbers that do not fit are told by the bake and not cut here.
    """

    scheme: EnumProperty(
        name="Contact",
        description="How hits are worked out",
        items=(
            (
                "EXACT",
                SCHEME_NAMES["EXACT"],
                "Every hit at its exact time, without friction: for few contacts whose every "
                "bounce counts",
            ),
            (
                "FRICTION",
                SCHEME_NAMES["FRICTION"],
                "In small steps of time, with friction: for robots that land, stand, slide and "
                "fall over",
            ),
        ),
        default="EXACT",
    )
    ground: EnumProperty(
        name="Ground",
        description="What the robot can touch",
        items=(
            ("NONE", "None", "Nothing but the limits of its joints"),
            ("FLOOR", "Floor at z = 0", "The horizontal plane through the world's origin"),
            ("OBJECTS", "Picked Objects", "Mesh objects of the scene, which stand still"),
        ),
        default="NONE",
    )
    restitution: restitution_property(
        "Of links that have none of their own", soft_min=0.0, soft_max=1.0
    )
    friction: friction_property(
        "of the ground, and of links that have none of their own", soft_min=0.0
    )
    contact_step: FloatProperty(
        name="Step",
        description="Step of time of contacts with friction (s)",
        default=STEP,
        soft_min=SHORTEST_STEP,
        soft_max=0.02,
        precision=4,
        unit="TIME_ABSOLUTE",
    )
    use_self_collision: BoolProperty(
        name="Self Collision",
        description="Links of the robot touch each other too, but for neighbours",
        default=False,
    )
    geometry: EnumProperty(
        name="Shapes",
        description="What of a link touches",
        items=(
            (
                "COLLISION",
                "Collision",
                "The collision geometry of the robot file; of meshes their convex hulls",
            ),
            ("VISUAL", "Visual", "What is seen; of meshes their convex hulls"),
        ),
        default="COLLISION",
    )
    motors: EnumProperty(
        name="Motors",
        description="What acts in the joints",
        items=(
            ("NONE", "None", "Joints are loose, but for what the robot file says of them"),
            (
                "HOLD",
                "Hold Pose",
                "Motors hold the pose at the start, with no more effort than the robot file "
                "allows them",
            ),
        ),
        default="NONE",
    )
    motor_frequency: FloatProperty(
        name="Stiffness",
        description="How stiff the motors are: how often in a second a joint that they hold "
        "would swing (Hz)",
        default=5.0,
        soft_min=0.0,
        soft_max=50.0,
    )
    motor_damping: FloatProperty(
        name="Motor Damping",
        description="How the motors settle: below 1 they swing, at 1 they settle quickest",
        default=1.0,
        soft_min=0.0,
        soft_max=3.0,
    )
    use_impact_keys: BoolProperty(
        name="Impact Keys",
        description="A key at the very time of each hit, with handles of its own for the motion "
        "before and after it, so that curves do not smear a bounce",
        default=True,
    )


class DynarigGroundObject(bpy.types.PropertyGroup):
    """An object of the ground; its name stays known when it is gone."""

    object: PointerProperty(
        name="Object",
        description="A mesh object that the robot can touch",
        type=bpy.types.Object,
        poll=lambda _self, obj: obj.type == "MESH",
        update=lambda self, _context: self.remember(),
    )
    known_as: StringProperty(options={"HIDDEN"})

    def remember(self) -> None:
        """Take down the name of what was picked."""
        if self.object is not None:
            self.known_as = self.object.name

    @property
    def title(self) -> str:
        """The name that the object has, or had."""
        return self.object.name if self.object is not None else self.known_as


class DynarigLinkSettings(bpy.types.PropertyGroup):
    """What the links on one bone have of their own."""

    collides: BoolProperty(
        name="Collides", description="Whether these links touch anything", default=True
    )
    use_restitution: BoolProperty(
        name="Own Restitution", description="Instead of that of the bake", default=False
    )
    restitution: restitution_property("Of the links on this bone", min=0.0, max=1.0)
    use_friction: BoolProperty(
        name="Own Friction", description="Instead of that of the bake", default=False
    )
    friction: friction_property("of the links on this bone", min=0.0)
    use_limit: BoolProperty(
        name="Joint Limit",
        description="Whether the joint stops at its limits, where the limits of the bake are on",
        default=True,
    )
    limit_restitution: restitution_property("Of the joint at its limits", min=0.0, max=1.0)


def ground_keys(scene: bpy.types.Scene) -> tuple[ObjectKey, ...]:
    """The objects that were picked as the ground; of one that is gone a key of no object."""
    picked: Any = scene.dynarig_ground  # type: ignore[attr-defined]
    return tuple(
        (item.known_as, NO_FILE) if item.object is None else object_key(item.object)
        for item in picked
    )


def register() -> None:
    """Hang the ground on the scene and the settings of links on bones."""
    bpy.types.Scene.dynarig_ground = CollectionProperty(type=DynarigGroundObject)  # type: ignore
    own: Any = PointerProperty(type=DynarigLinkSettings)  # type: ignore[func-returns-value]
    setattr(bpy.types.Bone, PROPERTY, own)


def unregister() -> None:
    """Undo register()."""
    delattr(bpy.types.Bone, PROPERTY)
    del bpy.types.Scene.dynarig_ground  # type: ignore[attr-defined]
