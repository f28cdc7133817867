"""URDF: text -> Robot (parse_urdf), its mesh files found (resolve_meshes), or both (load_urdf).

And back: Robot -> text (write_urdf).
"""

from .document import (
    JOINT_TYPES,
    Box,
    Calibration,
    Capsule,
    Collision,
    Cylinder,
    Geometry,
    Inertial,
    Joint,
    JointDynamics,
    JointType,
    Limit,
    Link,
    Material,
    Mesh,
    Mimic,
    Origin,
    Robot,
    Safety,
    Sphere,
    Vector3,
    Visual,
)
from .load import load_urdf
from .parse import parse_urdf
from .resolve import resolve_meshes
from .writing import write_urdf

__all__ = [
    "JOINT_TYPES",
    "Box",
    "Calibration",
    "Capsule",
    "Collision",
    "Cylinder",
    "Geometry",
    "Inertial",
    "Joint",
    "JointDynamics",
    "JointType",
    "Limit",
    "Link",
    "Material",
    "Mesh",
    "Mimic",
    "Origin",
    "Robot",
    "Safety",
    "Sphere",
    "Vector3",
    "Visual",
    "load_urdf",
    "parse_urdf",
    "resolve_meshes",
    "write_urdf",
]
