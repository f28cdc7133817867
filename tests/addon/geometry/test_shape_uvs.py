"""Pictures on boxes, cylinders, spheres and capsules: laid whole, upright, from side to side."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.geometry.shapes import SEGMENTS, shape_mesh
from dynarig.addon.blender.geometry.visuals import create_visuals
from dynarig.core.urdf import load_urdf
from dynarig.core.urdf.document import Box, Capsule, Cylinder, Sphere

from .test_textures import write_image

SHAPES = (Box((0.4, 0.1, 0.02)), Cylinder(0.05, 0.3), Sphere(0.07), Capsule(0.05, 0.3))
# the quarters of a picture, by the sides on which they are: right, upper
QUARTERS = {(0, 0): (1, 0, 0), (1, 0): (0, 1, 0), (0, 1): (0, 0, 1), (1, 1): (1, 1, 0)}
BODIES = (
    '<box size="1 1 1"/>',
    '<cylinder radius="0.5" length="1"/>',
    '<sphere radius="0.5"/>',
    '<capsule radius="0.25" length="0.5"/>',
)
STL = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
STL += "endloop\nendfacet\nendsolid s\n"
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n"


@pytest.fixture(params=SHAPES, ids=lambda shape: type(shape).__name__)
def faces(request):
    return laid_faces(request.param)


def laid_faces(shape):
    """For each face its corners in the picture (n, 2) and in space (n, 3)."""
    mesh = shape_mesh(shape)
    (layer,) = mesh.uv_layers
    return [
        (
            np.array([layer.uv[index].vector for index in face.loop_indices]),
            np.array([mesh.vertices[index].co for index in face.vertices]),
        )
        for face in mesh.polygons
    ]


def area(uvs):
    """Positive where the corners run counter-clockwise in the picture."""
    after = np.roll(uvs, -1, axis=0)
    return (uvs[:, 0] * after[:, 1] - uvs[:, 1] * after[:, 0]).sum() / 2


def test_every_corner_is_in_the_picture(faces):
    uvs = np.concatenate([uvs for uvs, _ in faces])
    assert uvs.min() == pytest.approx(0.0, abs=1e-6)
    assert uvs.max() == pytest.approx(1.0, abs=1e-6)
    assert ((uvs >= 0.0) & (uvs <= 1.0)).all()


def test_no_face_is_mirrored_or_without_area(faces):
    # corners run counter-clockwise seen from outside
    assert min(area(uvs) for uvs, _ in faces) > 1e-4


def test_no_face_is_smeared_across_the_seam(faces):
    widths = [np.ptp(uvs[:, 0]) for uvs, points in faces if len(points) <= 4]
    if len(faces) == 6:
        assert widths == [1.0] * 6
    else:
        assert max(widths) == pytest.approx(1 / SEGMENTS, abs=1e-6)


def test_sides_show_the_whole_picture_upright(faces):
    # a face is a side where it is no cap: the top of the picture is where z is greatest
    sides = [(uvs, points) for uvs, points in faces if np.ptp(points[:, 2]) > 1e-6]
    for uvs, points in sides:
        assert points[uvs[:, 1].argmax(), 2] == points[:, 2].max()
        assert points[uvs[:, 1].argmin(), 2] == points[:, 2].min()
    whole = sum(area(uvs) for uvs, _ in sides)
    if len(faces) == 6:
        assert whole == pytest.approx(4.0, abs=1e-6)
    else:
        # each triangle at a pole leaves out half of its part
        assert 1.0 - 2 / 16 < whole <= 1.0 + 1e-5


def test_pictures_are_not_stretched_along_a_capsule():
    faces = laid_faces(Capsule(0.05, 0.3))
    uvs, points = (np.concatenate([face[part] for face in faces]) for part in (0, 1))
    # from the north pole to the rim of its hemisphere: a quarter of a circle
    rim = uvs[np.isclose(points[:, 2], 0.15, atol=1e-6), 1]
    quarter = np.pi / 2 * 0.05 / (np.pi * 0.05 + 0.3)
    assert rim == pytest.approx(np.full(len(rim), 1 - quarter), abs=1e-6)


def robot(folder, *bodies):
    """Visuals beside each other along y, all with one picture."""
    text = '<robot name="r"><material name="m"><texture filename="quarters.png"/></material>'
    text += '<link name="a">'
    for index, body in enumerate(bodies):
        text += f'<visual><origin xyz="0 {index} 0"/><geometry>{body}</geometry>'
        text += '<material name="m"/></visual>'
    (folder / "r.urdf").write_text(text + "</link></robot>")
    warnings = []
    collection = bpy.data.collections.new("c")
    visuals = create_visuals(load_urdf(folder / "r.urdf"), collection, warnings)
    bpy.context.scene.collection.children.link(collection)
    return visuals, warnings


def write_quarters(path):
    half = 64  # pixels: enough for sharp edges between the quarters
    pixels = np.ones((2 * half, 2 * half, 4), np.float32)
    for (right, upper), colour in QUARTERS.items():
        rows, columns = (slice(half * side, half * side + half) for side in (upper, right))
        pixels[rows, columns, :3] = colour
    image = bpy.data.images.new("made", 2 * half, 2 * half)
    image.pixels.foreach_set(pixels.ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)


def seen_from_the_front(folder, count):
    """What Workbench shows of `count` places along y from +x, (32, 32 * count, 3)."""
    scene = bpy.context.scene
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", count
    camera.location, camera.rotation_euler = (5, (count - 1) / 2, 0), (np.pi / 2, 0, np.pi / 2)
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.display.shading.light, scene.display.shading.color_type = "FLAT", "TEXTURE"
    scene.display.render_aa = "OFF"
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = 32 * count, 32
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = str(folder / "seen.png")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    pixels = np.empty(32 * 32 * count * 4, np.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(32, 32 * count, 4)[:, :, :3]


def test_the_front_shows_the_four_quarters(tmp_path):
    write_quarters(tmp_path / "quarters.png")
    placed, warnings = robot(tmp_path, *BODIES)
    assert warnings == []
    for visual in placed:
        visual.object.location = visual.link_from_visual[:3, 3]
    picture = seen_from_the_front(tmp_path, len(BODIES))
    for place in range(len(BODIES)):
        for (right, upper), colour in QUARTERS.items():
            # near the middle, where every shape has something of each quarter
            row, column = 16 + (4 if upper else -4), 32 * place + 16 + (3 if right else -3)
            assert picture[row, column] == pytest.approx(colour, abs=0.02), BODIES[place]


def test_equal_shapes_still_share_their_mesh(tmp_path):
    write_image(tmp_path / "quarters.png")
    visuals, _ = robot(tmp_path, BODIES[0], BODIES[0], BODIES[2])
    meshes = [visual.object.data for visual in visuals]
    assert meshes[0] == meshes[1] != meshes[2]


def test_meshes_without_a_map_are_told_once(tmp_path):
    write_image(tmp_path / "quarters.png")
    for name in ("one.stl", "two.stl"):
        (tmp_path / name).write_text(STL)
    (tmp_path / "laid.obj").write_text(OBJ)
    files = [f'<mesh filename="{name}"/>' for name in ("one.stl", "two.stl", "one.stl", "laid.obj")]
    _, warnings = robot(tmp_path, *files)
    (line,) = warnings
    assert line.startswith(f"{tmp_path / 'one.stl'} (and 1 more): the mesh has no UV map")
    _, warnings = robot(tmp_path, files[3])
    assert warnings == []


def test_a_lost_texture_is_told_once(tmp_path):
    (tmp_path / "one.stl").write_text(STL)
    (tmp_path / "quarters.png").write_bytes(b"no image")
    _, (line,) = robot(tmp_path, '<mesh filename="one.stl"/>')
    assert "texture not used" in line
