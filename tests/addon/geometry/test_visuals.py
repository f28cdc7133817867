"""Visual objects: where they are, what they share, which material is seen, which side is out."""

from math import radians

import numpy as np
import pytest
from dynarig.core.urdf import load_urdf, parse_urdf


def visuals_of(robot, warnings=None):
    """The visuals in a collection of the scene, each placed where its link is the world."""
    import bpy
    import mathutils
    from dynarig.addon.blender.geometry.visuals import create_visuals

    collection = bpy.data.collections.new("robot")
    visuals = create_visuals(robot, collection, [] if warnings is None else warnings)
    assert [visual.object for visual in visuals] == list(collection.objects) or len(visuals) > 1
    for visual in visuals:
        assert visual.object.parent is None
        assert visual.object.matrix_basis == mathutils.Matrix.Identity(4)
        visual.object.matrix_basis = mathutils.Matrix(visual.link_from_visual.tolist())
    bpy.context.scene.collection.children.link(collection)
    bpy.context.view_layer.update()
    return visuals


def bounds(visual):
    """Least and greatest coordinates in the link frame, as Blender places the vertices (m)."""
    points = [visual.object.matrix_world @ vertex.co for vertex in visual.object.data.vertices]
    return np.array([np.min(points, axis=0), np.max(points, axis=0)])


def robot_of(*visuals, materials=""):
    """A robot of one link with the given bodies of <visual>."""
    inner = "".join(f"<visual>{visual}</visual>" for visual in visuals)
    return f'<robot name="r">{materials}<link name="base">{inner}</link></robot>'


def materials_seen(visual):
    return [slot.material.name for slot in visual.object.material_slots]


MTL = "newmtl own\nKd 0 0 1\n"
OBJ = """mtllib two.mtl
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
usemtl own
f 1 3 2
f 1 2 4
usemtl undefined
f 1 4 3
f 2 3 4
"""
RED = '<material name="red"><color rgba="1 0 0 1"/></material>'
GREEN = '<material name="green"><color rgba="0 1 0 1"/></material>'


@pytest.fixture
def two_part_robot(tmp_path):
    """Two visuals of one mesh: a part with a material of its own, and a part without."""
    (tmp_path / "two.mtl").write_text(MTL)
    (tmp_path / "two.obj").write_text(OBJ)
    mesh = '<geometry><mesh filename="two.obj"/></geometry>'
    text = robot_of(mesh + RED, mesh + GREEN, mesh)
    (tmp_path / "robot.urdf").write_text(text)
    return load_urdf(tmp_path / "robot.urdf")


def test_own_materials_stay_and_other_parts_take_the_urdf_s(two_part_robot):
    visuals = visuals_of(two_part_robot)
    assert len({visual.object.data for visual in visuals}) == 1
    assert [materials_seen(visual) for visual in visuals] == [
        ["own", "red"],
        ["own", "green"],
        ["own", "Neutral"],
    ]
    assert [material and material.name for material in visuals[0].object.data.materials] == [
        "own",
        None,
    ]


def test_nothing_but_the_robot_is_left(two_part_robot):
    import bpy
    from dynarig.addon.blender.leftovers import DataSnapshot

    before = DataSnapshot.take()
    visuals = visuals_of(two_part_robot)
    added = before.added()
    kinds = [type(block) for block in added]
    assert kinds.count(bpy.types.Object) == 3 == len(visuals)
    assert kinds.count(bpy.types.Mesh) == 1
    assert kinds.count(bpy.types.Material) == 4
    assert kinds.count(bpy.types.Collection) == 1
    assert len(kinds) == 9


def test_a_failure_leaves_nothing_behind(two_part_robot, monkeypatch):
    import bpy
    from dynarig.addon.blender.geometry import visuals as module
    from dynarig.addon.blender.leftovers import DataSnapshot

    def fail(part):
        raise MemoryError

    collection = bpy.data.collections.new("robot")
    before = DataSnapshot.take()
    monkeypatch.setattr(module, "_link_from_part", fail)
    with pytest.raises(MemoryError):
        module.create_visuals(two_part_robot, collection, [])
    assert before.added() == []
    assert len(collection.objects) == 0


