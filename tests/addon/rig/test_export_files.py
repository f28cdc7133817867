"""Where an export writes, and which files that are there it leaves alone."""

import os

import pytest

from .test_export import ARM, export, loaded

CUBE = 84 + 12 * 50  # bytes of an STL file with 12 triangles


@pytest.fixture
def bent(lab):
    """A robot with one visual whose faces were edited, called `upper`."""
    from dynarig.addon.blender.parts import parts_of

    result = lab.load_text(ARM)
    for obj, tag in parts_of(result.object):
        if (tag.role, tag.link) == ("visual", "hand"):
            obj.name = "upper"
            obj.data.vertices[0].co.x -= 0.25
    return result


def refused(result, path, match):
    """Export is refused in one line with these words, which are returned."""
    from dynarig.addon.errors import RigError

    with pytest.raises(RigError, match=match) as info:
        export(result, path)
    assert "\n" not in str(info.value)
    return str(info.value)


def everything(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused_and_stays(bent, tmp_path):
    pipe = tmp_path / "pipe.urdf"
    os.mkfifo(pipe)
    (tmp_path / "link.urdf").symlink_to("pipe.urdf")
    before = everything(tmp_path)
    refused(bent, pipe, "is a device or pipe; wanted a file")
    refused(bent, tmp_path / "link.urdf", r"is a device or pipe; wanted a file.*pipe\.urdf")
    assert everything(tmp_path) == before and pipe.is_fifo()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_among_meshes_stays(bent, tmp_path):
    (tmp_path / "z_meshes").mkdir()
    os.mkfifo(tmp_path / "z_meshes" / "upper.stl")
    done = export(bent, tmp_path / "z.urdf")
    assert [path.name for path in done.meshes] == ["upper_2.stl"]
    assert (tmp_path / "z_meshes" / "upper.stl").is_fifo()


def test_a_folder_that_is_not_there_is_named_and_not_made(bent, tmp_path):
    (tmp_path / "away.urdf").symlink_to(tmp_path / "no" / "a.urdf")
    (tmp_path / "a_meshes").symlink_to(tmp_path / "nowhere")
    before = everything(tmp_path)
    for path, folder in (
        (tmp_path / "away.urdf", "no"),
        (tmp_path / "no" / "b.urdf", "no"),
        (tmp_path / "a.urdf", "a_meshes"),
    ):
        assert str(tmp_path / folder) in refused(bent, path, "does not exist; make it first")
    assert everything(tmp_path) == before


def test_a_link_is_kept_and_what_it_leads_to_is_written(bent, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "a.urdf").symlink_to(tmp_path / "real" / "b.urdf")
    export(bent, tmp_path / "a.urdf")
    assert (tmp_path / "a.urdf").is_symlink() and (tmp_path / "real" / "b.urdf").is_file()
    assert loaded(tmp_path / "a.urdf")[0].warnings == ()


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda folder: folder / ("a" * 300 + ".urdf"), "too long"),
        (lambda folder: folder / ("a" * 250 + ".urdf"), "too long"),  # its folder of meshes
        (lambda folder: folder / ("a" * 300) / "b.urdf", "too long"),
        (lambda folder: folder / ("b/" * 3000) / "b.urdf", "too long"),
        (lambda folder: folder / "nu\0l.urdf", "null"),
        (lambda folder: folder / "robot.urdf" / "b.urdf", "(?i)no folder|not a directory"),
        (lambda folder: folder / "circle.urdf", "circle"),
        (lambda folder: folder / "circle.urdf" / "b.urdf", "(?i)circle|links|no folder"),
        (lambda folder: folder / "folder.urdf", "is a folder"),
    ],
)
def test_a_path_that_can_have_no_file_is_told_in_a_line(bent, tmp_path, make, match):
    (tmp_path / "circle.urdf").symlink_to("circle.urdf")
    (tmp_path / "folder.urdf").mkdir()
    before = everything(tmp_path)
    refused(bent, make(tmp_path), match)
    assert everything(tmp_path) == before


