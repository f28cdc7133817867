"""The points that a bake touches with are those of the meshes as the import has turned them."""

from itertools import product

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.contact.collision_geometry import points_of_meshes, touching_robot
from dynarig.addon.blender.importing.importer import import_robot
from dynarig.addon.blender.importing.options import ImportOptions
from dynarig.addon.blender.parts import parts_of
from dynarig.addon.blender.rig_access import open_rig

from ....close import assert_close
from ...geometry.gltf_case import embedded, gltf_parts

SIZES = (0.2, 0.3, 0.4)  # m, along x, y, z of the link


def gltf_box(sizes):
    """A glTF file of a box with these edges."""
    corners = np.array(list(product(*[(-size / 2, size / 2) for size in sizes])), dtype="<f4")
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [corner for a, b, c, d in quads for corner in (a, b, c, a, c, d)]
    return embedded(*gltf_parts(corners, triangles))


def check_points(result, link, kind):
    """What touches of a link is where Blender shows it."""
    rig = open_rig(result.object)
    robot, _, _ = touching_robot(rig, kind, [link])
    points_of, notes = points_of_meshes(bpy.context, rig, robot)
    role = "visual" if kind == "VISUAL" else "collision"
    (obj,) = [obj for obj, tag in parts_of(result.object) if (tag.role, tag.link) == (role, link)]
    (shape,) = getattr(robot.link(link), f"{role}s")
    shown = np.array([vertex.co * obj.scale for vertex in obj.data.vertices])
    found = points_of(shape.geometry)
    # whatever order they come in
    assert_close(found[np.lexsort(found.T)], shown[np.lexsort(shown.T)], 1e-6)
    return found, notes


@pytest.mark.parametrize("gltf_up", ["AUTO", "Y", "Z"])
def test_a_gltf_file_is_turned_as_it_is_shown(tmp_path, inventory, gltf_up):
    x, y, z = SIZES
    (tmp_path / "box.gltf").write_bytes(gltf_box((x, z, y)))
    (tmp_path / "robot.urdf").write_text(
        '<robot name="r"><link name="crate"><visual><geometry><mesh filename="box.gltf"/>'
        f'</geometry></visual><collision><geometry><box size="{x} {y} {z}"/></geometry>'
        "</collision></link></robot>"
    )
    options = ImportOptions(floating_base=True, gltf_up=gltf_up)
    result = import_robot(bpy.context, tmp_path / "robot.urdf", options)
    before = inventory()
    found, _ = check_points(result, "crate", "VISUAL")
    assert inventory() == before
    edges = SIZES if gltf_up != "Z" else (x, z, y)
    assert_close(np.ptp(found, axis=0), edges, 1e-6)


@pytest.mark.parametrize("collada_up", ["IGNORE", "APPLY"])
def test_a_collada_file_is_turned_as_it_is_shown(data, collada_up):
    file = data / "urdf" / "02_dae_up_axis_unit_node" / "wedge.urdf"
    result = import_robot(bpy.context, file, ImportOptions(collada_up=collada_up))
    check_points(result, "a", "VISUAL")


def test_what_touches_has_all_its_points_however_few_are_shown(robots):
    file = robots / "solo_description/robots/solo12.urdf"
    options = ImportOptions(shown="BOTH", decimation=0.2)
    result = import_robot(bpy.context, file, options)
    rig = open_rig(result.object)
    robot, _, _ = touching_robot(rig, "COLLISION", ["base_link"])
    points_of, _ = points_of_meshes(bpy.context, rig, robot)
    (shape,) = robot.link("base_link").collisions
    (shown,) = [
        obj
        for obj, tag in parts_of(result.object)
        if (tag.role, tag.link) == ("collision", "base_link")
    ]
    assert len(points_of(shape.geometry)) > 2 * len(shown.data.vertices)
