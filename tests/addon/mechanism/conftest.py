"""Mechanisms for the tests of pictures and rigs: trees with every type of joint, and motions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

# Blender and the package come in when a test runs: this file is read before they are there
if TYPE_CHECKING:
    import bpy
    from dynarig.addon.blender.mechanism.play import Play
    from dynarig.core.mechanism import Tree, TreeJoint
    from dynarig.core.trajectory import Trajectory

GRAVITY = (0.0, 0.0, -9.81)


class Workshop:
    """Builds trees, moves and measures them; one for each test."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(4)

    def pose(self) -> np.ndarray:
        """A random pose, (4, 4)."""
        from dynarig.core.frames import rotation_from_quaternion

        pose = np.eye(4)
        pose[:3, :3] = rotation_from_quaternion(self.random.normal(size=4))
        pose[:3, 3] = self.random.uniform(-0.5, 0.5, size=3)
        return pose

    def axis(self) -> np.ndarray:
        """A random unit vector."""
        axis = self.random.normal(size=3)
        return axis / np.linalg.norm(axis)

    def joint(self, kind: str, number: int, parent: str, **more: object) -> TreeJoint:
        """A joint of a type at a random place, from a parent to 'link<number>'."""
        from dynarig.core.mechanism import TreeJoint

        axis = self.axis()
        if kind == "screw":
            more["pitch"] = 0.07
        if kind == "universal":
            other = np.cross(axis, self.axis())
            more["second_axis"] = other / np.linalg.norm(other)
        name, child = f"{kind} {number}", f"link{number}"
        return TreeJoint(name, kind, parent, child, self.pose(), axis, **more)

    def tree(self, *joints: TreeJoint) -> Tree:
        """A tree of joints from 'world'; every link has mass and inertia."""
        from dynarig.core.mechanism import Body, Tree

        world = Body("world", 0.0, np.zeros(3), np.zeros((3, 3)))
        links = [
            Body(joint.child, 1.0, np.array([0.1, 0.05, -0.1]), np.diag([0.2, 0.3, 0.25]))
            for joint in joints
        ]
        return Tree("made", (world, *links), joints, "world")

    def motion(self, tree: Tree, duration: float = 0.8, speed: float = 2.0) -> Trajectory:
        """A simulated motion from a random state."""
        from dynarig.core.dynamics import compile_tree
        from dynarig.core.simulate import run, simulate

        model = compile_tree(tree, gravity=GRAVITY)
        v = self.random.uniform(-speed, speed, size=model.nv)
        return run(simulate(model, [0.0, duration], model.neutral(), v))

    def play(self, tree: Tree, trajectory: Trajectory, planar: bool = False) -> Play:
        """The play of a motion: a box on every link."""
        from dynarig.addon.blender.mechanism.play import Play
        from dynarig.core.mechanism.picture import Picture, Solid

        solids = tuple(
            Solid(f"box of {body.name}", "box", body.name, np.eye(4), (0.3, 0.2, 0.1))
            for body in tree.bodies
        )
        return Play(tree.name, Picture(solids, (), 1.0, planar), trajectory, tree)

    def world_poses(self, obj: bpy.types.Object) -> np.ndarray:
        """world_from_object (4, 4) in the evaluated scene."""
        import bpy

        graph = bpy.context.evaluated_depsgraph_get()
        return np.array(obj.evaluated_get(graph).matrix_world, dtype=np.float64)


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture(scope="module")
def pendulum():
    """A planar pendulum and a second of its motion."""
    from dynarig.core.mechanism import Mechanism, planar

    world, hinge = planar.World("world"), planar.Revolute("hinge")
    rod, body = planar.FixedTranslation("rod", r=(1, 0)), planar.Body("body", m=1.0, I=0.1)
    mechanism = Mechanism("pendulum", [world, hinge, rod, body])
    mechanism.chain(world, hinge, rod, body)
    return mechanism, mechanism.simulate(1.0, tolerance=1e-10)


@pytest.fixture
def no_rendering(monkeypatch):
    """Rendering is not what these tests wait for: it fails them."""
    from dynarig.addon.blender.mechanism import shooting

    def fail(*_) -> None:
        raise AssertionError("rendered before the arguments were looked at")

    monkeypatch.setattr(shooting, "set_scene", fail)
