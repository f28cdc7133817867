"""Arguments of the coordinate-vector constraint that are yes or no, and its colour."""

import pytest


def vector(**options):
    from dynarig.core.dynamics.constraints import CoordinateVector

    given = {"marker0": "ground", "marker1": "m", "X1": [[1.0]]} | options
    return CoordinateVector(name="c", **given)


@pytest.mark.parametrize("name", ["velocity_level", "show", "active"])
@pytest.mark.parametrize("value", ["yes", 1, None, 0.0])
def test_what_is_neither_true_nor_false_is_refused(name, value):
    from dynarig.core.errors import ArgumentError

    with pytest.raises(ArgumentError) as refusal:
        vector(**{name: value})
    told = f"CoordinateVector 'c': {name}: wanted True or False, got {value!r}"
    assert str(refusal.value) == told


@pytest.mark.parametrize(
    "color",
    ["x", (1.0, 0.0), (0.0, 0.5, 1.5), (0.0, float("nan"), 0.0), (True, False, True), ((1,), 2)],
)
def test_what_is_no_color_is_refused(color):
    from dynarig.core.errors import ArgumentError

    with pytest.raises(ArgumentError, match="CoordinateVector 'c': color: wanted three numbers in"):
        vector(color=color)


def test_numbers_of_numpy_are_taken():
    import numpy as np

    made = vector(velocity_level=np.bool_(True), show=np.bool_(False), color=np.array([0, 1, 0]))
    assert made.velocity_level is True
    assert made.show is False
    assert made.color == (0.0, 1.0, 0.0)
