"""Jacobian and gamma of every kind of row, by differences of the residuals alone.

The rates that rows tell are J v, so they say nothing about J. Here positions are moved by steps,
and rows at velocity level are worked out anew from the velocities of points and coordinates.
"""

from functools import partial

import numpy as np

from ...close import assert_close
from .row_cases import STENCIL, STEP, evaluated

# second derivative by central differences of order 4
BENDS = ((-2, -1 / 12), (-1, 16 / 12), (0, -30 / 12), (1, 16 / 12), (2, -1 / 12))
WIDE = 3e-3


def along(model, t, q, v, s):
    """(t, q) after s seconds with these velocities."""
    from dynarig.core.dynamics import integrate_q

    return t + s, integrate_q(model, q, v, s)


def residuals(rows, t, q):
    """The residuals alone, at rest."""
    from dynarig.core.dynamics import System

    return rows.at(
        System(rows.model).moment(t, q, np.zeros((*q.shape[:-1], rows.model.nv)))
    ).residual


def slips(own, model, t, q, v):
    """What a wheel at its lowest point slips over the plane, m/s, by the velocities of links."""
    from dynarig.core.dynamics import link_poses, link_velocities

    velocities, poses = link_velocities(model, q, v), link_poses(model, q)

    def port(given):
        if given.link is None:
            return given.link_from_port, lambda point: np.zeros(3)
        link = model.link_names.index(given.link)
        omega, origin = velocities[link, :3], poses[link, :3, 3]
        moving = lambda point: velocities[link, 3:] + np.cross(omega, point - origin)  # noqa: E731
        return poses[link] @ given.link_from_port, moving

    wheel, of_wheel = port(own.wheel)
    plane, of_plane = port(own.plane)
    axis, normal = wheel[:3, :3] @ own.axis, plane[:3, :3] @ own.normal
    down = -(normal - (normal @ axis) * axis)
    point = wheel[:3, 3] + own.radius * down / np.linalg.norm(down)
    heading = np.cross(axis, normal)
    heading /= np.linalg.norm(heading)
    slip = of_wheel(point) - of_plane(point)
    found = [heading @ slip, np.cross(normal, heading) @ slip]
    return np.array(found[: 1 + own.grips_sideways])


def offset_rate(own, t):
    given = np.asarray(own.offset, dtype=float)
    return given if own.offset_function_t is None else own.offset_function_t(t, given)


def velocity_residuals(rows):
    """Of the rows at velocity level a function (t, q, v), from what they are said to be."""
    from dataclasses import replace

    from dynarig.core.dynamics import q_derivative
    from dynarig.core.dynamics.constraints import ConstraintRows, RollingWheel

    (own,), model = rows.constraints, rows.model
    if isinstance(own, RollingWheel):
        return partial(slips, own, model)
    columns = [*range(*model.q_slices["j2"].indices(model.nq)), model.q_slices["j5"].start]
    # the rate of X x + Y x^2, less the velocity that is wanted
    place = replace(own, velocity_level=False, offset=(), offset_function_t=None)
    at_positions = ConstraintRows(model, [place])

    def of_function(t, q, v):
        return own.constraint_function(t, q[columns], q_derivative(model, q, v)[columns], True)

    def of_matrices(t, q, v):
        ways = ((weight, along(model, t, q, v, k * STEP)) for k, weight in STENCIL)
        slope = sum(weight * residuals(at_positions, *there) for weight, there in ways)
        return slope / STEP - offset_rate(own, t)

    return of_matrices if own.constraint_function is None else of_function


def test_jacobians_are_derivatives_of_the_residuals_by_steps_of_positions(rows, motion):
    t, q, v = motion(0.0)
    directions, size = np.eye(len(v)), len(rows)
    jacobian = evaluated(rows, t, q, v)[0].jacobian
    slopes = np.zeros((size, len(v)))
    for k, weight in STENCIL:
        _, there = along(rows.model, t, np.tile(q, (len(v), 1)), directions, k * STEP)
        slopes += weight / STEP * residuals(rows, t, there).T
    place = ~rows.velocity_level
    assert_close(jacobian[place], slopes[place], atol=1e-9)


def test_jacobians_at_velocity_level_are_those_of_residuals_of_their_own(rows, motion):
    t, q, v = motion(0.0)
    level = rows.velocity_level
    positions, rates = evaluated(rows, t, q, v)
    if not level.any():
        return
    alone = velocity_residuals(rows)
    assert_close(rates.rate[level], alone(t, q, v), atol=1e-9)
    slopes = [
        sum(weight * alone(t, q, v + k * STEP * one) for k, weight in STENCIL)
        for one in np.eye(len(v))
    ]
    assert_close(positions.jacobian[level], np.array(slopes).T / STEP, atol=1e-8)


def test_gamma_is_what_the_residuals_alone_leave_of_their_second_derivative(rows, motion):
    positions, rates = evaluated(rows, *motion(0.0))
    left = positions.jacobian @ motion.a - rates.gamma
    bend = sum(weight * residuals(rows, *motion(k * WIDE)[:2]) for k, weight in BENDS) / WIDE**2
    place, level = ~rows.velocity_level, rows.velocity_level
    assert_close(left[place], bend[place], atol=1e-8)
    if level.any():
        alone = velocity_residuals(rows)
        slope = sum(weight * alone(*motion(k * STEP)) for k, weight in STENCIL)
        assert_close(left[level], slope / STEP, atol=1e-8)
