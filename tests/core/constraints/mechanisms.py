"""Mechanisms with loops that the tests of constraints share."""

import numpy as np

GRAVITY = (0.0, -9.81, 0.0)
WORLD = "base"
# a crank that turns fully: ground 3, crank 1, coupler 3, rocker 2.5
GROUND, CRANK, COUPLER, ROCKER = 3.0, 1.0, 3.0, 2.5


def tree(name, bodies, joints):
    from dynarig.core.mechanism import Body, Tree

    base = Body(WORLD, 0.0, np.zeros(3), np.zeros((3, 3)))
    return Tree(name, (base, *bodies), tuple(joints), WORLD)


def turned(rotation, translation=(0.0, 0.0, 0.0)):
    from dynarig.core.frames import transform

    return transform(rotation, translation)


def chain(lengths, axis=(0.0, 0.0, 1.0), turn=None, gravity=GRAVITY, mass=1.0):
    """Rods along x, one after the other, on hinges about z, the whole turned about the origin."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.mechanism import Body, TreeJoint

    turn = np.eye(3) if turn is None else turn
    bodies, joints = [], []
    for index, length in enumerate(lengths):
        center, inertia = np.array([0.5 * length, 0, 0]), mass * length**2 / 12.0
        bodies.append(
            Body(f"rod{index}", mass, center, np.diag([0.01 * inertia, inertia, inertia]))
        )
        place = turned(turn) if index == 0 else turned(np.eye(3), [lengths[index - 1], 0, 0])
        parent = bodies[index - 1].name if index else WORLD
        joints.append(
            TreeJoint(f"hinge{index}", "continuous", parent, f"rod{index}", place, np.asarray(axis))
        )
    return compile_tree(tree("chain", bodies, joints), gravity=turn @ np.asarray(gravity))


def four_bar(kind="PlanarHinge", turn=None):
    """(System, q): a crank-rocker with its crank at 1 rad, closed by a constraint of that kind."""
    from dynarig.core.dynamics import System, constraints

    turn = np.eye(3) if turn is None else turn
    model = chain([CRANK, COUPLER, ROCKER], turn=turn)
    ground = constraints.Port(None, turned(turn, turn @ [GROUND, 0, 0]))
    end = constraints.Port.at("rod2", [ROCKER, 0, 0])
    loop = getattr(constraints, kind)(name="loop", a=ground, b=end)
    return System(model, constraints=(loop,)), four_bar_angles(1.0)


def four_bar_angles(crank):
    """The joint angles of the chain at a crank angle: the open branch, by the law of cosines."""
    tip = CRANK * np.array([np.cos(crank), np.sin(crank)])
    away = np.array([GROUND, 0.0]) - tip
    distance = np.linalg.norm(away)
    bend = np.arccos((COUPLER**2 + distance**2 - ROCKER**2) / (2 * COUPLER * distance))
    coupler = np.arctan2(away[1], away[0]) + bend
    knee = tip + COUPLER * np.array([np.cos(coupler), np.sin(coupler)])
    rocker = np.arctan2(-knee[1], GROUND - knee[0])
    return np.array([crank, coupler - crank, rocker - coupler])


def slides(masses, axes=("x", "y"), gravity=GRAVITY):
    """Point masses on slides along world axes: coordinates x0, y0, x1, … in this order."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.mechanism import Body, TreeJoint

    bodies, joints = [], []
    for index, mass in enumerate(masses):
        parent = WORLD
        for axis in axes:
            name = f"{axis}{index}"
            own = mass if axis == axes[-1] else 0.0
            bodies.append(Body(f"on {name}", own, np.zeros(3), np.zeros((3, 3))))
            unit = np.eye(3)["xyz".index(axis)]
            joints.append(TreeJoint(name, "prismatic", parent, f"on {name}", np.eye(4), unit))
            parent = f"on {name}"
    return compile_tree(tree("masses", bodies, joints), gravity=gravity)


def stewart_platform():
    """(System, q, platform points, base points): six legs of universal joint and slide.

    The platform floats, and six balls tie it to the legs; it rests at (0, 0, 1).
    """
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics.constraints import Ball, Port
    from dynarig.core.mechanism import Body, TreeJoint

    angles = np.deg2rad([10, 110, 130, 230, 250, 350])
    other = np.deg2rad([50, 70, 170, 190, 290, 310])
    on_base = np.stack((np.cos(angles), np.sin(angles), 0 * angles), axis=1)
    on_plate = 0.6 * np.stack((np.cos(other), np.sin(other), 0 * other), axis=1)
    bodies = [Body("plate", 5.0, np.zeros(3), np.diag([0.5, 0.5, 0.9]))]
    joints = [TreeJoint("free", "floating", WORLD, "plate", np.eye(4), np.zeros(3))]
    balls = []
    for leg in range(6):
        rod = np.diag([0.02, 0.02, 0.001])
        bodies += [
            Body(f"lower{leg}", 0.5, np.array([0, 0, 0.2]), rod),
            Body(f"upper{leg}", 0.4, np.array([0, 0, -0.2]), rod),
        ]
        joints += [
            TreeJoint(
                f"foot{leg}",
                "universal",
                WORLD,
                f"lower{leg}",
                turned(np.eye(3), on_base[leg]),
                np.array([1.0, 0, 0]),
                second_axis=np.array([0, 1.0, 0]),
            ),
            TreeJoint(
                f"slide{leg}",
                "prismatic",
                f"lower{leg}",
                f"upper{leg}",
                np.eye(4),
                np.array([0, 0, 1.0]),
            ),
        ]
        balls.append(
            Ball(name=f"ball{leg}", a=Port(f"upper{leg}"), b=Port.at("plate", on_plate[leg]))
        )
    model = compile_tree(tree("stewart", bodies, joints), gravity=(0, 0, -9.81))
    q = model.neutral()
    q[model.q_index("free")] = [0, 0, 1, 1, 0, 0, 0]
    for leg in range(6):
        q[model.q_index(f"slide{leg}")] = 1.0
    return System(model, constraints=tuple(balls)), q, on_plate, on_base
