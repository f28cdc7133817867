"""Robots for the tests of rig, import and bake, and how far Blender's scene is from the core."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

# Blender and the package come in when a test runs: this file is read before they are there
if TYPE_CHECKING:
    import bpy
    from dynarig.addon.blender.importing.importer import ImportResult
    from dynarig.addon.blender.rig_access import Rig
    from dynarig.core.dynamics import Model
    from dynarig.core.trajectory import Trajectory

GRAVITY = np.array([0.0, 0.0, -9.81])
FILES = {
    "panda": "panda_description/urdf/panda.urdf",
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "solo12": "solo_description/robots/solo12.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
}
CASES = {
    "case01": "01_package_uri_layouts/ws/alpha_desc/urdf/kestrel.urdf",
    "case03": "03_primitive_sizes/prims.urdf",
    "case05": "05_axis_rules/axes.urdf",
    "case06": "06_mimic_chain_prismatic/claw.urdf",
    "case09": "09_long_and_clashing_names/names.urdf",
    "case11": "11_rpy_order_and_visual_frames/flag.urdf",
    "case13": "13_bake_many_turns/spinner.urdf",
}
FLOATING = ("solo12", "talos")
MESHES = re.compile(r"<(visual|collision)\b.*?</\1\s*>", re.DOTALL)


class Lab:
    """Imports robots by name and measures them; one for each test."""

    def __init__(self, robots: Path, data: Path, folder: Path) -> None:
        self.robots = robots
        self.data = data
        self.folder = folder
        self.random = np.random.default_rng(20)

    def path(self, name: str) -> Path:
        """The file of a robot."""
        if name in FILES:
            return self.robots / FILES[name]
        return self.data / "urdf" / CASES[name]

    def load(self, name: str, meshes: bool = False, **options: Any) -> ImportResult:
        """Import a robot, with a floating base where it walks; without meshes it is quicker."""
        path = self.path(name)
        if not meshes:
            text = path.read_text(encoding="utf-8")
            path = self.folder / path.name
            path.write_text(MESHES.sub("", text), encoding="utf-8")
        return self.load_file(path, name in FLOATING, **options)

    def load_file(self, path: Path, floating_base: bool = False, **options: Any) -> ImportResult:
        """Import the robot of a file."""
        import bpy
        from dynarig.addon.blender.importing.importer import import_robot
        from dynarig.addon.blender.importing.options import ImportOptions

        return import_robot(bpy.context, path, ImportOptions(floating_base, **options))

    def load_text(self, body: str, floating_base: bool = False, **options: Any) -> ImportResult:
        """Import the robot of an XML body."""
        file = self.folder / "robot.urdf"
        file.write_text(f'<robot name="made">{body}</robot>', encoding="utf-8")
        return self.load_file(file, floating_base, **options)

    def linked(self, robot: bpy.types.Object) -> bpy.types.Object:
        """The robot alone, linked from a file in which it is."""
        import bpy

        file, name = str(self.folder / "library.blend"), robot.name
        bpy.ops.wm.save_as_mainfile(filepath=file)
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        with bpy.data.libraries.load(file, link=True) as (_, wanted):
            wanted.objects = [name]
        (obj,) = wanted.objects
        bpy.context.scene.collection.objects.link(obj)
        return obj

    def open(self, result: ImportResult) -> tuple[Rig, Model]:
        """The rig and the model of what came in."""
        from dynarig.addon.blender.rig_access import open_rig

        rig = open_rig(result.object)
        return rig, rig.compile(GRAVITY)

    def random_q(self, model: Model) -> np.ndarray:
        """A random pose inside all limits."""
        lower, upper = model.limits()
        q = self.random.uniform(np.maximum(lower, -3.0), np.minimum(upper, 3.0))
        for joint in model.joint_names:
            if model.joint_type(joint) in ("floating", "spherical"):
                unit = q[model.q_index(joint)][-4:]
                unit /= np.linalg.norm(unit)
        return q

    def random_motion(self, model: Model, duration: float = 1.0) -> Trajectory:
        """A smooth motion inside all limits, known at 200 times a second."""
        from dynarig.core.trajectory import Trajectory

        times = np.linspace(0.0, duration, int(200 * duration) + 1)
        start, end = self.random_q(model), self.random_q(model)
        share = 0.5 - 0.5 * np.cos(np.pi * times / duration)
        return Trajectory.from_table(model, times, start + share[:, None] * (end - start))

    def error(self, obj: bpy.types.Object, model: Model, q: np.ndarray) -> float:
        """The largest difference of any link's pose between the evaluated scene and the core."""
        import bpy
        from dynarig.addon.blender.pose import evaluated_link_poses
        from dynarig.core.dynamics import link_poses

        bpy.context.view_layer.update()
        found = evaluated_link_poses(bpy.context, obj)
        wanted = link_poses(model, q)
        assert list(found) and set(found) == set(model.link_names)
        return max(
            float(np.abs(found[name] - wanted[index]).max())
            for index, name in enumerate(model.link_names)
        )

    def visual_error(self, rig: Rig, model: Model, q: np.ndarray) -> float:
        """The largest distance of a mesh object's world matrix from the visual nearest to it."""
        import bpy
        from dynarig.addon.blender.geometry.visuals import visual_parts
        from dynarig.core.dynamics import link_poses
        from dynarig.core.frames import transform_from_xyz_rpy

        poses = dict(zip(model.link_names, link_poses(model, q), strict=True))
        wanted = np.array(
            [
                poses[part.link]
                @ transform_from_xyz_rpy(part.origin.xyz, part.origin.rpy)
                @ np.diag([*getattr(part.geometry, "scale", (1, 1, 1)), 1.0])
                for part in visual_parts(rig.robot)
            ]
        )
        bpy.context.view_layer.update()
        depsgraph = bpy.context.evaluated_depsgraph_get()
        worst = 0.0
        for obj in rig.object.children:
            world = np.array(obj.evaluated_get(depsgraph).matrix_world)
            worst = max(worst, float(np.abs(wanted - world).max(axis=(1, 2)).min()))
        return worst

    def evaluated_q(self, rig: Rig, model: Model) -> np.ndarray:
        """q of the channel values that Blender has at the current frame."""
        import bpy

        evaluated = rig.object.evaluated_get(bpy.context.evaluated_depsgraph_get())
        q = model.neutral()
        for joint in model.joint_names:
            bone = evaluated.pose.bones[rig.pose_bone(joint).name]
            channels = rig.channels[joint]
            values = np.array([getattr(bone, path)[index] for path, index in channels.paths])
            q[model.q_index(joint)] = channels.to_coordinates(values)
        return q


@pytest.fixture
def lab(robots: Path, data: Path, tmp_path: Path) -> Lab:
    return Lab(robots, data, tmp_path)
