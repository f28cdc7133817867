"""A robot goes out as it is in the scene, and comes back as the same model."""

from pathlib import Path

import numpy as np
import pytest

from ...close import assert_close

EXACT = 1e-9


def export(result, path, references="AUTO"):
    import bpy
    from dynarig.addon.blender.export import export_robot

    bpy.context.view_layer.update()
    return export_robot(bpy.context, result.object, path, references)


def loaded(path, floating_base=False):
    from dynarig.core.dynamics import compile_robot
    from dynarig.core.urdf import load_urdf

    robot = load_urdf(path)
    return robot, compile_robot(robot, floating_base, np.array([0.0, 0.0, -9.81]))


def differences(one, other, random):
    """The largest difference of poses and mass matrices of two models."""
    from dynarig.core.dynamics import link_poses, mass_matrix

    worst = 0.0
    for _ in range(3):
        q = one.clamped(random.uniform(-1.0, 1.0, one.nq))
        for joint in one.joint_names:
            if one.joint_type(joint) in ("floating", "spherical"):
                part = q[one.q_index(joint)]
                part[-4:] /= np.linalg.norm(part[-4:])
        worst = max(worst, float(np.abs(link_poses(one, q) - link_poses(other, q)).max()))
        worst = max(worst, float(np.abs(mass_matrix(one, q) - mass_matrix(other, q)).max()))
    return worst


def paths_of(robot):
    return [
        shape.geometry.path
        for link in robot.links
        for shape in (*link.visuals, *link.collisions)
        if hasattr(shape.geometry, "path")
    ]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("panda", {}),
        ("solo12", {"shown": "BOTH"}),
        ("ur5", {"shown": "BOTH", "decimation": 0.3}),
        ("case01", {}),
        ("case03", {"shown": "BOTH"}),
        ("case05", {"scale": 0.01}),
        ("case06", {"fixed_links": "KEEP", "inertia": True, "fixed_frames": True}),
        ("case09", {"shown": "COLLISION"}),
        ("case11", {"mesh_parent": "SKIN"}),
        ("case13", {}),
    ],
)
def test_what_was_not_edited_comes_back_the_same(lab, tmp_path, name, options):
    from dynarig.addon.blender.rig_access import open_rig
    from dynarig.core.urdf import resolve_meshes, write_urdf

    result = lab.load(name, meshes=True, **options)
    # the pose of the moment does not go out
    rig, model = lab.open(result)
    from dynarig.addon.blender.pose import set_configuration

    set_configuration(rig, model, lab.random_q(model))
    done = export(result, tmp_path / "out.urdf")
    assert done.edits == () and done.meshes == ()
    again, other = loaded(tmp_path / "out.urdf", rig.table.floating_base)
    before = resolve_meshes(open_rig(result.object).robot)
    assert again.joints == before.joints and again.root == before.root
    assert [link.inertial for link in again.links] == [link.inertial for link in before.links]
    assert paths_of(again) == paths_of(before)
    assert list(map(looks, again.links)) == list(map(looks, before.links))
    assert differences(model, other, lab.random) <= EXACT
    # and once more: the text does not change any more
    back = lab.load_file(tmp_path / "out.urdf", rig.table.floating_base, **options)
    export(back, tmp_path / "again.urdf", "KEEP")
    assert (tmp_path / "again.urdf").read_text() == (tmp_path / "out.urdf").read_text()
    assert write_urdf(again)


def looks(link):
    return [
        visual.material and (visual.material.name, visual.material.rgba) for visual in link.visuals
    ]


ARM = """
<material name="red"><color rgba="0.8 0.1 0.1 1"/></material>
<link name="base"><visual><geometry><box size="0.2 0.2 0.1"/></geometry><material name="red"/>
</visual></link>
<link name="arm"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<visual><origin xyz="0 0 0.25" rpy="0.1 0.2 0.3"/><geometry><cylinder radius="0.05" length="0.5"/>
</geometry><material name="red"/></visual>
<visual><geometry><sphere radius="0.06"/></geometry><material name="blue">
<color rgba="0.1 0.2 0.8 0.5"/></material></visual>
<collision><geometry><box size="0.1 0.1 0.5"/></geometry></collision></link>
<link name="hand"><visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual></link>
<link name="tool"/>
<joint name="shoulder" type="revolute"><origin xyz="0 0 0.1" rpy="0 0.3 0"/><parent link="base"/>
<child link="arm"/><axis xyz="0 1 0"/><limit lower="-1" upper="1.2345678901" effort="10"
 velocity="2"/></joint>
<joint name="wrist" type="prismatic"><origin xyz="0 0 0.5"/><parent link="arm"/><child link="hand"/>
<axis xyz="0 0 -1"/><limit lower="-0.1" upper="0.2" effort="10" velocity="2"/></joint>
<joint name="weld" type="fixed"><origin xyz="0 0 0.1"/><parent link="hand"/><child link="tool"/>
</joint>
"""


