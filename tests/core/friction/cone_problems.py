"""Problems of contacts with friction: at random, and of bodies that lie, stand and fall."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

STEP, GRAVITY = 0.002, 9.81
NONE = np.zeros(0)


class Problem(NamedTuple):
    """What `solve_cones` takes: w (m, m), b (m,), friction (k,), lower and upper (r,)."""

    w: np.ndarray
    b: np.ndarray
    friction: np.ndarray
    lower: np.ndarray = NONE
    upper: np.ndarray = NONE


def generic(rng, contacts, scalars=0, rank=None, friction=None):
    """A problem that has a solution: b is the velocity that some motion gives the rows."""
    m = 3 * contacts + scalars
    rank = m if rank is None else rank
    jacobian = rng.normal(size=(m, rank)) / np.sqrt(rank)
    mu = rng.uniform(0.0, 1.2, contacts) if friction is None else np.full(contacts, friction)
    lower, upper = -rng.uniform(0.0, 1.0, scalars), rng.uniform(0.0, 1.0, scalars)
    lower[::3], upper[::3] = 0.0, np.inf
    lower[1::3], upper[1::3] = -np.inf, np.inf
    return Problem(jacobian @ jacobian.T, jacobian @ rng.normal(size=rank), mu, lower, upper)


def frame(normal):
    """Rows (3, 3): the normal and two tangents."""
    normal = normal / np.linalg.norm(normal)
    tangent = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    tangent /= np.linalg.norm(tangent)
    return np.array([normal, tangent, np.cross(normal, tangent)])


def rows(centres, first, second, point, normal=(0.0, 0.0, 1.0)):
    """J (3, 6 n) of a contact: first body against second, the world if -1; normal to the first."""
    axes = frame(np.asarray(normal, dtype=np.float64))
    out = np.zeros((3, 6 * len(centres)))
    for sign, body in ((1.0, first), (-1.0, second)):
        if body >= 0:
            arm = np.asarray(point) - centres[body]
            out[:, 6 * body : 6 * body + 3] = sign * axes
            out[:, 6 * body + 3 : 6 * body + 6] = sign * np.cross(arm, axes)
    return out


def box_inertia(mass, size):
    """Diagonal (6,) of a box's mass matrix."""
    squares = np.square(size)
    return np.concatenate([np.full(3, mass), mass / 12.0 * (squares.sum() - squares)])


def falling(mass, jacobian, velocity, friction, mobility=None):
    """Contacts of bodies that fall for one step; mass: diagonal (nv,)."""
    moves = np.diag(1.0 / mass) if mobility is None else mobility
    weight = np.zeros(len(mass))
    weight[2::6] = -GRAVITY * mass[2::6]
    b = jacobian @ (velocity + STEP * moves @ weight)
    return Problem(jacobian @ moves @ jacobian.T, b, np.full(len(b) // 3, friction))


def box(slope=0.0, friction=0.5, mass=2.0, size=(0.4, 0.3, 0.2)):
    """A box on its four lower corners on a slope down along x; normal z."""
    half = 0.5 * np.asarray(size)
    corners = [half * [x, y, -1.0] for x in (-1.0, 1.0) for y in (-1.0, 1.0)]
    jacobian = np.vstack([rows(np.zeros((1, 3)), 0, -1, corner) for corner in corners])
    moves = np.diag(1.0 / box_inertia(mass, size))
    velocity = STEP * GRAVITY * np.array([np.sin(slope), 0.0, -np.cos(slope), 0.0, 0.0, 0.0])
    return Problem(jacobian @ moves @ jacobian.T, jacobian @ velocity, np.full(4, friction))


def stack(rng, count, heaviest=1.0, kick=0.0, friction=0.5):
    """Cubes on each other, each a little beside the one below, masses from 1 to `heaviest` kg."""
    centres = np.column_stack([0.01 * rng.normal(size=(count, 2)), 0.1 + 0.2 * np.arange(count)])
    mass = np.concatenate([box_inertia(m, [0.2] * 3) for m in np.geomspace(1.0, heaviest, count)])
    parts = []
    for i in range(count):
        below = centres[max(i - 1, 0), :2]
        low = np.maximum(centres[i, :2], below) - 0.1
        high = np.minimum(centres[i, :2], below) + 0.1
        corners = [(x, y) for x in (low[0], high[0]) for y in (low[1], high[1])]
        parts += [rows(centres, i, i - 1, [*corner, 0.2 * i]) for corner in corners]
    return falling(mass, np.vstack(parts), kick * rng.normal(size=6 * count), friction)


def chain(rng, links=30, contacts=40, friction=0.5, kick=0.1):
    """A chain of rods joined by ball joints that lies on the floor and is moved about."""
    length = 0.1
    angles = np.cumsum(0.2 * rng.normal(size=links))
    steps = length * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(links)])
    ends = np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])
    centres = 0.5 * (ends[1:] + ends[:-1])
    mass = np.tile(box_inertia(0.1, [0.1, 0.03, 0.03]), links)
    joints = np.vstack([rows(centres, i, i - 1, ends[i]) for i in range(1, links)])
    moves = np.diag(1.0 / mass)
    held = moves @ joints.T
    moves = moves - held @ np.linalg.solve(joints @ held, held.T)
    parts = []
    for i in range(contacts):
        link = i * links // contacts
        parts.append(rows(centres, link, -1, ends[link + i % 2] - [0.0, 0.0, 0.015]))
    velocity = moves @ (mass * kick * rng.normal(size=len(mass)))
    return falling(mass, np.vstack(parts), velocity, friction, 0.5 * (moves + moves.T))