def test_the_operator_tells_it_too(bent, tmp_path):
    import bpy

    bpy.context.view_layer.objects.active = bent.object
    with pytest.raises(RuntimeError, match="too long"):
        bpy.ops.dynarig.export_urdf(filepath=str(tmp_path / ("a" * 300 + ".urdf")))


def test_files_of_others_stay_and_own_ones_are_written_over(bent, tmp_path):
    folder = tmp_path / "z_meshes"
    folder.mkdir()
    (folder / "upper.stl").write_text("solid mine\nendsolid\n")
    (folder / "upper_2.stl").symlink_to("upper.stl")
    (folder / "upper_3.stl").write_bytes(b"dynarig".ljust(80) + bytes(4))
    kept = (folder / "upper.stl").read_bytes(), (folder / "upper_3.stl").read_bytes()
    for _ in range(2):
        (path,) = export(bent, tmp_path / "z.urdf").meshes
        assert path.name == "upper_4.stl" and path.stat().st_size == CUBE
    assert ((folder / "upper.stl").read_bytes(), (folder / "upper_3.stl").read_bytes()) == kept
    assert (folder / "upper_2.stl").is_symlink()
    # and one of ours that someone has changed since is no more ours
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)
    (other,) = export(bent, tmp_path / "z.urdf").meshes
    assert other.name == "upper_5.stl" and path.read_bytes() == content


def test_names_that_are_one_file_without_letter_case_are_told_apart(lab, tmp_path):
    import bpy
    from dynarig.addon.blender.parts import parts_of

    result = lab.load_text(ARM)
    objects = [obj for obj, _ in parts_of(result.object)]
    for obj, name in zip(objects, ("Wheel", "wheel", "NUL", "nul.x"), strict=True):
        obj.name = name
        for vertex in obj.data.vertices:
            vertex.co.x *= 1.5 + len(name) + ord(name[0])
    bpy.context.view_layer.update()
    names = sorted(path.name for path in export(result, tmp_path / "z.urdf").meshes)
    assert names == ["Wheel.stl", "_NUL.stl", "_nul.x.stl", "wheel_2.stl"]


@pytest.mark.parametrize("references", ["AUTO", "KEEP", "RELATIVE"])
@pytest.mark.parametrize("name", ["z", "a 100% größe"])
def test_new_meshes_and_textures_have_relative_names_each_time(
    lab, bent, tmp_path, references, name
):
    """And out, in, out again is the same from the first time on."""
    import bpy

    image = bpy.data.images.new("spots", 2, 2)
    image.filepath_raw, image.file_format = str(tmp_path / "spots.png"), "PNG"
    image.save()
    part = next(obj for obj in bent.object.children if obj.name == "upper")
    material = part.material_slots[0].material = bpy.data.materials.new("spotted")
    if material.node_tree is None:
        material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    texts = []
    for _ in range(3):
        done = export(bent, tmp_path / f"{name}.urdf", references)
        assert done.notes == ()
        texts.append((tmp_path / f"{name}.urdf").read_text(encoding="utf-8"))
    assert texts[0] == texts[1] == texts[2]
    assert str(tmp_path) not in texts[0] and "upper.stl" in texts[0] and "spots.png" in texts[0]
    robot = loaded(tmp_path / f"{name}.urdf")[0]
    assert robot.warnings == () and robot.links[2].visuals[0].geometry.path == done.meshes[0]

    back = lab.load_file(tmp_path / f"{name}.urdf")
    for again in (f"{name} again", name):
        assert export(back, tmp_path / f"{again}.urdf", references).edits == ()
        assert (tmp_path / f"{again}.urdf").read_text(encoding="utf-8") == texts[0]


def test_absolute_names_are_absolute_each_time(bent, tmp_path):
    for _ in range(2):
        export(bent, tmp_path / "z.urdf", "ABSOLUTE")
        assert f'"{(tmp_path / "z_meshes" / "upper.stl").as_posix()}"' in (
            tmp_path / "z.urdf"
        ).read_text(encoding="utf-8")
