"""The reference cases of tests/data/urdf, imported whole, and what Blender then holds."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    import bpy
    from dynarig.addon.blender.importing.importer import ImportResult
    from dynarig.addon.blender.rig_access import Rig
    from dynarig.core.dynamics import Model

GRAVITY = (0.0, 0.0, -9.81)


class Imported:
    """A robot in the scene: all numbers are those of Blender's evaluated scene."""

    def __init__(self, result: ImportResult) -> None:
        from dynarig.addon.blender.rig_access import open_rig

        self.result = result
        self.object = result.object
        self.rig: Rig = open_rig(result.object)

    @cached_property
    def model(self) -> Model:
        """What a simulation of the robot computes with."""
        return self.rig.compile(np.array(GRAVITY))

    def pose(self, values: dict[str, float]) -> None:
        """Set the values of joints."""
        import bpy
        from dynarig.addon.blender.pose import set_joint_values

        set_joint_values(self.rig, values)
        bpy.context.view_layer.update()

    @property
    def q(self) -> np.ndarray:
        """The pose, as the model has it."""
        from dynarig.addon.blender.pose import get_configuration

        return get_configuration(self.rig, self.model)

    def links(self) -> dict[str, np.ndarray]:
        """The pose (4, 4) of each link by its exact name."""
        import bpy
        from dynarig.addon.blender.pose import evaluated_link_poses

        return evaluated_link_poses(bpy.context, self.object)

    def value(self, joint: str) -> float:
        """A joint's value as its channel is evaluated, drivers included."""
        ((path, index),) = self.rig.channels[joint].paths
        return getattr(self._bone(joint), path)[index] * self.rig.bone_of_joint[joint].sign

    def axis(self, joint: str) -> np.ndarray:
        """A joint's axis in the scene, which is Y of its bone."""
        matrix = np.array(self._bone(joint).matrix)
        return matrix[:3, 1] * self.rig.bone_of_joint[joint].sign

    def parts(self, role: str) -> dict[str, bpy.types.Object]:
        """The objects of a role, of which the cases have one a link."""
        from dynarig.addon.blender.parts import parts_of

        found = [(tag.link, obj) for obj, tag in parts_of(self.object) if tag.role == role]
        assert len(dict(found)) == len(found)
        return dict(found)

    def world(self, obj: bpy.types.Object) -> np.ndarray:
        """world_from_object (4, 4)."""
        return np.array(obj.evaluated_get(_depsgraph()).matrix_world)

    def bounds(self, obj: bpy.types.Object) -> np.ndarray:
        """The least and the greatest corner (2, 3) of an object in the world."""
        evaluated = obj.evaluated_get(_depsgraph())
        points = np.array([evaluated.matrix_world @ point.co for point in evaluated.data.vertices])
        return np.array((points.min(axis=0), points.max(axis=0)))

    def _bone(self, joint: str) -> bpy.types.PoseBone:
        name = self.rig.pose_bone(joint).name
        return self.object.evaluated_get(_depsgraph()).pose.bones[name]


def _depsgraph() -> bpy.types.Depsgraph:
    import bpy

    return bpy.context.evaluated_depsgraph_get()


class Cases:
    """Reads and imports the cases by the number of their folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def folder(self, number: str) -> Path:
        """The folder of a case."""
        (found,) = self._folder.glob(f"{number}_*")
        return found

    def expected(self, number: str) -> dict[str, Any]:
        """All that a case says."""
        text = (self.folder(number) / "expected.json").read_text(encoding="utf-8")
        numbers: dict[str, Any] = json.loads(text)
        return numbers

    def load(self, number: str, file: str, **options: Any) -> Imported:
        """Import a file of a case."""
        import bpy
        from dynarig.addon.blender.importing.importer import import_robot
        from dynarig.addon.blender.importing.options import ImportOptions

        path = self.folder(number) / file
        return Imported(import_robot(bpy.context, path, ImportOptions(**options)))


@pytest.fixture
def cases(data: Path) -> Cases:
    return Cases(data / "urdf")


@pytest.fixture(params=["merged", "kept", "everything"])
def options(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Options of an import that change no number."""
    shown = {"shown": "BOTH", "inertia": True, "fixed_frames": True}
    return {"merged": {}, "kept": {"fixed_links": "KEEP"}, "everything": shown}[request.param]
