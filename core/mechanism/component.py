"""What a mechanism is made of, and how a component contributes to it.

A component has a name, frames that are connected to others' frames, and says by its methods
what it adds. A class overrides those that it needs; edges, masses and the root are asked for more
than once and are the same objects each time:

`rigid_edges()`   pairs of its frames that stand still against each other, with the pose of the
                  second in the first (a rod). None for the first frame means the world.
`joint_edges()`   pairs of its frames that a joint lies between (see `JointEdge`).
`masses()`        masses and inertias fixed to its frames (see `Mass`). Weight and inertial
                  forces follow from them.
`root()`          how it moves freely as the root of an assembly that no joint ties to the world,
                  for a body (see `Root`).
`forces(places)`  what acts besides (see `Forces`): forces on the coordinates of joints, wrenches
                  on frames, prescribed coordinates. `places` (see `places.Places`) answers
                  where each frame and each joint is found in the compiled model:
                      model_frame, frame_from_port = places.frame(self.frame_a)
                      v_index = places.joint(self.joint.edge).v[0]
`constraints(places)` equations that the motion must keep (see `dynamics.constraints`), called by
                  the component's name, several 'name.part'. `places.port(frame)` answers where
                  a frame is found.
`contacts(places)` what may touch what in exact impacts (see `dynamics.contact`), and the limits of
                  joints in both schemes.
`colliders(places)` pairs of what may touch in time stepping (see `dynamics.collision`).
`only_stepped`    why exact impacts cannot take it, where they cannot.
`markers(places)` the coordinates that coordinate-vector constraints name.
`acts_on()`       joints whose coordinates it needs, such as a motor's: no loop is cut there.
`outputs(places)` its variables: from the name behind the dot to a function of a `Snapshot`, which
                  has poses, velocities, accelerations and cut wrenches of all frames over
                  any leading axes of times (see `snapshot.Snapshot`). Frames answer theirs by
                  themselves.
`drawn(scene)`    how it looks (see `drawing.Scene`).

Everything is in space: a planar component gives its edges, masses and forces in the world's xy
plane, angles about +z, and cuts its outputs down to two numbers and an angle.

A component also says by `needs` which of its frames must be connected: 'all', as joints and
forces want it; 'any', as a rod; 'none', as a body that may fly freely.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ..arrays import FloatArray
from ..errors import ArgumentError
from ..tree import TreeJoint
from .docstrings import joined
from .frame import Frame

if TYPE_CHECKING:
    from ..dynamics.collision import Collider
    from ..dynamics.constraints import Constraint, CoordinateMarker
    from ..dynamics.contact import Contact, JointLimit
    from ..dynamics.system import FrameForce, JointForce, Prescribed
    from .drawing import Scene
    from .places import Places
    from .snapshot import Snapshot

Space = Literal["planar", "spatial"]
Output = Callable[["Snapshot"], FloatArray]


@dataclass(frozen=True, eq=False)
class RigidEdge:
    """Two frames that stand still against each other.

    frame_a None means the world. a_from_b (4, 4) is the pose of frame_b in frame_a; in a planar
    mechanism, angle (rad) is its turn about z, of any number of turns.
    """

    component: Component
    frame_a: Frame | None
    frame_b: Frame
    a_from_b: FloatArray
    angle: float = 0.0


@dataclass(frozen=True, eq=False, repr=False)
class JointEdge:
    """A joint from frame_a to frame_b.

    Attributes:
        component: whose it is.
        joint: the joint itself; its parent and child are filled in where the tree is made, and
            its parent_from_joint is frame_a_from_joint. The child at value 0 is frame_b.
        frame_a: None means the world.
        q, v: initial state, (nq,) and (nv,), as the joint's coordinates are meant from a to b;
            None where none was given.
        told: by 'q' and 'v', for each velocity (nv,) whether its part of them was given or is a
            default beside others; all where they are left out.
        free: whether it leaves all motion free, so that it constrains nothing.
    """

    component: Component
    joint: TreeJoint
    frame_a: Frame | None
    frame_b: Frame
    q: FloatArray | None = None
    v: FloatArray | None = None
    free: bool = False
    told: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Such as "Revolute 'hinge'" or "Robot 'arm': joint 'elbow'", for messages."""
        own = self.joint.name.removeprefix(self.component.name).removeprefix(".")
        if own in ("", "free"):
            return self.component.label
        return f"{self.component.label}: joint '{own}'"

    def __repr__(self) -> str:
        return f"<{self.joint.type} joint of {self.label}>"


