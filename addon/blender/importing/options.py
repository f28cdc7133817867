"""How to import a robot: every choice of the dialog, as plain values that a rig keeps."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from ....core.errors import ArgumentError

Shown = Literal["VISUAL", "COLLISION", "BOTH"]
FixedLinks = Literal["MERGE", "KEEP"]
MeshParent = Literal["BONES", "SKIN"]
ColladaUp = Literal["IGNORE", "APPLY"]
GltfUp = Literal["AUTO", "Y", "Z"]

# beyond them Blender's float32 loses the robot, and its views do not show it
SMALLEST_SCALE, LARGEST_SCALE = 1e-6, 1e6
LONGEST_BONE = 1e6  # m
# what the dialog calls those that may have an impossible value
TITLES = {
    "shown": "Geometry",
    "mesh_parent": "Meshes",
    "fixed_links": "Fixed Links",
    "collada_up": "Collada Up Axis",
    "gltf_up": "glTF Up Axis",
    "scale": "Scale",
    "bone_length": "Bone Length",
    "decimation": "Collision Detail",
    "xacro_args": "Xacro Arguments",
}


@dataclass(frozen=True)
class ImportOptions:
    """How to import.

    Attributes:
        floating_base: whether the root link moves freely; else it is fixed to the armature.
        package_dirs: folders that are a ROS package or contain packages, for mesh files.
        xacro_args: name and value of each argument of a .xacro file.
        shown: which geometry comes in.
        fixed_links: MERGE lets links held by fixed joints ride on the bone of the link that
            carries them, KEEP gives each link a bone of its own.
        mesh_parent: BONES parents each object to its bone, SKIN makes one mesh of all visuals,
            with a vertex group for each bone and an Armature modifier.
        bone_length: m, of every bone; 0 chooses a pleasant length for each.
        scale: of the armature object, uniform.
        collada_up: whether the <up_axis> of Collada files turns their meshes.
        gltf_up: the axis that points up in glTF files as they are stored. Z takes vertices as they
            are, as robots' tools do; Y turns them as the glTF standard says, (x, y, z) to
            (x, -z, y); AUTO turns those that fit the collision shapes of their links only so.
        decimation: part of the triangles of collision meshes that is kept, above 0 to 1.
        inertia: whether links show their inertia as ellipsoids.
        fixed_frames: whether links held by fixed joints get an empty each.
        collection: name of the new collection; empty: the robot's name.
    """

    floating_base: bool = False
    package_dirs: tuple[str, ...] = ()
    xacro_args: tuple[tuple[str, str], ...] = ()
    shown: Shown = "VISUAL"
    fixed_links: FixedLinks = "MERGE"
    mesh_parent: MeshParent = "BONES"
    bone_length: float = 0.0
    scale: float = 1.0
    collada_up: ColladaUp = "IGNORE"
    gltf_up: GltfUp = "AUTO"
    decimation: float = 1.0
    inertia: bool = False
    fixed_frames: bool = False
    collection: str = ""

    def to_json(self) -> dict[str, Any]:
        """The options as values that JSON has."""
        return asdict(self)

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> ImportOptions:
        """The options of to_json(); what is missing has its default, what is unknown is ignored.

        Raises:
            ValueError: for a value that is not possible, naming the option.
        """
        known = {field.name: field for field in fields(cls)}
        values = {
            name: _checked(name, known[name].default, value)
            for name, value in document.items()
            if name in known
        }
        options = cls(**values)
        options.check()
        return options

    def check(self) -> None:
        """Refuse values that no import can have.

        Raises:
            ArgumentError: names the option as the dialog does, its value, and what is allowed.
        """
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                _refuse(name, getattr(self, name), " or ".join(allowed))
        if not SMALLEST_SCALE <= self.scale <= LARGEST_SCALE:
            _refuse("scale", self.scale, f"{SMALLEST_SCALE:g} to {LARGEST_SCALE:g}")
        if not 0.0 <= self.bone_length <= LONGEST_BONE:
            allowed_length = f"0 (a pleasant length for each bone) to {LONGEST_BONE:g} m"
            _refuse("bone_length", self.bone_length, allowed_length)
        if not 0.0 < self.decimation <= 1.0:
            _refuse("decimation", self.decimation, "above 0 to 1 (every triangle)")
        names = [name for name, _ in self.xacro_args]
        for name in names:
            if not name or names.count(name) > 1:
                _refuse("xacro_args", name, "names that are not empty, one value for each")

    def changed(self) -> dict[str, Any]:
        """The options that differ from the defaults."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }


_CHOICES: dict[str, tuple[str, ...]] = {
    "shown": get_args(Shown),
    "fixed_links": get_args(FixedLinks),
    "mesh_parent": get_args(MeshParent),
    "collada_up": get_args(ColladaUp),
    "gltf_up": get_args(GltfUp),
}


def _checked(name: str, default: Any, value: Any) -> Any:
    if name == "package_dirs" and _is_texts(value):
        return tuple(value)
    if name == "xacro_args" and isinstance(value, list | tuple):
        if all(_is_texts(pair) and len(pair) == 2 for pair in value):
            return tuple(tuple(pair) for pair in value)
    elif isinstance(default, bool | str):
        if isinstance(value, type(default)) and value in _CHOICES.get(name, (value,)):
            return value
    elif isinstance(default, float) and type(value) in (int, float):
        return value if isinstance(value, float) else _float(value)
    raise ValueError(f"options.{name}: {value!r} is not possible")


def _float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _refuse(name: str, value: Any, allowed: str) -> None:
    shown = repr(value).removesuffix(".0")
    raise ArgumentError(f"{TITLES[name]}: {shown} is not possible; allowed are {allowed}")


def _is_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
