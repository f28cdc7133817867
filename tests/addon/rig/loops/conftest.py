"""A crank-rocker whose last rod is free: the loop joints of these tests close it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    import bpy
    from dynarig.addon.blender.importing.importer import ImportResult

CRANK, COUPLER, ROCKER, GROUND = 0.1, 0.3, 0.35, 0.45  # m
# Z of the joint along the axis that all joints turn about
ABOUT_Y = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])


class FourBar:
    """The robot of tests/data/loops, and the poses of its closed loop."""

    about_y = ABOUT_Y

    def __init__(self, result: ImportResult, lab) -> None:
        self.result = result
        self.lab = lab
        self.object = result.object

    def pivot(self) -> np.ndarray:
        """world_from_loop at the ground's pivot, as the armature object stands."""
        import bpy

        bpy.context.view_layer.update()
        armature_from_loop = ABOUT_Y.copy()
        armature_from_loop[:3, 3] = GROUND, 0.0, 0.0
        return np.array(self.object.matrix_world) @ armature_from_loop

    def close(self, kind: str = "HINGE", **options) -> bpy.types.Object:
        """Add the joint between the rocker's end and the pivot."""
        from dynarig.addon.blender.loops import add_loop

        return add_loop(self.object, kind, "rocker_end", "pivot", self.pivot(), **options)

    def pose(self, drive: float, elbow: float = 0.0, knee: float = 0.0) -> None:
        """Pose the joints."""
        from dynarig.addon.blender.pose import set_joint_values

        rig, _ = self.lab.open(self.result)
        set_joint_values(rig, {"drive": drive, "elbow": elbow, "knee": knee})

    @staticmethod
    def closed(drive: float) -> np.ndarray:
        """drive, elbow, knee of the closed loop at a crank angle: by the law of cosines.

        The rods lie along known directions at zero: the crank up, the coupler at (0.24, 0.18), the
        rocker at (0.21, -0.28); a turn about y takes z to x.
        """
        tip = CRANK * np.array([np.sin(drive), np.cos(drive)])
        away = np.array([GROUND, 0.0]) - tip
        far = np.hypot(*away)
        bend = np.arccos((COUPLER**2 + far**2 - ROCKER**2) / (2.0 * COUPLER * far))
        coupler = np.arctan2(away[1], away[0]) + bend  # from x towards z
        knee = tip + COUPLER * np.array([np.cos(coupler), np.sin(coupler)])
        rocker = np.arctan2(-knee[1], GROUND - knee[0])
        turned = [
            drive,
            np.arctan2(0.18, 0.24) - coupler,
            np.arctan2(-0.28, 0.21) - rocker,
        ]
        return np.diff(turned, prepend=0.0)

    def q(self) -> np.ndarray:
        """The pose that Blender shows."""
        from dynarig.addon.blender.pose import get_configuration

        rig, model = self.lab.open(self.result)
        return get_configuration(rig, model)

    def gap(self, q: np.ndarray) -> float:
        """The distance (m) of the rocker's end from the pivot."""
        from dynarig.core.dynamics import link_poses

        _, model = self.lab.open(self.result)
        poses = link_poses(model, q)
        end, pivot = (model.link_names.index(name) for name in ("rocker_end", "pivot"))
        return float(np.linalg.norm(poses[end][:3, 3] - poses[pivot][:3, 3]))


@pytest.fixture
def four_bar(lab, data: Path) -> FourBar:
    return FourBar(lab.load_file(data / "loops" / "four_bar.urdf"), lab)
