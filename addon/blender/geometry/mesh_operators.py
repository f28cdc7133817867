"""STL, OBJ and glTF files into mesh data, through Blender's own import operators where they help.

The objects, empties, cameras and other things an operator makes are the caller's to remove: it
knows what was there before.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..labels import label
from ..workspace import Workspace
from .gltf_check import check_indices, check_sizes, without_odd_images
from .gltf_file import GltfFile
from .joined_objects import can_join, joined
from .materials import MaterialLibrary, original_name
from .mesh_arrays import (
    SCENE_FROM_Y_UP,
    arrays_from_mesh,
    build_mesh,
    concatenated,
    read_positions,
    transformed,
)
from .mesh_file import MeshFileError, ReadMesh, check_positions
from .obj_faces import faces_left_out
from .side_files import is_usable, libraries_of, without_odd_files
from .stl_check import bytes_of_triangles
from .stl_file import SMALL, read_stl_arrays

STORED_FROM_BLENDER = SCENE_FROM_Y_UP.T  # Blender's glTF importer turns; this turns it back

_MATERIAL_LINE = re.compile(rb"^[ \t]*newmtl[ \t]+(.+?)[ \t\r]*$", re.MULTILINE)


def read_stl(path: Path, workspace: Workspace, materials: MaterialLibrary) -> ReadMesh:
    """Binary or ASCII STL; it has no materials."""
    end = bytes_of_triangles(path)
    if end is None:
        return ReadMesh(_stl(path, workspace))
    more = path.stat().st_size - end
    notes = (f"{more} bytes after its triangles were left out",) if more else ()
    if end <= SMALL:
        arrays = read_stl_arrays(path, end)
        mesh = build_mesh(label(path.stem), arrays, validate=False)
        return ReadMesh(mesh, notes, shaded=True)
    if not more:
        return ReadMesh(_stl(path, workspace))
    with TemporaryDirectory(prefix="dynarig-") as folder:
        copy = Path(folder) / "whole.stl"
        copy.write_bytes(path.read_bytes()[:end])
        return ReadMesh(_stl(copy, workspace), notes)


def _stl(path: Path, workspace: Workspace) -> bpy.types.Mesh:
    operator = bpy.ops.wm.stl_import
    return _only_mesh(workspace, lambda: operator(filepath=str(path), use_mesh_validate=False))


def read_obj(path: Path, workspace: Workspace, materials: MaterialLibrary) -> ReadMesh:
    """Wavefront OBJ with its MTL files, all its objects as one mesh, in the file's axes.

    Blender makes a grey material for every `usemtl`; one that no MTL file defines says nothing,
    and its slot is left empty.
    """
    data = path.read_bytes()
    libraries = libraries_of(path, data)
    with TemporaryDirectory(prefix="dynarig-") as folder:
        file, notes = without_odd_files(path, data, libraries, Path(folder))
        mesh = _obj(file, workspace)
    left_out = faces_left_out(data, len(mesh.polygons))
    defined = _defined_materials(libraries)
    lost: dict[str, None] = {}
    for index, material in enumerate(mesh.materials):
        if material is not None and not {material.name, original_name(material)} & defined:
            mesh.materials[index] = None
            lost.update((own.name, None) for own in libraries[1:] if not own.exists())
    _adopt_materials(mesh, materials, display_colour=True)
    notes = (*notes, *([left_out] if left_out else ()))
    return ReadMesh(mesh, notes, lost_libraries=tuple(lost))


def _obj(path: Path, workspace: Workspace) -> bpy.types.Mesh:
    operator = bpy.ops.wm.obj_import
    return _only_mesh(
        workspace,
        lambda: operator(
            filepath=str(path),
            forward_axis="Y",
            up_axis="Z",
            use_split_objects=False,
            validate_meshes=False,
        ),
    )


def read_gltf(path: Path, workspace: Workspace, materials: MaterialLibrary) -> ReadMesh:
    """Binary or text glTF: all meshes of the scene as one, as stored, with node transforms."""
    gltf = GltfFile.read(path)
    notes: tuple[str, ...] = ()
    if gltf is not None:
        check_sizes(gltf)
        check_indices(gltf)
        gltf.check_vertices()
        gltf, notes = without_odd_images(gltf)
    if gltf is not None and (gltf.has_rig or notes):
        with TemporaryDirectory(prefix="dynarig-") as folder:
            objects = _gltf(gltf.without_rig().write(Path(folder)), workspace)
    else:
        objects = _gltf(path, workspace)
    mesh = _merged(path.stem, objects, workspace)
    named = set() if gltf is None else gltf.material_names()
    for index, material in enumerate(mesh.materials):
        # Blender 5 makes one for parts that have vertex colours and no material
        if material is not None and original_name(material) == "DefaultMaterial" not in named:
            mesh.materials[index] = None
    _adopt_materials(mesh, materials, display_colour=False)
    return ReadMesh(mesh, notes)


def _gltf(path: Path, workspace: Workspace) -> list[bpy.types.Object]:
    operator = bpy.ops.import_scene.gltf
    return _imported(workspace, lambda: operator(filepath=str(path)))


def _only_mesh(workspace: Workspace, operation: Callable[[], Any]) -> bpy.types.Mesh:
    """The mesh that an operator makes, checked before validation hides what is wrong with it."""
    mesh = _imported(workspace, operation)[0].data
    assert isinstance(mesh, bpy.types.Mesh)
    check_positions(read_positions(mesh))
    mesh.validate(clean_customdata=False)
    return mesh


def _imported(workspace: Workspace, operation: Callable[[], Any]) -> list[bpy.types.Object]:
    """The mesh objects that an import operator makes; at least one."""
    before = set(workspace.scene.collection.all_objects)
    _run(workspace, operation)
    made = [obj for obj in workspace.scene.collection.all_objects if obj not in before]
    objects = [obj for obj in made if obj.type == "MESH"]
    if not objects:
        raise MeshFileError("no mesh in it")
    return objects


def _run(workspace: Workspace, operation: Callable[[], Any]) -> None:
    try:
        with workspace.override():
            result = operation()
    except RuntimeError as error:
        reason = _last_line(str(error))
        if "Traceback" in str(error):
            reason = f"the file is damaged ({reason})"
        raise MeshFileError(reason) from error
    except AttributeError as error:
        raise MeshFileError(f"Blender's importer for it is not enabled ({error})") from error
    if "FINISHED" not in result:
        raise MeshFileError("Blender's importer gave up on it")


def _last_line(text: str) -> str:
    """The reason in an operator's report: the exception at the end of a traceback, if it is one."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("Location:")] or ["unknown reason"]
    return lines[-1].removeprefix("Error: ")