@pytest.fixture
def arm(lab):
    """The arm with all its shapes, and its objects by tag."""
    from dynarig.addon.blender.parts import parts_of

    result = lab.load_text(ARM, shown="BOTH")
    parts = {(tag.role, tag.link, tag.index): obj for obj, tag in parts_of(result.object)}
    return result, parts


def test_edited_limits_go_out(lab, arm, tmp_path):
    result, _ = arm
    rig, _ = lab.open(result)
    for constraint in rig.pose_bone("shoulder").constraints:
        constraint.max_y = 0.5
    for constraint in rig.pose_bone("wrist").constraints:
        constraint.max_y = 0.4 if rig.bone_of_joint["wrist"].sign > 0 else constraint.max_y
        constraint.min_y = -0.4 if rig.bone_of_joint["wrist"].sign < 0 else constraint.min_y
    export(result, tmp_path / "a.urdf")
    robot, _ = loaded(tmp_path / "a.urdf")
    shoulder, wrist = robot.joint("shoulder").limit, robot.joint("wrist").limit
    ends = (shoulder.lower, shoulder.upper)
    assert ends in ((-1.0, 0.5), (-0.5, 1.2345678901)) and shoulder.effort == 10.0
    assert (wrist.lower, wrist.upper) == (-0.1, 0.4)


def test_a_removed_limit_is_none_and_an_added_one_counts(lab, arm, tmp_path):
    result, _ = arm
    rig, _ = lab.open(result)
    for joint in ("shoulder", "wrist"):
        bone = rig.pose_bone(joint)
        for constraint in bone.constraints[:]:
            bone.constraints.remove(constraint)
    export(result, tmp_path / "a.urdf")
    robot, _ = loaded(tmp_path / "a.urdf")
    assert robot.joint("shoulder").type == "continuous"
    assert robot.joint("shoulder").limit.velocity == 2.0
    assert robot.joint("wrist").limit.upper == 1e16

    back = lab.load_file(tmp_path / "a.urdf")
    rig, _ = lab.open(back)
    constraint = rig.pose_bone("shoulder").constraints.new("LIMIT_ROTATION")
    constraint.owner_space, constraint.use_limit_y = "LOCAL", True
    constraint.min_y, constraint.max_y = -0.25, 0.25
    export(back, tmp_path / "b.urdf")
    shoulder = loaded(tmp_path / "b.urdf")[0].joint("shoulder")
    assert (shoulder.type, shoulder.limit.lower, shoulder.limit.upper) == ("revolute", -0.25, 0.25)


def test_numbers_of_bones_go_out(lab, arm, tmp_path):
    result, _ = arm
    rig, _ = lab.open(result)
    rig.pose_bone("shoulder")["urdf_effort"] = 12.5
    rig.pose_bone("wrist")["urdf_damping"] = 0.75
    done = export(result, tmp_path / "a.urdf")
    robot, _ = loaded(tmp_path / "a.urdf")
    assert robot.joint("shoulder").limit.effort == 12.5
    assert robot.joint("wrist").dynamics.damping == 0.75
    assert "numbers of 2 joints" in done.edits


def set_colour(obj, linear):
    material = obj.material_slots[0].material
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*linear, 1.0)
    return material


