"""The jack in the box: a box that is shaken, and a jack, a cross, that falls about in it.

Both move in a plane by x, y and an angle each. The box is a square with walls at ± Lb/2; the tips
of the jack's four arms are its corners, Lj/√2 from its middle. The box is driven by

    Fx = -kx (x - Ax sin 2 pi t),   Fy = mb g - ky y,   torque = -kth theta
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...dynamics.contact import ImpactRule
from ...errors import ArgumentError
from .. import planar
from ..arguments import ROUNDING, array, number, positive
from ..component import Component
from ..contacts import Point, Wall
from ..mechanism import Mechanism
from ..shapes import Color

OWNER = "jack_in_a_box"
WALL_COLOR: Color = (0.85, 0.45, 0.13)
WAYS = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])  # +x, +y, -x, -y
HUB = 0.016  # radius of what is drawn in the middle of the box, of Lb


def jack_in_a_box(
    *,
    mb: float = 20.0,
    mj: float = 1.0,
    Lb: float = 2.0,  # noqa: N803
    Lj: float = 0.5,  # noqa: N803
    Jb: float | None = None,  # noqa: N803
    Jj: float | None = None,  # noqa: N803
    g: float = 9.81,
    kx: float = 400.0,
    Ax: float = 0.5,  # noqa: N803
    ky: float = 2000.0,
    kth: float = 100.0,
    restitution: float = 1.0,
    friction: float = 0.0,
    q0: ArrayLike = (0.0, 0.0, 0.0, 0.1, 0.2, 0.3),
    v0: ArrayLike = (0.0, 0.0, 0.0, 0.4, 0.0, 1.5),
    impacts: ImpactRule = "joint",
) -> Mechanism:
    """The mechanism, with 16 contacts: 'wall 0 corner 0' to 'wall 3 corner 3'.

    Args:
        mb, mj: masses of box and jack, kg.
        Lb, Lj: edges of the box, and of the square whose corners are the jack's, m.
        Jb, Jj: inertias about their middles, kg m^2; those of square plates, m L^2 / 6, if none.
        g: gravity, m/s^2, along -y.
        kx, ky: of the springs that drive the box, N/m; kth: N m/rad. Ax: how far the end of the
            first moves to and fro, once a second, m.
        restitution: speed of parting over speed of meeting, 0 to 1.
        friction: Coulomb's coefficient; above 0 `simulate` wants method="time-stepping".
        q0: x, y (m) and angle (rad) of the box, then of the jack; v0: their rates.
        impacts: the rule for several impacts at one instant: 'joint' or 'sequential'.

    Raises:
        ArgumentError: for what does not fit, naming it.
    """
    side, span = positive(OWNER, "Lb", Lb), positive(OWNER, "Lj", Lj)
    stiffness = np.array([number(OWNER, "kx", kx, 0.0), number(OWNER, "ky", ky, 0.0)])
    masses = positive(OWNER, "mb", mb), positive(OWNER, "mj", mj)
    weight = masses[0] * number(OWNER, "g", g, 0.0)
    far, turns = number(OWNER, "Ax", Ax), number(OWNER, "kth", kth, 0.0)
    place, rate = array(OWNER, "q0", q0, (6,)), array(OWNER, "v0", v0, (6,))
    _refuse_outside(place, side, span)

    def pull(t: float, r: FloatArray, v: FloatArray) -> FloatArray:
        """What drives the box at r (2,), N."""
        aim = np.array([far * np.sin(2.0 * np.pi * t), 0.0])
        force: FloatArray = np.array([0.0, weight]) - stiffness * (r - aim)
        return force

    world = planar.World("world", g=g)
    box, jack = (
        _plate(name, mass, edge, inertia, q, v, HUB * side)
        for name, mass, edge, inertia, q, v in zip(
            ("box", "jack"),
            masses,
            (side, span),
            (Jb, Jj),
            place.reshape(2, 3),
            rate.reshape(2, 3),
            strict=True,
        )
    )
    shake = planar.WorldForce("shake", force=pull)
    turn = planar.TorsionSpring("turn", c=turns)
    arms = [planar.FixedTranslation(f"arm {k}", r=span / 2**0.5 * WAYS[k]) for k in range(4)]
    toy = Mechanism("jack in a box", [world, box, jack, shake, turn, *arms], impacts=impacts)
    toy.connect(world.frame_b, turn.frame_a)
    toy.connect(box.frame_a, turn.frame_b, shake.frame_b)
    toy.connect(jack.frame_a, *(arm.frame_a for arm in arms))
    for wall in range(4):
        _add_wall(toy, wall, side, (restitution, friction), box, arms)
    return toy


def _refuse_outside(place: FloatArray, side: float, span: float) -> None:
    """Raise for a jack with a tip beyond a wall of the box, at q0 (6,)."""
    (box, turn), (jack, lean) = ((own[:2], own[2]) for own in place.reshape(2, 3))
    tips = jack - box + span / 2**0.5 * _ways(lean)
    deepest = float((tips @ _ways(turn).T).max() - 0.5 * side)
    if deepest > ROUNDING * side:
        raise ArgumentError(
            f"{OWNER}: q0: wanted the tips of the jack, {span / 2**0.5:.4g} m from its middle, all "
            f"inside the box, whose walls are {0.5 * side:.4g} m from its own; one is "
            f"{deepest:.3g} m beyond a wall"
        )


def _ways(angle: float) -> FloatArray:
    """WAYS (4, 2), turned by an angle, rad."""
    c, s = np.cos(angle), np.sin(angle)
    turned: FloatArray = WAYS @ np.array([(c, s), (-s, c)])
    return turned


def _plate(
    name: str,
    mass: float,
    edge: float,
    inertia: float | None,
    q: FloatArray,
    v: FloatArray,
    radius: float,
) -> planar.Body:
    """A body that moves freely, with the inertia of a square plate if none is given."""
    own = mass * edge**2 / 6.0 if inertia is None else inertia
    return planar.Body(name, m=mass, I=own, r0=q[:2], phi0=q[2], v0=v[:2], w0=v[2], radius=radius)


def _add_wall(
    toy: Mechanism,
    wall: int,
    side: float,
    surface: tuple[float, float],
    box: Component,
    arms: list[planar.FixedTranslation],
) -> None:
    """A wall of the box, and its contacts with the tips of all arms.

    surface: restitution and friction.
    """
    way, (restitution, friction) = WAYS[wall], surface
    for corner, arm in enumerate(arms):
        hit = planar.Contact(
            f"wall {wall} corner {corner}",
            # without end, which is the same from inside and good for time stepping too
            a=Wall(at=0.5 * side * way, normal=-way, shown=side),
            b=Point(),
            restitution=restitution,
            friction=friction,
            show=corner == 0,  # one wall is drawn once
            color=WALL_COLOR,
        )
        toy.add(hit)
        toy.connect(box.frame_a, hit.frame_a)
        toy.connect(arm.frame_b, hit.frame_b)
