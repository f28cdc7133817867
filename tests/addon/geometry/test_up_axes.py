"""Which way is up: Collada's <up_axis> and glTF, alone and told by collision shapes."""

import struct

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.geometry.mesh_settings import MeshSettings
from dynarig.addon.blender.geometry.visuals import collision_parts, create_objects, visual_parts
from dynarig.addon.blender.leftovers import DataSnapshot
from dynarig.core.urdf import load_urdf

from .gltf_case import binary, gltf_parts

# a tetrahedron with three different edges on the axes, facing outward
POINTS = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.4]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
Y_TO_Z = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
# right, up and towards the viewer become x, z and -y
TURNS = {
    "X_UP": np.array([[0, -1, 0], [0, 0, -1], [1, 0, 0]]),
    "Y_UP": Y_TO_Z,
    "Z_UP": np.eye(3),
}


def glb(points=POINTS):
    return binary(*gltf_parts(points, FACES))


def dae(axis):
    numbers = " ".join(str(value) for value in POINTS.ravel())
    corners = " ".join(str(value) for value in FACES.ravel())
    params = "".join(f'<param name="{name}" type="float"/>' for name in "XYZ")
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><up_axis>{axis}</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
 <source id="p"><float_array id="a" count="12">{numbers}</float_array><technique_common>
  <accessor source="#a" count="4" stride="3">{params}</accessor></technique_common></source>
 <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
 <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>{corners}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def stl(points):
    record = np.zeros(len(FACES), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    record["v"] = points[FACES]
    return bytes(80) + struct.pack("<I", len(FACES)) + record.tobytes()


def all_parts(robot):
    return [*visual_parts(robot), *collision_parts(robot)]


def mesh(name, origin="", scale="1 1 1"):
    return f'{origin}<geometry><mesh filename="{name}" scale="{scale}"/></geometry>'


def box(points, origin=""):
    """A box around points, as a collision shape at an origin that is in the middle of them."""
    size, middle = np.ptp(points, axis=0), (points.min(axis=0) + points.max(axis=0)) / 2
    at = "{} {} {}".format(*middle)
    return f'<origin xyz="{at}"/><geometry><box size="{"{} {} {}".format(*size)}"/></geometry>'


def made(folder, links, settings, parts=visual_parts):
    """The meshes of a robot's parts by the names of their links, and the warnings.

    Args:
        links: visuals and collision shapes of each link.
    """
    text = ""
    for name, (visuals, collisions) in links.items():
        inner = "".join(f"<visual>{own}</visual>" for own in visuals)
        inner += "".join(f"<collision>{own}</collision>" for own in collisions)
        text += f'<link name="{name}">{inner}</link>'
    root, *others = links
    text += "".join(
        f'<joint name="{name}" type="fixed"><parent link="{root}"/><child link="{name}"/></joint>'
        for name in others
    )
    (folder / "r.urdf").write_text(f'<robot name="r">{text}</robot>')
    robot = load_urdf(folder / "r.urdf")
    warnings, before = list(robot.warnings), DataSnapshot.take()
    collection = bpy.data.collections.new("c")
    objects = create_objects(list(parts(robot)), collection, warnings, settings)
    kinds = (bpy.types.Mesh, bpy.types.Object)
    kept = {block for block in before.added() if isinstance(block, kinds)}
    assert kept == {block for own in objects for block in (own.object, own.object.data)}
    visuals = [own for own in objects if own.part.role == "visual"]
    return {own.link: own.object.data for own in visuals}, warnings


def points_of(mesh):
    return np.array([vertex.co for vertex in mesh.vertices])


def is_turned(mesh, turn=Y_TO_Z, points=POINTS):
    """Whether the tetrahedron was turned; right side out in any case."""
    found = points_of(mesh)
    mesh.calc_loop_triangles()
    faces = [triangle.vertices[:] for triangle in mesh.loop_triangles]
    assert np.linalg.det(found[faces]).sum() / 6 == pytest.approx(
        np.linalg.det(points[1:]) / 6, rel=1e-4
    )
    turned = points @ turn.T
    assert is_same(found, points) or is_same(found, turned)
    return is_same(found, turned) and not is_same(turned, points)


def is_same(points, others):
    """Whether each point is near one of the others."""
    distances = np.linalg.norm(points[:, None] - others[None], axis=2)
    return len(points) == len(others) and bool(distances.min(axis=1).max() < 1e-6)


@pytest.mark.parametrize("axis", TURNS)
@pytest.mark.parametrize("setting", ["IGNORE", "APPLY"])
def test_collada_up_axes(tmp_path, axis, setting):
    (tmp_path / "a.dae").write_text(dae(axis))
    links = {"a": ([mesh("a.dae")], [])}
    meshes, warnings = made(tmp_path, links, MeshSettings(collada_up=setting))
    turned = is_turned(meshes["a"], TURNS[axis])
    assert turned == (setting == "APPLY" and axis != "Z_UP")
    lines = int(setting == "IGNORE" and axis != "Z_UP")
    assert len(warnings) == lines
    assert all(axis in line and "a.dae" in line for line in warnings)


@pytest.mark.parametrize(("setting", "turned"), [("Z", False), ("Y", True), ("AUTO", False)])
def test_gltf_as_stored_or_turned(tmp_path, setting, turned):
    (tmp_path / "a.glb").write_bytes(glb())
    links = {"a": ([mesh("a.glb")], [])}
    meshes, warnings = made(tmp_path, links, MeshSettings(gltf_up=setting))
    assert is_turned(meshes["a"]) == turned
    assert len(warnings) == (setting == "AUTO")  # a guess


@pytest.mark.parametrize("kind", ["box", "stl"])
@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("parts", [visual_parts, all_parts])
def test_collision_shapes_tell_which_way_is_up(tmp_path, kind, turned, parts):
    points = POINTS @ Y_TO_Z.T if turned else POINTS
    (tmp_path / "a.glb").write_bytes(glb())
    (tmp_path / "c.stl").write_bytes(stl(points))
    collision = mesh("c.stl") if kind == "stl" else box(points)
    links = {"a": ([mesh("a.glb")], [collision])}
    meshes, warnings = made(tmp_path, links, MeshSettings(), parts)
    assert is_turned(meshes["a"]) == turned
    assert len(warnings) == int(turned)
    assert all("a.glb" in line and "turned from y up to z up" in line for line in warnings)


def test_origin_and_scale_of_the_visual_count(tmp_path):
    (tmp_path / "a.glb").write_bytes(glb())
    # 90 degrees about z take x to y, and 1 along z; scale comes first
    turned = (POINTS @ Y_TO_Z.T) * np.array([2, 1, 1])
    there = turned @ np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).T + np.array([0, 0, 1])
    origin = f'<origin xyz="0 0 1" rpy="0 0 {np.pi / 2}"/>'
    links = {"a": ([mesh("a.glb", origin, "2 1 1")], [box(there)])}
    meshes, _ = made(tmp_path, links, MeshSettings())
    assert is_turned(meshes["a"])


