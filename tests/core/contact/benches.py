"""Scenes that the tests of contact share: free bodies in a plane and in space."""

import numpy as np

WORLD = "base"


def free_bodies(bodies, kind="planar", gravity=(0.0, -9.81, 0.0), turn=None):
    """A model of bodies (name, mass, inertia) that move freely: q = (x, y, theta) of each.

    The whole scene may be turned, with its gravity.
    """
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    turn = np.eye(4) if turn is None else turn
    none = np.zeros((3, 3))
    own = [Body(WORLD, 0.0, np.zeros(3), none)]
    joints = []
    for name, mass, inertia in bodies:
        matrix = np.diag(np.broadcast_to(inertia, 3))
        own.append(Body(name, mass, np.zeros(3), matrix))
        axis = np.array([0.0, 0.0, 1.0]) if kind == "planar" else np.zeros(3)
        joints.append(TreeJoint(f"{name} joint", kind, WORLD, name, np.asarray(turn), axis))
    return compile_tree(
        Tree("scene", tuple(own), tuple(joints), WORLD), gravity=turn[:3, :3] @ np.asarray(gravity)
    )


def jack_model(params):
    """The box and the jack: q = (box x, y, theta, jack x, y, theta)."""
    bodies = [("box", params["mb"], params["Jb"]), ("jack", params["mj"], params["Jj"])]
    return free_bodies(bodies, gravity=(0.0, -params["g"], 0.0))


def jack_contacts(params, restitution=1.0):
    """The 16 contacts of four corners and four walls; names are 'wall w corner c'."""
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Contact, Plane, Point

    half, arm = 0.5 * params["Lb"], params["Lj"] / np.sqrt(2.0)
    out = []
    for wall in range(4):
        way = np.round([np.cos(0.5 * np.pi * wall), np.sin(0.5 * np.pi * wall), 0.0])
        for corner in range(4):
            angle = 0.5 * np.pi * corner
            tip = arm * np.array([np.cos(angle), np.sin(angle), 0.0])
            out.append(
                Contact(
                    name=f"wall {wall} corner {corner}",
                    a=Point(Port.at("jack", tip)),
                    b=Plane(Port.at("box", half * way), -way),
                    restitution=restitution,
                )
            )
    return tuple(out)


def moved(turn):
    """A port of the world at a pose (4, 4)."""
    from dynarig.core.dynamics.constraints import Port

    return Port(None, turn)
