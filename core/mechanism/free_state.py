"""Free orientation and free motion in space: initial values and variables."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, frozen
from ..errors import ArgumentError
from ..frames import euler_from_rotation, quaternion_from_rotation, unit_quaternion
from ..tree import JointType, TreeJoint
from .arguments import array
from .arguments import sequence as checked_sequence
from .component import Component, JointEdge, Output, Root
from .frame import Frame
from .orientations import as_state, rotation_of_state

KINDS = ("quaternion", "euler")
FREE_ARGUMENTS = (
    *("orientation_state", "sequence"),
    *("r0", "v0", "phi0", "R0", "Q0", "w0", "w_a0"),
)
FreeArgument = str | ArrayLike | None


@dataclass(frozen=True)
class OrientationKind:
    """Whether Euler angles are the state, and the sequence that angles are told in."""

    euler: bool
    sequence: str

    @classmethod
    def of(cls, owner: str, kind: str | None, sequence: str | ArrayLike) -> OrientationKind:
        """Of 'quaternion' (or None) or 'euler'; sequence is 'XYZ' or (1, 2, 3), or another."""
        if kind is not None and kind not in KINDS:
            raise ArgumentError(
                f"{owner}: orientation_state: wanted one of {', '.join(KINDS)}, got {kind!r}"
            )
        return cls(kind == "euler", checked_sequence(owner, sequence))

    @property
    def state_sequence(self) -> str | None:
        """Of the joint of the tree: None where its state is a quaternion."""
        return self.sequence if self.euler else None


@dataclass(frozen=True)
class Start:
    """Initial values as they were given; None for those left out.

    Attributes:
        r0, v0: (3,), of the origin of frame_b, in frame_a (for bodies: the world), m, m/s.
        phi0: Euler angles (3,), rad, or R0 (3, 3) local to world, or Q0 (4,), of any length.
        w0: angular velocity (3,) in the axes of frame_a (the world), or w_b0 in those of frame_b,
            rad/s; w_b_name is what the parameter is called.
    """

    r0: ArrayLike | None = None
    v0: ArrayLike | None = None
    phi0: ArrayLike | None = None
    R0: ArrayLike | None = None
    Q0: ArrayLike | None = None
    w0: ArrayLike | None = None
    w_b0: ArrayLike | None = None
    w_b_name: str = "w_b0"

    def told(self, free: bool) -> dict[str, tuple[bool, ...]]:
        """For `component.JointEdge`, of a joint that is free or leaves the orientation free."""
        turned = any(value is not None for value in (self.phi0, self.R0, self.Q0))
        turns = any(value is not None for value in (self.w0, self.w_b0))
        turn: dict[str, tuple[bool, ...]] = {"q": (turned,) * 3, "v": (turns,) * 3}
        if not free:
            return turn
        place = {"q": (self.r0 is not None,) * 3, "v": (self.v0 is not None,) * 3}
        return {what: turn[what] + place[what] for what in turn}

    @property
    def given(self) -> bool:
        """Whether any was."""
        values = (self.r0, self.v0, self.phi0, self.R0, self.Q0, self.w0, self.w_b0)
        return any(value is not None for value in values)


@dataclass(frozen=True)
class FreeState:
    """Orientation state and initial values of a body that may be a root.

    chosen tells whether the user gave any of it.
    """

    orientation: OrientationKind
    start: Start
    chosen: bool


def free_arguments(owner: str, given: Mapping[str, FreeArgument]) -> FreeState:
    """Of orientation_state, sequence, r0, v0, phi0, R0, Q0, w0, w_a0, as for `spatial.Body`.

    Raises:
        ArgumentError: for any other name, and values that do not fit.
    """
    for name in given:
        if name not in FREE_ARGUMENTS:
            raise ArgumentError(
                f"{owner}: no parameter '{name}'; for its free motion a body takes "
                f"{', '.join(FREE_ARGUMENTS)}"
            )
    kind = given.get("orientation_state")
    if kind is not None and not isinstance(kind, str):
        raise ArgumentError(
            f"{owner}: orientation_state: wanted one of {', '.join(KINDS)}, got {kind!r}"
        )
    label = given.get("sequence")
    r0, v0, phi0, rotation, quaternion, w0, w_a0 = (given.get(n) for n in FREE_ARGUMENTS[2:])
    start = Start(r0, v0, phi0, rotation, quaternion, w0, w_a0, "w_a0")
    orientation = OrientationKind.of(owner, kind, "XYZ" if label is None else label)
    return FreeState(orientation, start, start.given or kind is not None)


def free_root(
    component: Component, frame: Frame, state: FreeState, taken: Collection[str] = ()
) -> Root:
    """The free motion of a body's frame in the world; taken are names that joints have."""
    ends, name = (None, frame), f"{component.name}.free"
    while name in taken:
        name += "_root"
    edge = free_edge(component, name, "floating", ends, state.orientation, state.start)
    return Root(edge, state.chosen, state.start.given)


