"""Add > Armature > Mechanism: the jack in the box, simulated exactly, in the user's scene."""

import inspect
import json

import bpy
import numpy as np
import pytest
from dynarig.addon import compat
from dynarig.addon.job import Run
from dynarig.addon.mechanism_properties import PARAMETERS
from dynarig.core.mechanism.presets import PRESETS, jack_in_a_box

from ...close import assert_close

TIGHT = 1e-13
UPRIGHT = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
SECONDS = 3.0  # of the reference, in which there are 14 impacts
SPAN = 0.5  # Lj


def add(**options):
    assert bpy.ops.dynarig.add_mechanism(**options) == {"FINISHED"}
    return bpy.context.view_layer.objects.active


def curves(obj):
    return {(curve.data_path, curve.array_index): curve for curve in compat.existing_channels(obj)}


def pose_of(obj):
    graph = bpy.context.evaluated_depsgraph_get()
    return np.array(obj.evaluated_get(graph).matrix_world, dtype=np.float64)


def go_to(frame):
    whole = int(np.floor(frame))
    bpy.context.scene.frame_set(whole, subframe=float(frame - whole))


def part(armature, name):
    """The object of a component, of this armature."""
    found = [obj for obj in armature.children if obj.name.split(".")[0] == name]
    assert len(found) == 1
    return found[0]


@pytest.fixture(scope="module")
def case(data):
    return json.loads((data / "impact" / "jack_in_a_box.json").read_text())["sets"]["A"]


@pytest.fixture(scope="module")
def sol():
    return jack_in_a_box().simulate(np.arange(73) / 24.0, tolerance=TIGHT)


def test_every_preset_has_its_parameters():
    for preset in PRESETS:
        known = inspect.signature(preset.make).parameters
        operator = bpy.ops.dynarig.add_mechanism.get_rna_type().properties
        for name, parameter in PARAMETERS[preset.name].items():
            # the defaults are the preset's own
            assert operator[name].default == pytest.approx(known[parameter].default)
    assert [item.identifier for item in operator["preset"].enum_items] == [
        preset.name for preset in PRESETS
    ]


def test_keys_at_the_impacts_of_the_reference(case):
    """Each has a key at its fractional frame, with free handles that carry both velocities."""
    obj = add(duration=SECONDS)
    assert len(case["impacts"]) == 14
    found = curves(obj)
    assert len(found) == 6
    # the joints' own coordinates are those of the bones' channels, up to order and sign
    bones = {bone.name: bone for bone in obj.pose.bones}
    assert set(bones) == {"box", "jack"}
    free = []
    for hit in case["impacts"][:12]:
        frame = 1.0 + 24.0 * hit["t"]
        for body, name in enumerate(("box", "jack")):
            own = [curve for (path, _), curve in found.items() if f'"{name}"' in path]
            assert len(own) == 3
            values, slopes = [], []
            for curve in own:
                point = min(curve.keyframe_points, key=lambda key: abs(key.co.x - frame))
                assert_close(point.co.x, frame, 2e-5)
                left, right = (
                    (handle.y - point.co.y) / (handle.x - point.co.x) * 24.0
                    for handle in (point.handle_left, point.handle_right)
                )
                values.append(point.co.y)
                slopes.append((left, right))
                changed = abs(left - right) > 1e-3
                if changed:
                    assert point.handle_left_type == point.handle_right_type == "FREE"
                free.append(changed)
            at = slice(3 * body, 3 * body + 3)
            before, after = hit["v_minus"][at], hit["v_plus"][at]
            assert_close(sorted(np.abs(values)), sorted(np.abs(hit["q"][at])), 1e-4)
            assert_close(sorted(abs(own[0]) for own in slopes), sorted(np.abs(before)), 2e-3)
            assert_close(sorted(abs(own[1]) for own in slopes), sorted(np.abs(after)), 2e-3)
    # a hit changes the velocities of both bodies, along the wall's normal and the turning
    assert np.mean(free) > 0.5


