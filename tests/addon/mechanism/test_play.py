"""A mechanism's motion in a scene: Blender has every link where the core has it, at every key."""

from __future__ import annotations

import re
import shutil

import numpy as np
import pytest

FPS, START = 24.0, 3
ALL = (
    *("revolute", "continuous", "prismatic", "screw", "cylindrical", "universal", "planar"),
    *("spherical", "floating"),
)
SEQUENCES = ("XYZ", "ZXZ")
INERTIAL = (
    '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    "</inertial>"
)


def enter(play, kind, times):
    import bpy
    from dynarig.addon.blender.mechanism.play import enter_play

    return enter_play(bpy.context, play, times, FPS, START, kind)


def worst(workshop, play, times, first=START, between=0.0):
    """The largest entry of |Blender - core| over links and frames."""
    import bpy

    scene, difference = bpy.context.scene, 0.0
    for index, t in enumerate(times):
        scene.frame_set(first + index, subframe=between)
        poses = play.trajectory.link_poses(t)
        for name, pose in zip(play.trajectory.model.link_names, poses, strict=True):
            found = workshop.world_poses(bpy.data.objects[f"box of {name}"])
            difference = max(difference, float(np.abs(found - pose).max()))
    return difference


def bound(play):
    return 1e-5 + 1.2e-7 * float(np.abs(play.trajectory.q).max())


@pytest.mark.parametrize("kind", ["objects", "armature"])
@pytest.mark.parametrize("joint", ALL)
def test_links_stand_where_the_core_has_them_at_keys(workshop, kind, joint) -> None:
    # below another joint, so that nothing starts at rest in the world
    joints = [workshop.joint("revolute", 0, "world"), workshop.joint(joint, 1, "link0")]
    tree = workshop.tree(*joints)
    play = workshop.play(tree, workshop.motion(tree))
    times = np.arange(0.0, 0.8, 1.0 / FPS)
    enter(play, kind, times)
    assert worst(workshop, play, times) < bound(play)


@pytest.mark.parametrize("kind", ["objects", "armature"])
@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("joint", ["spherical", "floating"])
def test_euler_states_are_shown_too(workshop, kind, joint, sequence) -> None:
    tree = workshop.tree(workshop.joint(joint, 0, "world", sequence=sequence))
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.simulate import run, simulate

    model = compile_tree(tree)
    q = model.neutral()
    q[-2] = 0.7  # clear of the lock of ZXZ at 0
    motion = run(simulate(model, [0.0, 0.4], q, np.linspace(-1.0, 1.0, model.nv)))
    play = workshop.play(tree, motion)
    times = np.arange(0.0, 0.4, 1.0 / FPS)
    enter(play, kind, times)
    assert worst(workshop, play, times) < bound(play)


@pytest.mark.parametrize("kind", ["objects", "armature"])
def test_a_bush_of_all_joints_stands_where_it_should(workshop, kind) -> None:
    joints = []
    for index, joint in enumerate(ALL):
        parent = "world" if index < 3 else f"link{index - 3}"
        joints.append(workshop.joint(joint, index, parent))
        joints.append(workshop.joint("fixed", 100 + index, f"link{index}"))
    tree = workshop.tree(*joints)
    play = workshop.play(tree, workshop.motion(tree, 0.3))
    times = np.arange(0.0, 0.3, 1.0 / FPS)
    enter(play, kind, times)
    assert worst(workshop, play, times) < bound(play)


@pytest.mark.parametrize("kind", ["objects", "armature"])
def test_slopes_carry_the_motion_between_keys(workshop, kind) -> None:
    tree = workshop.tree(workshop.joint("floating", 0, "world"))
    play = workshop.play(tree, workshop.motion(tree, 0.5, speed=6.0))
    times = np.arange(0.0, 0.5, 1.0 / FPS)
    enter(play, kind, times)
    halves = times[:-1] + 0.5 / FPS
    # a cubic of exact slopes; with straight lines between keys it would be 4e-3
    assert worst(workshop, play, halves, between=0.5) < 1e-4


