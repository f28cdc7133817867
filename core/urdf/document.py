"""The robot description as plain values: what the file says, in SI units and radians.

Every class is frozen and mirrors one element of the URDF specification
(wiki.ros.org/urdf/XML). Nothing here knows files, meshes' contents or Blender.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

Vector3 = tuple[float, float, float]
JointType = Literal[
    "revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"
]
JOINT_TYPES: tuple[JointType, ...] = (
    "revolute",
    "continuous",
    "prismatic",
    "fixed",
    "floating",
    "planar",
    "spherical",  # not in the specification, but in files of Bullet
)


@dataclass(frozen=True)
class Origin:
    """Pose of a child frame in its parent: xyz (m), then R = Rz(yaw) Ry(pitch) Rx(roll) (rad)."""

    xyz: Vector3 = (0.0, 0.0, 0.0)
    rpy: Vector3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Inertial:
    """Mass (kg), the pose of the inertia frame in the link frame, and the inertia about its origin.

    inertia is (ixx, ixy, ixz, iyy, iyz, izz) in kg m^2; origin.xyz is the centre of mass.
    """

    mass: float
    inertia: tuple[float, float, float, float, float, float]
    origin: Origin = Origin()


@dataclass(frozen=True)
class Box:
    """A box centred at its frame; size is the full edge lengths along x, y, z (m)."""

    size: Vector3


@dataclass(frozen=True)
class Cylinder:
    """A cylinder centred at its frame, along z (m)."""

    radius: float
    length: float


@dataclass(frozen=True)
class Capsule:
    """A cylinder along z with half spheres beyond both ends; length is the cylinder's alone (m)."""

    radius: float
    length: float


@dataclass(frozen=True)
class Sphere:
    """A sphere centred at its frame (m)."""

    radius: float


@dataclass(frozen=True)
class Mesh:
    """A mesh file: the name as written, its absolute path (None: not found), and the scale."""

    filename: str
    path: Path | None = None
    scale: Vector3 = (1.0, 1.0, 1.0)


Geometry = Box | Cylinder | Capsule | Sphere | Mesh


@dataclass(frozen=True)
class Material:
    """A URDF material: rgba in 0..1 as written, and a texture file (found like a mesh).

    Two visuals may carry different materials of one name: compare the value, not the name.
    """

    name: str
    rgba: tuple[float, float, float, float] | None = None
    texture_filename: str | None = None
    texture_path: Path | None = None


@dataclass(frozen=True)
class Visual:
    """What is seen of a link; origin is the pose of the geometry in the link frame."""

    geometry: Geometry
    origin: Origin = Origin()
    name: str | None = None
    material: Material | None = None


@dataclass(frozen=True)
class Collision:
    """What is touched of a link; origin is the pose of the geometry in the link frame."""

    geometry: Geometry
    origin: Origin = Origin()
    name: str | None = None


@dataclass(frozen=True)
class Link:
    """A rigid body: no inertial means no mass (never 1 kg)."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Visual, ...] = ()
    collisions: tuple[Collision, ...] = ()


@dataclass(frozen=True)
class Limit:
    """Bounds of a joint: position (rad or m; None where the file gives none), effort, velocity."""

    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None


@dataclass(frozen=True)
class JointDynamics:
    """Viscous damping (N m s/rad or N s/m) and Coulomb friction (N m or N)."""

    damping: float = 0.0
    friction: float = 0.0


@dataclass(frozen=True)
class Mimic:
    """value = multiplier * value of `joint` + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class Calibration:
    """Reference positions of the joint's calibration edges (rad or m)."""

    rising: float | None = None
    falling: float | None = None


@dataclass(frozen=True)
class Safety:
    """Limits of the safety controller: soft bounds (rad or m) and gains."""

    soft_lower_limit: float = 0.0
    soft_upper_limit: float = 0.0
    k_position: float = 0.0
    k_velocity: float = 0.0


@dataclass(frozen=True)
class Joint:
    """A joint: origin is the pose of the joint frame in the parent link at value 0.

    axis is a unit vector in the joint frame; for fixed, floating and spherical
    joints it has no meaning.
    """

    name: str
    type: JointType
    parent: str
    child: str
    origin: Origin = Origin()
    axis: Vector3 = (1.0, 0.0, 0.0)
    limit: Limit | None = None
    dynamics: JointDynamics = JointDynamics()
    mimic: Mimic | None = None
    calibration: Calibration | None = None
    safety: Safety | None = None


@dataclass(frozen=True)
class Robot:
    """A whole description: a tree of links and joints in the order of the file.

    root is the name of the one link without a parent; materials are the named ones at the top
    of the file; source is the file it came from; text is the XML it was read from (what a rig
    stores to be complete without the file); warnings say what was repaired or not found,
    and left_out how many parts of the text could not be read and are not in the robot.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    root: str
    materials: Mapping[str, Material] = field(default_factory=dict)
    source: Path | None = None
    text: str = ""
    warnings: tuple[str, ...] = ()
    left_out: int = field(default=0, compare=False)

    def link(self, name: str) -> Link:
        """The link of that name; KeyError lists those that exist."""
        return _named(self.links, name, "link")

    def joint(self, name: str) -> Joint:
        """The joint of that name; KeyError lists those that exist."""
        return _named(self.joints, name, "joint")


_Named = TypeVar("_Named", Link, Joint)


def _named(items: tuple[_Named, ...], name: str, kind: str) -> _Named:
    for item in items:
        if item.name == name:
            return item
    raise KeyError(f"no {kind} '{name}'; there are: {', '.join(item.name for item in items)}")
