"""A robot description as one component."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, frozen
from ...errors import ArgumentError
from ...tree import LIMITED_JOINT_TYPES, JointType, Mimic, Tree, TreeJoint
from ...urdf import document
from ...urdf.build import tree_from_robot
from ...urdf.load import load_urdf
from ..arguments import array, within
from ..axis_joints import passed_force, passed_torque
from ..component import Component, JointEdge, Mass, Output, RigidEdge, Root, Space
from ..drawing import Scene
from ..frame import Frame
from ..free_state import (
    FreeArgument,
    OrientationKind,
    free_arguments,
    free_root,
    orientation_outputs,
    relative_rotation,
    state_output,
)
from ..joint_part import scalar_outputs
from ..places import Places
from .robot_drawing import draw_robot

# the names of coordinates, their velocities and accelerations, by type of joint
NAMES: Mapping[JointType, Sequence[tuple[str, str, str]]] = {
    "revolute": (("phi", "w", "a"),),
    "continuous": (("phi", "w", "a"),),
    "prismatic": (("s", "v", "a"),),
    "planar": (("x", "v_x", "a_x"), ("y", "v_y", "a_y"), ("phi", "w", "wd")),
}


@dataclass(frozen=True, eq=False, repr=False)
class RobotJoint:
    """A joint of a robot that can move; `edge` is what motors and `places` take."""

    robot: Robot
    edge: JointEdge

    @property
    def name(self) -> str:
        """'robot.joint'."""
        return self.edge.joint.name

    @property
    def label(self) -> str:
        """For messages."""
        return self.edge.label

    def __repr__(self) -> str:
        return f"<{self.edge.joint.type} joint {self.name}>"


class Robot(Component):
    """A robot description: a frame for every link, of the link's name; frame_a is the root's.

    It is placed by connecting any of its frames, or it moves freely, and its root link carries
    the state then. More is connected to it at any other frame: `arm.frame("tool0")`.

    Variables: those of each joint, such as 'arm.elbow.phi', .w, .a and .tau (for slides .s, .v,
    .a, .f), with .f_cut and .tau_cut (…, 3), the force and torque that the joint exerts on its
    child link, about the link's origin, in world axes; and those of each link's frame, such as
    'arm.tool0.r_0', where f and tau are what acts on the robot from outside. The joint of the name
    of a link is called 'name_joint' there.

    Args:
        name: of the component.
        robot: the path of a URDF file, or the Robot that `load_urdf` read.
        package_dirs: folders with ROS packages, for the meshes of a path.
        q0, v0: initial values of joints by name, one number each, or one for each coordinate;
            rad, m and their rates.
        free: of the root link, where nothing ties the robot to the world: orientation_state,
            sequence, r0, v0, phi0, R0, Q0, w0, w_a0, as for `Body`.

    Raises:
        UrdfError: for a file that cannot be read.
        ArgumentError: naming the robot and the parameter.
    """

    space: ClassVar[Space] = "spatial"
    needs: ClassVar[Literal["all", "any", "none"]] = "none"

    def __init__(
        self,
        name: str,
        robot: document.Robot | str | os.PathLike[str],
        *,
        package_dirs: Iterable[str | os.PathLike[str]] = (),
        q0: Mapping[str, ArrayLike] | None = None,
        v0: Mapping[str, ArrayLike] | None = None,
        **free: FreeArgument,
    ) -> None:
        owner = f"Robot '{name}'"
        if not isinstance(robot, document.Robot):
            robot = load_urdf(robot, package_dirs)
        super().__init__(name, [link.name for link in robot.links])
        self.robot = robot
        tree = _tree(robot)
        self._by_link = {frame.name: frame for frame in self.frames}
        self._rigid = tuple(
            RigidEdge(
                self,
                self._by_link[joint.parent],
                self._by_link[joint.child],
                frozen(joint.parent_from_joint),
            )
            for joint in tree.joints
            if joint.type == "fixed"
        )
        moving = {joint.name: joint for joint in tree.joints if joint.type != "fixed"}
        starts = (_checked(owner, key, given, moving) for key, given in (("q0", q0), ("v0", v0)))
        q, v = starts
        self._joints = {
            key: JointEdge(
                self,
                _named(name, joint),
                self._by_link[joint.parent],
                self._by_link[joint.child],
                q.get(key),
                v.get(key),
                free=joint.type == "floating",
            )
            for key, joint in moving.items()
        }
        self._masses = tuple(
            Mass(f"{name}.{body.name}", self._by_link[body.name], *inertial)
            for body in tree.bodies
            for inertial in [(body.mass, body.center_of_mass, body.inertia)]
        )
        state = free_arguments(owner, free)
        self.orientation = state.orientation
        taken = [edge.joint.name for edge in self._joints.values()]
        self._root = free_root(self, self.frame_a, state, taken)

    @property
    def frame_a(self) -> Frame:
        """Of the root link."""
        return self._by_link[self.robot.root]

    def frame(self, name: str) -> Frame:
        """Of the link of that name.

        Raises:
            ArgumentError: listing those that exist.
        """
        if not isinstance(name, str) or name not in self._by_link:
            raise ArgumentError(
                f"{self.label}: no link '{name}'; there are: {_list(self._by_link)}"
            )
        return self._by_link[name]

    def joint(self, name: str) -> RobotJoint:
        """The moving joint of that name.

        Raises:
            ArgumentError: listing those that exist.
        """
        if not isinstance(name, str) or name not in self._joints:
            raise ArgumentError(
                f"{self.label}: no moving joint '{name}'; there are: {_list(self._joints)}"
            )
        return RobotJoint(self, self._joints[name])

    @property
    def joints(self) -> tuple[RobotJoint, ...]:
        """All that can move, in the order of the file."""
        return tuple(RobotJoint(self, edge) for edge in self._joints.values())

    def rigid_edges(self) -> Sequence[RigidEdge]:
        """Its fixed joints."""
        return self._rigid

    def joint_edges(self) -> Sequence[JointEdge]:
        """Its moving joints."""
        return tuple(self._joints.values())

    def masses(self) -> Sequence[Mass]:
        """Of all links."""
        return self._masses

    def root(self) -> Root | None:
        """The free motion of its root link."""
        return self._root

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Of its joints."""
        del places
        out: dict[str, Output] = {}
        for name, edge in self._joints.items():
            key = f"{name}_joint" if name in self._by_link else name
            out.update({f"{key}.{own}": output for own, output in _outputs(edge).items()})
        return out

    def drawn(self, scene: Scene) -> None:
        """Its visuals."""
        draw_robot(self, scene)

    def __repr__(self) -> str:
        return f"<{self.label}: {len(self.frames)} links, {len(self._joints)} moving joints>"


