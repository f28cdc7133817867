"""Materials of one import: made once for equal values, and shown as RViz shows them.

URDF, MTL and Collada colours are display colours (sRGB): RViz, Gazebo's classic renderer and the
tools that write these files put them on the screen as they are. Blender computes in linear light,
in Principled BSDF and in `diffuse_color` alike, so each channel is decoded once on its way in:

    linear = c / 12.92                       for c <= 0.04045
    linear = ((c + 0.055) / 1.055)^2.4       else          (IEC 61966-2-1)

With the Standard view transform the picture then shows the numbers of the file. Alpha is kept.
glTF defines its factors as linear: they stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.urdf.document import Material
from ....core.urdf.regular_file import has_content
from ...messages import one_line
from ..labels import label
from ..leftovers import remove_blocks

Rgba = tuple[float, float, float, float]

NEUTRAL: Rgba = (0.7, 0.7, 0.7, 1.0)  # display colour of what the file leaves without one
_COPY_SUFFIX = re.compile(r"\.\d{3,}$")  # what Blender adds to a name that is taken


class MaterialLibrary:
    """The Blender materials of one import, by what they show.

    Args:
        warnings: takes a line for each texture that cannot be read.
    """

    def __init__(self, warnings: list[str]) -> None:
        self._warnings = warnings
        self._other_images = set(bpy.data.images)
        self._made: dict[tuple[str, Rgba, Path | None], bpy.types.Material] = {}
        self._by_vertex: dict[tuple[str, Rgba], bpy.types.Material] = {}
        self._adopted: dict[object, bpy.types.Material] = {}

    def neutral(self) -> bpy.types.Material:
        """The grey of links that name no material."""
        return self.coloured("Neutral", NEUTRAL)

    def from_urdf(self, material: Material | None) -> bpy.types.Material:
        """One Blender material for one URDF material; neutral where it says no colour."""
        if material is None or not has_look(material):
            return self.neutral()
        name = material.name or "Material"
        return self.coloured(name, material.rgba or NEUTRAL, material.texture_path)

    def vertex_colours(self, attribute: str, mean: Rgba) -> bpy.types.Material:
        """A material that shows the vertex colours of meshes.

        Args:
            attribute: name of their colour attribute.
            mean: linear colour and alpha for the solid viewport.
        """
        key = (attribute, mean)
        if key not in self._by_vertex:
            material = self._new("Vertex colours", NEUTRAL, None)
            _show(material, mean)
            tree, shader = material.node_tree, principled(material)
            node: Any = _beside(shader, "ShaderNodeAttribute", tree)
            node.attribute_type, node.attribute_name = "GEOMETRY", attribute
            tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
            self._by_vertex[key] = material
        return self._by_vertex[key]

    def coloured(self, name: str, rgba: Rgba, texture: Path | None = None) -> bpy.types.Material:
        """A material of this name and look, the same one for the same arguments.

        Args:
            rgba: display colour and alpha, 0..1; a texture takes the place of the colour.
            texture: image file.
        """
        key = (name, rgba, texture)
        if key not in self._made:
            self._made[key] = self._new(name, rgba, texture)
        return self._made[key]

    def adopt(self, material: bpy.types.Material, *, display_colour: bool) -> bpy.types.Material:
        """Fit in a material that a mesh importer made; an equal one from before takes its place.

        Args:
            display_colour: its colour was taken over from the file undecoded.
        """
        shader = principled(material)
        if shader is not None:
            self._drop_lost_images(material)
            colour, opacity = shader.inputs["Base Color"], shader.inputs["Alpha"]
            if display_colour:
                colour.default_value = linear_from_display(tuple(colour.default_value))
            if colour.is_linked:
                material.node_tree.nodes.active = colour.links[0].from_node
            if display_colour and not opacity.is_linked and opacity.default_value == 0.0:
                opacity.default_value = 1.0  # a part that nobody would see has a wrong opacity
            own = display_colour or not colour.is_linked
            shown = colour.default_value if own else material.diffuse_color
            alpha = 1.0 if opacity.is_linked else opacity.default_value
            _show(material, (shown[0], shown[1], shown[2], alpha))
        return self._adopted.setdefault(_signature(material), material)

    def blocks(self) -> Iterator[bpy.types.ID]:
        """All materials of this library, and their images."""
        all_kinds = (self._made, self._by_vertex, self._adopted)
        for material in (own for kind in all_kinds for own in kind.values()):
            yield material
            nodes: Any = () if material.node_tree is None else material.node_tree.nodes
            yield from (node.image for node in nodes if getattr(node, "image", None))

    def remove_unused(self) -> None:
        """Remove materials that no mesh got, and their images; the library ends with it."""
        blocks = set(self.blocks())
        images = [block for block in blocks if isinstance(block, bpy.types.Image)]
        materials = [block for block in blocks if isinstance(block, bpy.types.Material)]
        remove_blocks(material for material in materials if not material.users)
        new = set(images) - self._other_images
        remove_blocks(image for image in new if not image.users)

    def _drop_lost_images(self, material: Any) -> None:
        """Take out the textures of an importer's material that cannot be read, each with a line."""
        for node in list(material.node_tree.nodes):
            image = getattr(node, "image", None)
            if image is not None and not _is_readable(image):
                self._warn_of(Path(bpy.path.abspath(image.filepath)))
                material.node_tree.nodes.remove(node)

    def _warn_of(self, texture: Path) -> None:
        reason = "it cannot be read" if texture.is_file() else "no such file"
        line = one_line(f"{texture}: texture not used: {reason}")
        if line not in self._warnings:
            self._warnings.append(line)

    def _new(self, name: str, rgba: Rgba, texture: Path | None) -> bpy.types.Material:
        material = bpy.data.materials.new(label(name))
        if material.node_tree is None:
            material.use_nodes = True
        linear = linear_from_display(rgba)
        _show(material, linear)
        shader = principled(material)
        assert shader is not None, "Blender gives new materials a Principled BSDF"
        shader.inputs["Base Color"].default_value = linear
        shader.inputs["Alpha"].default_value = linear[3]
        image = None if texture is None else self._image(texture)
        if image is not None:
            tree: Any = material.node_tree
            node: Any = _beside(shader, "ShaderNodeTexImage", tree)
            node.image = image
            tree.nodes.active = node  # the solid viewport shows the image of this node
            tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
        return material

    def _image(self, path: Path) -> bpy.types.Image | None:
        known = set(bpy.data.images)
        if not has_content(path):
            self._warn_of(path)
            return None
        try:
            image = bpy.data.images.load(str(path), check_existing=True)
        except RuntimeError:
            image = None
        if image is not None and _is_readable(image):
            return image
        self._warn_of(path)
        if image is not None and image not in known:
            bpy.data.images.remove(image)
        return None


