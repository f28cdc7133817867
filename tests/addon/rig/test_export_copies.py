"""Copies of a robot, linked ones and ones whose bones were renamed go out as the robot does."""

import pytest

from .test_export import ARM, EXACT, differences, loaded

OPTIONS = [
    {"shown": "BOTH"},
    {"shown": "BOTH", "fixed_links": "KEEP", "inertia": True, "fixed_frames": True},
    {"mesh_parent": "SKIN"},
    {"shown": "BOTH", "floating_base": True, "fixed_links": "KEEP", "scale": 0.37},
]
# nothing that follows another joint: a driver may lose its leader when bones get other names
ROBOTS = ["case11", "arm"]


@pytest.fixture(params=ROBOTS)
def text(request, lab):
    if request.param == "arm":
        path = lab.folder / "source.urdf"
        path.write_text(f'<robot name="arm">{ARM}</robot>')
        return path
    return lab.path(request.param)


def written(obj, path):
    """What an export writes, its edits and its notes."""
    import bpy
    from dynarig.addon.blender.export import export_robot

    bpy.context.view_layer.update()
    done = export_robot(bpy.context, obj, path)
    return path.read_text(encoding="utf-8"), done.edits, done.notes


def edit(result):
    """Move, resize and bend the shapes that there are, and add one."""
    from dynarig.addon.blender.parts import parts_of

    parts = [obj for obj, tag in parts_of(result.object) if tag.role in ("visual", "collision")]
    for number, obj in enumerate(parts):
        obj.location.x += 0.1
        obj.scale[number % 3] *= 1.5
    for obj in parts[:1]:
        copy = obj.copy()
        copy.data = obj.data.copy()
        copy.data.vertices[0].co.x += 0.3
        result.collection.objects.link(copy)


def show(layer):
    """Hide no collection of a view layer."""
    layer.exclude = layer.hide_viewport = layer.collection.hide_viewport = False
    for child in layer.children:
        show(child)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("edited", [False, True])
def test_names_and_copies_change_nothing(lab, text, tmp_path, options, edited):
    import bpy

    result = lab.load_file(text, **options)
    if edited:
        edit(result)
    path = tmp_path / "a.urdf"
    wanted = written(result.object, path)
    for number, bone in enumerate(result.object.data.bones):
        bone.name = f"other {number}"
    assert written(result.object, path) == wanted
    # of all parts, hidden ones too
    show(bpy.context.view_layer.layer_collection)
    bpy.context.view_layer.update()
    for linked in (False, True):
        for obj in bpy.context.view_layer.objects:
            obj.hide_set(False)
            obj.select_set(obj == result.object or obj in result.object.children_recursive)
        bpy.context.view_layer.objects.active = result.object
        bpy.ops.object.duplicate(linked=linked)
        copy = bpy.context.view_layer.objects.active
        assert copy != result.object
        assert len(copy.children) == len(result.object.children)
        text_of_copy, edits, _ = written(copy, path)
        assert edits == wanted[1] and loaded(path)[0].joints == loaded(text)[0].joints
        if not edited:
            assert text_of_copy == wanted[0]
        assert written(result.object, path)[:2] == wanted[:2]
    model, source = loaded(path)[1], loaded(text)[1]
    assert differences(model, source, lab.random) <= EXACT


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("how", ["link", "append", "override"])
def test_from_a_library_it_is_the_same(lab, text, tmp_path, options, how):
    import bpy

    result = lab.load_file(text, **options)
    edit(result)
    path, name = tmp_path / "a.urdf", result.collection.name
    wanted = written(result.object, path)
    file = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(file, link=how != "append") as (_, chosen):
        chosen.collections = [name]
    (collection,) = chosen.collections
    bpy.context.scene.collection.children.link(collection)
    if how == "override":
        collection = collection.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    robot = next(obj for obj in collection.all_objects if obj.type == "ARMATURE")
    assert written(robot, path) == wanted