def test_edited_colours_go_out(arm, tmp_path):
    from dynarig.addon.blender.geometry.materials import linear_from_display

    result, parts = arm
    # shared by two visuals and named at the top: both change with it
    set_colour(parts["visual", "base", 0], linear_from_display((0.2, 0.6, 0.4, 1.0))[:3])
    # neutral grey that no material of the file stands for
    set_colour(parts["visual", "hand", 0], (1.0, 0.0, 0.0))
    export(result, tmp_path / "a.urdf")
    robot, _ = loaded(tmp_path / "a.urdf")
    assert robot.materials["red"].rgba == (0.2, 0.6, 0.4, 1.0)
    base, arm_link, hand, _ = robot.links
    assert base.visuals[0].material == arm_link.visuals[0].material == robot.materials["red"]
    assert arm_link.visuals[1].material.rgba == (0.1, 0.2, 0.8, 0.5)
    assert hand.visuals[0].material.rgba == (1.0, 0.0, 0.0, 1.0)


def test_one_visual_with_another_colour_gets_a_name_of_its_own(arm, tmp_path):
    result, parts = arm
    slot = parts["visual", "base", 0].material_slots[0]
    slot.material = slot.material.copy()
    set_colour(parts["visual", "base", 0], (0.0, 0.0, 1.0))
    export(result, tmp_path / "a.urdf")
    robot, _ = loaded(tmp_path / "a.urdf")
    assert robot.warnings == ()
    base, arm_link = robot.links[:2]
    assert base.visuals[0].material.rgba == (0.0, 0.0, 1.0, 1.0)
    assert base.visuals[0].material.name == "red_2"
    assert arm_link.visuals[0].material.rgba == (0.8, 0.1, 0.1, 1.0)


def test_moved_resized_deleted_and_new_shapes_go_out(arm, tmp_path):
    import bpy
    from mathutils import Matrix

    result, parts = arm
    parts["visual", "base", 0].location.x += 0.125
    parts["visual", "arm", 0].scale = (2.0, 2.0, 0.5)
    parts["visual", "arm", 1].scale = (1.0, 2.0, 1.0)  # no sphere any more
    parts["collision", "arm", 0].scale = (1.0, 1.0, 3.0)
    bpy.data.objects.remove(parts["visual", "hand", 0])
    mesh = bpy.data.meshes.new("wedge")
    mesh.from_pydata(
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
        [],
        [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)],
    )
    wedge = bpy.data.objects.new("my wedge/ä", mesh)
    result.collection.objects.link(wedge)
    hand = next(bone for bone in result.object.pose.bones if bone["urdf_link"] == "hand")
    wedge.parent, wedge.parent_type, wedge.parent_bone = result.object, "BONE", hand.name
    wedge.matrix_parent_inverse = Matrix.Translation((0, -hand.bone.length, 0))
    wedge.scale = (0.1, 0.2, 0.3)
    done = export(result, tmp_path / "a.urdf")
    robot, _ = loaded(tmp_path / "a.urdf")
    assert robot.warnings == ()
    base, arm_link, hand_link, _ = robot.links
    assert base.visuals[0].origin.xyz == (0.125, 0.0, 0.0)
    cylinder = arm_link.visuals[0].geometry
    assert (cylinder.radius, cylinder.length) == (0.1, 0.25)
    assert arm_link.visuals[0].origin.rpy == pytest.approx((0.1, 0.2, 0.3), abs=1e-6)
    egg = arm_link.visuals[1].geometry
    assert egg.scale == (1.0, 2.0, 1.0) and egg.path.parent == tmp_path / "a_meshes"
    assert arm_link.collisions[0].geometry.size == pytest.approx((0.1, 0.1, 1.5))
    (new,) = hand_link.visuals
    assert new.name == "my wedge/ä" and new.geometry.scale == pytest.approx((0.1, 0.2, 0.3))
    assert len(done.meshes) == 2 and all(path.is_file() for path in done.meshes)
    assert "1 shape removed" in done.edits and "1 shape new" in done.edits


def test_faces_that_were_edited_go_out_as_a_file(arm, tmp_path):
    result, parts = arm
    parts["visual", "base", 0].data.flip_normals()
    parts["visual", "hand", 0].data.vertices[0].co.x -= 0.2
    done = export(result, tmp_path / "a.urdf")
    assert done.edits == ("2 shapes edited",) and len(done.meshes) == 2
    robot, _ = loaded(tmp_path / "a.urdf")
    paths = [robot.links[index].visuals[0].geometry.path for index in (0, 2)]
    assert paths == list(done.meshes)
    # a header, a number, and 50 bytes for each of 12 triangles
    assert all(path.stat().st_size == 84 + 12 * 50 for path in paths)