def has_look(material: Material | None) -> bool:
    """Whether a URDF material says a colour or has a texture that was found."""
    return material is not None and (material.rgba is not None or material.texture_path is not None)


def shows_image(material: bpy.types.Material | None) -> bool:
    """Whether the colour of a material comes from an image."""
    shader = None if material is None else principled(material)
    return shader is not None and any(
        getattr(link.from_node, "image", None) for link in shader.inputs["Base Color"].links
    )


def linear_from_display(rgba: tuple[float, ...]) -> Rgba:
    """sRGB display colour to linear light; alpha as it is; all clamped to 0..1."""
    r, g, b, alpha = (min(max(float(channel), 0.0), 1.0) for channel in rgba)
    return (_decoded(r), _decoded(g), _decoded(b), alpha)


def principled(material: bpy.types.Material) -> Any:
    """The Principled BSDF node of a material, or None."""
    nodes: Any = () if material.node_tree is None else material.node_tree.nodes
    return next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)


def linear_colours(rgba: NDArray[Any]) -> NDArray[Any]:
    """linear_from_display of many colours, (n, 4)."""
    cut = np.clip(rgba, 0.0, 1.0)
    colours = cut[:, :3]
    decoded = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return np.concatenate([decoded, cut[:, 3:]], axis=1)


def original_name(material: bpy.types.ID) -> str:
    """The name an importer asked for, without the number Blender added to a taken name."""
    return _COPY_SUFFIX.sub("", material.name)


def _is_readable(image: bpy.types.Image) -> bool:
    """Whether an image has pixels; to say so Blender loads it."""
    return image.size[0] > 0


def _decoded(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _show(material: Any, linear: Rgba) -> None:
    """Set the colour of Blender's solid viewport, and let what is behind be seen through it."""
    material.diffuse_color = linear
    if linear[3] < 1.0:
        # sorted, without the grain of DITHERED, which Blender gives all materials
        material.surface_render_method = "BLENDED"


def _beside(shader: Any, kind: str, tree: Any) -> Any:
    """A new node to the left of a shader."""
    node = tree.nodes.new(kind)
    node.location = (shader.location[0] - 300.0, shader.location[1])
    return node


def _signature(material: Any) -> object:
    """All that makes two imported materials look and read the same."""
    tree = material.node_tree
    nodes = [] if tree is None else [_node_signature(node) for node in tree.nodes]
    links = [] if tree is None else [_link_signature(link) for link in tree.links]
    return (original_name(material), tuple(material.diffuse_color), tuple(nodes), tuple(links))


def _node_signature(node: Any) -> object:
    image = getattr(node, "image", None)
    # two packed images are told apart, files are the same by path
    source = None if image is None else (image.filepath or image.name)
    return (node.bl_idname, node.name, source, tuple(_value(entry) for entry in node.inputs))


def _link_signature(link: Any) -> object:
    ends = (link.from_node.name, link.from_socket.identifier)
    return (*ends, link.to_node.name, link.to_socket.identifier)


def _value(entry: Any) -> object:
    value: Any = getattr(entry, "default_value", None)
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
