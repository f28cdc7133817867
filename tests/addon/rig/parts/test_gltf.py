"""A robot that is exported as glTF moves in there as the core says, read by a reader of our own."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.geometry.visuals import visual_parts
from dynarig.addon.blender.matrices import to_blender
from dynarig.addon.blender.parts import parts_of
from dynarig.addon.blender.rig_access import open_rig
from dynarig.core.frames import transform_from_xyz_rpy

from ....close import assert_close
from .glb import Glb

START, END, FPS = 1, 13, 24.0
FRAMES = (1, 4, 8, 13)  # time 0 of the file is frame 0
CLOSE = 1e-5  # m; keys and vertices of files are float32
# the user may have put the robot anywhere, twice as large
WORLD = transform_from_xyz_rpy((1.0, -2.0, 0.5), (0.4, 0.3, 0.2)) @ np.diag([2.0, 2.0, 2.0, 1.0])


@pytest.fixture
def moved(workshop):
    """A function that imports a robot, bakes a motion and exports it: robot, motion and file."""

    def make(source=None, **options):
        result = workshop.bring(source, **options) if source else workshop.make(**options)
        _, model = workshop.lab.open(result)
        motion = workshop.lab.random_motion(model, (END - START) / FPS)
        bake_robot(bpy.context, result.object, BakeSettings(START, END, FPS), motion)
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = START, END
        result.object.matrix_world = to_blender(WORLD)
        for obj, _ in parts_of(result.object):
            number_vertices(obj)
        path = workshop.folder / "robot.glb"
        bpy.ops.export_scene.gltf(
            filepath=str(path),
            export_format="GLB",
            export_animations=True,
            export_attributes=True,
        )
        return result, motion, Glb(path)

    return make


def number_vertices(obj):
    """Let every vertex carry its number into the file, which orders and splits them anew."""
    if obj.type == "MESH" and "_number" not in obj.data.attributes:
        layer = obj.data.attributes.new("_number", "FLOAT", "POINT")
        layer.data.foreach_set("value", np.arange(len(obj.data.vertices), dtype=np.float32))


def numbers(file, primitive):
    return file.accessor(primitive.entries["attributes"]["_NUMBER"]).astype(int)


def vertices(obj):
    """(n, 4): those of the mesh data, with a one."""
    points = np.array([vertex.co for vertex in obj.data.vertices], dtype=float)
    return np.hstack([points, np.ones((len(points), 1))])


def check_faces(file):
    """Every vertex is in a face, and every face has a material."""
    for primitive in file.primitives():
        assert primitive.entries.get("mode", 4) == 4
        assert "material" in primitive.entries
        used = file.accessor(primitive.entries["indices"])
        assert set(used) == set(range(len(numbers(file, primitive))))


@pytest.mark.parametrize(
    ("source", "options"),
    [(None, {}), (None, {"fixed_links": "KEEP"}), ("solo12", {"floating_base": True})],
)
def test_a_skin_moves_in_the_file_as_the_core_says(moved, workshop, link_poses, source, options):
    result, motion, file = moved(source, mesh_parent="SKIN", **options)
    (skin,) = workshop.parts(result, "skin").values()
    rig = open_rig(result.object)
    records = (*rig.table.bones, *rig.table.fixed_bones)
    links = {rig.pose_bones[record.id].name: record.link for record in records}
    rest, at_rest = vertices(skin), link_poses(result, motion.model.neutral())
    owners = [links[skin.vertex_groups[v.groups[0].group].name] for v in skin.data.vertices]
    check_faces(file)
    assert file.duration() == pytest.approx(END / FPS)
    seen = np.concatenate([numbers(file, primitive) for primitive in file.primitives()])
    assert set(seen) == set(range(len(rest)))
    for primitive in file.primitives():
        weights = file.accessor(primitive.entries["attributes"]["WEIGHTS_0"])
        assert (np.sort(weights)[:, -1] == 1.0).all() and (weights.sum(axis=1) == 1.0).all()
    travelled = 0.0
    for frame in FRAMES:
        q, _ = motion.sample((frame - START) / FPS)
        moves = {
            link: WORLD @ pose @ np.linalg.inv(at_rest[link])
            for link, pose in link_poses(result, q).items()
        }
        wanted = np.einsum("nij,nj->ni", np.array([moves[link] for link in owners]), rest)[:, :3]
        for primitive in file.primitives():
            found = file.positions(primitive, frame / FPS)
            assert_close(found, wanted[numbers(file, primitive)], CLOSE)
        travelled = max(travelled, np.abs(wanted - (rest @ WORLD.T)[:, :3]).max())
    assert travelled > 0.1


def test_objects_on_bones_move_in_the_file_as_the_core_says(moved, workshop, link_poses):
    result, motion, file = moved()
    objects = {obj.name: place for place, obj in workshop.parts(result, "visual").items()}
    parts = {(part.link, part.index): part for part in visual_parts(open_rig(result.object).robot)}
    check_faces(file)
    assert {file.nodes[primitive.node]["name"] for primitive in file.primitives()} == set(objects)
    for frame in FRAMES:
        q, _ = motion.sample((frame - START) / FPS)
        poses = link_poses(result, q)
        for primitive in file.primitives():
            name = file.nodes[primitive.node]["name"]
            part = parts[objects[name]]
            scale = getattr(part.geometry, "scale", (1.0, 1.0, 1.0))
            link_from_part = transform_from_xyz_rpy(part.origin.xyz, part.origin.rpy)
            pose = WORLD @ poses[part.link] @ link_from_part @ np.diag([*scale, 1.0])
            wanted = (vertices(bpy.data.objects[name]) @ pose.T)[:, :3]
            found = file.positions(primitive, frame / FPS)
            assert_close(found, wanted[numbers(file, primitive)], CLOSE)


@pytest.mark.parametrize("mesh_parent", ["SKIN", "BONES"])
def test_a_file_of_what_renders_has_no_shapes_that_touch(workshop, mesh_parent):
    everything = {"shown": "BOTH", "inertia": True, "fixed_frames": True}
    result = workshop.make(mesh_parent=mesh_parent, **everything)
    seen = {obj.name for obj, tag in parts_of(result.object) if tag.role in ("visual", "skin")}
    path = workshop.folder / "robot.glb"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLB", use_renderable=True)
    nodes = Glb(path).nodes
    assert {node["name"] for node in nodes if "mesh" in node} == seen
    assert {bone.name for bone in result.object.data.bones} <= {node["name"] for node in nodes}