def free_edge(
    component: Component,
    name: str,
    type: JointType,  # noqa: A002
    ends: tuple[Frame | None, Frame],
    kind: OrientationKind,
    start: Start,
    damping: float = 0.0,
) -> JointEdge:
    """A spherical or floating joint with its initial state."""
    owner = component.label
    orientation = as_state(
        owner,
        kind.euler,
        kind.sequence,
        ("phi0", start.phi0),
        ("R0", start.R0),
        ("Q0", start.Q0),
    )
    if orientation is None:
        orientation = np.zeros(3) if kind.euler else np.array([1.0, 0.0, 0.0, 0.0])
    back = rotation_of_state(orientation, kind.state_sequence).T
    v = _angular(owner, start, back)
    q = orientation
    if type == "floating":
        r0, v0 = (
            array(owner, key, np.zeros(3) if value is None else value, (3,))
            for key, value in (("r0", start.r0), ("v0", start.v0))
        )
        q, v = np.concatenate((r0, orientation)), np.concatenate((v, back @ v0))
    joint = TreeJoint(
        name,
        type,
        "",
        "",
        np.eye(4),
        axis=np.array([0.0, 0.0, 1.0]),
        damping=damping,
        sequence=kind.state_sequence,
    )
    free = type == "floating"
    if not start.given:
        return JointEdge(component, joint, *ends, free=free)
    return JointEdge(component, joint, *ends, frozen(q), frozen(v), free, start.told(free))


def _angular(owner: str, start: Start, b_from_a_rot: FloatArray) -> FloatArray:
    """omega (3,) in the axes of frame_b."""
    if start.w0 is not None and start.w_b0 is not None:
        raise ArgumentError(f"{owner}: wanted one of w0, {start.w_b_name}, got both")
    if start.w_b0 is not None:
        return np.array(array(owner, start.w_b_name, start.w_b0, (3,)))
    given = array(owner, "w0", np.zeros(3) if start.w0 is None else start.w0, (3,))
    return b_from_a_rot @ given


def orientation_outputs(
    rotation: Output, state: Output | None, kind: OrientationKind
) -> dict[str, Output]:
    """R, phi, Q and Q_hat of a rotation; state is its state where it has one.

    Without a quaternion state Q comes from R, with w >= 0.
    """
    sequence = kind.sequence
    angles: Output = lambda at: euler_from_rotation(rotation(at), sequence)  # noqa: E731
    unit: Output = lambda at: quaternion_from_rotation(rotation(at))  # noqa: E731
    out: dict[str, Output] = {"R": rotation, "phi": angles, "Q": unit, "Q_hat": unit}
    if state is not None and kind.euler:
        out["phi"] = state
    elif state is not None:
        own = state
        out |= {"Q_hat": own, "Q": lambda at: unit_quaternion(own(at))}
    return out


def state_output(edge: JointEdge) -> Output:
    """The orientation state of a spherical or floating joint (…, 4) or (…, 3)."""
    place = 3 if edge.joint.type == "floating" else 0
    return lambda at: at.coordinates(edge)[..., place:]


def relative_rotation(edge: JointEdge) -> Output:
    """a_from_b_rot (…, 3, 3) of a spherical or floating joint."""
    state = state_output(edge)
    return lambda at: rotation_of_state(state(at), edge.joint.sequence)
