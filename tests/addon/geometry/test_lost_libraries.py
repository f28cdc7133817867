"""OBJ files whose MTL files are not there: told once, for what is seen."""

import pytest
from dynarig.core.urdf import load_urdf

OBJ = "mtllib {}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl own\nf 1 2 3\n"
SHAPE = '<{0}><geometry><mesh filename="{1}"/></geometry>{2}</{0}>'
RED = '<material name="red"><color rgba="1 0 0 1"/></material>'


def made(folder, *shapes):
    """The slots of visuals, and the warnings, of a robot of one link."""
    import bpy
    from dynarig.addon.blender.geometry.visuals import (
        collision_parts,
        create_objects,
        visual_parts,
    )

    text = f'<robot name="r"><link name="a">{"".join(shapes)}</link></robot>'
    (folder / "r.urdf").write_text(text)
    robot = load_urdf(folder / "r.urdf")
    warnings = list(robot.warnings)
    collection = bpy.data.collections.new("robot")
    objects = create_objects([*visual_parts(robot), *collision_parts(robot)], collection, warnings)
    return [own.object for own in objects], warnings


def write(folder, count):
    for number in range(count):
        (folder / f"{number}.obj").write_text(OBJ.format(f"gone{number}.mtl"))


@pytest.mark.parametrize("count", [1, 2, 9])
def test_many_files_are_one_warning(tmp_path, count):
    write(tmp_path, count)
    shapes = [SHAPE.format("visual", f"{number}.obj", RED) for number in range(count)]
    objects, warnings = made(tmp_path, *shapes, *shapes)
    (warning,) = warnings
    assert warning.startswith("1 OBJ file names" if count == 1 else f"{count} OBJ files name")
    assert "gone0.mtl" in warning and "take the URDF's colour" in warning
    assert ("and 4 more" in warning) == (count == 9)
    assert [own.material_slots[0].material.name for own in objects] == ["red"] * len(objects)


def test_collision_shapes_need_none(tmp_path):
    write(tmp_path, 1)
    assert made(tmp_path, SHAPE.format("collision", "0.obj", ""))[1] == []


@pytest.mark.parametrize("there", ["gone0.mtl", "0.mtl"])
def test_nothing_is_lost_where_another_library_has_it(tmp_path, there):
    """Blender also looks for a library that is called like the file."""
    write(tmp_path, 1)
    (tmp_path / there).write_text("newmtl own\nKd 0 1 0\n")
    objects, warnings = made(tmp_path, SHAPE.format("visual", "0.obj", RED))
    assert warnings == []
    assert objects[0].material_slots[0].material.name == "own"


def test_a_file_that_uses_no_material_loses_none(tmp_path):
    (tmp_path / "0.obj").write_text(OBJ.format("gone.mtl").replace("usemtl own\n", ""))
    assert made(tmp_path, SHAPE.format("visual", "0.obj", RED))[1] == []
