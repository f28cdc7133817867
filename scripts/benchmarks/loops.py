"""Mechanisms with loops as both packages hold them: a tree, and points that coincide."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.robots import Pair, pair
from benchmarks.rounds import Work

# a crank that turns fully, m: ground 0.6, crank 0.2, coupler 0.6, rocker 0.5
GROUND, RODS = 0.6, (0.2, 0.6, 0.5)
LINK, LINKS = 0.15, 60  # of a track, m
LEGS = 6
BASE, PLATE, HEIGHT = 1.0, 0.6, 1.0  # of a Stewart platform: radii and height, m
PROXIMAL = (1e-12, 1e-10, 20)  # the peer's accuracy, regularisation and most iterations


@dataclass(frozen=True)
class Loop:
    """Two points that coincide, each on a link (None for the world), m."""

    link: str | None
    point: tuple[float, float, float]
    other: str | None
    other_point: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Parts:
    """What a mechanism is made of: parts of a URDF, loops, and a state near their manifold."""

    name: str
    links: Sequence[str]
    joints: Sequence[str]
    loops: Sequence[Loop]
    q: Any
    v: Any
    floating: bool = False

    @property
    def text(self) -> str:
        """The URDF of the tree."""
        return f'<robot name="r">{"".join(self.links)}{"".join(self.joints)}</robot>'


@dataclass(frozen=True, eq=False)
class Mechanism:
    """A mechanism in both packages, at a state on the manifold.

    Attributes:
        system: ours, each loop a Ball, three rows as the peer's CONTACT_3D.
        q (nq,), v (nv,): the state; robot: the tree in both.
    """

    name: str
    robot: Pair
    system: Any
    loops: Sequence[Loop]
    q: Any
    v: Any

    def peer(self) -> Work:
        """The peer's evaluation."""
        pin, model, data = self.robot.pin, self.robot.pin_model, self.robot.pin_data
        models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for loop in self.loops:
            ends = [self._place(loop.link, loop.point), self._place(loop.other, loop.other_point)]
            kind = pin.ContactType.CONTACT_3D
            own = pin.RigidConstraintModel(kind, model, *ends[0], *ends[1], pin.LOCAL)
            models.append(own)
            datas.append(own.createData())
        pin.initConstraintDynamics(model, data, models, datas)
        settings = pin.ProximalSettings(*PROXIMAL)
        q, v = self.robot.pin_q(self.q), self.robot.pin_v(self.v)
        state = model, data, q, v, np.zeros(model.nv), models, datas, settings
        return partial(pin.constraintDynamics, *state)

    def closed(self, kind: str | None) -> Any:
        """The system with loops of a kind, None for none; the axis of hinges is y."""
        from dynarig.core.dynamics import constraints

        axis = {} if kind == "Ball" else {"axis": (0.0, 1.0, 0.0)}
        port = constraints.Port.at
        loops = [
            getattr(constraints, str(kind))(
                name=f"loop{index}",
                a=port(loop.other, loop.other_point),
                b=port(loop.link, loop.point),
                **axis,
            )
            for index, loop in enumerate(self.loops if kind else ())
        ]
        return replace(self.system, constraints=tuple(loops))

    def _place(self, link: str | None, point: tuple[float, float, float]) -> tuple[int, Any]:
        """The peer's joint that carries a link, and the point's placement there."""
        pin, model = self.robot.pin, self.robot.pin_model
        place = pin.SE3(np.eye(3), np.array(point))
        if link is None:
            return 0, place
        frame = model.frames[model.getFrameId(link, pin.FrameType.BODY)]
        joint = getattr(frame, "parentJoint", None) or frame.parent
        return joint, frame.placement * place


def evaluation(system: Any, q: Any, v: Any) -> Work:
    """One evaluation as an integrator asks for it."""

    def work() -> Any:
        at = system.moment(0.0, q, v)
        return system.respond(at, system.applied_forces(at))

    return work


