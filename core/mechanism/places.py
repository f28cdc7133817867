"""Where frames and joints of a mechanism are found in the compiled model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import FloatArray, frozen
from ..dynamics.constraints import Port
from ..errors import ModelError
from .assembly import Assembly, PlacedJoint
from .component import JointEdge
from .frame import Frame
from .reversal import mirrored_state, reversed_joints

if TYPE_CHECKING:
    from ..dynamics import Model
    from .angles import Angle


@dataclass(frozen=True, eq=False)
class JointPlace:
    """A joint's coordinates among those of the model.

    Attributes:
        edge: the joint.
        q, v: places in q (nq,) and v (nv,), in the order of the joint's own coordinates. Those
            of spherical and floating joints that the tree runs through backwards (mirrored) are
            other functions of the tree's, see `state`.
        multiplier, offset: of a follower, whose coordinate is multiplier * leader's + offset;
            one whose leader is fixed has no places at all.
    """

    edge: JointEdge
    q: tuple[int, ...]
    v: tuple[int, ...]
    mirrored: bool = False
    multiplier: float = 1.0
    offset: float = 0.0

    def state(
        self, q: FloatArray, v: FloatArray, a: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The joint's own q (…, nq), v and a (…, nv) out of the model's."""
        if not self.v:
            still = np.zeros((*q.shape[:-1], 1))
            return still + self.offset, still, still
        own = q[..., self.q], v[..., self.v], a[..., self.v]
        if self.mirrored:
            return mirrored_state(reversed_joints(self.edge.joint)[0][0], *own)
        by = self.multiplier
        return by * own[0] + self.offset, by * own[1], by * own[2]


@dataclass(frozen=True, eq=False)
class Places:
    """Answers where to find frames and joints; made by `Mechanism.compile`."""

    assembly: Assembly
    model: Model
    joints: Mapping[JointEdge, JointPlace]
    links: Mapping[str, int]  # of each body, its number in model.link_names
    ports: dict[Frame, Port] = field(default_factory=dict)  # those that were asked for
    turns: Mapping[int, float] = field(default_factory=dict)  # rad, whole ones that nodes have more
    stepped: bool = False  # whether time stepping takes contacts, and not exact impacts

    @classmethod
    def of(cls, assembly: Assembly, model: Model) -> Places:
        """The places of an assembly in the model of its tree."""
        joints = {edge: _place(placed, model) for edge, placed in assembly.placed.items()}
        links = {link: index for index, link in enumerate(model.link_names)}
        return cls(assembly, model, joints, links)

    @cached_property
    def angles(self) -> Mapping[int, Angle]:
        """For each node of a planar mechanism, its angle as a sum over joints."""
        from .angles import planar_angles  # it needs places

        return planar_angles(self)

    def joint(self, edge: JointEdge) -> JointPlace:
        """Where a joint's coordinates are.

        Raises:
            ModelError: for a joint that closes a loop and so has no coordinates of its own, and
                for one of another mechanism.
        """
        if edge in self.joints:
            return self.joints[edge]
        name = self.assembly.name
        if edge in self.assembly.graph.closing:
            raise ModelError(
                f"{name}: {edge.label} closes a loop, so it has no coordinates of its "
                "own; act on or measure another joint of the loop"
            )
        raise ModelError(f"{name}: {edge.label} is no part of this mechanism")

    def frame(self, frame: Frame) -> tuple[int, FloatArray]:
        """The model's frame that carries it, and its pose there: frame_from_port (4, 4)."""
        return self.node(self._node(frame))

    def link(self, frame: Frame) -> tuple[str, FloatArray]:
        """The link of `model.link_names` that carries it, and link_from_port (4, 4)."""
        node = self._node(frame)
        return self.assembly.body[node], self.assembly.body_from_node[node]

    def body(self, frame: Frame) -> str | None:
        """The first component whose mass the frame moves with; None in the world."""
        link, body, node = self.link(frame)[0], self.assembly.body, self.assembly.graph.node
        if self.model.link_frame[self.links[link]] == 0:
            return None
        masses = (mass for mass in self.assembly.masses if body[node[mass.frame]] == link)
        return next((mass.frame.component.name for mass in masses), None)

    def port(self, frame: Frame) -> Port:
        """Where constraints find it: always the same of a frame, so that they are known by it."""
        if frame not in self.ports:
            self.ports[frame] = Port(*self.link(frame))
        return self.ports[frame]

    def node_port(self, node: int) -> Port:
        """As `port`, of a node of the graph."""
        return Port(self.assembly.body[node], self.assembly.body_from_node[node])

    def node(self, node: int) -> tuple[int, FloatArray]:
        """As `frame`, of a node of the graph."""
        link = self.links[self.assembly.body[node]]
        frame_from_link = self.model.frame_from_link[link]
        pose: FloatArray = frame_from_link @ self.assembly.body_from_node[node]
        return int(self.model.link_frame[link]), frozen(pose)

    def _node(self, frame: Frame) -> int:
        if frame not in self.assembly.graph.node:
            raise ModelError(f"{self.assembly.name}: {frame.path} is no frame of this mechanism")
        return self.assembly.graph.node[frame]


def _place(placed: PlacedJoint, model: Model) -> JointPlace:
    joint = placed.edge.joint
    name, _ = placed.steps[0]
    if name in model.followers:
        follower = model.followers[name]
        if follower.leader not in model.q_slices:  # a leader that cannot move
            return JointPlace(placed.edge, (), (), False, 0.0, follower.offset)
        at, rate = model.q_slices[follower.leader].start, model.v_slices[follower.leader].start
        return JointPlace(placed.edge, (at,), (rate,), False, follower.multiplier, follower.offset)
    if joint.type in ("spherical", "floating"):
        q, v = model.q_slices[name], model.v_slices[name]
        places = tuple(range(q.start, q.stop)), tuple(range(v.start, v.stop))
        return JointPlace(placed.edge, *places, mirrored=placed.reversed)
    in_q, in_v = np.zeros(joint.nv, np.intp), np.zeros(joint.nv, np.intp)
    for name, order in placed.steps:
        for index, coordinate in enumerate(order):
            in_q[coordinate] = model.q_slices[name].start + index
            in_v[coordinate] = model.v_slices[name].start + index
    return JointPlace(placed.edge, tuple(in_q.tolist()), tuple(in_v.tolist()))
