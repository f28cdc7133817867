"""Ellipsoids of inertia: there and back, and what a ball, a box and a rod are drawn as."""

import numpy as np
import pytest
from dynarig.core.dynamics.ellipsoid import ellipsoid_of, inertia_of
from dynarig.core.errors import ArgumentError
from dynarig.core.frames import rotation_from_rpy

from ...close import assert_close


@pytest.mark.parametrize("physical", [True, False])
def test_the_ellipsoid_has_the_inertia_of_the_body(rng, physical):
    for _ in range(50):
        mass = 10.0 ** rng.uniform(-3, 3)
        if physical:
            # any density of points is a body
            points = rng.normal(size=(8, 3)) * rng.uniform(0.01, 1.0, 3)
            second = mass / 8.0 * points.T @ points
            inertia = np.trace(second) * np.eye(3) - second
        else:
            inertia = rng.normal(size=(3, 3))
            inertia = inertia + inertia.T
        found = ellipsoid_of(mass, inertia)
        size = np.abs(inertia).max()
        assert_close(inertia_of(mass, found) / size, inertia / size, 1e-12)
        assert (found.squares >= 0.0).all() == physical
        assert np.all(np.diff(found.squares) >= 0.0)
        rotation = found.body_from_axes_rot
        assert_close(rotation @ rotation.T, np.eye(3), 1e-14)
        assert np.linalg.det(rotation) == pytest.approx(1.0)


def test_an_ellipsoid_is_found_as_it_was(rng):
    axes, mass = np.array([0.1, 0.2, 0.5]), 3.0
    turn = rotation_from_rpy(rng.uniform(-3, 3, 3))
    # the moments of uniform points in a ball, stretched: int x^2 dm = m a^2 / 5
    second = turn @ np.diag(mass / 5.0 * axes**2) @ turn.T
    found = ellipsoid_of(mass, np.trace(second) * np.eye(3) - second)
    assert_close(found.semi_axes(), axes, 1e-14)
    # the same axes, whichever way each points
    assert_close(np.abs(found.body_from_axes_rot.T @ turn), np.eye(3), 1e-12)


def test_a_ball_is_a_ball_and_a_box_is_thinner_than_its_corners():
    ball = ellipsoid_of(2.0, 2.0 / 5.0 * 2.0 * 0.3**2 * np.eye(3))
    assert_close(ball.semi_axes(), [0.3] * 3, 1e-15)
    edges = np.array([0.2, 0.4, 0.6])
    box = ellipsoid_of(1.0, np.diag((np.sum(edges**2) - edges**2) / 12.0))
    # m/12 e^2 = m/5 a^2
    assert_close(box.semi_axes(), edges * np.sqrt(5.0 / 12.0), 1e-15)


def test_axes_that_a_body_has_not_get_the_least_length():
    rod = ellipsoid_of(1.0, np.diag([0.0, 1.0, 1.0]))
    assert_close(rod.semi_axes(0.01), [0.01, 0.01, np.sqrt(5.0)], 1e-15)
    point = ellipsoid_of(1.0, np.zeros((3, 3)))
    assert_close(point.semi_axes(0.01), [0.01] * 3, 0.0)
    impossible = ellipsoid_of(1.0, np.diag([1.0, 1.0, 3.0]))
    assert impossible.squares[0] == pytest.approx(-2.5)
    assert_close(impossible.semi_axes(0.01), [0.01, np.sqrt(7.5), np.sqrt(7.5)], 1e-15)


def test_numbers_at_the_ends_of_their_range():
    huge = ellipsoid_of(1e300, np.diag([1e308, 1e308, 1e308]))
    assert_close(huge.squares / 2.5e8, [1.0] * 3, 1e-14)
    assert np.isinf(ellipsoid_of(1e-300, np.diag([1e300] * 3)).squares).all()


@pytest.mark.parametrize(
    ("mass", "inertia", "message"),
    [
        (0.0, np.eye(3), "mass: wanted a number above 0, got 0.0"),
        (-1.0, np.eye(3), "mass: wanted a number above 0"),
        (np.nan, np.eye(3), "mass: wanted a number above 0"),
        (1.0, np.diag([1.0, np.inf, 1.0]), r"inertia: wanted finite numbers, got inf at \[1, 1\]"),
        (1.0, np.eye(2), "inertia: wanted shape"),
    ],
)
def test_what_is_no_body_is_refused(mass, inertia, message):
    with pytest.raises(ArgumentError, match=message):
        ellipsoid_of(mass, inertia)
