"""Free boxes and balls on a floor that is level or falls along x, played by both engines alike."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks.rounds import Work

G = 9.81  # m/s^2
STEP = 0.002  # s: what both engines step with where nothing is said
WORLD = "base"
ACCURATE = 'cone="elliptic" impratio="100" noslip_iterations="20"'  # of MuJoCo's options


@dataclass(frozen=True)
class Piece:
    """A free body of even density: half sizes (3,) of a box, or a radius (1,), m; its start."""

    size: tuple[float, ...]
    place: tuple[float, float, float]
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    mass: float = 1.0

    @property
    def inertia(self) -> Any:
        """The moments (3,), kg m^2."""
        if len(self.size) == 1:
            return np.full(3, 0.4 * self.mass * self.size[0] ** 2)
        square = np.square(self.size)
        return self.mass / 3.0 * (square.sum() - square)


@dataclass(frozen=True)
class Scene:
    """Pieces over the plane z = 0, which falls along x by an angle (rad)."""

    pieces: Sequence[Piece]
    friction: float = 0.5
    restitution: float = 0.0
    slope: float = 0.0

    @property
    def gravity(self) -> tuple[float, float, float]:
        """In the axes of the plane, m/s^2."""
        return G * float(np.sin(self.slope)), 0.0, -G * float(np.cos(self.slope))


@dataclass(frozen=True, eq=False)
class Played:
    """A motion: times (n,), and of the centres of the pieces place, velocity, spin (n, k, 3)."""

    engine: str
    times: Any
    place: Any
    velocity: Any
    spin: Any


def ours(scene: Scene, end: float) -> Played:
    """By time stepping."""
    from dynarig.core.simulate import run, simulate

    system, q, v = our_system(scene)
    times = np.linspace(0.0, end, round(end / STEP) + 1)
    motion = run(simulate(system, times, q, v, method="time-stepping", step=STEP))
    rates = motion.link_velocities(times)[:, 1:]
    place = motion.link_poses(times)[:, 1:, :3, 3]
    return Played("dynarig", times, place, rates[..., 3:], rates[..., :3])


def our_work(scene: Scene, end: float) -> Work:
    """The same without looking at it."""
    from dynarig.core.simulate import run, simulate

    system, q, v = our_system(scene)

    def work() -> Any:
        return run(simulate(system, (0.0, end), q, v, method="time-stepping", step=STEP))

    return work


def our_system(scene: Scene) -> tuple[Any, Any, Any]:
    """(system, q, v) of a scene."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Box, Plane, Sphere
    from dynarig.core.dynamics.friction import CollisionSystem
    from dynarig.core.tree import Body, Tree, TreeJoint

    bodies, joints = [Body(WORLD, 0.0, np.zeros(3), np.zeros((3, 3)))], []
    surface = {"friction": scene.friction, "restitution": scene.restitution}
    colliders = [Collider(name="floor", shape=Plane(Port(None)), **surface)]
    for index, piece in enumerate(scene.pieces):
        name = f"piece{index}"
        bodies.append(Body(name, piece.mass, np.zeros(3), np.diag(piece.inertia)))
        joint = TreeJoint(f"free{index}", "floating", WORLD, name, np.eye(4), np.zeros(3))
        joints.append(joint)
        is_ball = len(piece.size) == 1
        shape = Sphere(Port(name), piece.size[0]) if is_ball else Box(Port(name), piece.size)
        colliders.append(Collider(name=name, shape=shape, **surface))
    tree = Tree("scene", tuple(bodies), tuple(joints), WORLD)
    model = compile_tree(tree, gravity=scene.gravity)
    q, v = model.neutral(), np.zeros(model.nv)
    for index, piece in enumerate(scene.pieces):
        q[7 * index : 7 * index + 3] = piece.place
        v[6 * index + 3 : 6 * index + 6] = piece.velocity
    return CollisionSystem(model, colliders=tuple(colliders)), q, v


def mujoco(scene: Scene, end: float, options: str = "") -> Played:
    """By MuJoCo, with options as its XML has them; at its defaults if none."""
    engine = importlib.import_module("mujoco")
    model, data = their_model(scene, options)
    count, pieces = round(end / STEP) + 1, len(scene.pieces)
    place, velocity, spin = np.empty((3, count, pieces, 3))
    for row in range(count):
        rates = data.qvel.reshape(-1, 6)
        place[row], velocity[row] = data.qpos.reshape(-1, 7)[:, :3], rates[:, :3]
        turns = data.xmat[1:].reshape(-1, 3, 3)
        spin[row] = (turns @ rates[:, 3:, None])[..., 0]
        engine.mj_step(model, data)
    times = STEP * np.arange(count)
    name = "MuJoCo, elliptic, no slip" if options == ACCURATE else "MuJoCo, defaults"
    return Played(name, times, place, velocity, spin)


def their_work(scene: Scene, end: float, options: str = "") -> Work:
    """The same without looking at it."""
    engine = importlib.import_module("mujoco")
    model, data = their_model(scene, options)

    def work() -> None:
        restart(engine, model, data, scene)
        engine.mj_step(model, data, nstep=round(end / STEP))

    return work


def their_model(scene: Scene, options: str) -> tuple[Any, Any]:
    """(model, data) at the start."""
    engine = importlib.import_module("mujoco")
    model = engine.MjModel.from_xml_string(model_text(scene, options))
    data = engine.MjData(model)
    restart(engine, model, data, scene)
    return model, data


def restart(engine: Any, model: Any, data: Any, scene: Scene) -> None:
    """Put all pieces to their start."""
    engine.mj_resetData(model, data)
    for index, piece in enumerate(scene.pieces):
        data.qvel[6 * index : 6 * index + 3] = piece.velocity
    engine.mj_forward(model, data)


def model_text(scene: Scene, options: str = "") -> str:
    """The scene for MuJoCo."""
    bodies = ""
    surface = f'friction="{scene.friction}" condim="3"'
    if scene.restitution > 0.0:
        surface += f' solref="{bouncing(scene.restitution)}"'
    for piece in scene.pieces:
        kind = "sphere" if len(piece.size) == 1 else "box"
        bodies += (
            f'<body pos="{numbers(piece.place)}"><freejoint/>'
            f'<inertial pos="0 0 0" mass="{piece.mass}" diaginertia="{numbers(piece.inertia)}"/>'
            f'<geom type="{kind}" size="{numbers(piece.size)}" {surface}/></body>'
        )
    return (
        f'<mujoco><option timestep="{STEP}" gravity="{numbers(scene.gravity)}" {options}/>'
        f'<worldbody><geom type="plane" size="0 0 1" {surface}/>{bodies}</worldbody></mujoco>'
    )


def bouncing(restitution: float, steps: int = 10) -> str:
    """MuJoCo's solref of a spring and damper that part with that part of the speed of meeting.

    w = pi / (steps h),   zeta = -ln e / sqrt(pi^2 + ln(e)^2),   solref = (-w^2, -2 zeta w)
    """
    rate = np.pi / (steps * STEP)
    log = np.log(restitution)
    ratio = -log / np.hypot(np.pi, log)
    return numbers((-(rate**2), -2.0 * ratio * rate))


def numbers(values: Any) -> str:
    """Numbers as XML has them."""
    return " ".join(repr(float(value)) for value in values)


ENGINES = (ours, mujoco, partial(mujoco, options=ACCURATE))
