"""Robots as both packages hold them, and states of theirs in the order of both."""

import importlib
import os
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

# name -> file among the example robots, floating base, joints that are held
ROBOTS = {
    "2-link pendulum": ("double_pendulum_description/urdf/double_pendulum.urdf", False, ()),
    "Panda": (
        "panda_description/urdf/panda.urdf",
        False,
        ("panda_finger_joint1", "panda_finger_joint2"),
    ),
    "Solo12": ("solo_description/robots/solo12.urdf", True, ()),
    "G1": ("g1_description/urdf/g1_29dof_rev_1_0.urdf", True, ()),
}


@dataclass(frozen=True, eq=False)
class Pair:
    """One robot in both packages.

    Attributes:
        model: ours; pin, pin_model, pin_data: the peer's.
    """

    model: Any
    pin: Any
    pin_model: Any
    pin_data: Any

    @cached_property
    def order(self) -> Any:
        """(nv,): the peer's velocities are ours[order]: its linear part comes first."""
        out = np.empty(self.model.nv, dtype=int)
        for joint, start in zip(self.pin_model.names, self.pin_model.idx_vs, strict=True):
            if joint == "root_joint":
                out[:6] = [3, 4, 5, 0, 1, 2]
            elif joint != "universe":
                out[start] = self.model.v_index(joint).start
        return out

    @cached_property
    def pin_links(self) -> list[int]:
        """The peer's frame of each of our links."""
        body = self.pin.FrameType.BODY
        return [self.pin_model.getFrameId(name, body) for name in self.model.link_names]

    def states(self, count: int, seed: int) -> tuple[Any, Any, Any]:
        """q (count, nq), v and tau (count, nv), ours."""
        rng = np.random.default_rng(seed)
        q = self.model.neutral() + rng.uniform(-0.9, 0.9, (count, self.model.nq))
        return q, *rng.normal(size=(2, count, self.model.nv))

    def pin_q(self, q: Any) -> Any:
        """The peer's coordinates (…, nq): its quaternion is unit and scalar last."""
        out = np.empty_like(q)
        for joint, start in zip(self.pin_model.names, self.pin_model.idx_qs, strict=True):
            if joint == "root_joint":
                unit = q[..., 3:7] / np.linalg.norm(q[..., 3:7], axis=-1, keepdims=True)
                out[..., :3], out[..., 3:7] = q[..., :3], unit[..., [1, 2, 3, 0]]
            elif joint != "universe":
                out[..., start] = q[..., self.model.q_index(joint).start]
        return out

    def pin_v(self, v: Any) -> Any:
        """The peer's velocities, forces (…, nv)."""
        return np.ascontiguousarray(v[..., self.order])

    def pin_poses(self, q: Any) -> Any:
        """world_from_link by the peer, in our order of links."""
        self.pin.framesForwardKinematics(self.pin_model, self.pin_data, q)
        placements = self.pin_data.oMf
        return np.array([placements[index].homogeneous for index in self.pin_links])


def pair(text: str, floating: bool) -> Pair:
    """Both models of a URDF text."""
    from dynarig.core.dynamics import compile_robot
    from dynarig.core.urdf import parse_urdf

    pin = importlib.import_module("pinocchio")
    base = (pin.JointModelFreeFlyer(),) if floating else ()
    pin_model = pin.buildModelFromXML(text, *base)
    ours = compile_robot(parse_urdf(text), floating_base=floating, mimic="independent")
    return Pair(ours, pin, pin_model, pin_model.createData())


def robot_text(name: str) -> str:
    """The URDF of a robot without what is drawn or touched, some joints fixed."""
    file, _, held = ROBOTS[name]
    return bare_text((Path(os.environ["DYNARIG_ROBOTS"]) / file).read_text(), held)


def bare_text(text: str, held: tuple[str, ...]) -> str:
    """A URDF text without visuals and collisions, with the joints `held` fixed."""
    root = ElementTree.fromstring(text)
    for link in root.findall("link"):
        for part in (*link.findall("visual"), *link.findall("collision")):
            link.remove(part)
    for joint in root.findall("joint"):
        if joint.get("name") in held:
            joint.set("type", "fixed")
            for part in joint.findall("mimic"):
                joint.remove(part)
    return ElementTree.tostring(root, encoding="unicode")


def tree_text(links: int, bush: bool) -> str:
    """The URDF of a chain, or of a tree in which every link carries two."""
    parts = ['<robot name="grown"><link name="link0"/>']
    for index in range(1, links + 1):
        parent = (index - 1) // 2 if bush else index - 1
        side = 0.1 * (index % 2) if bush else 0.0
        axis = "1 0 0" if index % 2 else "0 1 0"
        parts.append(
            f'<link name="link{index}"><inertial><origin xyz="0 0 0.1"/><mass value="1"/>'
            '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>'
            f'<joint name="joint{index}" type="revolute"><parent link="link{parent}"/>'
            f'<child link="link{index}"/><origin xyz="{side} 0 0.2"/><axis xyz="{axis}"/>'
            '<limit lower="-9" upper="9" effort="1" velocity="1"/></joint>'
        )
    return "".join(parts) + "</robot>"
