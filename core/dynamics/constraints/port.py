"""Where a constraint takes hold: a frame fixed to a link, or to the world."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, as_finite, as_floats, frozen
from ...errors import ArgumentError, ModelError
from ...frames import inverse_transform, transform
from ..kinematics import link_poses
from ..model import Model


@dataclass(frozen=True, eq=False)
class Port:
    """A frame fixed to a link.

    Attributes:
        link: a name of `model.link_names`, or None for the world itself.
        link_from_port: (4, 4), its pose there.
    """

    link: str | None
    link_from_port: FloatArray = field(default_factory=lambda: np.eye(4))

    def __post_init__(self) -> None:
        pose = as_finite(self.link_from_port, (4, 4), f"Port on '{self.link}': link_from_port")
        if pose.shape != (4, 4):
            raise ArgumentError(
                f"Port on '{self.link}': link_from_port: wanted shape (4, 4), got {pose.shape}"
            )
        object.__setattr__(self, "link_from_port", frozen(pose.copy()))

    @classmethod
    def at(cls, link: str | None, point: ArrayLike, rotation: ArrayLike | None = None) -> Port:
        """At a point (3,) of the link, m, with the link's axes or turned by rotation (3, 3)."""
        turn = np.eye(3) if rotation is None else rotation
        return cls(link, transform(turn, as_finite(point, (3,), "point")))

    def place(self, model: Model) -> tuple[int, FloatArray]:
        """The model's frame that carries it, and frame_from_port (4, 4).

        Raises:
            ModelError: for an unknown link, listing those that exist.
        """
        if self.link is None:
            return 0, self.link_from_port
        if self.link not in model.link_names:
            names = ", ".join(model.link_names)
            raise ModelError(f"{model.name}: no link '{self.link}'; there are: {names}")
        link = model.link_names.index(self.link)
        pose: FloatArray = model.frame_from_link[link] @ self.link_from_port
        return int(model.link_frame[link]), pose


def meeting_ports(
    model: Model, q: ArrayLike, link_a: str | None, link_b: str | None, world_from_port: ArrayLike
) -> tuple[Port, Port]:
    """Two ports that coincide at q, one on each link: how a loop that is closed is described.

    Args:
        q: (nq,), where they coincide.
        link_a, link_b: names of links, None for the world.
        world_from_port: (4, 4) their common pose, or (3,) a point, where the axes are the world's.
    """
    pose = np.asarray(world_from_port, dtype=np.float64)
    if pose.shape == (3,):
        pose = transform(np.eye(3), pose)
    pose = as_finite(pose, (4, 4), "world_from_port")
    poses = link_poses(model, as_floats(q, (model.nq,), "q"))

    def port(link: str | None) -> Port:
        Port(link).place(model)  # refuses an unknown link
        if link is None:
            return Port(None, pose)
        world_from_link = poses[model.link_names.index(link)]
        return Port(link, inverse_transform(world_from_link) @ pose)

    return port(link_a), port(link_b)
