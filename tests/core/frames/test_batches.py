"""Large batches, which blocks and threads share, give what single items give."""

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError
from dynarig.core.frames import convert_rotation
from dynarig.core.frames.batches import BLOCK, SHARED


@pytest.mark.parametrize("count", [BLOCK, BLOCK + 1, SHARED - 1, SHARED, SHARED + 1, 2 * SHARED])
@pytest.mark.parametrize("target", ["matrix", "rpy", "rotation_vector"])
def test_a_batch_is_its_items(rng, count, target):
    quaternions = rng.normal(size=(count, 4))
    together = convert_rotation(quaternions, "quaternion", target)
    for part in (slice(0, 50), slice(count // 2 - 25, count // 2 + 25), slice(count - 50, count)):
        alone = np.array([convert_rotation(q, "quaternion", target) for q in quaternions[part]])
        np.testing.assert_allclose(together[part], alone, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("place", [0, SHARED // 2, SHARED + 4])
@pytest.mark.parametrize("value", [np.nan, 0.0])
def test_one_bad_item_is_found_in_either_half(rng, place, value):
    quaternions = rng.normal(size=(SHARED + 5, 4))
    quaternions[place] = value
    with pytest.raises(ArgumentError):
        convert_rotation(quaternions, "quaternion", "matrix")


def test_a_batch_of_any_length_of_quaternion_is_rescued_in_both_halves(rng):
    quaternions = rng.normal(size=(SHARED + 5, 4))
    small = quaternions.copy()
    small[[1, -1]] *= 1e-250
    np.testing.assert_allclose(
        convert_rotation(small, "quaternion", "matrix"),
        convert_rotation(quaternions, "quaternion", "matrix"),
        rtol=0.0,
        atol=1e-14,
    )