@dataclass(frozen=True, eq=False)
class Mass:
    """Mass and inertia fixed to a frame.

    mass in kg; center_of_mass (3,) in the frame, m; inertia (3, 3) about the centre of mass in
    the frame's axes, kg m^2.
    """

    name: str
    frame: Frame
    mass: float
    center_of_mass: FloatArray
    inertia: FloatArray


@dataclass(frozen=True, eq=False)
class Root:
    """How the frame of a body moves freely, where no joint ties its assembly to the world.

    Attributes:
        edge: the joint from the world to the frame, with the initial state.
        chosen: whether the user gave a state or its kind, which makes it the root before others.
        given: whether an initial state was given, which only a root can have.
    """

    edge: JointEdge
    chosen: bool
    given: bool


@dataclass(frozen=True, eq=False)
class Forces:
    """What acts besides weight, and besides the springs, dampers and stops inside joints.

    frame_forces pairs each element with the frames through which it acts, one for each row of
    its wrenches; the element's own `frames` are their model frames.
    """

    joint_forces: tuple[JointForce, ...] = ()
    frame_forces: tuple[tuple[FrameForce, tuple[Frame, ...]], ...] = ()
    prescribed: tuple[Prescribed, ...] = ()


class ComponentType(type):
    """Makes components, and names the component where an argument does not fit its class.

    A class has the sections of its bases' docstrings that its own lacks.
    """

    def __init__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> None:
        super().__init__(name, bases, space)
        parts = [base for base in bases if base.__mro__[1:] != (object,)]
        cls.__doc__ = joined(space.get("__doc__"), [base.__doc__ for base in parts])

    @property
    def __signature__(cls) -> Signature:
        """What it is made with, for `help` and editors."""
        own = signature(cls.__init__)  # type: ignore[misc]
        return own.replace(parameters=list(own.parameters.values())[1:])

    def __call__(cls, *args: Any, **options: Any) -> Any:
        """An instance, as of any class."""
        taken = cls.__signature__
        try:
            taken.bind(*args, **options)
        except TypeError as reason:
            name = args[0] if args else options.get("name", "")
            raise ArgumentError(
                f"{cls.__name__} '{name}': {reason}{cls._namesake(options)} takes {_told(taken)}"
            ) from None
        return super().__call__(*args, **options)

    def _namesake(cls, options: Mapping[str, Any]) -> str:
        """What comes before 'takes': of a constraint of this short name that knows the options."""
        space = sys.modules.get(cls.__module__.rpartition(".")[0])
        other = getattr(space, f"{cls.__name__}Constraint", None)
        if not isinstance(other, ComponentType):
            return "; it"
        more = set(options) - set(cls.__signature__.parameters)
        is_taken = bool(more) and more <= set(other.__signature__.parameters)
        return f", which {other.__name__} takes; {cls.__name__}" if is_taken else "; it"


def _told(taken: Signature) -> str:
    """Parameters as a message lists them."""
    kinds = {kind: [] for kind in ("first", "named", "more")}  # type: dict[str, list[str]]
    for name, parameter in taken.parameters.items():
        if parameter.kind is Parameter.VAR_KEYWORD:
            kinds["more"].append(f"what acts {name}, such as d")
        else:
            by_name = parameter.kind is Parameter.KEYWORD_ONLY
            kinds["named" if by_name else "first"].append(name)
    named = ", ".join(kinds["named"])
    parts = [", ".join(kinds["first"]), f"by name {named}" if named else "", *kinds["more"]]
    return ", and ".join(part for part in parts if part)