def _merged(name: str, objects: list[bpy.types.Object], workspace: Workspace) -> bpy.types.Mesh:
    """One mesh of all objects, each in its pose in the scene, axes as stored in the file."""
    poses = [STORED_FROM_BLENDER @ _scene_from_object(obj) for obj in objects]
    if can_join(objects, poses):
        return joined(objects, poses, workspace)
    slots: list[bpy.types.Material | None] = []
    parts = []
    for obj, pose in zip(objects, poses, strict=True):
        mesh: Any = obj.data
        own = list(mesh.materials) or [None]
        slots.extend(material for material in dict.fromkeys(own) if material not in slots)
        arrays = arrays_from_mesh(mesh)
        slot_of_own = np.array([slots.index(material) for material in own])
        assert arrays.materials is not None  # arrays_from_mesh always reads them
        used = np.minimum(arrays.materials, len(own) - 1)
        parts.append(transformed(replace(arrays, materials=slot_of_own[used]), pose))
    return build_mesh(name, concatenated(parts), slots)


def _scene_from_object(obj: bpy.types.Object) -> NDArray[Any]:
    """The object's pose by its chain of parents; matrix_world waits for a depsgraph update."""
    matrix = np.array(obj.matrix_basis)
    parent = obj.parent
    while parent is not None:
        matrix = np.array(parent.matrix_basis) @ np.array(obj.matrix_parent_inverse) @ matrix
        obj, parent = parent, parent.parent
    return matrix


def _adopt_materials(
    mesh: bpy.types.Mesh, materials: MaterialLibrary, *, display_colour: bool
) -> None:
    """Let equal materials of earlier files take the place of this file's."""
    for index, material in enumerate(mesh.materials):
        if material is not None:
            kept = materials.adopt(material, display_colour=display_colour)
            mesh.materials[index] = kept


def _defined_materials(libraries: list[Path]) -> set[str]:
    """Names that MTL files define."""
    names: set[str] = set()
    for library in libraries:
        if is_usable(library):
            found = _MATERIAL_LINE.findall(library.read_bytes())
            names.update(name.decode("utf-8", "replace") for name in found)
    return names
