"""A small robot with everything that a skin has to keep, and robots with any options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    import bpy
    from dynarig.addon.blender.importing.importer import ImportResult

# a tetrahedron with a texture map, a hard edge's normals, and a part without material
OBJ = """mtllib wedge.mtl
v 0 0 0
v 0.2 0 0
v 0 0.1 0
v 0 0 0.3
vt 0 0
vt 1 0
vt 0 1
vt 1 1
vn -0.6 0 -0.8
vn 0 -0.6 -0.8
vn 0.6 0.8 0
vn 0 0 1
usemtl blue
f 1/1/1 3/3/1 2/2/1
f 1/1/2 2/2/2 4/4/2
usemtl undefined
f 1/1/1 4/4/3 3/3/3
f 2/2/3 3/3/4 4/4/3
"""
MTL = "newmtl blue\nKd 0 0 1\n"
# a cube with colours at its vertices
PLY = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
property uchar red
property uchar green
property uchar blue
element face 4
property list uchar int vertex_indices
end_header
0 0 0 255 0 0
0.1 0 0 0 255 0
0 0.1 0 0 0 255
0 0 0.1 255 255 255
3 0 2 1
3 0 1 3
3 0 3 2
3 1 2 3
"""
RED = '<material name="red"><color rgba="1 0 0 1"/></material>'
INERTIAL = """<inertial><origin xyz="0.02 0.01 0.1" rpy="0.3 0.2 0.1"/><mass value="1.5"/>
<inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0.002" izz="0.025"/></inertial>"""


def visual(geometry: str, origin: str = "", material: str = RED) -> str:
    """A <visual>."""
    return f"<visual>{origin}<geometry>{geometry}</geometry>{material}</visual>"


def collision(geometry: str, origin: str = "") -> str:
    """A <collision>."""
    return f"<collision>{origin}<geometry>{geometry}</geometry></collision>"


def joint(kind: str, parent: str, child: str, xyz: str, rpy: str = "0 0 0", more: str = "") -> str:
    """A <joint> from one link to another, called after the other, about or along y."""
    return f"""<joint name="to {child}" type="{kind}"><parent link="{parent}"/>
    <child link="{child}"/><origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="0 1 0"/>{more}</joint>"""


LIMIT = '<limit lower="-0.2" upper="0.3" effort="1" velocity="1"/>'
# the zero of this joint is not possible: the robot comes in clamped
BENT = '<limit lower="0.4" upper="1.5" effort="1" velocity="1"/>'
WEDGE = '<mesh filename="wedge.obj"/>'
MIRRORED = '<mesh filename="wedge.obj" scale="-1 2 0.5"/>'
COLOURED = '<mesh filename="coloured.ply"/>'
TILTED = '<origin xyz="0.1 0.05 0" rpy="0.3 -0.2 0.7"/>'
PLATE = '<box size="0.3 0.3 0.1"/>'
BALL = '<sphere radius="0.1"/>'
BODY = "".join(
    [
        f'<link name="base">{INERTIAL}{visual(PLATE)}{collision(PLATE)}</link>',
        f'<link name="arm">{INERTIAL}{visual(WEDGE)}{visual(MIRRORED, TILTED)}',
        f"{collision(WEDGE)}{collision(BALL, TILTED)}</link>",
        f'<link name="slider">{INERTIAL}{visual(COLOURED, TILTED, "")}</link>',
        f'<link name="tool">{visual(BALL, material="")}</link>',
        '<link name="tip"/>',
        f'<link name="finger">{visual(PLATE, TILTED)}</link>',
        joint("revolute", "base", "arm", "0 0 0.2", "0.1 0.2 0.3", BENT),
        joint("prismatic", "arm", "slider", "0.3 0.1 0", "0 0.5 0", LIMIT),
        joint("fixed", "slider", "tool", "0 0 0.3", "0.4 0.5 0.6"),
        joint("fixed", "tool", "tip", "0 0 0.2", "0 1.2 0"),
        joint("continuous", "tool", "finger", "0 0.1 0.1", more='<mimic joint="to arm"/>'),
    ]
)


class Workshop:
    """Makes robots with parts, and looks at what Blender shows of them."""

    def __init__(self, lab: Any, folder: Path) -> None:
        self.lab = lab
        self.folder = folder
        (folder / "wedge.obj").write_text(OBJ)
        (folder / "wedge.mtl").write_text(MTL)
        (folder / "coloured.ply").write_text(PLY)

    def make(self, body: str = BODY, **options: Any) -> ImportResult:
        """Import the robot of an XML body, the small one if none."""
        file = self.folder / "robot.urdf"
        file.write_text(f'<robot name="made">{body}</robot>', encoding="utf-8")
        return self.bring(file, **options)

    def bring(self, file: Path | str, **options: Any) -> ImportResult:
        """Import a file, or a robot of the lab by name."""
        import bpy
        from dynarig.addon.blender.importing.importer import import_robot
        from dynarig.addon.blender.importing.options import ImportOptions

        path = self.lab.path(file) if isinstance(file, str) else file
        return import_robot(bpy.context, path, ImportOptions(**options))

    def parts(self, result: ImportResult, role: str) -> dict[tuple[str, int], bpy.types.Object]:
        """The objects of a role by link and index."""
        from dynarig.addon.blender.parts import parts_of

        return {
            (tag.link, tag.index): obj for obj, tag in parts_of(result.object) if tag.role == role
        }

    def points(self, obj: bpy.types.Object) -> np.ndarray:
        """Where the vertices (n, 3) of an object are in the world, with all modifiers."""
        import bpy

        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = shown.to_mesh()
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", points)
        shown.to_mesh_clear()
        world = np.array(shown.matrix_world)
        return points.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3]

    def world(self, obj: bpy.types.Object) -> np.ndarray:
        """world_from_object (4, 4), evaluated."""
        import bpy

        return np.array(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)

    def pose(self, result: ImportResult, q: np.ndarray) -> None:
        """Pose a robot at q and let Blender take notice."""
        import bpy
        from dynarig.addon.blender.pose import set_configuration

        rig, model = self.lab.open(result)
        set_configuration(rig, model, q)
        bpy.context.view_layer.update()


@pytest.fixture
def workshop(lab: Any, tmp_path: Path) -> Workshop:
    return Workshop(lab, tmp_path)


@pytest.fixture
def link_poses(lab: Any) -> Callable[[ImportResult, np.ndarray], dict[str, np.ndarray]]:
    """A function that gives armature_from_link (4, 4) of every link at q, by the core."""

    def poses(result: ImportResult, q: np.ndarray) -> dict[str, np.ndarray]:
        from dynarig.core.dynamics import link_poses

        _, model = lab.open(result)
        return dict(zip(model.link_names, link_poses(model, q), strict=True))

    return poses


@pytest.fixture
def random_poses(
    workshop: Workshop, link_poses: Callable[[ImportResult, np.ndarray], dict[str, np.ndarray]]
) -> Callable[..., Iterator[dict[str, np.ndarray]]]:
    """A function that poses a robot at random a few times, and gives each time its link_poses."""

    def poses(result: ImportResult, count: int = 3) -> Iterator[dict[str, np.ndarray]]:
        _, model = workshop.lab.open(result)
        for _ in range(count):
            q = workshop.lab.random_q(model)
            workshop.pose(result, q)
            yield link_poses(result, q)

    return poses