def _tree(robot: document.Robot) -> Tree:
    return tree_from_robot(robot)


def _named(robot: str, joint: TreeJoint) -> TreeJoint:
    """Under the name of the robot, its leader likewise."""
    mimic = joint.mimic
    if mimic is not None:
        mimic = Mimic(f"{robot}.{mimic.leader}", mimic.multiplier, mimic.offset)
    return replace(joint, name=f"{robot}.{joint.name}", mimic=mimic)


def _outputs(edge: JointEdge) -> dict[str, Output]:
    kind = edge.joint.type
    if kind == "floating":
        rotation = relative_rotation(edge)
        turn = orientation_outputs(rotation, state_output(edge), OrientationKind(False, "XYZ"))
        return {"r": lambda at: at.coordinates(edge)[..., :3], **turn}
    out: dict[str, Output] = {
        "f_cut": lambda at: at.joint_wrench(edge)[0],
        "tau_cut": lambda at: at.joint_wrench(edge)[1],
        **scalar_outputs(edge, NAMES[kind]),
    }
    if kind in ("revolute", "continuous"):
        out["tau"] = passed_torque(edge)
    elif kind == "prismatic":
        out["f"] = passed_force(edge)
    return out


def _checked(
    owner: str,
    parameter: str,
    given: Mapping[str, ArrayLike] | None,
    joints: Mapping[str, TreeJoint],
) -> dict[str, FloatArray]:
    """Initial values by joint, each (nq,) or (nv,)."""
    if given is not None and not isinstance(given, Mapping):
        raise ArgumentError(
            f"{owner}: {parameter}: wanted values by joint, such as "
            f"{{{next(iter(joints), 'joint')!r}: 0.5}}, got {given!r}"
        )
    out: dict[str, FloatArray] = {}
    for name, value in (given or {}).items():
        if name not in joints:
            raise ArgumentError(
                f"{owner}: {parameter}: no moving joint '{name}'; there are: {_list(joints)}"
            )
        joint = joints[name]
        if joint.mimic is not None:
            raise ArgumentError(
                f"{owner}: {parameter}: joint '{name}' follows '{joint.mimic.leader}'; give that"
            )
        count = joint.nq if parameter == "q0" else joint.nv
        # one number is as good as a list of one
        single = count == 1 and not isinstance(value, Sequence) and np.ndim(value) == 0
        shape = () if single else (count,)
        own = array(owner, f"{parameter}['{name}']", value, shape)
        out[name] = frozen(np.array(own).reshape(count))
    if parameter == "q0":
        _refuse_beyond_limits(owner, out, joints)
    return out


def _refuse_beyond_limits(
    owner: str, starts: Mapping[str, FloatArray], joints: Mapping[str, TreeJoint]
) -> None:
    """Raise for a start beyond the limits of its joint, and of those that follow it."""
    for name, joint in joints.items():
        leader, multiplier, offset = joint, 1.0, 0.0
        for _ in range(len(joints)):  # a circle of followers is refused where the tree is made
            if leader.mimic is None or leader.mimic.leader not in joints:
                break
            offset += multiplier * leader.mimic.offset
            multiplier *= leader.mimic.multiplier
            leader = joints[leader.mimic.leader]
        if leader.name in starts and joint.type in LIMITED_JOINT_TYPES:
            follows = "" if leader is joint else f" (joint '{name}' follows it)"
            value = multiplier * float(starts[leader.name][0]) + offset
            within(owner, f"q0['{leader.name}']{follows}", value, joint.lower, joint.upper)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
