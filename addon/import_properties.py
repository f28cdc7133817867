"""What the user chooses when a robot is imported: the dialog, and the options of its values."""

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from .blender.importing.options import (
    ImportOptions,
)
from .properties import as_typed
from .xacro_arguments import parse_xacro_arguments

# what belongs to one robot: presets keep it, the next import does not
OF_ONE_ROBOT = ("collection", "xacro_args")
LEAST_DECIMATION = 0.001  # of the triangles; less would leave nothing of any mesh


class ImportProperties:
    """The options of the import operator; presets keep all of them.

    Numbers have bounds for the mouse only: what is not possible is refused by the import and not
    cut here, which would import something else than a script asked for.
    """

    floating_base: BoolProperty(
        name="Floating Base",
        description="The root link moves freely, as of a walking robot or a drone; "
        "otherwise it is fixed to the armature",
        default=False,
    )
    scale: FloatProperty(
        name="Scale",
        description="Size of the robot in the scene; its own numbers stay in metres",
        default=1.0,
        soft_min=0.01,
        soft_max=100.0,
    )
    collection: StringProperty(
        name="Collection",
        description="Name of the new collection; empty for the name of the robot",
        default="",
    )
    xacro_args: StringProperty(
        name="Xacro Arguments",
        description="Arguments of .xacro files as name:=value, separated by blanks or "
        'semicolons; values with blanks in quotes: prefix:=left title:="my robot"',
        default="",
    )
    shown: EnumProperty(
        name="Geometry",
        description="Which shapes of the links come in",
        items=(
            ("VISUAL", "Visual", "What the robot looks like"),
            ("COLLISION", "Collision", "The simpler shapes for contact, drawn as wires"),
            (
                "BOTH",
                "Visual and Collision",
                "Both; collision shapes are drawn as wires, in a hidden collection of their own",
            ),
        ),
        default="VISUAL",
    )
    mesh_parent: EnumProperty(
        name="Meshes",
        description="How the visuals hang on the armature",
        items=(
            ("BONES", "Parent to Bones", "An object for each visual, parented to its bone"),
            (
                "SKIN",
                "One Skinned Mesh",
                "One mesh of all visuals, with a vertex group for each bone and an Armature "
                "modifier, as game engines take it",
            ),
        ),
        default="BONES",
    )
    decimation: FloatProperty(
        name="Collision Detail",
        description="Part of the triangles of collision meshes that is kept",
        default=1.0,
        soft_min=LEAST_DECIMATION,
        soft_max=1.0,
        subtype="FACTOR",
    )
    inertia: BoolProperty(
        name="Inertia Ellipsoids",
        description="Show the inertia of each link as the ellipsoid of equal mass and inertia",
        default=False,
    )
    fixed_frames: BoolProperty(
        name="Frame Empties",
        description="An empty for each link that is held by a fixed joint, such as a sensor or "
        "the point of a tool",
        default=False,
    )
    fixed_links: EnumProperty(
        name="Fixed Links",
        description="What links that are held by fixed joints get",
        items=(
            ("MERGE", "Merge", "They ride on the bone of the link that carries them"),
            ("KEEP", "Keep", "Each has a bone of its own, which does not move by itself"),
        ),
        default="MERGE",
    )
    bone_length: FloatProperty(
        name="Bone Length",
        description="Length of every bone; 0 chooses a pleasant one for each",
        default=0.0,
        soft_min=0.0,
        soft_max=1.0,
        precision=3,
        subtype="DISTANCE",
        unit="LENGTH",
    )
    collada_up: EnumProperty(
        name="Collada Up Axis",
        description="Whether the up axis that a .dae file names turns its mesh",
        items=(
            ("IGNORE", "Ignore", "Take meshes as they are stored, as RViz and Gazebo do"),
            ("APPLY", "Apply", "Turn meshes so that the axis they name points up"),
        ),
        default="IGNORE",
    )
    gltf_up: EnumProperty(
        name="glTF Up Axis",
        description="The axis that points up in .gltf and .glb files as they are stored",
        items=(
            ("AUTO", "Automatic", "The one that fits the collision shapes of the link"),
            ("Y", "Y", "Y, as the format has it"),
            ("Z", "Z", "Z, as robot descriptions have it"),
        ),
        default="AUTO",
    )
    package_dirs: StringProperty(
        name="Package Folders",
        description="Folders to search for the ROS packages that mesh files are named by, "
        "separated by semicolons. Folders near the robot file are searched anyway, those of the "
        "add-on's preferences after these",
        default="",
    )


def forget_last_robot(operator: Any) -> None:
    """Reset what the last import had for its own robot, unless this call has set it."""
    for name in OF_ONE_ROBOT:
        if not operator.properties.is_property_set(name):
            operator.properties.property_unset(name)


def options_of(chosen: Any, more_dirs: tuple[str, ...] = ()) -> ImportOptions:
    """The options that the dialog's values are.

    Args:
        chosen: the operator, or whatever else has ImportProperties.
        more_dirs: folders to search after those of the dialog.

    Raises:
        ArgumentError: for xacro arguments that are not understood.
    """
    return ImportOptions(
        floating_base=chosen.floating_base,
        package_dirs=tuple(dict.fromkeys((*folders_of(chosen.package_dirs), *more_dirs))),
        xacro_args=parse_xacro_arguments(chosen.xacro_args),
        shown=chosen.shown,
        fixed_links=chosen.fixed_links,
        mesh_parent=chosen.mesh_parent,
        bone_length=as_typed(chosen.bone_length),
        scale=as_typed(chosen.scale),
        collada_up=chosen.collada_up,
        gltf_up=chosen.gltf_up,
        decimation=as_typed(chosen.decimation),
        inertia=chosen.inertia,
        fixed_frames=chosen.fixed_frames,
        collection=chosen.collection.strip(),
    )


def folders_of(text: str) -> list[str]:
    """The folders of a text that separates them by semicolons; `//` is the .blend file's."""
    return [bpy.path.abspath(part.strip()) for part in text.split(";") if part.strip()]


def draw_import_options(layout: Any, chosen: Any) -> None:
    """The dialog, in parts that fold."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    body = _section(layout, "robot", "Robot")
    if body:
        body.prop(chosen, "floating_base")
        body.prop(chosen, "scale")
        body.prop(chosen, "collection")
    body = _section(layout, "geometry", "Geometry")
    if body:
        body.prop(chosen, "shown")
        column = body.column()
        column.active = chosen.shown != "COLLISION"
        column.prop(chosen, "mesh_parent")
        column = body.column()
        column.active = chosen.shown != "VISUAL"
        column.prop(chosen, "decimation")
        body.prop(chosen, "inertia")
    body = _section(layout, "armature", "Armature")
    if body:
        body.prop(chosen, "fixed_links")
        body.prop(chosen, "fixed_frames")
        body.prop(chosen, "bone_length")
    body = _section(layout, "files", "Files")
    if body:
        body.prop(chosen, "package_dirs")
        body.prop(chosen, "xacro_args")
        body.prop(chosen, "collada_up")
        body.prop(chosen, "gltf_up")


def _section(layout: Any, name: str, title: str) -> Any:
    """A part of the dialog that folds; None while it is folded."""
    header, body = layout.panel(f"DYNARIG_import_{name}")
    header.label(text=title)
    return body
