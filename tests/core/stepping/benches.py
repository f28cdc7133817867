"""Scenes that the tests of time stepping share: free bodies with colliders, and the ground."""

import numpy as np

from ..contact.benches import free_bodies

G = 9.81


def ground(turn=None, **surface):
    """The plane z = 0, perhaps turned and moved by a pose (4, 4)."""
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Plane

    port = Port(None, np.eye(4) if turn is None else turn)
    return Collider(name="ground", shape=Plane(port), **surface)


def ball(name, radius, **surface):
    """A ball on the body of that name."""
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Sphere

    return Collider(name=name, shape=Sphere(Port(name), radius), **surface)


def box(name, half_sizes, **surface):
    """A box on the body of that name."""
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Box

    return Collider(name=name, shape=Box(Port(name), half_sizes), **surface)


def solid_ball(name, radius, mass=1.0):
    """What `free_bodies` wants of a ball of even density."""
    return name, mass, 0.4 * mass * radius**2


def solid_box(name, half_sizes, mass=1.0):
    """What `free_bodies` wants of a box of even density."""
    square = np.asarray(half_sizes) ** 2
    return name, mass, mass / 3.0 * (square.sum() - square)


def scene(bodies, colliders, gravity=(0.0, 0.0, -G), turn=None, **options):
    """A CollisionSystem of bodies that float freely; see `free_bodies`."""
    from dynarig.core.dynamics.friction import CollisionSystem

    model = free_bodies(bodies, kind="floating", gravity=gravity, turn=turn)
    return CollisionSystem(model, colliders=tuple(colliders), **options)


def placed(system, *poses):
    """q (nq,) of bodies at positions (3,), or at positions and quaternions (7,)."""
    q = system.model.neutral()
    for index, pose in enumerate(poses):
        own = q[7 * index : 7 * index + 7]
        own[: len(pose)] = pose
    return q


def stepped(system, times, q=None, v=None, **options):
    """The motion by time stepping."""
    from dynarig.core.simulate import run, simulate

    return run(simulate(system, times, q, v, method="time-stepping", **options))


def world_velocities(motion, t):
    """Of the links' origins (…, n_links, 6) without the world's link, at times t."""
    return motion.link_velocities(t)[..., 1:, :]