def test_names_are_labels_of_visual_or_link_and_unique():
    import bpy

    box = '<geometry><box size="1 1 1"/></geometry>'
    text = robot_of(box, box).replace("<visual>", '<visual name="hull">', 1)
    text = text.replace('link name="base"', f'link name="{"関節" * 30}"')
    bpy.data.objects.new("hull", None)
    names = [visual.object.name for visual in visuals_of(parse_urdf(text))]
    assert names == ["hull_2", ("関節" * 30)[:21]]


@pytest.mark.parametrize("scale", ["1 1 1", "-1 1 1", "1 -1 1", "-1 -1 -1", "-1 -1 1"])
def test_mirrored_parts_show_their_outside(tmp_path, scale):
    visual = box_around_a_green_one(tmp_path, scale)
    determinant = np.prod([float(factor) for factor in scale.split()])
    assert np.linalg.det(visual.link_from_visual) == pytest.approx(determinant)
    red, green, _ = rendered_middle(tmp_path)
    assert red > 0.5 > green


def test_the_picture_would_show_a_part_that_is_inside_out(tmp_path):
    box_around_a_green_one(tmp_path, "1 1 1").object.data.flip_normals()
    red, green, _ = rendered_middle(tmp_path)
    assert green > 0.5 > red


def box_around_a_green_one(folder, scale):
    """A red box from a file, and a smaller green one in it, seen where red faces are culled."""
    import bpy

    (plain,) = visuals_of(parse_urdf(robot_of('<geometry><box size="1 1 1"/></geometry>')))
    write_stl(folder / "box.stl", plain.object.data)
    bpy.data.objects.remove(plain.object)
    mesh = f'<geometry><mesh filename="box.stl" scale="{scale}"/></geometry>'
    (folder / "robot.urdf").write_text(robot_of(mesh + RED))
    inner = robot_of('<geometry><box size="0.9 0.9 0.9"/></geometry>' + GREEN)
    visuals_of(parse_urdf(inner))
    (visual,) = visuals_of(load_urdf(folder / "robot.urdf"))
    return visual


def write_stl(path, mesh):
    mesh.calc_loop_triangles()
    triangles = [triangle.vertices[:] for triangle in mesh.loop_triangles]
    points = np.array([vertex.co for vertex in mesh.vertices])[triangles]
    record = np.zeros(len(points), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    record["v"] = points
    count = np.array([len(points)], dtype="<u4").tobytes()
    path.write_bytes(bytes(80) + count + record.tobytes())


def rendered_middle(folder):
    """Mean colour in the middle of a Workbench picture of what lies at the origin."""
    import bpy

    scene = bpy.context.scene
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location, camera.rotation_euler = (3.0, -3.0, 2.0), (radians(65), 0.0, radians(45))
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x = scene.render.resolution_y = 32
    scene.render.filepath = str(folder / "picture.png")
    scene.view_settings.view_transform = "Standard"
    shading = scene.display.shading
    shading.light, shading.color_type = "FLAT", "MATERIAL"
    shading.show_backface_culling = True
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(folder / "picture.png"))
    pixels = np.empty(32 * 32 * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(32, 32, 4)[14:18, 14:18, :3].mean(axis=(0, 1))


@pytest.mark.parametrize(
    ("robot", "meshes", "objects"),
    [
        ("ur_description/urdf/ur5_robot.urdf", 7, 7),
        ("solo_description/robots/solo12.urdf", 10, 17),
        ("talos_data/robots/talos_full_v2.urdf", 28, 53),
    ],
)
def test_real_robots_come_in_whole_and_share_their_meshes(robots, robot, meshes, objects):
    warnings = []
    visuals = visuals_of(load_urdf(robots / robot), warnings)
    assert warnings == []
    assert len(visuals) == objects
    assert len({visual.object.data for visual in visuals}) == meshes


@pytest.mark.parametrize("files", [1, 10])
def test_the_file_is_looked_through_as_often_for_many_meshes_as_for_one(
    tmp_path, monkeypatch, files
):
    """A pass over all data-blocks costs 4 ms beside 5,000 objects of the user."""
    from dynarig.addon.blender.leftovers import DataSnapshot

    (plain,) = visuals_of(parse_urdf(robot_of('<geometry><box size="1 1 1"/></geometry>')))
    for i in range(files):
        write_stl(tmp_path / f"{i}.stl", plain.object.data)
    bodies = [f'<geometry><mesh filename="{i}.stl"/></geometry>' for i in range(files)]
    (tmp_path / "robot.urdf").write_text(robot_of(*bodies))
    robot = load_urdf(tmp_path / "robot.urdf")
    takes, take = [], DataSnapshot.take.__func__
    monkeypatch.setattr(
        DataSnapshot, "take", classmethod(lambda cls: takes.append(cls) or take(cls))
    )
    assert len(visuals_of(robot)) == files
    assert len(takes) == 1


def test_many_shapes_among_many_objects_of_the_user():
    import bpy

    for i in range(5000):
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(f"user{i}", None))
    boxes = [f'<geometry><box size="{1 + i} 1 1"/></geometry>' for i in range(1000)]
    visuals = visuals_of(parse_urdf(robot_of(*boxes)))
    assert len({visual.object.name for visual in visuals}) == 1000
    assert len({visual.object.data for visual in visuals}) == 1000