def test_bodies_are_where_the_core_has_them_at_frames_and_between(sol):
    bpy.context.scene.cursor.location = (1.0, -2.0, 3.0)
    obj = add(duration=SECONDS)
    scene_from_mechanism = UPRIGHT.copy()
    scene_from_mechanism[:3, 3] = (1.0, -2.0, 3.0)
    assert_close(pose_of(obj), scene_from_mechanism, 1e-6)
    box, jack, wall = (part(obj, name) for name in ("box", "jack", "wall 1 corner 0"))
    shown = []
    for frame in 1.0 + np.arange(0.0, 72.01, 0.25):
        go_to(frame)
        shown.append([pose_of(own) for own in (box, jack, wall)])
    times = np.minimum(np.arange(0.0, 72.01, 0.25) / 24.0, sol.times[-1])
    links = sol.trajectory.link_poses(times)
    wall_in_box = np.linalg.inv(links[0, 1]) @ np.linalg.inv(scene_from_mechanism) @ shown[0][2]
    assert_close(np.abs(wall_in_box[:3, 3]), (0.0, 1.02, 0.0), 1e-5)
    wanted = scene_from_mechanism @ np.stack(
        (links[:, 1], links[:, 2], links[:, 1] @ wall_in_box), axis=1
    )
    assert_close(np.array(shown), wanted, 1e-4)


@pytest.mark.parametrize("options", [{}, {"restitution": 0.6, "shake": 0.8}])
def test_the_jack_stays_in_the_box_between_frames(options):
    obj = add(duration=2.5, **options)
    box, jack = part(obj, "box"), part(obj, "jack")
    arm = SPAN / 2**0.5
    tips = np.array([(arm, 0, 0, 1), (0, arm, 0, 1), (-arm, 0, 0, 1), (0, -arm, 0, 1)])
    worst = 0.0
    for frame in 1.0 + np.arange(0.0, 60.01, 0.25):
        go_to(frame)
        inside = np.linalg.inv(pose_of(box)) @ pose_of(jack) @ tips.T
        worst = max(worst, float(np.abs(inside[:2]).max()))
    assert 0.9 < worst < 1.0 + 1e-3


def test_without_impact_keys_there_are_whole_frames_alone():
    obj = add(duration=1.0, use_impact_keys=False)
    for curve in curves(obj).values():
        frames = [point.co.x for point in curve.keyframe_points]
        assert frames == list(range(1, 26))
        assert {point.handle_left_type for point in curve.keyframe_points} == {"ALIGNED"}
    obj = add(duration=1.0, interpolation="LINEAR")
    for curve in curves(obj).values():
        assert {point.interpolation for point in curve.keyframe_points} == {"LINEAR"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, (5, 9)),
        ({"frame_start": 2, "frame_end": 4}, (2, 4)),
        ({"frame_end": 7}, (5, 7)),
        ({"duration": 0.125}, (5, 8)),
        ({"range": "DURATION", "duration": 0.125, "frame_start": 1}, (1, 4)),
        ({"range": "SCENE", "duration": 0.125, "frame_start": 1}, (5, 9)),
    ],
)
def test_the_range(options, expected):
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 5, 9
    obj = add(**options)
    for curve in curves(obj).values():
        assert tuple(curve.range()) == expected
    assert (scene.frame_start, scene.frame_end) == (5, 9)


def test_the_rest_of_the_scene_stays_as_it_was(inventory):
    scene = bpy.context.scene
    data = bpy.data.cameras.new("mine")
    camera = bpy.data.objects.new("mine", data)
    scene.collection.objects.link(camera)
    scene.camera, scene.frame_current = camera, 17
    camera.select_set(True)
    bpy.context.view_layer.objects.active = camera
    before = inventory()
    obj = add(duration=0.5)
    assert bpy.context.selected_objects == [obj]
    assert (scene.camera, scene.frame_current) == (camera, 17)
    assert np.array_equal(np.array(camera.matrix_world), np.eye(4))
    (collection,) = scene.collection.children
    assert collection.name == "Jack in the Box"
    made = {name: blocks - before[name] for name, blocks in inventory().items()}
    assert made["objects"] == {own.name for own in collection.objects}
    # four walls, the arms and middle of the jack, the middle of the box: no mark of the world
    assert len(made["meshes"]) == 10
    assert not any(name.startswith("world") for name in made["objects"])
    assert made["actions"] == {"Jack in the Box motion"}
    for kind in ("scenes", "cameras", "lights", "worlds"):
        assert not made[kind]


def test_a_second_one_stands_for_itself():
    first = add(duration=0.5)
    second = add(duration=0.5, location=(4.0, 0.0, 0.0), jack_spin=-2.0)
    scene = bpy.context.scene
    assert second is not first
    assert len(scene.collection.children) == 2
    assert first.animation_data.action != second.animation_data.action
    assert bpy.context.selected_objects == [second]
    go_to(8.0)
    apart = pose_of(part(second, "box")) - pose_of(part(first, "box"))
    assert_close(apart[:3, 3], (4.0, 0.0, 0.0), 1e-5)
    turn = pose_of(part(second, "jack")) - pose_of(part(first, "jack"))
    assert np.abs(turn[:3, :3]).max() > 0.1


