"""Solo12 dropped from half a metre, its motors holding the pose, by both engines."""

import importlib
import os
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.contact_scenes import STEP
from benchmarks.robots import ROBOTS
from benchmarks.rounds import Work

NAME = "Solo12"
PACKAGE = "package://example-robot-data/robots"
DROP = 0.5  # m, of the lowest point
END, STILL = 3.0, 0.5  # s, and of that at the end the robot is at rest
FRICTION = 0.5
# rad: it stands on bent legs
POSE = {
    f"{side}{which}_{joint}": sign * angle
    for side, sign in (("F", 1.0), ("H", -1.0))
    for which in "LR"
    for joint, angle in (("HFE", 0.8), ("KFE", -1.6))
}


@dataclass(frozen=True)
class Peer:
    """MuJoCo with steps (s), and contacts that are soft as by default or as stiff as it can."""

    step: float = STEP
    stiff: bool = False

    @property
    def name(self) -> str:
        """What the table says."""
        kind = "stiff" if self.stiff else "defaults"
        return f"MuJoCo, {kind}, {self.step * 1e3:g} ms"


# with our step; and with the largest that keeps the 1 mm of penetration that is asked for
PEERS = (Peer(), Peer(2e-4, stiff=True))


@dataclass(frozen=True)
class Landed:
    """What a landing ends with.

    deepest: m, anywhere; jitter: m, how far a link is from its last place while the robot is at
    rest; height: m, of the base then.
    """

    engine: str
    deepest: float
    jitter: float
    height: float


def urdf_text() -> str:
    """The URDF, with places of its meshes on this machine."""
    folder = os.environ["DYNARIG_ROBOTS"]
    return (Path(folder) / ROBOTS[NAME][0]).read_text().replace(PACKAGE, folder)


def stl_points(path: Path) -> Any:
    """The vertices (n, 3) of a binary STL file, each once."""
    data = path.read_bytes()
    count = int.from_bytes(data[80:84], "little")
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    rows = np.frombuffer(data, kind, count, 84)
    return np.unique(rows["corners"].reshape(-1, 3).astype(np.float64), axis=0)


def our_start() -> tuple[Any, Any]:
    """(system, q): all links may touch the floor, none another."""
    from dynarig.core.dynamics import FLOATING_BASE, compile_robot, hold_pose
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.collision.from_urdf import colliders_of
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Plane
    from dynarig.core.dynamics.evaluation import link_poses_at
    from dynarig.core.dynamics.friction import CollisionSystem
    from dynarig.core.urdf import parse_urdf

    robot = parse_urdf(urdf_text())
    model = compile_robot(robot, floating_base=True)
    colliders, _ = colliders_of(robot, lambda mesh: stl_points(Path(mesh.filename)))
    q = model.neutral()
    for joint, angle in POSE.items():
        q[model.q_index(joint)] = angle
    poses = dict(zip(model.link_names, link_poses_at(model, q), strict=True))
    lowest = np.inf
    for own in colliders:
        port: Any = own.shape.port
        place = poses[port.link] @ port.link_from_port
        corners: Any = own.shape
        lowest = min(lowest, float((corners.corners @ place[2, :3] + place[2, 3]).min()))
    q[model.q_index(FLOATING_BASE).start + 2] += DROP - lowest
    floor = Collider(name="floor", shape=Plane(Port(None)), friction=FRICTION)
    system = CollisionSystem(
        model,
        joint_forces=hold_pose(model, q),
        colliders=(*colliders, floor),
        pairs=tuple((own.name, floor.name) for own in colliders),
    )
    return system, q


def our_work(system: Any, q: Any) -> Work:
    """The motion at the default step."""
    from dynarig.core.simulate import run, simulate

    return lambda: run(simulate(system, (0.0, END), q, method="time-stepping"))


def our_landing(system: Any, q: Any) -> tuple[Landed, Any]:
    """What comes of it, and the contacts as they were met."""
    motion = our_work(system, q)()
    times = np.arange(END - STILL, END, STEP)
    places = motion.link_poses(times)[..., :3, 3]
    touches = motion.touches
    return Landed("dynarig", touches.deepest, moved(places), float(places[-1, 0, 2])), touches


def their_model(system: Any, peer: Peer) -> Any:
    """The same robot, hulls and gains for MuJoCo, over a floor."""
    engine = importlib.import_module("mujoco")
    spec = engine.MjSpec.from_string(for_mujoco(urdf_text()))
    for geom in spec.geoms:
        geom.contype, geom.conaffinity = 0, 1
        geom.friction[0] = FRICTION
    floor = spec.worldbody.add_geom()
    floor.type, floor.size = engine.mjtGeom.mjGEOM_PLANE, [0.0, 0.0, 1.0]
    floor.contype, floor.conaffinity, floor.friction[0] = 1, 0, FRICTION
    model = spec.compile()
    if peer.stiff:
        model.geom_solref[:] = 2.0 * peer.step, 1.0
    model.opt.timestep, model.opt.gravity[:] = peer.step, (0.0, 0.0, -9.81)
    for servo in system.joint_forces:
        joint = model.joint(servo.joint)
        joint.damping[0], joint.stiffness[0] = servo.damping, servo.stiffness
        model.qpos_spring[joint.qposadr[0]] = servo.position
    return model


def for_mujoco(text: str) -> str:
    """A URDF whose root floats, without what is drawn."""
    root = ElementTree.fromstring(text)
    base = next(iter(root.findall("link"))).get("name", "")
    for link in root.findall("link"):
        for part in link.findall("visual"):
            link.remove(part)
    ElementTree.SubElement(root, "link", name="world")
    joint = ElementTree.SubElement(root, "joint", name="root", type="floating")
    ElementTree.SubElement(joint, "parent", link="world")
    ElementTree.SubElement(joint, "child", link=base)
    settings = {"strippath": "false", "fusestatic": "false", "meshdir": "/"}
    ElementTree.SubElement(ElementTree.SubElement(root, "mujoco"), "compiler", settings)
    return ElementTree.tostring(root, encoding="unicode")


def their_start(system: Any, q: Any, peer: Peer) -> tuple[Any, Any]:
    """(model, data) at our start."""
    engine = importlib.import_module("mujoco")
    model = their_model(system, peer)
    data = engine.MjData(model)
    data.qpos[:7] = q[:7]
    for joint in system.model.joint_names[1:]:
        data.qpos[model.joint(joint).qposadr[0]] = q[system.model.q_index(joint).start]
    return model, data


def their_work(system: Any, q: Any, peer: Peer) -> Work:
    """The motion by MuJoCo."""
    engine = importlib.import_module("mujoco")
    model, data = their_start(system, q, peer)
    start = data.qpos.copy()

    def work() -> None:
        engine.mj_resetData(model, data)
        data.qpos[:] = start
        engine.mj_step(model, data, nstep=round(END / peer.step))

    return work


def their_landing(system: Any, q: Any, peer: Peer) -> Landed:
    """What comes of it."""
    engine = importlib.import_module("mujoco")
    model, data = their_start(system, q, peer)
    deepest, places = 0.0, []
    while data.time < END - 0.5 * peer.step:
        engine.mj_step(model, data)
        deepest = max(deepest, -float(data.contact.dist.min(initial=0.0)))
        if data.time >= END - STILL:
            places.append(data.xpos[1:].copy())
    rows = np.array(places)
    return Landed(peer.name, deepest, moved(rows), float(rows[-1, 0, 2]))


def moved(places: Any) -> float:
    """The furthest that one of the places (n, k, 3) goes from its last, m."""
    return float(np.linalg.norm(places - places[-1], axis=2).max())