class Component(metaclass=ComponentType):
    """A named part of a mechanism; see the module for what a class of its own overrides.

    Attributes are set once: a component cannot be changed after it was made.
    """

    space: ClassVar[Space]
    needs: ClassVar[Literal["all", "any", "none"]] = "all"

    def __init__(self, name: str, frames: Sequence[str]) -> None:
        if not isinstance(name, str) or not name or "." in name or name != name.strip():
            raise ArgumentError(
                f"{type(self).__name__}: name: wanted text without a dot or blanks around it, "
                f"which stand between a component and its variables; got {name!r}"
            )
        self.name = name
        self.frames = tuple(Frame(self, frame) for frame in frames)

    def __setattr__(self, name: str, value: object) -> None:
        if name in self.__dict__:
            raise ArgumentError(f"{self.label}: {name} is fixed; make a new component instead")
        super().__setattr__(name, value)

    @property
    def label(self) -> str:
        """Such as "Revolute 'hinge'", for messages."""
        return f"{type(self).__name__} '{self.name}'"

    def frame(self, name: str) -> Frame:
        """The frame of that name.

        Raises:
            ArgumentError: listing those that exist.
        """
        for frame in self.frames:
            if frame.name == name:
                return frame
        names = ", ".join(frame.name for frame in self.frames)
        there = f"there are: {names}" if names else "it has none, and is connected to nothing"
        raise ArgumentError(f"{self.label}: no frame '{name}'; {there}")

    @property
    def frame_a(self) -> Frame:
        """Its first frame, where it is connected towards the world."""
        return self.frame("frame_a")

    @property
    def frame_b(self) -> Frame:
        """Its second frame, where more is connected to it."""
        return self.frame("frame_b")

    def rigid_edges(self) -> Sequence[RigidEdge]:
        """Frames that stand still against each other."""
        return ()

    def joint_edges(self) -> Sequence[JointEdge]:
        """Frames with a joint between them."""
        return ()

    def masses(self) -> Sequence[Mass]:
        """What has mass or inertia."""
        return ()

    def root(self) -> Root | None:
        """How it moves as the root of an assembly that no joint ties to the world; None: never."""
        return None

    def forces(self, places: Places) -> Forces:
        """What acts on joints and frames."""
        del places
        return Forces()

    def acts_on(self) -> Sequence[object]:
        """Joints, themselves or by name, whose coordinates it needs: no loop is cut there."""
        return (self.joint,) if hasattr(self, "joint") else ()

    def constraints(self, places: Places) -> Sequence[Constraint]:
        """What the motion must keep, besides what joints and rods hold."""
        del places
        return ()

    def contacts(self, places: Places) -> Sequence[Contact | JointLimit]:
        """What may hit and rest on what."""
        del places
        return ()

    def colliders(self, places: Places) -> Sequence[tuple[Collider, Collider]]:
        """Pairs that may touch in time stepping, of one on its frame_a and one on frame_b."""
        del places
        return ()

    @property
    def only_stepped(self) -> str | None:
        """Why exact impacts cannot take it, for a message; None where they can."""
        return None

    def markers(self, places: Places) -> Sequence[CoordinateMarker]:
        """Coordinates that constraints of any component may name."""
        del places
        return ()

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Its variables."""
        del places
        return {}

    @property
    def extent(self) -> float:
        """The largest length of its own shape, m; 0 where it has none."""
        return 0.0

    def drawn(self, scene: Scene) -> None:
        """Add its shapes to the scene."""
        del scene

    def __repr__(self) -> str:
        names = ", ".join(frame.name for frame in self.frames)
        return f"<{self.label} with {names}>" if names else f"<{self.label}>"
