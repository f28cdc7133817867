"""Collada (.dae) files into mesh data, through the library pycollada.

Blender 5 reads no Collada. What is done here is what RViz and Gazebo show: <unit meter> and node
transforms are applied, all geometries of the scene become one mesh, and <up_axis> is ignored but
where it is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.urdf.regular_file import has_content
from ..labels import label
from .materials import MaterialLibrary, Rgba, linear_colours
from .mesh_arrays import SCENE_FROM_Y_UP, MeshArrays, build_mesh, concatenated, transformed
from .mesh_file import MOST_CORNERS, MeshFileError, MissingLibraryError, ReadMesh

Slot = bpy.types.Material | None

# Of a file, unfolded. Large ones of the example robots have 500 nodes and 2 million corners.
MOST_NODES = 100_000

# Right, up and towards the viewer become +X, +Z and -Y (Collada 1.4.1, "up_axis": with X_UP they
# are -y, +x and +z; with Y_UP +x, +y and +z; with Z_UP +x, +z and -y).
SCENE_FROM_FILE = {
    "X_UP": np.array([[0.0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]),
    "Y_UP": SCENE_FROM_Y_UP,
}


def read_dae(path: Path, materials: MaterialLibrary, *, apply_up: bool = False) -> ReadMesh:
    """Read all geometry of a Collada file into one mesh.

    Args:
        apply_up: whether to turn it so that its <up_axis> becomes z.

    Raises:
        MeshFileError: for a missing pycollada, an unreadable file, one without faces, and one
            that is far larger unfolded than as a file.
    """
    document, notes = _parse(path)
    reader = _SceneReader(path, materials)
    scale, unit_notes = _metres(document)
    up_axis = document.assetInfo.xmlnode.findtext(document.tag("up_axis")) or ""
    turn = SCENE_FROM_FILE.get(up_axis.strip())
    metres_from_file = np.diag([scale, scale, scale, 1.0])
    if apply_up and turn is not None:
        metres_from_file = turn @ metres_from_file
    # what is not finite is refused by build_mesh
    with np.errstate(invalid="ignore", over="ignore"):
        parts = _limited(part for bound in _geometries(document) for part in reader.parts(*bound))
        if not parts:
            reason = f": {document.errors[0]}" if document.errors else ""
            raise MeshFileError(f"no triangles or polygons in it{reason}")
        whole = transformed(concatenated(parts), metres_from_file)
    mesh = build_mesh(label(path.stem), whole, reader.slots)
    ignored = up_axis.strip() if turn is not None and not apply_up else None
    return ReadMesh(mesh, (*notes, *unit_notes, *reader.notes), ignored, shaded=True)


def _metres(document: Any) -> tuple[float, tuple[str, ...]]:
    """The length of the file's unit (m), 1 where it does not say, and what to tell about it."""
    unit = document.assetInfo.xmlnode.find(document.tag("unit"))
    text = None if unit is None else unit.get("meter")
    if text is None:
        return 1.0, ()
    try:
        metres = float(text)
    except ValueError:
        metres = math.nan
    if 0.0 < metres < math.inf:
        return metres, ()
    return 1.0, (f"<unit meter='{text}'> is no positive number; a unit of 1 m is taken",)


def _parse(path: Path) -> tuple[Any, tuple[str, ...]]:
    """The document, and what to tell about it."""
    try:
        import collada
    except ImportError as error:
        raise MissingLibraryError(
            "Collada files need the Python package pycollada, which comes with the extension and "
            f"is missing here ({error}): pip install pycollada"
        ) from error
    data = path.read_bytes()
    # no exporter writes entities; a few lines of them can fill the memory
    if b"<!ENTITY" in data:
        raise MeshFileError("XML entities are not allowed")
    # what is broken or unknown in a part of the file must not cost the rest
    ignore = [collada.common.DaeError]
    document = collada.Collada(BytesIO(data), ignore=ignore)
    if b"nan" in data.lower():
        _check_numbers(document)
    missing = _drop_missing_materials(document)
    if missing:
        # pycollada leaves out a geometry together with its unknown material
        mended = BytesIO()
        document.xmlnode.write(mended)
        mended.seek(0)
        document = collada.Collada(mended, ignore=ignore)
    return document, tuple(f"there is no material '{name}' in it" for name in missing)


def _check_numbers(document: Any) -> None:
    """Refuse positions that are no numbers: pycollada takes them for 0."""
    tag = document.tag
    for mesh in document.xmlnode.iter(tag("mesh")):
        places = f"{tag('vertices')}/{tag('input')}[@semantic='POSITION']"
        sources = {item.get("source", "").removeprefix("#") for item in mesh.findall(places)}
        for source in mesh.findall(tag("source")):
            if source.get("id") in sources:
                text = source.findtext(tag("float_array")) or ""
                if "nan" in text.lower():
                    raise MeshFileError("vertices that are not finite numbers")