def test_equal_shapes_share_their_data_and_equal_materials_are_one():
    box = '<geometry><box size="1 2 3"/></geometry>'
    text = robot_of(box + RED, box + RED, box + GREEN, '<geometry><sphere radius="1"/></geometry>')
    text = text.replace("</robot>", f'<link name="b"><visual>{box}{RED}</visual></link>')
    text += '<joint name="j" type="fixed"><parent link="base"/><child link="b"/></joint></robot>'
    visuals = visuals_of(parse_urdf(text))
    assert len({visual.object.data for visual in visuals}) == 2
    slots = [visual.object.material_slots[0].material for visual in visuals]
    assert slots[0] is slots[1] is slots[4]
    assert len(set(slots)) == 3


def test_links_may_have_several_visuals_of_different_looks():
    bodies = [
        '<geometry><box size="1 1 1"/></geometry>' + RED,
        '<geometry><box size="1 1 1"/></geometry><material name="blue"/>',
        '<geometry><box size="1 1 1"/></geometry>'
        '<material name=""><color rgba="0 1 1 0.5"/></material>',
    ]
    later = '<material name="blue"><color rgba="0 0 1 1"/></material>'
    text = robot_of(*bodies).replace("</robot>", later + "</robot>")
    visuals = visuals_of(parse_urdf(text))
    colours = [tuple(v.object.material_slots[0].material.diffuse_color) for v in visuals]
    assert colours == [(1, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0.5)]


@pytest.mark.parametrize("scale", ["1 2 3", "-1 2 3", "-2 -1 1", "-1 -1 -1"])
def test_scaled_and_mirrored_parts_are_exported_right_side_out(tmp_path, scale):
    import bpy

    (plain,) = visuals_of(parse_urdf(robot_of('<geometry><box size="1 1 1"/></geometry>')))
    write_stl(tmp_path / "box.stl", plain.object.data)
    bpy.data.objects.remove(plain.object)
    mesh = f'<geometry><mesh filename="box.stl" scale="{scale}"/></geometry>'
    (tmp_path / "robot.urdf").write_text(robot_of(mesh))
    visuals_of(load_urdf(tmp_path / "robot.urdf"))
    bpy.ops.wm.stl_export(filepath=str(tmp_path / "out.stl"), forward_axis="Y", up_axis="Z")
    data = (tmp_path / "out.stl").read_bytes()
    rows = np.frombuffer(data, [("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")], offset=84)
    volume = np.linalg.det(rows["v"].astype(float)).sum() / 6
    assert volume == pytest.approx(abs(np.prod([float(s) for s in scale.split()])), rel=1e-5)