def test_one_undo_takes_it_back(inventory):
    window = bpy.context.window_manager.windows[0]
    with bpy.context.temp_override(window=window):
        bpy.ops.ed.undo_push(message="before")
        before = inventory()
        bpy.ops.dynarig.add_mechanism("EXEC_DEFAULT", True, duration=0.5)
        assert bpy.data.armatures
        bpy.ops.ed.undo()
    assert inventory() == before


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"restitution": 1.5}, "Restitution: wanted a number from 0 to 1, got 1.5"),
        ({"box_mass": 0.0}, "Jack in the Box: Box Mass: wanted a number above 0, got 0"),
        ({"gravity": float("nan")}, "Gravity: wanted a finite number"),
        ({"jack_size": 3.0}, "Start: wanted the tips of the jack, .* all inside the box"),
        ({"jack_location": (5.0, 0.0)}, "Start: wanted the tips of the jack"),
        ({"frame_start": 5, "frame_end": 5}, "wanted an end after the start"),
        ({"frame_end": 2**30}, "Blender has frames from"),
        ({"duration": 0.01}, "wanted 1 at least"),
    ],
)
def test_what_does_not_fit_is_one_line_and_changes_nothing(inventory, options, told):
    before = inventory()
    with pytest.raises(RuntimeError, match=told) as error:
        bpy.ops.dynarig.add_mechanism(**options)
    assert len(str(error.value).strip().splitlines()) == 1
    assert inventory() == before


def test_a_failure_while_it_is_drawn_leaves_nothing(inventory, monkeypatch):
    from dynarig.addon.blender import preset_play

    def fail(*_):
        raise RuntimeError("no space")

    before = inventory()
    monkeypatch.setattr(preset_play.Drawing, "draw", fail)
    with pytest.raises(RuntimeError, match="no space"):
        bpy.ops.dynarig.add_mechanism(duration=0.5)
    assert inventory() == before


def test_not_in_another_mode():
    obj = add(duration=0.5)
    with bpy.context.temp_override(active_object=obj, object=obj):
        bpy.ops.object.mode_set(mode="POSE")
    assert not bpy.ops.dynarig.add_mechanism.poll()
    with pytest.raises(RuntimeError, match="object mode"):
        bpy.ops.dynarig.add_mechanism()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.dynarig.add_mechanism.poll()


def test_it_goes_in_slices_and_can_be_stopped(inventory):
    from dynarig.addon.blender.bake.settings import BakeSettings
    from dynarig.addon.blender.preset_play import plan_preset, simulate_preset

    before = inventory()
    plan = plan_preset("jack_in_a_box", {}, BakeSettings(frame_end=73), use_impact_keys=True)
    run, seen = Run(simulate_preset(plan)), []
    for _ in range(50):
        run.advance(0.0)
        seen.append(run.progress)
    run.stop()
    assert seen == sorted(seen)
    assert 0.0 < seen[-1] < 1.0
    assert inventory() == before


def test_the_report(capfd):
    add(duration=SECONDS)
    told = next(line for line in capfd.readouterr().out.splitlines() if "Jack in the Box" in line)
    assert "14 impacts in 3 s, energy balance kept to" in told


def test_the_operator_has_presets_and_an_entry_in_the_menu():
    assert bpy.types.DYNARIG_OT_add_mechanism.bl_options == {"UNDO", "PRESET"}
    entries = bpy.types.VIEW3D_MT_armature_add._dyn_ui_initialize()
    assert "menu_add" in [entry.__name__ for entry in entries]


def test_an_armature_of_a_script_has_keys_at_impacts_too(sol):
    from dynarig.addon.render import animate

    for start in (None, 0.2):
        collection = animate(
            bpy.context, sol.mechanism, sol, kind="armature", frame_start=5, start=start, end=1.0
        )
        (obj,) = (own for own in collection.objects if own.type == "ARMATURE")
        origin = 5.0 - 24.0 * (start or 0.0)
        hits = [hit.time for hit in sol.trajectory.impacts if hit.time < 1.0]
        assert len(hits) == 3
        for curve in curves(obj).values():
            frames = np.array([point.co.x for point in curve.keyframe_points])
            between = frames[np.abs(frames - np.rint(frames)) > 1e-3]
            assert_close(between, origin + 24.0 * np.array(hits), 2e-5)
            assert frames[0] == 5.0
