"""The bone frame agrees with what Blender makes of an axis and a roll."""

import json

import numpy as np
from dynarig.core.frames import matrix_from_axis_roll

FLOAT32 = 2e-6  # Blender's own rounding, away from -Y
NEAR_MINUS_Y = 5e-5  # and within 35 degrees of it


def test_bone_matrices_equal_blenders(data):
    cases = json.loads((data / "bones" / "axis_roll.json").read_text())["cases"]
    assert len(cases) == 27
    for case in cases:
        axis = np.array(case["axis"], dtype=float)
        axis /= np.linalg.norm(axis)
        bound = NEAR_MINUS_Y if axis[1] < -np.cos(np.radians(35.0)) else FLOAT32
        np.testing.assert_allclose(
            matrix_from_axis_roll(axis, case["roll"]), case["matrix"], atol=bound
        )


def test_the_y_column_is_the_axis_and_the_frame_is_right_handed(rng):
    axes = rng.normal(size=(2000, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    axes = axes[axes[:, 1] > -0.99]  # nearer to -Y Blender's own matrix is not orthonormal
    frames = matrix_from_axis_roll(axes, rng.uniform(-3, 3, len(axes)))
    np.testing.assert_allclose(frames[..., :, 1], axes, atol=1e-14)
    np.testing.assert_allclose(np.linalg.det(frames), 1.0, atol=1e-12)
    np.testing.assert_allclose(frames @ frames.swapaxes(-1, -2), np.eye(3) + 0 * frames, atol=1e-12)


def test_axes_very_near_minus_y_are_snapped():
    np.testing.assert_array_equal(
        matrix_from_axis_roll((1e-4, -np.sqrt(1.0 - 1e-8), 0.0)), np.diag([-1.0, -1.0, 1.0])
    )
