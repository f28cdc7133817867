"""glTF files of several nodes are joined by Blender, and show what they showed."""

import numpy as np
import pytest

from .gltf_case import FLOAT, added, embedded, gltf_parts

POINTS = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.4]])
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
HALF = 0.5**0.5
TURNED = {"mesh": 0, "rotation": [0, 0, HALF, HALF], "translation": [1, 0, 0]}
TURN = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])


def read(folder, nodes, materials=0):
    """Mesh data of a file whose tetrahedron has one normal everywhere; with what was left."""
    import bpy
    from dynarig.addon.blender.geometry.materials import MaterialLibrary
    from dynarig.addon.blender.geometry.meshes import MeshLibrary
    from dynarig.addon.blender.workspace import temporary_scene

    document, buffer = gltf_parts(POINTS, FACES, nodes, range(len(nodes)))
    buffer = added(document, buffer, np.tile([0.6, 0.0, 0.8], (4, 1)), "VEC3", FLOAT)
    (plain,) = document["meshes"][0]["primitives"]
    plain["attributes"]["NORMAL"] = 2
    document["materials"] = [{"name": f"m{number}"} for number in range(materials)]
    document["meshes"] += [
        {"primitives": [{**plain, "material": number}]} for number in range(materials)
    ]
    path = folder / "a.gltf"
    path.write_bytes(embedded(document, buffer))
    warnings = []
    with temporary_scene(bpy.context) as workspace:
        library = MeshLibrary(workspace, MaterialLibrary(warnings), warnings)
        mesh = library.file(path)
        library.finish()
    assert warnings == []
    return mesh


def normals(mesh):
    return np.array([corner.vector for corner in mesh.corner_normals])


def test_each_node_is_in_its_pose_with_its_normals(tmp_path):
    """p and n of the second node are turned by a quarter about z, and p is moved."""
    import bpy

    mesh = read(tmp_path, [{"mesh": 0}, TURNED, {"mesh": 0, "scale": [2, 2, 2]}])
    wanted = np.concatenate([POINTS, POINTS @ TURN.T + [1, 0, 0], 2 * POINTS])
    assert np.array([vertex.co for vertex in mesh.vertices]) == pytest.approx(wanted, abs=1e-6)
    normal = np.array([0.6, 0, 0.8])
    corners = np.repeat([normal, TURN @ normal, normal], 3 * len(FACES), axis=0)
    assert normals(mesh) == pytest.approx(corners, abs=2e-3)
    assert list(bpy.data.meshes) == [mesh] and not bpy.data.objects


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
def test_parts_without_a_material_get_none_of_another(tmp_path, order):
    mesh = read(tmp_path, [{"mesh": number} for number in order], materials=2)
    slots = [material and material.name for material in mesh.materials]
    seen = [slots[face.material_index] for face in list(mesh.polygons)[:: len(FACES)]]
    assert seen == [(None, "m0", "m1")[number] for number in order]