def test_what_does_not_tell_is_taken_as_stored(tmp_path):
    for name in ("same", "other", "cube", "far"):
        (tmp_path / f"{name}.glb").write_bytes(glb())
    (tmp_path / "collision.glb").write_bytes(glb(POINTS @ Y_TO_Z.T))
    cube = np.array([[-1, -1, -1], [1, 1, 1]])
    links = {
        "same": ([mesh("same.glb")], [mesh("same.glb")]),
        "other": ([mesh("other.glb")], [mesh("collision.glb")]),
        "cube": ([mesh("cube.glb")], [box(cube)]),
        "far": ([mesh("far.glb")], [mesh("lost.stl")]),
    }
    meshes, warnings = made(tmp_path, links, MeshSettings())
    assert not any(is_turned(mesh) for mesh in meshes.values())
    assert not any("turned" in line for line in warnings)


def test_files_that_nothing_tells_are_told_once(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.glb").write_bytes(glb())
    links = {
        "a": ([mesh("a.glb")], []),
        "b": ([mesh("b.glb")], [mesh("b.glb")]),
        # a shape that could tell, and does not
        "c": ([mesh("c.glb")], [box(np.array([[-1, -1, -1], [1, 1, 1]]))]),
    }
    meshes, warnings = made(tmp_path, links, MeshSettings())
    assert not any(is_turned(mesh) for mesh in meshes.values())
    (line,) = warnings
    assert "a.glb: 2 glTF files were taken as stored, with z up" in line
    # the user has chosen, or a link tells
    assert made(tmp_path, links, MeshSettings(gltf_up="Z"))[1] == []
    links["c"] = ([mesh("c.glb")], [box(POINTS)])
    assert made(tmp_path, links, MeshSettings())[1] == []


def test_files_that_do_not_tell_go_as_most_of_the_others(tmp_path):
    for name in "abcd":
        (tmp_path / f"{name}.glb").write_bytes(glb())
    up = box(POINTS @ Y_TO_Z.T)
    links = {
        "a": ([mesh("a.glb")], [up]),
        "b": ([mesh("b.glb")], [up]),
        "c": ([mesh("c.glb")], [box(POINTS)]),
        "d": ([mesh("d.glb")], []),
    }
    meshes, warnings = made(tmp_path, links, MeshSettings())
    assert {name: is_turned(mesh) for name, mesh in meshes.items()} == {
        "a": True,
        "b": True,
        "c": False,
        "d": True,
    }
    (line,) = warnings
    assert "glTF files turned: 3 of 4, told by their own links: 3" in line


def test_normals_turn_with_a_gltf_file(tmp_path):
    (tmp_path / "a.glb").write_bytes(glb())
    plain, _ = made(tmp_path, {"a": ([mesh("a.glb")], [])}, MeshSettings(gltf_up="Z"))
    wanted = [tuple(Y_TO_Z @ np.array(own.vector)) for own in plain["a"].corner_normals]
    turned, _ = made(tmp_path, {"a": ([mesh("a.glb")], [])}, MeshSettings(gltf_up="Y"))
    found = [tuple(own.vector) for own in turned["a"].corner_normals]
    assert np.array(found) == pytest.approx(np.array(wanted), abs=1e-3)
