"""What a roboticist asks of a tree: velocities, Jacobians, momentum, torques, steps of q."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from ..errors import ModelError
from ..frames import transform, transform_from_twist, twist_from_transform
from .door import as_state, check_lead, lead_of, misfit
from .evaluation import bias_at, evaluate, forces_at, frame_poses
from .model import Model
from .orientation_states import free_rotations, turn_orientations
from .spatial import CROSS


def link_velocities(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """The velocity of every link: of its frame's origin, in world axes.

        omega = sum_k path_ik omega_k v_k,  velocity = velocity at the world origin + omega x p

    Args:
        q: (…, nq); v: (…, nv).

    Returns:
        (…, n_links, 6): angular (rad/s), then linear (m/s), in the order of `model.link_names`.
    """
    state, rate = as_state(model, q), as_floats(v, (model.nv,), "v")
    check_lead(q=state, v=rate)
    rates = _dof_rates(model, rate)
    at = evaluate(model, state)
    of_frames = model.path @ (at.twists * rates[..., None])
    twists = of_frames[..., model.link_frame, :]
    origins = (at.poses[..., model.link_frame, :, :] @ model.frame_from_link)[..., :3, 3]
    return _at_points(twists, origins)


def jacobian(model: Model, q: ArrayLike, link: str) -> FloatArray:
    """J with J v the velocity of a link's origin in world axes.

    Args:
        q: (…, nq).
        link: a name of `model.link_names`.

    Returns:
        (…, 6, nv): angular rows first.

    Raises:
        ModelError: for an unknown link, listing those that exist.
    """
    if link not in model.link_names:
        names = ", ".join(model.link_names)
        raise ModelError(f"{model.name}: no link '{link}'; there are: {names}")
    index = model.link_names.index(link)
    at = evaluate(model, as_state(model, q))
    frame = model.link_frame[index]
    origin = (at.poses[..., frame, :, :] @ model.frame_from_link[index])[..., None, :3, 3]
    # the unit twists of the joints on the path, taken at the link's origin
    columns = _at_points(at.twists * model.path[frame][:, None], origin)
    full = columns.swapaxes(-1, -2)
    return full if model.dof_from_v is None else full @ model.dof_from_v


def gravity_forces(model: Model, q: ArrayLike) -> FloatArray:
    """g(q) (…, nv): the joint forces that hold the tree at rest, N m and N."""
    state = as_state(model, q)
    return bias_at(model, state, np.zeros(model.nv))


def inverse_dynamics(model: Model, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> FloatArray:
    """tau = M(q) a + b(q, v): the joint forces of a motion.

    Args:
        q: (…, nq); v: (…, nv); a: (…, nv), as `forward_dynamics` gives it.

    Returns:
        (…, nv), N m and N.
    """
    state, rate = as_state(model, q), as_floats(v, (model.nv,), "v")
    return forces_at(model, state, rate, as_floats(a, (model.nv,), "a"))


def center_of_mass(model: Model, q: ArrayLike) -> FloatArray:
    """c (…, 3), m, of all that joints move; links welded to the world are left out.

    Raises:
        ModelError: where nothing that moves has mass.
    """
    mass, moment = _moments(model, frame_poses(model, as_state(model, q)))
    return moment / mass


def momentum(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """Angular momentum about the centre of mass (N m s), then linear (N s), in world axes.

        [L; P] = sum_i I_i V_i at the world origin,  L_c = L - c x P

    Args:
        q: (…, nq); v: (…, nv).

    Returns:
        (…, 6).
    """
    state, rate = as_state(model, q), as_floats(v, (model.nv,), "v")
    check_lead(q=state, v=rate)
    rates = _dof_rates(model, rate)
    at = evaluate(model, state)
    velocities = model.path @ (at.twists * rates[..., None])
    total: FloatArray = (at.inertias @ velocities[..., None])[..., 0].sum(axis=-2)
    mass, moment = _moments(model, at.poses)
    out = total.copy()
    out[..., :3] -= _cross(moment / mass, total[..., 3:])
    return out


def integrate_q(model: Model, q: ArrayLike, v: ArrayLike, dt: ArrayLike) -> FloatArray:
    """The coordinates after moving with constant v for dt seconds.

    Scalar joints add v dt; spherical and floating joints follow the screw of their twist
    exactly. A quaternion keeps its length, Euler angles the branch nearest to where they were.

    Args:
        q: (…, nq); v: (…, nv); dt: (…), s.

    Returns:
        (…, nq); the leading axes of all three are broadcast.

    Raises:
        ModelError: for wrong shapes, and leading axes that do not fit.
    """
    state, rate = as_floats(q, (model.nq,), "q"), as_floats(v, (model.nv,), "v")
    duration = as_floats(dt, (), "dt")
    try:
        lead = np.broadcast_shapes(state.shape[:-1], rate.shape[:-1], duration.shape)
    except ValueError:
        raise misfit({"q": state.shape, "v": rate.shape, "dt": duration.shape}) from None
    step = rate * duration[..., None]
    state = np.broadcast_to(state, (*lead, model.nq))
    step = np.broadcast_to(step, (*lead, model.nv))
    out = state.copy()
    out[..., model.plain_q] += step[..., model.plain_v]
    if len(model.free_frames):
        turn = step[..., model.free_angular_v]
        if len(model.floating_rows):
            # the screw of the whole twist, in the child frame as it was
            twist = np.concatenate(
                (turn[..., model.floating_rows, :], step[..., model.floating_v]), axis=-1
            )
            shift = transform_from_twist(twist)[..., :3, 3, None]
            rotation = free_rotations(model, state)[..., model.floating_rows, :, :]
            out[..., model.floating_q] += (rotation @ shift)[..., 0]
        turn_orientations(model, state, turn, out)
    return out


def difference_q(model: Model, start: ArrayLike, end: ArrayLike) -> FloatArray:
    """v (…, nv) with integrate_q(model, start, v, 1) the same pose as end."""
    first, last = as_floats(start, (model.nq,), "start"), as_floats(end, (model.nq,), "end")
    out = np.empty((*lead_of(start=first, end=last), model.nv))
    out[..., model.plain_v] = (last - first)[..., model.plain_q]
    if len(model.free_frames):
        back = free_rotations(model, first).swapaxes(-1, -2)
        turn = back @ free_rotations(model, last)
        shift = np.zeros(turn.shape[:-1])
        rows = model.floating_rows
        moved = (last - first)[..., model.floating_q, None]
        shift[..., rows, :] = (back[..., rows, :, :] @ moved)[..., 0]
        twist = twist_from_transform(transform(turn, shift))
        out[..., model.free_angular_v] = twist[..., :3]
        out[..., model.floating_v] = twist[..., rows, 3:]
    return out


def _dof_rates(model: Model, v: FloatArray) -> FloatArray:
    return v if model.dof_from_v is None else v @ model.dof_from_v.T


def _at_points(twists: FloatArray, points: FloatArray) -> FloatArray:
    """Twists (…, n, 6) at the world origin, moved to points (…, n or 1, 3)."""
    out = twists.copy()
    out[..., 3:] += _cross(twists[..., :3], points)
    return out


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    matrix = (a @ CROSS).reshape(*a.shape, 3)
    out: FloatArray = (matrix @ b[..., None])[..., 0]
    return out


def _moments(model: Model, poses: FloatArray) -> tuple[float, FloatArray]:
    """Mass (kg) and first moment of mass (…, 3) (kg m) of all moving frames."""
    mass = float(model.frame_pseudo_inertia[1:, 3, 3].sum())
    if mass <= 0.0:
        raise ModelError(f"{model.name}: nothing that moves has mass, so it has no centre of mass")
    moving = poses[..., 1:, :3, :] @ model.frame_pseudo_inertia[1:, :, 3:]
    moment: FloatArray = moving[..., 0].sum(axis=-2)
    return mass, moment
