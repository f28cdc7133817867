"""Rotation vectors and axis-angle: exponential and logarithm, also near 0 and near pi."""

import numpy as np
import pytest
from dynarig.core.frames import (
    axis_angle_from_quaternion,
    axis_angle_from_rotation,
    cross_matrix,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
    rotation_angle,
    rotation_axis,
    rotation_from_axis_angle,
    rotation_from_quaternion,
    rotation_from_rotation_vector,
    rotation_vector_from_quaternion,
    rotation_vector_from_rotation,
)

from ...close import assert_close
from .samples import assert_rotations, exponential, half_turns, random_rotations, unit

# rad: through the range, near 0, and near pi
ANGLES = (
    *(1e-300, 1e-160, 1e-100, 1e-20, 1e-16, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4, 1e-2),
    *(0.5, 1.0, 2.0, 3.0, 3.14),
    *(np.pi - d for d in (1e-3, 1e-5, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12)),
)


@pytest.mark.parametrize("angle", [0.0, *ANGLES, np.pi, 4.0, 6.0])
def test_the_exponential_is_the_series(rng, angle):
    vectors = angle * unit(rng.normal(size=(50, 3)))
    expected = exponential(cross_matrix(vectors))
    assert_close(rotation_from_rotation_vector(vectors), expected, atol=5e-14)
    assert_rotations(rotation_from_rotation_vector(vectors))


@pytest.mark.parametrize("angle", ANGLES)
def test_the_logarithm_undoes_the_exponential(rng, angle):
    vectors = angle * unit(rng.normal(size=(200, 3)))
    # relative, so that small angles keep all their digits
    bound = 1e-12 * angle
    for back in (
        rotation_vector_from_rotation(rotation_from_rotation_vector(vectors)),
        rotation_vector_from_quaternion(quaternion_from_rotation_vector(vectors)),
        rotation_vector_from_quaternion(-7.0 * quaternion_from_rotation_vector(vectors)),
    ):
        assert_close(back, vectors, atol=bound)


# a quaternion of a smaller angle is that of the identity
@pytest.mark.parametrize("angle", [angle for angle in ANGLES if angle > 1e-140])
def test_axis_and_angle_come_back(rng, angle):
    axes = unit(rng.normal(size=(200, 3)))
    for axis, back in (
        axis_angle_from_rotation(rotation_from_axis_angle(3.0 * axes, angle)),
        axis_angle_from_quaternion(quaternion_from_axis_angle(0.1 * axes, angle)),
    ):
        assert_close(axis, axes, atol=1e-12)
        np.testing.assert_allclose(back, angle, rtol=1e-12)


def test_half_turns_give_one_of_the_two_axes(rng):
    rotations = half_turns(rng, 500)
    vectors = rotation_vector_from_rotation(rotations)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=-1), np.pi, rtol=1e-15)
    assert_close(rotation_from_rotation_vector(vectors), rotations, atol=5e-15)
    np.testing.assert_allclose(rotation_angle(rotations), np.pi, rtol=1e-15)
    axes = rotation_axis(rotations)
    assert_close((rotations @ axes[..., None])[..., 0], axes, atol=4e-15)


def test_every_logarithm_gives_its_rotation_back(rng):
    rotations = random_rotations(rng, 3000)
    vectors = rotation_vector_from_rotation(rotations)
    assert np.linalg.norm(vectors, axis=-1).max() <= np.pi
    assert_close(rotation_from_rotation_vector(vectors), rotations, atol=4e-15)
    axis, angle = axis_angle_from_rotation(rotations)
    assert_close(axis * angle[:, None], vectors, atol=4e-15)
    np.testing.assert_array_equal(rotation_axis(rotations), axis)
    np.testing.assert_array_equal(rotation_angle(rotations), angle)
    assert_close(np.trace(rotations, axis1=1, axis2=2), 1.0 + 2.0 * np.cos(angle), atol=4e-15)


def test_the_identity_turns_by_nothing_about_x():
    for batch in (np.eye(3), np.broadcast_to(np.eye(3), (4, 3, 3))):
        np.testing.assert_array_equal(
            rotation_axis(batch), np.broadcast_to([1.0, 0.0, 0.0], (*batch.shape[:-2], 3))
        )
        np.testing.assert_array_equal(rotation_angle(batch), np.zeros(batch.shape[:-2]))
        np.testing.assert_array_equal(
            rotation_vector_from_rotation(batch), np.zeros((*batch.shape[:-2], 3))
        )
    axis, angle = axis_angle_from_quaternion((-2.0, 0.0, 0.0, 0.0))
    np.testing.assert_array_equal(axis, (1.0, 0.0, 0.0))
    assert angle == 0.0
    np.testing.assert_array_equal(rotation_from_rotation_vector(np.zeros(3)), np.eye(3))
    np.testing.assert_array_equal(quaternion_from_rotation_vector(np.zeros(3)), (1, 0, 0, 0))


def test_turns_about_one_axis_add_up(rng):
    axes = unit(rng.normal(size=(100, 3)))
    a, b = rng.uniform(-3, 3, (2, 100))
    assert_close(
        rotation_from_axis_angle(axes, a) @ rotation_from_axis_angle(axes, b),
        rotation_from_axis_angle(axes, a + b),
        atol=4e-15,
    )
    assert_close((rotation_from_axis_angle(axes, a) @ axes[..., None])[..., 0], axes, atol=2e-15)


def test_the_quaternion_of_a_growing_angle_has_no_jumps():
    angles = np.linspace(-20.0, 20.0, 2001)
    q = quaternion_from_axis_angle((0.0, 0.0, 2.0), angles)
    assert_close(q[:, 0], np.cos(angles / 2), atol=2e-15)
    assert_close(q[:, 3], np.sin(angles / 2), atol=2e-15)
    assert_close(
        rotation_from_quaternion(q), rotation_from_axis_angle((0, 0, 1), angles), atol=2e-15
    )