@pytest.mark.parametrize("kind", ["objects", "armature"])
def test_a_wheel_may_turn_many_times_between_frames(workshop, kind) -> None:
    import bpy
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.mechanism import TreeJoint
    from dynarig.core.simulate import run, simulate

    axis = np.array([0.0, 0.0, 1.0])
    tree = workshop.tree(TreeJoint("hub", "continuous", "world", "link0", np.eye(4), axis))
    model = compile_tree(tree, gravity=(0.0, -9.81, 0.0))
    # 9.5 turns in a frame
    speed = 9.5 * 2.0 * np.pi * FPS
    motion = run(simulate(model, [0.0, 0.5], [0.0], [speed]))
    play = workshop.play(tree, motion, planar=True)
    times = np.arange(0.0, 0.5, 1.0 / FPS)
    enter(play, kind, times)
    scene = bpy.context.scene
    scene.frame_set(START + len(times) - 1)
    graph = bpy.context.evaluated_depsgraph_get()
    if kind == "objects":
        angle = bpy.data.objects["link0 link"].evaluated_get(graph).rotation_euler[2]
    else:
        angle = bpy.data.objects["made"].evaluated_get(graph).pose.bones[0].rotation_euler[1]
    assert angle == pytest.approx(motion.sample(times[-1])[0][0], rel=1e-6)


@pytest.mark.parametrize("kind", ["objects", "armature"])
def test_a_failure_leaves_nothing(workshop, kind, inventory, monkeypatch) -> None:
    from dynarig.addon.blender.mechanism import play as module

    tree = workshop.tree(workshop.joint("floating", 0, "world"))
    play = workshop.play(tree, workshop.motion(tree))
    before = inventory()

    def fail(*_) -> None:
        raise RuntimeError("no space")

    monkeypatch.setattr(module.Drawing, "draw", fail)
    with pytest.raises(RuntimeError, match="no space"):
        enter(play, kind, np.arange(3) / FPS)
    assert inventory() == before


@pytest.mark.parametrize("kind", ["objects", "armature"])
def test_a_robot_in_a_mechanism_shows_its_meshes(workshop, kind, data, tmp_path) -> None:
    import bpy
    from dynarig.addon.blender.geometry.visuals import visual_parts
    from dynarig.addon.render import animate
    from dynarig.core.frames import transform_from_xyz_rpy
    from dynarig.core.mechanism import Mechanism, spatial

    folder = shutil.copytree(data / "urdf" / "11_rpy_order_and_visual_frames", tmp_path / "flag")
    file = folder / "flag.urdf"
    text = re.sub(r'<link name="(\w+)"(/?)>', rf'<link name="\1">{INERTIAL}\2', file.read_text())
    file.write_text(text.replace(f"{INERTIAL}/", f"{INERTIAL}</link>"))
    robot = spatial.Robot("robot", file, w0=(1.0, -0.5, 2.0))
    falling = Mechanism("falling", [spatial.World("world"), robot])
    sol = falling.simulate(0.5)
    collection = animate(bpy.context, falling, sol, kind=kind)
    bpy.context.scene.frame_set(9)
    scene = bpy.context.scene.render
    t = 8.0 * scene.fps_base / scene.fps
    wanted = [
        sol.pose(robot.frame(part.link), t)
        @ transform_from_xyz_rpy(part.origin.xyz, part.origin.rpy)
        @ np.diag([*getattr(part.geometry, "scale", (1, 1, 1)), 1.0])
        for part in visual_parts(robot.robot)
    ]
    shown = [workshop.world_poses(obj) for obj in collection.objects if obj.type == "MESH"]
    assert len(shown) == len(wanted)
    np.testing.assert_allclose(
        sorted(m.tolist() for m in shown), sorted(m.tolist() for m in wanted), atol=1e-5
    )


def test_a_mesh_that_is_missing_is_a_warning(tmp_path, workshop) -> None:
    import bpy
    from dynarig.addon.render import animate
    from dynarig.core.mechanism import Mechanism, spatial

    (tmp_path / "part.stl").write_text("no mesh")
    text = (
        f'<robot name="one"><link name="base">{INERTIAL}'
        '<visual><geometry><mesh filename="part.stl"/></geometry></visual></link></robot>'
    )
    (tmp_path / "one.urdf").write_text(text)
    falling = Mechanism(
        "falling", [spatial.World("world"), spatial.Robot("robot", tmp_path / "one.urdf")]
    )
    with pytest.warns(UserWarning, match="part.stl"):
        animate(bpy.context, falling, falling.simulate(0.2))
