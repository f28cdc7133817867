"""Free bodies with colliders, and laws that any two convex solids keep."""

import numpy as np

from .solids_in_space import pose, random_turn

FLOOR = "floor"


def free_model(count):
    """Bodies b0, b1, … that float."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    bodies = [Body("ground", 0.0, np.zeros(3), np.zeros((3, 3)))]
    joints = []
    for index in range(count):
        bodies.append(Body(f"b{index}", 1.0, np.zeros(3), np.eye(3)))
        joints.append(
            TreeJoint(
                f"j{index}", "floating", "ground", f"b{index}", np.eye(4), np.array([0.0, 0.0, 1.0])
            )
        )
    return compile_tree(Tree("scene", tuple(bodies), tuple(joints), "ground"))


def world_poses(*own):
    """Poses (nf, 4, 4) of the world and of the bodies."""
    return np.array([np.eye(4), *own])


def collisions(*shapes, pairs=None, ignored=()):
    """Colliders c0, c1, … of shapes, each made by a function of a port: of body b0, b1, …"""
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.collision.collisions import Collisions
    from dynarig.core.dynamics.constraints import Port

    own = [
        Collider(name=f"c{index}", shape=make(Port(f"b{index}")))
        for index, make in enumerate(shapes)
    ]
    return Collisions(free_model(len(shapes)), own, pairs, ignored)


def over_floor(*shapes, normal=(0.0, 0.0, 1.0)):
    """The same, with the ground as the last collider, on the world."""
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.collision.collisions import Collisions
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Plane

    own = [
        Collider(name=f"c{index}", shape=make(Port(f"b{index}")))
        for index, make in enumerate(shapes)
    ]
    ground = Collider(name=FLOOR, shape=Plane(Port(None), normal))
    return Collisions(free_model(len(shapes)), [*own, ground])


def random_shape(rng, kind):
    """A function of a port that makes a shape of that kind, about half a metre large."""
    from dynarig.core.dynamics import contact
    from dynarig.core.dynamics.constraints import Port

    size = rng.uniform(0.05, 0.3, 3)
    points = rng.normal(size=(30, 3)) * size
    within = pose(0.1 * rng.normal(size=3), random_turn(rng))
    makes = {
        "point": lambda port: contact.Point(port),
        "sphere": lambda port: contact.Sphere(port, size[0]),
        "capsule": lambda port: contact.Capsule(port, size[0], 3.0 * size[1]),
        "box": lambda port: contact.Box(port, size),
        "cylinder": lambda port: contact.Cylinder(port, size[0], 3.0 * size[1]),
        "hull": lambda port: contact.Hull(port, points),
        "plate": lambda port: contact.Hull(port, points * [1.0, 1.0, 0.0]),
    }
    return lambda port: makes[kind](Port(port.link, port.link_from_port @ within))


def separation(found, poses, index, ways):
    """How far apart the two solids of a point are along directions (n, 3): (n,), m.

    The distance of convex bodies, or less by how much they are in each other, is the greatest of
    all of them.
    """
    collisions, touching = found

    def ends(number):
        own = collisions.solids[number]
        at = poses[own.frame] @ own.frame_from_port
        heights = (own.points @ at[:3, :3].T + at[:3, 3]) @ ways.T
        return heights.min(axis=0) - own.radius, heights.max(axis=0) + own.radius

    return ends(touching.first[index])[0] - ends(touching.second[index])[1]


def directions(rng, count=4000):
    """Unit vectors (n, 3)."""
    ways = rng.normal(size=(count, 3))
    return ways / np.linalg.norm(ways, axis=1)[:, None]