def test_an_export_of_edits_is_as_it_looks(lab, arm, tmp_path):
    """What comes back stands where it stood, and its text is the same from then on."""
    import bpy

    result, parts = arm
    parts["visual", "arm", 0].location = (0.2, -0.1, 0.3)
    parts["visual", "arm", 1].scale = (1.0, 2.0, -1.5)
    parts["visual", "hand", 0].parent_bone = parts["visual", "arm", 0].parent_bone
    bpy.context.view_layer.update()
    wanted = sorted(bounds_of(parts.values()))
    export(result, tmp_path / "a.urdf")
    bpy.data.batch_remove([*result.object.children, result.object])
    back = lab.load_file(tmp_path / "a.urdf", shown="BOTH")
    bpy.context.view_layer.update()
    assert_close(sorted(bounds_of(back.object.children)), wanted, atol=2e-6)
    done = export(back, tmp_path / "b.urdf")
    assert done.edits == ()
    assert (tmp_path / "b.urdf").read_text() == (tmp_path / "a.urdf").read_text()


def bounds_of(objects):
    """Least and greatest corner of each object in the world, (n, 6), by its vertices."""
    found = []
    for obj in objects:
        points = np.array([obj.matrix_world @ vertex.co for vertex in obj.data.vertices])
        found.append([*points.min(axis=0).round(6), *points.max(axis=0).round(6)])
    return found


def edit_bone(result, link, change):
    import bpy
    from dynarig.addon.blender.workspace import temporary_scene

    name = next(bone.name for bone in result.object.pose.bones if bone["urdf_link"] == link)
    with temporary_scene(bpy.context) as workspace:
        workspace.scene.collection.objects.link(result.object)
        with workspace.override(result.object):
            bpy.ops.object.mode_set(mode="EDIT")
            change(result.object.data.edit_bones[name])
        with workspace.override(result.object):
            bpy.ops.object.mode_set(mode="OBJECT")


def test_a_bone_moved_at_rest_moves_its_joint(lab, arm, tmp_path):
    from mathutils import Vector

    result, _ = arm

    def change(bone):
        bone.head += Vector((0.25, 0.0, 0.0))
        bone.tail += Vector((0.25, 0.0, 0.0))

    edit_bone(result, "arm", change)
    done = export(result, tmp_path / "a.urdf")
    assert done.edits == ("2 joint origins",)
    before, _ = loaded(lab.folder / "robot.urdf")
    after, model = loaded(tmp_path / "a.urdf")
    assert after.joint("shoulder").origin.xyz == pytest.approx((0.25, 0.0, 0.1), abs=1e-7)
    assert after.joint("shoulder").origin.rpy == before.joint("shoulder").origin.rpy
    assert after.joint("weld") == before.joint("weld")
    # the hand's bone was not moved: it is where it was
    q = np.zeros(model.nq)
    from dynarig.core.dynamics import compile_robot, link_poses

    hand = list(model.link_names).index("hand")
    there = link_poses(compile_robot(before), q)[hand]
    assert_close(link_poses(model, q)[hand], there, atol=1e-6)


def test_a_bone_turned_at_rest_turns_its_axis(lab, arm, tmp_path):
    from mathutils import Matrix

    result, _ = arm
    turn = Matrix.Rotation(0.5, 4, "X")

    def change(bone):
        head = bone.head.copy()
        bone.matrix = Matrix.Translation(head) @ turn @ Matrix.Translation(-head) @ bone.matrix

    edit_bone(result, "hand", change)
    export(result, tmp_path / "a.urdf")
    from dynarig.core.dynamics import compile_robot, link_poses

    before, _ = loaded(lab.folder / "robot.urdf")
    _, model = loaded(tmp_path / "a.urdf")
    old, new = (link_poses(own, np.zeros(2)) for own in (compile_robot(before), model))
    hand = list(model.link_names).index("hand")
    assert_close(new[hand][:3, :3], np.array(turn)[:3, :3] @ old[hand][:3, :3], atol=2e-6)
    assert_close(new[hand][:3, 3], old[hand][:3, 3], atol=2e-6)