def _drop_missing_materials(document: Any) -> list[str]:
    """Take bindings to materials that are not in the file out of its XML; return their names."""
    known = {material.id for material in document.materials}
    missing = []
    for parent in list(document.xmlnode.iter()):
        for binding in parent.findall(document.tag("instance_material")):
            name = binding.get("target", "").removeprefix("#")
            if name not in known:
                parent.remove(binding)
                missing.append(name)
    return sorted(set(missing))


def _limited(parts: Iterator[MeshArrays]) -> list[MeshArrays]:
    """The parts, as long as a computer can hold them: a few instances of instances are many."""
    taken, corners = [], 0
    for part in parts:
        corners += len(part.corners)
        if corners > MOST_CORNERS:
            raise MeshFileError(f"more than {MOST_CORNERS} corners of faces in its instances")
        taken.append(part)
    return taken


def _check_instances(scene: Any) -> None:
    """Count the nodes that a scene unfolds to, each of them once: 2^30 can stand in 30 lines.

    Raises:
        MeshFileError: for more than MOST_NODES, and for nodes inside themselves.
    """
    from collada.scene import NodeNode

    counted: dict[int, int] = {}
    # nodes to be counted, and again when all below them are
    stack = [(node, False) for node in scene.nodes]
    inside: set[int] = set()
    while stack:
        node, done = stack.pop()
        below = [node.node] if isinstance(node, NodeNode) else getattr(node, "children", [])
        if done:
            inside.discard(id(node))
            counted[id(node)] = 1 + sum(counted[id(child)] for child in below)
            if counted[id(node)] > MOST_NODES:
                raise MeshFileError(f"more than {MOST_NODES} nodes in its instances")
        elif id(node) in inside:
            raise MeshFileError("a node that is an instance of itself")
        elif id(node) not in counted:
            inside.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in below)


def _geometries(document: Any) -> Iterator[tuple[Any, NDArray[Any], dict[str, Any]]]:
    """Each geometry with the pose of its node in the scene and its materials by symbol."""
    scene = document.scene or next(iter(document.scenes), None)
    if scene is None:
        for geometry in document.geometries:
            yield geometry, np.eye(4), {}
        return
    _check_instances(scene)
    for bound in scene.objects("geometry"):
        yield bound.original, bound.matrix, bound.materialnodebysymbol
    # a skinned geometry is taken in the pose in which it was bound
    for bound in scene.objects("controller"):
        skin = getattr(bound, "skin", None)
        if skin is not None:
            matrix = bound.matrix @ skin.bind_shape_matrix
            yield skin.geometry, matrix, bound.materialnodebysymbol


class _SceneReader:
    """Turns primitives into arrays and collects the material slots of one file."""

    def __init__(self, path: Path, materials: MaterialLibrary) -> None:
        self._path = path
        self._materials = materials
        self._slot_of: dict[str | None, int] = {}
        self.slots: list[Slot] = []
        self.notes: list[str] = []

    def parts(
        self, geometry: Any, scene_from_geometry: NDArray[Any], bindings: dict[str, Any]
    ) -> Iterator[MeshArrays]:
        """The faces of one geometry in the frame of the scene, one part a primitive."""
        for primitive in geometry.primitives:
            sizes = _face_sizes(primitive)
            if sizes is None or not len(sizes):
                continue
            binding = bindings.get(primitive.material)
            slot = self._slot(None if binding is None else binding.target)
            yield transformed(_arrays(primitive, sizes, slot), scene_from_geometry)

    def _slot(self, material: Any) -> int:
        key = None if material is None else material.id
        if key not in self._slot_of:
            self._slot_of[key] = len(self.slots)
            self.slots.append(None if material is None else self._blender_material(material))
        return self._slot_of[key]

    def _blender_material(self, material: Any) -> Slot:
        colour = getattr(material.effect, "diffuse", None)
        name = material.name or material.id or self._path.stem
        if isinstance(colour, tuple):
            opacity = _opacity(material.effect)
            rgba = (*colour[:3], opacity * (colour[3] if len(colour) > 3 else 1.0))
            # a part that would not be seen at all is a part with a wrong transparency
            return self._materials.coloured(name, rgba if rgba[3] > 0.0 else (*colour[:3], 1.0))
        image = getattr(getattr(getattr(colour, "sampler", None), "surface", None), "image", None)
        if image is None:
            return None
        texture = _texture_path(self._path.parent, image.path)
        if texture is None:
            self.notes.append(f"texture '{image.path}' not found")
            return None
        white: Rgba = (1.0, 1.0, 1.0, 1.0)
        return self._materials.coloured(name, white, texture)


