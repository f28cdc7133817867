"""The bare calls that read mesh files: Blender's own, and for Collada the quickest way there is.

No wheel of Blender reads Collada, nor does Blender 5. There the peer is pycollada and bulk calls,
which make what Blender's importers make of other files: mesh data with normals, texture
coordinates and materials, and an object for each geometry in its place. It checks nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from .import_stages import seconds_now

OWN = "*"  # marks a peer that is not Blender's


def mesh_files(path: Path) -> list[Path]:
    """The different files of a robot's visuals that are there."""
    from dynarig.core.urdf import load_urdf
    from dynarig.core.urdf.document import Mesh

    shapes = [visual.geometry for link in load_urdf(path).links for visual in link.visuals]
    paths = [shape.path for shape in shapes if isinstance(shape, Mesh) and shape.path]
    return sorted({path.resolve() for path in paths})


def peer_of(path: Path) -> tuple[str, Callable[[], Any]]:
    """How the call is named, and the call; a name with OWN is none of Blender's."""
    extension, file = path.suffix.lower(), str(path)
    if extension == ".dae" and "collada_import" in dir(bpy.ops.wm):
        operator: Any = bpy.ops.wm.collada_import  # type: ignore[attr-defined]
        return "wm.collada_import", lambda: operator(filepath=file)
    if extension == ".dae":
        return f"pycollada{OWN}", lambda: read_collada(file)
    name = {
        ".stl": "wm.stl_import",
        ".obj": "wm.obj_import",
        ".ply": "wm.ply_import",
        ".glb": "import_scene.gltf",
        ".gltf": "import_scene.gltf",
    }[extension]
    group, _, call = name.partition(".")
    operator = getattr(getattr(bpy.ops, group), call)
    return name, lambda: operator(filepath=file)


def peer_seconds(files: list[Path]) -> float:
    """What the bare calls for the files take in all, each in an empty scene."""
    seconds = 0.0
    for path in files:
        _, call = peer_of(path)
        start = seconds_now()
        call()
        seconds += seconds_now() - start
        remove_all()
    return seconds


def remove_all() -> None:
    """Take away what an import made."""
    kinds = ("objects", "meshes", "materials", "images")
    bpy.data.batch_remove([block for kind in kinds for block in getattr(bpy.data, kind)])


def read_collada(file: str) -> None:
    """All geometries of the scene of a Collada file, each as an object."""
    from collada import Collada

    document = Collada(file)
    materials = {material.id: _material(material) for material in document.materials}
    made: dict[int, Any] = {}
    scene: Any = bpy.context.scene
    for bound in document.scene.objects("geometry"):
        key = id(bound.original)
        if key not in made:
            nodes = bound.materialnodebysymbol
            slots = {symbol: materials.get(node.target.id) for symbol, node in nodes.items()}
            made[key] = _mesh(bound.original, slots)
        obj = bpy.data.objects.new(bound.original.name or "mesh", made[key])
        obj.matrix_world = Matrix(bound.matrix.tolist())
        scene.collection.objects.link(obj)


def _material(material: Any) -> Any:
    made: Any = bpy.data.materials.new(material.name or material.id)
    if made.node_tree is None:
        made.use_nodes = True
    colour = material.effect.diffuse
    if isinstance(colour, tuple):
        made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = colour[:4]
    return made


def _mesh(geometry: Any, slots: dict[str, Any]) -> Any:
    """One mesh of all primitives of a geometry, in triangles where they are stored so."""
    faces = [own for own in geometry.primitives if hasattr(own, "vertex_index") and len(own)]
    sizes = [own.vcounts if hasattr(own, "vcounts") else np.full(len(own), 3) for own in faces]
    face_sizes = np.concatenate(sizes)
    points, corners = _points(faces)
    mesh: Any = bpy.data.meshes.new(geometry.name or "mesh")
    mesh.vertices.add(len(points))
    mesh.loops.add(len(corners))
    mesh.polygons.add(len(face_sizes))
    mesh.vertices.foreach_set("co", np.ascontiguousarray(points, "f4").ravel())
    mesh.loops.foreach_set("vertex_index", corners.astype("i4"))
    starts = np.cumsum(face_sizes) - face_sizes
    mesh.polygons.foreach_set("loop_start", starts.astype("i4"))
    for own in faces:
        mesh.materials.append(slots.get(own.material))
    indices = np.repeat(np.arange(len(faces)), [len(own) for own in sizes])
    mesh.polygons.foreach_set("material_index", indices.astype("i4"))
    if all(own.texcoordset for own in faces):
        uvs = [own.texcoordset[0][own.texcoord_indexset[0].ravel(), :2] for own in faces]
        layer = mesh.uv_layers.new(do_init=False)
        layer.uv.foreach_set("vector", np.concatenate(uvs).astype("f4").ravel())
    mesh.update(calc_edges=True)
    if all(own.normal is not None for own in faces):
        normals = [own.normal[own.normal_index.ravel()] for own in faces]
        mesh.normals_split_custom_set(np.concatenate(normals).tolist())
    mesh.validate(clean_customdata=False)
    return mesh


def _points(faces: list[Any]) -> tuple[Any, Any]:
    """Vertices (n, 3) of all primitives, which may share theirs, and each corner's vertex."""
    shared = {id(own.vertex): own.vertex for own in faces}
    starts = np.cumsum([0, *map(len, shared.values())])
    place = dict(zip(shared, starts.tolist(), strict=False))
    corners = [own.vertex_index.ravel() + place[id(own.vertex)] for own in faces]
    return np.concatenate(list(shared.values())), np.concatenate(corners)