def response(system: Any, q: Any, v: Any) -> Work:
    """The last part of an evaluation: from masses, bias and rows to accelerations."""
    force = np.zeros(len(v))
    # rows are compiled when they are asked for, and go with the tree from then on
    system.respond(system.moment(0.0, q, v), force)
    return partial(system.respond, system.moment(0.0, q, v), force)


def four_bars(count: int, speed: float = 2.0) -> Parts:
    """Four-bars side by side in one mechanism, hinges about y, all at the same angles."""
    links, joints = ['<link name="base"/>'], []
    loops = []
    for k in range(count):
        parent, place = "base", (0.0, 0.1 * k, 0.0)
        for index, length in enumerate(RODS):
            name = f"rod{index}_{k}"
            links.append(rod(name, length))
            joints.append(joint(f"j{index}_{k}", "revolute", parent, name, place, "0 1 0"))
            parent, place = name, (length, 0.0, 0.0)
        loops.append(Loop(parent, place, None, (GROUND, 0.1 * k, 0.0)))
    v = np.tile([speed, 0.0, 0.0], count)
    name = "four-bar" if count == 1 else f"{count} four-bars"
    return Parts(name, links, joints, loops, np.tile(angles(1.0), count), v)


def turned_round(parts: Parts) -> Parts:
    """The same, with the two ends of each loop in the other order."""
    loops = [Loop(own.other, own.other_point, own.link, own.point) for own in parts.loops]
    return replace(parts, loops=loops)


def cut_at_knee() -> Parts:
    """The four-bar, with both of the rods that its loop joins on hinges of their own."""
    first, second, third = RODS
    places = (("base", 0.0), ("rod0", first), ("base", GROUND))
    joints = [
        joint(f"j{index}", "revolute", parent, f"rod{index}", (x, 0.0, 0.0), "0 1 0")
        for index, (parent, x) in enumerate(places)
    ]
    links = ['<link name="base"/>', *(rod(f"rod{index}", own) for index, own in enumerate(RODS))]
    q = angles(1.0)
    q[2] = q.sum() - np.pi
    loop = Loop("rod2", (third, 0.0, 0.0), "rod1", (second, 0.0, 0.0))
    return Parts("four-bar", links, joints, [loop], q, np.array([2.0, 0.0, 0.0]))


def planar_system() -> tuple[Any, Any, Any]:
    """(system, q, v) of a four-bar built of parts in a plane, closed by its last hinge."""
    from dynarig.core.mechanism import Mechanism as Linkage
    from dynarig.core.mechanism import planar

    # bars as they lie in the world at the start, where all angles are zero
    world, post, last = planar.World("world"), planar.Fixed("post", r=(3, 0)), planar.Revolute("d")
    bars = [
        planar.BodyShape(name, r=r)
        for name, r in (("crank", (0, 1)), ("coupler", (3, 1.5)), ("rocker", (0, -2.5)))
    ]
    pins = [planar.Revolute(name) for name in "abc"]
    linkage = Linkage("four-bar", [world, post, *pins, last, *bars])
    linkage.chain(world, pins[0], bars[0], pins[1], bars[1], pins[2], bars[2], last)
    linkage.connect(last.frame_b, post.frame_b)
    return linkage.compile().system, np.zeros(3), np.array([3.0, -3.0, 1.2])


def track() -> Parts:
    """A chain of links closed on itself to a regular polygon, free in space."""
    links = [rod(f"link{k}", LINK) for k in range(LINKS)]
    joints = [
        joint(f"pin{k}", "revolute", f"link{k - 1}", f"link{k}", (LINK, 0.0, 0.0), "0 1 0")
        for k in range(1, LINKS)
    ]
    loop = Loop(f"link{LINKS - 1}", (LINK, 0.0, 0.0), "link0", (0.0, 0.0, 0.0))
    q = np.concatenate(([0, 0, 0, 1, 0, 0, 0], np.full(LINKS - 1, 2.0 * np.pi / LINKS)))
    v = np.concatenate(([0, 3.0, 0, 0, 0, 0], np.sin(np.arange(LINKS - 1))))
    return Parts(f"track of {LINKS} links", links, joints, [loop], q, v, floating=True)


