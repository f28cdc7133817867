"""The geometry of one import as mesh data: each file read once, each shape made once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import bpy
from mathutils import Matrix

from ....core.urdf.document import Geometry, Mesh
from ....core.urdf.regular_file import has_content
from ...messages import one_line
from ..labels import label
from ..workspace import Workspace
from .collada import read_dae
from .decimation import decimated
from .materials import MaterialLibrary, original_name
from .mesh_arrays import SCENE_FROM_Y_UP, build_mesh, smooth_by_angle
from .mesh_file import LARGEST_FILE, MeshFileError, MissingLibraryError, ReadMesh
from .mesh_operators import read_gltf, read_obj, read_stl
from .mesh_settings import MeshSettings, Progress
from .ply_file import read_ply_arrays
from .shapes import Shape, shape_mesh

SOURCE_PROPERTY = "dynarig_source"  # on mesh data: the file it was read from

_BY_OPERATOR: dict[str, Callable[[Path, Workspace, MaterialLibrary], ReadMesh]] = {
    ".stl": read_stl,
    ".obj": read_obj,
    ".glb": read_gltf,
    ".gltf": read_gltf,
}
EXTENSIONS = (*_BY_OPERATOR, ".ply", ".dae")
GLTF = (".glb", ".gltf")
LISTED = 5  # names of MTL files in one warning


class MeshLibrary:
    """Mesh data by what it shows, for the length of one import.

    Slots without a material are left empty, for the objects to fill. What importers leave
    behind stays in the file until finish(): removing it after every file would cost a pass over
    the whole file each time, 8 ms beside 5,000 objects.

    Args:
        workspace: where the import operators run.
        materials: takes in the materials of the files.
        warnings: takes one line for each file that cannot be used.
        settings: MeshSettings() if none; AUTO for glTF files leaves them as they are stored,
            but for those that turn() is told.
    """

    def __init__(
        self,
        workspace: Workspace,
        materials: MaterialLibrary,
        warnings: list[str],
        settings: MeshSettings | None = None,
    ) -> None:
        self._workspace = workspace
        self._materials = materials
        self._warnings = warnings
        self.settings = settings or MeshSettings()
        self._resolved: dict[Path, Path] = {}
        self._files: dict[Path, bpy.types.Mesh | None] = {}
        self._shapes: dict[Shape, bpy.types.Mesh | None] = {}
        self._decimated: dict[Path, bpy.types.Mesh] = {}
        self._other_up: list[tuple[Path, str]] = []
        self._without_library: dict[str, list[Path]] = {}
        self._lost: dict[Path, tuple[str, ...]] = {}

    def geometry(self, geometry: Geometry, *, decimate: bool = False) -> bpy.types.Mesh | None:
        """Mesh data for a geometry, unscaled; None where there is no file or it is of no use.

        A mesh whose file was not found gets no warning here: resolving it gave one.

        Args:
            decimate: of a file, to have the part of its triangles that the settings say.
        """
        if isinstance(geometry, Mesh):
            if geometry.path is None:
                return None
            return self._fewer(geometry.path) if decimate else self.file(geometry.path)
        if geometry not in self._shapes:
            self._shapes[geometry] = self._shape_or_warn(geometry)
        return self._shapes[geometry]

    def file(self, path: Path) -> bpy.types.Mesh | None:
        """Mesh data of a file, in metres and its own axes; None, with a warning, if unreadable."""
        path = self._whole(path)
        if path not in self._files:
            self._files[path] = self._read_or_warn(path)
        return self._files[path]

    def has(self, geometry: Geometry) -> bool:
        """Whether a geometry was asked for already."""
        if isinstance(geometry, Mesh):
            return geometry.path is not None and self._whole(geometry.path) in self._files
        return geometry in self._shapes

    def read_files(self, geometries: Iterable[Geometry], progress: Progress | None = None) -> None:
        """Read the files of all geometries, each once.

        Args:
            progress: is called before each file; its fractions go by the bytes of the files.
        """
        paths = (shape.path for shape in geometries if isinstance(shape, Mesh))
        files = list(dict.fromkeys(self._whole(path) for path in paths if path is not None))
        sizes = [file_size(path) for path in files]
        done, whole = 0, max(sum(sizes), 1)
        for path, size in zip(files, sizes, strict=True):
            if progress is not None:
                progress(done / whole, f"reading {one_line(path.name)} ({_amount(size)})")
            self.file(path)
            done += size

    def turn(self, paths: Iterable[Path]) -> None:
        """Turn the meshes of files from y up to z up: (x, y, z) becomes (x, -z, y)."""
        for path in paths:
            mesh = self._files[self._whole(path)]
            if mesh is not None:
                mesh.transform(Matrix(SCENE_FROM_Y_UP.tolist()))

    def finish(self, visuals: Iterable[Geometry] = ()) -> None:
        """Warn of what concerns many files at once, and remove all but meshes and materials.

        The last call to this library.

        Args:
            visuals: the geometries whose colours matter.
        """
        for reason, paths in self._without_library.items():
            more = f" (and {len(paths) - 1} more)" if len(paths) > 1 else ""
            self._warnings.append(one_line(f"{paths[0]}{more}: mesh not used: {reason}"))
        if self._other_up:
            path, axis = self._other_up[0]
            self._warnings.append(
                f"{one_line(path)}: <up_axis>{axis}</up_axis> is ignored, as RViz and Gazebo do "
                f"(Collada files with another axis than Z_UP: {len(self._other_up)}); "
                "should parts lie on their side, import with the up axis applied"
            )
        self._warn_of_lost(visuals)
        before = self._workspace.before
        if before is not None:
            # objects, empties, cameras and whatever else the files brought along
            own = (*self._files.values(), *self._shapes.values(), *self._decimated.values())
            meshes = [mesh for mesh in own if mesh is not None]
            before.remove_added(keep=[*meshes, *self._materials.blocks()])

    def _warn_of_lost(self, visuals: Iterable[Geometry]) -> None:
        """One warning for the MTL files of visuals that are not there."""
        paths = (shape.path for shape in visuals if isinstance(shape, Mesh))
        files = dict.fromkeys(self._whole(path) for path in paths if path is not None)
        lost = [self._lost[path] for path in files if path in self._lost]
        if not lost:
            return
        names = list(dict.fromkeys(name for own in lost for name in own))
        more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
        count = "1 OBJ file names" if len(lost) == 1 else f"{len(lost)} OBJ files name"
        told = one_line(", ".join(names[:LISTED]))
        self._warnings.append(
            f"{count} MTL files that are not there: {told}{more}; their parts take the URDF's "
            "colour"
        )

    def _whole(self, path: Path) -> Path:
        """A path without links, looked up once: it asks the disk about each folder on the way."""
        if path not in self._resolved:
            self._resolved[path] = path.resolve()
        return self._resolved[path]

    def _shape_or_warn(self, shape: Shape) -> bpy.types.Mesh | None:
        try:
            return shape_mesh(shape)
        except MeshFileError as error:
            self._warnings.append(f"{shape}: not shown: {error}")
            return None

    def _fewer(self, path: Path) -> bpy.types.Mesh | None:
        """The decimated mesh of a file, which other parts may show whole."""
        whole, path = self.file(path), self._whole(path)
        if whole is None or self.settings.decimation == 1.0:
            return whole
        if path not in self._decimated:
            mesh = decimated(whole, self.settings.decimation, self._workspace)
            mesh[SOURCE_PROPERTY] = whole[SOURCE_PROPERTY]
            self._decimated[path] = mesh
        return self._decimated[path]

    def _read_or_warn(self, path: Path) -> bpy.types.Mesh | None:
        try:
            return self._read(path)
        except MissingLibraryError as error:
            self._without_library.setdefault(str(error), []).append(path)
        # importers fail in many ways on broken files, and none may stop the import of a robot
        except Exception as error:
            reason = str(error)
            if not isinstance(error, MeshFileError):
                # some errors say their own name
                kind = type(error).__name__
                reason = f"the file is damaged ({kind}: {reason.removeprefix(f'{kind}: ')})"
            self._warnings.append(one_line(f"{path}: mesh not used: {reason}"))
        return None

    def _read(self, path: Path) -> bpy.types.Mesh:
        extension = path.suffix.lower()
        if extension not in EXTENSIONS:
            allowed = ", ".join(EXTENSIONS)
            raise MeshFileError(f"unknown format '{path.suffix}'; known are {allowed}")
        if not path.is_file():
            raise MeshFileError("no such file")
        if not has_content(path):
            raise MeshFileError("the file is damaged: it is empty")
        if file_size(path) > LARGEST_FILE:
            raise MeshFileError(f"it has more than the {LARGEST_FILE / 1e9:g} GB that are read")
        if extension == ".dae":
            read = read_dae(path, self._materials, apply_up=self.settings.collada_up == "APPLY")
        elif extension == ".ply":
            read = ReadMesh(build_mesh(label(path.stem), read_ply_arrays(path)), shaded=True)
        else:
            read = _BY_OPERATOR[extension](path, self._workspace, self._materials)
        if not len(read.mesh.polygons):
            bpy.data.meshes.remove(read.mesh)
            raise MeshFileError("no faces in it")
        if extension in GLTF and self.settings.gltf_up == "Y":
            read.mesh.transform(Matrix(SCENE_FROM_Y_UP.tolist()))
        self._warnings.extend(one_line(f"{path}: {note}") for note in read.notes)
        if read.ignored_up is not None:
            self._other_up.append((path, read.ignored_up))
        if read.lost_libraries:
            self._lost[path] = read.lost_libraries
        return _finished(read, path)


def _finished(read: ReadMesh, path: Path) -> bpy.types.Mesh:
    """Name, source, at least one slot, and shading where the file gives no normals."""
    mesh, name = read.mesh, label(path.stem)
    # to be renamed costs passes through the file, 0.7 ms beside 5,000 objects
    if name not in (mesh.name, original_name(mesh)):
        mesh.name = name
    # whole: bytes of a name that are no UTF-8, which Blender refuses, become escapes
    mesh[SOURCE_PROPERTY] = str(path).encode("utf-8", "backslashreplace").decode("utf-8")
    if not len(mesh.materials):
        mesh.materials.append(None)
    if not (read.shaded or mesh.has_custom_normals):
        smooth_by_angle(mesh)
    return mesh


def file_size(path: Path) -> int:
    """Bytes of a file, 0 where there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _amount(size: int) -> str:
    return f"{size / 1e6:.0f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
