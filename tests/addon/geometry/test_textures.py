"""Textures: of URDF materials and of mesh files, in every common format; lost ones are told."""

import bpy
import pytest
from dynarig.addon.blender.geometry.visuals import create_visuals
from dynarig.addon.blender.leftovers import DataSnapshot
from dynarig.core.urdf import load_urdf

FORMATS = {"png": "PNG", "jpg": "JPEG", "tga": "TARGA", "bmp": "BMP", "tif": "TIFF"}
OBJ = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl own\nf 1/1 2/1 3/1\n"
MTL = "newmtl own\nKd 0.5 0 0\nmap_Kd {}\n"


def write_image(path):
    image = bpy.data.images.new("made", 2, 2)
    image.filepath_raw, image.file_format = str(path), FORMATS[path.suffix[1:]]
    image.save()
    bpy.data.images.remove(image)


def seen(folder, inner):
    """The material of a robot's only visual, and the warnings."""
    text = f'<robot name="r"><link name="a"><visual>{inner}</visual></link></robot>'
    (folder / "r.urdf").write_text(text)
    robot = load_urdf(folder / "r.urdf")
    warnings = list(robot.warnings)
    (visual,) = create_visuals(robot, bpy.data.collections.new("c"), warnings)
    return visual.object.material_slots[0].material, warnings


def shader(material):
    (node,) = [n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED"]
    return node


def image_of(material):
    """The image that gives the colour; the solid viewport shows it too."""
    (link,) = shader(material).inputs["Base Color"].links
    assert material.node_tree.nodes.active == link.from_node
    return link.from_node.image


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("owner", ["urdf", "obj"])
def test_formats(tmp_path, ending, owner):
    path = tmp_path / f"wood grain.{ending}"
    write_image(path)
    (tmp_path / "a.obj").write_text(OBJ if owner == "obj" else OBJ.replace("usemtl own\n", ""))
    (tmp_path / "a.mtl").write_text(MTL.format(path.name))
    inner = '<geometry><mesh filename="a.obj"/></geometry>'
    if owner == "urdf":
        inner += f'<material name="m"><texture filename="{path.name}"/></material>'
    material, warnings = seen(tmp_path, inner)
    assert warnings == []
    image = image_of(material)
    assert bpy.path.abspath(image.filepath) == str(path)
    assert tuple(image.size) == (2, 2)


@pytest.mark.parametrize("content", [None, b"no image"])
def test_a_texture_of_an_obj_that_is_lost_costs_no_colour(tmp_path, content):
    if content is not None:
        (tmp_path / "lost.png").write_bytes(content)
    (tmp_path / "a.obj").write_text(OBJ)
    (tmp_path / "a.mtl").write_text(MTL.format("lost.png"))
    before = DataSnapshot.take()
    material, (line,) = seen(tmp_path, '<geometry><mesh filename="a.obj"/></geometry>')
    assert "lost.png: texture not used: " in line
    assert not shader(material).inputs["Base Color"].is_linked
    assert tuple(material.diffuse_color) == pytest.approx((0.2140411, 0, 0, 1), abs=1e-6)
    assert not [block for block in before.added() if isinstance(block, bpy.types.Image)]


def test_a_texture_of_a_urdf_that_is_no_image(tmp_path):
    (tmp_path / "lost.png").write_bytes(b"no image")
    before = DataSnapshot.take()
    inner = '<geometry><box size="1 1 1"/></geometry><material name="m">{}</material>'
    look = '<color rgba="1 0 0 1"/><texture filename="lost.png"/>'
    material, (line,) = seen(tmp_path, inner.format(look))
    assert "lost.png: texture not used: it cannot be read" in line
    assert tuple(material.diffuse_color) == (1, 0, 0, 1)
    assert not [block for block in before.added() if isinstance(block, bpy.types.Image)]


def test_images_of_the_user_stay(tmp_path):
    write_image(tmp_path / "own.png")
    image = bpy.data.images.load(str(tmp_path / "own.png"))
    (tmp_path / "a.obj").write_text(OBJ.replace("f 1/1 2/1 3/1", ""))  # no faces: not used
    (tmp_path / "a.mtl").write_text(MTL.format("own.png"))
    text = '<robot name="r"><link name="a"><visual><geometry><mesh filename="a.obj"/></geometry>'
    (tmp_path / "r.urdf").write_text(text + "</visual></link></robot>")
    create_visuals(load_urdf(tmp_path / "r.urdf"), bpy.data.collections.new("c"), [])
    assert list(bpy.data.images) == [image]
    assert list(bpy.data.materials) == []


@pytest.mark.parametrize(("alpha", "method"), [(0.5, "BLENDED"), (1.0, "DITHERED")])
def test_what_is_transparent_is_blended(tmp_path, alpha, method):
    look = f'<material name="m"><color rgba="1 0 0 {alpha}"/></material>'
    material, _ = seen(tmp_path, '<geometry><box size="1 1 1"/></geometry>' + look)
    assert material.surface_render_method == method
    assert shader(material).inputs["Alpha"].default_value == alpha
    assert material.diffuse_color[3] == alpha


@pytest.mark.parametrize(("opacity", "alpha"), [("0.25", 0.25), ("1", 1.0), ("0", 1.0)])
def test_opacity_of_an_obj(tmp_path, opacity, alpha):
    (tmp_path / "a.obj").write_text(OBJ)
    (tmp_path / "a.mtl").write_text(f"newmtl own\nKd 1 0 0\nd {opacity}\n")
    material, _ = seen(tmp_path, '<geometry><mesh filename="a.obj"/></geometry>')
    assert material.diffuse_color[3] == alpha
    assert shader(material).inputs["Alpha"].default_value == alpha