def _face_sizes(primitive: Any) -> NDArray[Any] | None:
    """Corners of each face; None for what has no faces (lines)."""
    if hasattr(primitive, "ntriangles"):
        return np.full(primitive.ntriangles, 3)
    counts = getattr(primitive, "vcounts", None)
    return None if counts is None else np.asarray(counts)


def _arrays(primitive: Any, sizes: NDArray[Any], slot: int) -> MeshArrays:
    indices = _checked(primitive.vertex_index, len(primitive.vertex), "vertex")
    used, corners = np.unique(indices, return_inverse=True)
    normals = uvs = None
    if primitive.normal is not None:
        normals = primitive.normal[
            _checked(primitive.normal_index, len(primitive.normal), "normal")
        ]
    if primitive.texcoordset:
        coordinates = primitive.texcoordset[0]
        places = _checked(primitive.texcoord_indexset[0], len(coordinates), "texture coordinate")
        uvs = coordinates[places, :2]
    colours = _colours(primitive)
    whole = MeshArrays(
        positions=np.asarray(primitive.vertex, dtype=np.float64)[used],
        corners=corners.ravel(),
        face_sizes=sizes,
        materials=np.full(len(sizes), slot),
        normals=normals,
        uvs=uvs,
        colours=colours,
    )
    return whole if sizes.min() >= 3 else _without_slivers(whole)


def _checked(indices: Any, count: int, what: str) -> NDArray[Any]:
    """The indices in one row, none of which counts from the end.

    Raises:
        MeshFileError: for one without a value.
    """
    row = np.asarray(indices).ravel()
    if len(row) and not 0 <= row.min() <= row.max() < count:
        wrong = row[(row < 0) | (row >= count)][0]
        raise MeshFileError(f"a face with {what} {wrong}; there are {count} in it")
    return row


def _colours(primitive: Any) -> NDArray[Any] | None:
    """Linear colour (c, 4) at each corner, if the file gives one."""
    inputs = getattr(primitive, "sources", {}).get("COLOR")
    if not inputs:
        return None
    offset, source = inputs[0][0], np.asarray(inputs[0][4].data, dtype=np.float64)
    if source.ndim != 2 or source.shape[1] not in (3, 4):
        return None
    indices = np.asarray(primitive.index)
    places = indices.reshape(-1, indices.shape[-1])[:, offset]
    if places.min() < 0 or places.max() >= len(source):
        return None
    values = source[places]
    rgba = np.ones((len(values), 4))
    rgba[:, : source.shape[1]] = values
    return linear_colours(rgba)


def _without_slivers(arrays: MeshArrays) -> MeshArrays:
    """The same without faces of fewer than three corners."""
    faces = arrays.face_sizes >= 3
    corners = np.repeat(faces, arrays.face_sizes)
    return MeshArrays(
        positions=arrays.positions,
        corners=arrays.corners[corners],
        face_sizes=arrays.face_sizes[faces],
        materials=None if arrays.materials is None else arrays.materials[faces],
        normals=None if arrays.normals is None else arrays.normals[corners],
        uvs=None if arrays.uvs is None else arrays.uvs[corners],
        colours=None if arrays.colours is None else arrays.colours[corners],
    )


def _opacity(effect: Any) -> float:
    """How opaque an effect is, 1 wholly (Collada 1.4.1, chapter 7, "Determining transparency").

    A_ONE: the alpha of <transparent>; RGB_ZERO: 1 - its luminance; each times <transparency>.
    """
    transparent = effect.transparent
    transparency = effect.transparency if isinstance(effect.transparency, float) else 1.0
    if not isinstance(transparent, tuple) or len(transparent) < 4:
        return 1.0
    if str(effect.opaque_mode) == "RGB_ZERO":
        r, g, b = transparent[:3]
        luminance = 0.212671 * r + 0.71516 * g + 0.072169 * b
        return float(1.0 - transparency * luminance)
    return float(transparent[3] * transparency)


def _texture_path(folder: Path, reference: str) -> Path | None:
    """The image file a Collada file refers to, if it exists; else one of that name beside it."""
    plain = unquote(urlsplit(reference).path if reference.startswith("file:") else reference)
    plain = plain.replace("\\", "/")
    for candidate in (folder / plain, folder / Path(plain).name):
        if has_content(candidate):
            return candidate.resolve()
    return None
