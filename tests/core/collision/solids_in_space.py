"""Solids and poses that the tests of collisions share."""

import numpy as np


def pose(at=(0.0, 0.0, 0.0), turn=None):
    """A pose (4, 4) from a place and a rotation."""
    out = np.eye(4)
    out[:3, :3] = np.eye(3) if turn is None else turn
    out[:3, 3] = at
    return out


def random_turn(rng):
    """A rotation (3, 3)."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.linalg.det(q)


def random_pose(rng):
    """A pose (4, 4) within a metre or so."""
    return pose(rng.normal(size=3), random_turn(rng))


def random_solid(rng):
    """A box, a prism or a hull, about half a metre large."""
    from dynarig.core.dynamics.collision.hull import hull
    from dynarig.core.dynamics.collision.polytope import box, prism

    kind = rng.integers(3)
    if kind == 0:
        return box(rng.uniform(0.2, 0.5, 3))
    if kind == 1:
        return prism(rng.uniform(0.2, 0.4), rng.uniform(0.3, 1.0), 8)
    return hull(0.3 * rng.normal(size=(rng.integers(6, 20), 3)))


def placed(solid, at):
    """Vertices (n, 3) in the world."""
    return solid.vertices @ at[:3, :3].T + at[:3, 3]


def depth_in(solid, at, point):
    """The largest height of a point of the world above a face, m: negative inside."""
    local = at[:3, :3].T @ (point - at[:3, 3])
    return float((solid.normals @ local - solid.offsets).max())


def floor(count, height=None, half=2.0):
    """Vertices and triangles of a square floor of count^2 cells, or a terrain z = height(x, y)."""
    line = np.linspace(-half, half, count + 1)
    x, y = np.meshgrid(line, line, indexing="ij")
    z = np.zeros_like(x) if height is None else height(x, y)
    index = np.arange(x.size).reshape(x.shape)
    a, b = index[:-1, :-1].ravel(), index[1:, :-1].ravel()
    c, d = index[1:, 1:].ravel(), index[:-1, 1:].ravel()
    triangles = np.concatenate((np.stack((a, b, c), axis=1), np.stack((a, c, d), axis=1)))
    return np.stack((x, y, z), axis=-1).reshape(-1, 3), triangles
