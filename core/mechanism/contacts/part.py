"""Components of contact: two shapes on two frames, and joints at their limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...dynamics.contact import Contact, Gaps, JointLimit
from ...dynamics.contact.contact import check_restitution
from ...errors import ArgumentError, ModelError
from ..arguments import color as checked_color
from ..component import Component, JointEdge, Output
from ..constraints import sketches
from ..drawing import Scene, along
from ..joint_part import JointPart
from ..places import Places
from ..shapes import Color
from .shapes import Box, ContactShape, Plane, Point, Sphere, Wall

COLOR: Color = (0.46, 0.49, 0.54)
THIN, WIDE, DEEP = 0.006, 1.5, 0.25  # of the mechanism's size: walls without end, and how deep


class ContactPart(Component):
    """A shape on frame_a and one on frame_b that cannot pass through each other, frictionless.

    A simulation lists impacts in `trajectory.impacts`, by the component's name followed by what
    of a shape was touched, such as "floor corner 2".

    Variables, over the n points that may touch: gap (…, n), m, above 0 where they are apart; push
    (…, n), with which they hold each other apart while they rest on each other, N.

    Args:
        name: of the component.
        a, b: the shapes of frame_a and frame_b, such as Point() and Wall(normal=(0, 1)).
        restitution: speed of parting over speed of meeting, 0 to 1.
        friction: 0: exact impacts know none.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        a: ContactShape,
        b: ContactShape,
        restitution: float = 0.0,
        friction: float = 0.0,
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, ("frame_a", "frame_b"))
        for key, shape in (("a", a), ("b", b)):
            if not isinstance(shape, ContactShape):
                raise ArgumentError(
                    f"{self.label}: {key}: wanted a shape such as Point() or Plane(), got {shape!r}"
                )
        if not isinstance(show, bool | np.bool_):
            raise ArgumentError(f"{self.label}: show: wanted True or False, got {show!r}")
        check_restitution(self.label, restitution)
        if isinstance(friction, bool) or friction != 0.0:
            raise ArgumentError(
                f"{self.label}: friction: wanted 0, got {friction!r}; exact impacts are "
                "frictionless, contact with friction is for a time-stepping scheme"
            )
        self.a, self.b = a, b
        self.restitution, self.show = float(restitution), bool(show)
        self.color = checked_color(self.label, color)

    def contacts(self, places: Places) -> Sequence[Contact | JointLimit]:
        """Its one."""
        size = 2 if self.space == "planar" else 3
        first = self.a.on(self.label, places.port(self.frame_a), size)
        second = self.b.on(self.label, places.port(self.frame_b), size)
        return (Contact(name=self.name, a=first, b=second, restitution=self.restitution),)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Gaps and pushes."""
        own = self.contacts(places)
        gaps = Gaps(places.model, own)
        return {
            "gap": lambda at: gaps.at(at.q).gap,
            "push": lambda at: np.stack(
                [
                    sign * at.constraint(name).force[..., 0]
                    for name, sign in zip(gaps.names, gaps.pushes, strict=True)
                ],
                axis=-1,
            ),
        }

    def drawn(self, scene: Scene) -> None:
        """Both shapes, but for points."""
        if not self.show:
            return
        for frame, shape in ((self.frame_a, self.a), (self.frame_b, self.b)):
            size = 2 if self.space == "planar" else 3
            point, color = shape.point(self.label, size), self.color or COLOR
            pose = np.eye(4)
            pose[:3, 3] = point
            if isinstance(shape, Sphere) and size == 3:
                scene.ball(self, frame, point, shape.radius, color)
            elif isinstance(shape, Sphere):
                axis = np.array([0.0, 0.0, 1.0])
                sketches.disc(self, scene, frame, axis, shape.radius, color, point)
            elif isinstance(shape, Box):
                edges = [float(edge) for edge in np.asarray(shape.size)]
                edges += [DEEP * min(edges)] * (3 - len(edges))
                scene.solid(self, "box", frame, pose, tuple(edges), color)
            elif isinstance(shape, Plane):
                up = shape.up(self.label, size)
                long = WIDE * scene.size
                if isinstance(shape, Wall) and shape.length is not None:
                    long = shape.length
                thin = THIN * scene.size
                flat = along(up, point - 0.5 * thin * up)
                if size == 2:
                    # x along the wall, z out of the plane
                    flat[:3, :3] = np.stack(([up[1], -up[0], 0.0], up, [0.0, 0.0, 1.0]), axis=1)
                    scene.solid(self, "box", frame, flat, (long, thin, DEEP * scene.size), color)
                else:
                    scene.solid(self, "box", frame, flat, (long, long, thin), color)
            else:
                assert isinstance(shape, Point)


class LimitPart(Component):
    """A joint that stops at its limits, as a contact.

    Args:
        name: of the component.
        joint: the component, a joint of one coordinate with limits.
        restitution: speed of parting over speed of meeting, 0 to 1.
    """

    def __init__(self, name: str, *, joint: JointPart, restitution: float = 0.0) -> None:
        super().__init__(name, ())
        if not isinstance(joint, JointPart):
            raise ArgumentError(f"{self.label}: joint: wanted a joint component, got {joint!r}")
        check_restitution(self.label, restitution)
        self.joint, self.restitution = joint, float(restitution)

    def contacts(self, places: Places) -> Sequence[Contact | JointLimit]:
        """Its one."""
        edge: JointEdge = self.joint.edge
        places.joint(edge)  # refuses joints that close loops
        steps = places.assembly.placed[edge].steps
        if len(steps) != 1:
            raise ModelError(f"{self.label}: joint: wanted one of one coordinate")
        return (JointLimit(joint=steps[0][0], restitution=self.restitution),)