def test_the_scale_of_the_object_goes_into_all_lengths(lab, tmp_path):
    result = lab.load("case06", scale=0.5)
    result.object.scale = (1.0, 1.0, 1.0)
    done = export(result, tmp_path / "a.urdf")
    assert done.edits == ("all lengths times 2 (masses stay)",)
    before, _ = loaded(lab.folder / "claw.urdf")
    after, _ = loaded(tmp_path / "a.urdf")
    for old, new in zip(before.joints, after.joints, strict=True):
        assert new.origin.xyz == pytest.approx(tuple(2.0 * x for x in old.origin.xyz))
    result.object.scale = (1.0, 2.0, 1.0)
    from dynarig.addon.errors import RigError

    with pytest.raises(RigError, match="same in all axes"):
        export(result, tmp_path / "b.urdf")
    assert not (tmp_path / "b.urdf").exists()


def test_a_failed_export_leaves_the_old_file(arm, tmp_path):
    from dynarig.addon.errors import RigError
    from dynarig.core.errors import ArgumentError

    result, parts = arm
    (tmp_path / "a.urdf").write_text("old")
    (tmp_path / "a_meshes").write_text("a file where the folder should be")
    parts["visual", "arm", 1].scale = (1.0, 2.0, 1.0)
    with pytest.raises(RigError, match="a_meshes"):
        export(result, tmp_path / "a.urdf")
    assert (tmp_path / "a.urdf").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.urdf", "a_meshes", "robot.urdf"]
    with pytest.raises(ArgumentError, match=r"\.urdf"):
        export(result, tmp_path / "a.txt")
    with pytest.raises(RigError, match="folder"):
        export(result, tmp_path / "no" / "a.urdf")


def test_what_a_urdf_cannot_say_is_told(lab, tmp_path):
    import bpy
    from dynarig.addon.blender.loops import add_loop

    corners = ((0, 0, 0), (1, 0, 0), (0, 1, 0))
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    (tmp_path / "a.mtl").write_text("newmtl own\nKd 0.5 0.5 0.5\n")
    (tmp_path / "a.obj").write_text(
        "\n".join(["mtllib a.mtl", *lines, "usemtl own", "f 1 2 3", ""])
    )
    shown = '<visual><geometry><mesh filename="a.obj"/></geometry></visual>'
    result = lab.load_text(ARM.replace('<link name="tool"/>', f'<link name="tool">{shown}</link>'))
    tool = next(obj for obj in result.object.children if obj.data.name.startswith("a"))
    tool.modifiers.new("mine", "BEVEL")
    shader = tool.data.materials[0].node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (1.0, 0.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    add_loop(result.object, "BALL", "base", "hand", (0.0, 0.0, 0.6))
    done = export(result, tmp_path / "out.urdf")
    assert done.edits == ()
    told = " ".join(done.notes)
    assert "modifiers" in told and "materials of mesh" in told and "1 loop joint" in told
    assert "not written" in done.summary()


def test_a_robot_in_edit_mode_is_refused(arm, tmp_path):
    import bpy
    from dynarig.addon.errors import RigError

    bpy.context.view_layer.objects.active = arm[0].object
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RigError, match="edit mode"):
        export(arm[0], tmp_path / "a.urdf")


def test_export_changes_nothing_in_the_scene(arm, tmp_path, inventory):
    result, parts = arm
    parts["visual", "arm", 1].scale = (1.0, 2.0, 1.0)
    before = inventory()
    export(result, tmp_path / "a.urdf")
    assert inventory() == before


def test_copies_of_a_robot_and_of_a_part_go_out(arm, tmp_path):
    result, parts = arm
    copy = parts["visual", "base", 0].copy()
    copy.location.z += 1.0
    result.collection.objects.link(copy)
    export(result, tmp_path / "a.urdf")
    base = loaded(tmp_path / "a.urdf")[0].links[0]
    assert [visual.origin.xyz for visual in base.visuals] == [(0, 0, 0), (0, 0, 1)]
    assert base.visuals[1].geometry == base.visuals[0].geometry


def test_the_operator_exports_the_active_robot(arm, tmp_path):
    import bpy

    _, parts = arm
    bpy.context.view_layer.objects.active = parts["visual", "hand", 0]
    path = str(tmp_path / "a.urdf")
    assert bpy.ops.dynarig.export_urdf(filepath=path, references="ABSOLUTE") == {"FINISHED"}
    assert Path(path).read_text().count("<link") == 4
    bpy.context.view_layer.objects.active = None
    assert not bpy.ops.dynarig.export_urdf.poll()
