"""Materials: one for each URDF material, colours as displayed, alpha and textures."""

import pytest
from dynarig.core.urdf.document import Material


def library(warnings=None):
    from dynarig.addon.blender.geometry.materials import MaterialLibrary

    return MaterialLibrary([] if warnings is None else warnings)


def shader(material):
    (node,) = [n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED"]
    return node


@pytest.mark.parametrize(
    ("display", "linear"),
    [(0.0, 0.0), (0.04, 0.04 / 12.92), (0.5, 0.2140411), (1.0, 1.0), (7.0, 1.0), (-1.0, 0.0)],
)
def test_display_colours_are_decoded(display, linear):
    from dynarig.addon.blender.geometry.materials import linear_from_display

    rgba = linear_from_display((display, 0.0, 1.0, 0.5))
    assert rgba == pytest.approx((linear, 0.0, 1.0, 0.5), abs=1e-6)


def test_shader_and_viewport_have_the_colour_and_the_alpha():
    material = library().from_urdf(Material("glass", (0.5, 0.0, 1.0, 0.25)))
    expected = pytest.approx((0.2140411, 0.0, 1.0, 0.25), abs=1e-6)
    assert material.name == "glass"
    assert tuple(material.diffuse_color) == expected
    assert tuple(shader(material).inputs["Base Color"].default_value) == expected
    assert shader(material).inputs["Alpha"].default_value == 0.25


def test_one_blender_material_for_one_urdf_material():
    import bpy

    materials = library()
    red, again = (materials.from_urdf(Material("red", (1, 0, 0, 1))) for _ in range(2))
    darker = materials.from_urdf(Material("red", (0.5, 0, 0, 1)))
    unnamed = materials.from_urdf(Material("", (0.5, 0, 0, 1)))
    assert red is again
    assert len({red, darker, unnamed}) == 3 == len(bpy.data.materials)
    # another import makes its own
    assert library().from_urdf(Material("red", (1, 0, 0, 1))) is not red


def test_links_without_colour_share_the_neutral_one():
    materials = library()
    assert materials.from_urdf(None) is materials.from_urdf(Material("unknown"))
    assert materials.from_urdf(None) is materials.neutral()


def test_a_texture_takes_the_place_of_the_colour(tmp_path):
    import bpy

    path = tmp_path / "wood.png"
    image = bpy.data.images.new("made", 2, 2)
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    material = library().from_urdf(Material("wood", None, "wood.png", path))
    (link,) = shader(material).inputs["Base Color"].links
    assert link.from_node.type == "TEX_IMAGE"
    assert bpy.path.abspath(link.from_node.image.filepath) == str(path)


def test_a_texture_that_is_not_there_is_a_warning(tmp_path):
    warnings = []
    path = tmp_path / "wood.png"
    material = library(warnings).from_urdf(Material("wood", (1, 0, 0, 1), "wood.png", path))
    assert tuple(material.diffuse_color) == (1, 0, 0, 1)
    assert len(warnings) == 1 and str(path) in warnings[0] and "\n" not in warnings[0]


def test_unused_materials_are_removed_at_the_end():
    import bpy

    materials = library()
    used = materials.neutral()
    materials.from_urdf(Material("red", (1, 0, 0, 1)))
    bpy.data.meshes.new("mesh").materials.append(used)
    materials.remove_unused()
    assert list(bpy.data.materials) == [used]