def stewart() -> Parts:
    """A plate that floats on six legs: cross, upper and lower half, whose foot is held."""
    links, joints, loops = [rod("plate", PLATE, 5.0)], [], []
    for k, (own, other) in enumerate(
        zip((10, 110, 130, 230, 250, 350), (50, 70, 170, 190, 290, 310), strict=True)
    ):
        names = [f"{part}{k}" for part in ("cross", "upper", "lower")]
        links += [rod(name, 0.1, mass) for name, mass in zip(names, (0.1, 0.5, 0.4), strict=True)]
        place = PLATE * np.array([np.cos(np.deg2rad(other)), np.sin(np.deg2rad(other)), 0.0])
        still = (0.0, 0.0, 0.0)
        joints += [
            joint(f"x{k}", "revolute", "plate", names[0], tuple(place), "1 0 0"),
            joint(f"y{k}", "revolute", names[0], names[1], still, "0 1 0"),
            joint(f"slide{k}", "prismatic", names[1], names[2], still, "0 0 -1"),
        ]
        foot = (float(np.cos(np.deg2rad(own))), float(np.sin(np.deg2rad(own))), 0.0)
        loops.append(Loop(names[2], still, None, foot))
    q = np.concatenate(([0, 0, HEIGHT, 1, 0, 0, 0], np.tile([0.0, 0.0, HEIGHT], LEGS)))
    v = np.concatenate(([0.3, 0.2, 0.5, 0.1, 0.2, -0.3], np.zeros(3 * LEGS)))
    return Parts("Stewart platform", links, joints, loops, q, v, floating=True)


def built(parts: Parts, robot: Pair | None = None) -> Mechanism:
    """The mechanism in both packages, put together from its state."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints.assembly import assemble

    both = pair(parts.text, parts.floating) if robot is None else robot
    bare = Mechanism(parts.name, both, System(both.model), parts.loops, parts.q, parts.v)
    system = bare.closed("Ball")
    q, v = np.asarray(parts.q, np.float64), np.asarray(parts.v, np.float64)
    start = assemble(system.projection, 0.0, q, v)
    # sizes of rows are told at the start, as in a simulation
    return replace(bare, system=replace(system, reference=start.q), q=start.q, v=start.v)


def ours_alone(parts: Parts) -> Pair:
    """The tree without the peer's."""
    from dynarig.core.dynamics import compile_robot
    from dynarig.core.urdf import parse_urdf

    model = compile_robot(parse_urdf(parts.text), floating_base=parts.floating)
    return Pair(model, None, None, None)


def angles(crank: float) -> Any:
    """The joint angles of a four-bar at a crank angle, by the law of cosines; turns about y."""
    first, second, third = RODS
    tip = first * np.array([np.cos(crank), np.sin(crank)])
    away = np.array([GROUND, 0.0]) - tip
    distance = np.linalg.norm(away)
    bend = np.arccos((second**2 + distance**2 - third**2) / (2 * second * distance))
    coupler = np.arctan2(away[1], away[0]) + bend
    knee = tip + second * np.array([np.cos(coupler), np.sin(coupler)])
    rocker = np.arctan2(-knee[1], GROUND - knee[0])
    return -np.array([crank, coupler - crank, rocker - coupler])


def rod(name: str, length: float, mass: float = 1.0) -> str:
    """A link along x."""
    slim, long = 0.01 * mass * length**2, mass * length**2 / 12.0
    return (
        f'<link name="{name}"><inertial><origin xyz="{0.5 * length} 0 0"/><mass value="{mass}"/>'
        f'<inertia ixx="{slim}" iyy="{long}" izz="{long}" ixy="0" ixz="0" iyz="0"/>'
        "</inertial></link>"
    )


def joint(name: str, kind: str, parent: str, child: str, place: Sequence[float], axis: str) -> str:
    """A joint, with limits that are far away."""
    limit = '<limit lower="-999" upper="999" effort="1" velocity="1"/>'
    where = " ".join(str(float(x)) for x in place)
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{where}"/><axis xyz="{axis}"/>{limit}</joint>'
    )
