"""Materials as they look in Blender now, as URDF materials."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy

from ....core.urdf.document import Material
from ...errors import RigError
from ..geometry.materials import (
    NEUTRAL,
    Rgba,
    has_look,
    linear_from_display,
    original_name,
    principled,
)
from ..labels import label
from ..seven_digits import PLACES

# of linear colours: what Blender keeps in float32 is what import put there
SAME_COLOUR = 1e-6
DISPLAY_PLACES = 6  # of display colours: finer than 16 bits


def edited_material(material: Material | None, obj: bpy.types.Object) -> Material | None:
    """The URDF material of an imported visual; the same object where it was not edited.

    Only slots that belong to the object show it: the others show what the mesh file says.
    """
    slots = [slot.material for slot in obj.material_slots if slot.link == "OBJECT"]
    if not slots:
        return material
    shown = slots[0]
    if shown is None:
        return None
    made = material if material is not None and has_look(material) else None
    name = material_name(shown)
    if made is not None and label(made.name) in (shown.name, name):
        name = made.name
    rgba = NEUTRAL if made is None or made.rgba is None else made.rgba
    image = image_path(shown)
    if image is not None:
        if (
            made is not None
            and made.texture_path is not None
            and _is_file(made.texture_path, image)
        ):
            return material
        return Material(name, rgba, str(image), image)
    colour = flat_colour(shown)
    if colour is None:
        return material
    if made is not None and made.texture_path is not None:
        return Material(name, display_from_linear(colour))
    edited = _edited_channels(rgba, colour)
    return material if edited == rgba else Material(name, edited)


def new_material(obj: bpy.types.Object) -> Material | None:
    """The URDF material of an object that is not of the file: of its first slot."""
    shown = next((slot.material for slot in obj.material_slots if slot.material), None)
    if shown is None:
        return None
    image = image_path(shown)
    if image is not None:
        return Material(material_name(shown), None, str(image), image)
    colour = flat_colour(shown)
    return None if colour is None else Material(material_name(shown), display_from_linear(colour))


def flat_colour(material: bpy.types.Material) -> Rgba | None:
    """Linear colour and alpha of the Principled BSDF; None where there is none, or not one.

    Raises:
        RigError: for a colour that is no number.
    """
    shader = principled(material)
    if shader is None or shader.inputs["Base Color"].is_linked:
        return None
    red, green, blue, _ = shader.inputs["Base Color"].default_value
    colour: Rgba = (red, green, blue, shader.inputs["Alpha"].default_value)
    if not all(map(math.isfinite, colour)):
        raise RigError(
            f"material '{material.name}': its colour or alpha is no finite number; wanted 0 to 1"
        )
    return colour


def image_path(material: bpy.types.Material) -> Path | None:
    """The file of the image that the Principled BSDF has as colour."""
    shader = principled(material)
    links: Any = () if shader is None else shader.inputs["Base Color"].links
    for link in links:
        image = getattr(link.from_node, "image", None)
        if image is not None and image.filepath:
            return Path(bpy.path.abspath(image.filepath, library=image.library)).absolute()
    return None


def display_from_linear(linear: Iterable[float]) -> Rgba:
    """Linear light to sRGB display colour (IEC 61966-2-1); alpha as it is; all cut to 0..1."""
    r, g, b, alpha = (min(max(float(channel), 0.0), 1.0) for channel in linear)
    return (_encoded(r), _encoded(g), _encoded(b), round(alpha, PLACES))


def material_name(material: bpy.types.Material) -> str:
    """The name without the number that Blender adds to a taken one."""
    return original_name(material)


def settled(
    top: dict[str, Material], pairs: list[tuple[Material | None, Material | None]]
) -> tuple[dict[str, Material], list[Material | None]]:
    """Materials of visuals, so that no edited one shares its name with another one.

    Args:
        top: materials at the top of the file.
        pairs: of each visual, as it was and as it is.

    Returns:
        The materials at the top, where one that was edited for all its visuals is edited too; and
        those of the visuals.
    """
    top = dict(top)
    for name, material in top.items():
        users = [now for old, now in pairs if old == material]
        first = users[0] if users else None
        if first is not None and first.name == name and all(now == first for now in users):
            top[name] = first
    known = dict(top)
    for old, now in pairs:
        if now is not None and now is old and now.name:
            known.setdefault(now.name, now)
    result = []
    for old, now in pairs:
        if now is not None and now is not old:
            now = _unique(now, known)
            known[now.name] = now
        result.append(now)
    return top, result


def _edited_channels(rgba: Rgba, linear: Rgba) -> Rgba:
    """The display colour with the channels whose linear light is another than import made."""
    channels = zip(
        rgba, linear_from_display(rgba), linear, display_from_linear(linear), strict=True
    )
    r, g, b, alpha = (
        written if abs(made - now) <= SAME_COLOUR else shown
        for written, made, now, shown in channels
    )
    return (r, g, b, alpha)


def _unique(material: Material, known: dict[str, Material]) -> Material:
    candidate, number = material, 1
    while known.get(candidate.name, candidate) != candidate:
        number += 1
        candidate = replace(material, name=f"{material.name}_{number}")
    return candidate


def _encoded(channel: float) -> float:
    display = channel * 12.92 if channel <= 0.0031308 else 1.055 * channel ** (1 / 2.4) - 0.055
    return round(min(max(display, 0.0), 1.0), DISPLAY_PLACES)


def _is_file(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
