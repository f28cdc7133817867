"""Robots that fall, and where the scene has their corners."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    import bpy

INERTIAL = (
    '<inertial><mass value="1"/><inertia ixx=".01" ixy="0" ixz="0" iyy=".02" iyz="0" izz=".03"/>'
    "</inertial>"
)
HALF = np.array([0.1, 0.15, 0.2])
CORNERS = np.array(list(product(*[(-half, half) for half in HALF])))


def crate(shape: str = '<box size=".2 .3 .4"/>', more: str = "") -> str:
    """A robot of one link with a shape, to stand on a floating base."""
    geometry = f"<collision><geometry>{shape}</geometry></collision>" if shape else ""
    return f'<link name="crate">{INERTIAL}{geometry}{more}</link>'


SLED = f"""<link name="rail"/><link name="sled">{INERTIAL}</link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="sled"/><axis xyz="0 0 1"/>
<limit lower="-0.5" upper="2" effort="1" velocity="1"/></joint>"""


class Scene:
    """Poses robots, bakes them by the operator, and looks at what Blender then shows."""

    def place(
        self, robot: bpy.types.Object, at: Any, turn: Any = (1.0, 0.0, 0.0, 0.0), link: str = ""
    ) -> None:
        """Put a floating robot somewhere in its own coordinates, turned by a quaternion."""
        import bpy
        from dynarig.addon.blender.pose import set_joint_values
        from dynarig.addon.blender.rig_access import open_rig
        from dynarig.core.dynamics import FLOATING_BASE

        unit = np.array(turn) / np.linalg.norm(turn)
        set_joint_values(open_rig(robot), {FLOATING_BASE: np.concatenate((at, unit))})
        bpy.context.view_layer.update()

    def lowest(
        self, robot: bpy.types.Object, start: int, end: int, points: Any = CORNERS, up: Any = None
    ) -> np.ndarray:
        """The least height (n,), m in the world, of points of a link at quarters of frames.

        Args:
            up: (4,): a plane, height = up[:3] . p + up[3]; the floor if none.
        """
        import bpy
        from dynarig.addon.blender.pose import evaluated_link_poses

        plane = np.array([0.0, 0.0, 1.0, 0.0]) if up is None else np.asarray(up)
        heights = []
        for step in range(4 * (end - start) + 1):
            bpy.context.scene.frame_set(start + step // 4, subframe=0.25 * (step % 4))
            (pose,) = evaluated_link_poses(bpy.context, robot, world=True).values()
            world = points @ pose[:3, :3].T + pose[:3, 3]
            heights.append((world @ plane[:3] + plane[3]).min())
        return np.array(heights)

    def lowest_mesh(self, robot: bpy.types.Object, start: int, end: int) -> np.ndarray:
        """The least height (n,), m in the world, of all that is seen, at quarters of frames."""
        import bpy

        parts = [obj for obj in robot.children if obj.type == "MESH"]
        points = [np.array([vertex.co[:] for vertex in obj.data.vertices]) for obj in parts]
        heights = []
        for step in range(4 * (end - start) + 1):
            bpy.context.scene.frame_set(start + step // 4, subframe=0.25 * (step % 4))
            depsgraph = bpy.context.evaluated_depsgraph_get()
            worlds = [np.array(obj.evaluated_get(depsgraph).matrix_world) for obj in parts]
            heights.append(
                min(
                    (own @ world[2, :3]).min() + world[2, 3]
                    for own, world in zip(points, worlds, strict=True)
                )
            )
        return np.array(heights)

    def bake(self, robot: bpy.types.Object, **options: Any) -> str:
        """Bake by the operator; what it reports."""
        import bpy

        bpy.context.view_layer.objects.active = robot
        assert bpy.ops.dynarig.bake_simulation(**options) == {"FINISHED"}
        return robot.name

    def curve(self, robot: bpy.types.Object, joint: str, column: int = 0) -> bpy.types.FCurve:
        """The F-curve of one coordinate of a joint."""
        from dynarig.addon import compat
        from dynarig.addon.blender.rig_access import open_rig

        rig = open_rig(robot)
        path, index = rig.channels[joint].paths[column]
        found = compat.existing_channels(robot).find(rig.pose_bone(joint).path_from_id(path), index)
        assert found is not None
        return found


@pytest.fixture
def scene() -> Scene:
    import bpy

    bpy.context.scene.render.fps = 24
    return Scene()
