"""Where the camera stands, and how pictures are put together."""

from __future__ import annotations

import numpy as np
import pytest


def test_a_fitted_camera_sees_all_points_and_touches_two_opposite_edges() -> None:
    from dynarig.addon.blender.film.camera import fit_camera, looking_rotation

    points = np.random.default_rng(3).normal(size=(200, 3)) * (1.0, 2.0, 0.5)
    rotation = looking_rotation((0.7, -1.0, 0.4))
    slopes = np.array([0.36, 0.2])
    place = fit_camera(points, rotation, *slopes)
    local = (points - place) @ rotation
    seen = local[:, :2] / -local[:, 2:] / slopes
    assert (local[:, 2] < 0.0).all()
    assert np.abs(seen).max() == pytest.approx(1.0)
    tight = int(np.abs(seen).max(axis=0).argmax())
    assert seen[:, tight].max() == pytest.approx(1.0)
    assert seen[:, tight].min() == pytest.approx(-1.0)


def test_a_camera_stands_upright_in_a_right_handed_frame() -> None:
    from dynarig.addon.blender.film.camera import looking_rotation

    rotation = looking_rotation((0.7, -1.0, 0.4))
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(rotation) == pytest.approx(1.0)
    assert rotation[2, 0] == 0.0
    assert rotation[2, 1] > 0.0


@pytest.mark.parametrize("reach", [0.01, 0.3, 1.0, 7.0, 120.0])
def test_tiles_are_1_2_or_5_times_a_power_of_ten(reach: float) -> None:
    from dynarig.addon.blender.film.studio import TILE_SIZE, tile_edge

    edge = tile_edge(reach)
    assert f"{edge:.0e}"[0] in "125"
    assert f"{edge:.12e}"[1:14].strip(".0e") == ""
    assert 0.6 < edge / (TILE_SIZE * reach) < 1.7


def test_a_sheet_reads_from_the_upper_left() -> None:
    from batch.contact_sheet import GAP, contact_sheet

    pictures = [np.full((30, 20, 4), 0.1 * index) for index in range(6)]
    sheet = contact_sheet(pictures)
    rows, columns = (sheet.shape[0] - GAP) // (30 + GAP), (sheet.shape[1] - GAP) // (20 + GAP)
    assert rows * columns == 6
    # the first row of Blender's pictures is at the bottom
    top = sheet[sheet.shape[0] - GAP - 15]
    found = [top[GAP + 10 + column * (20 + GAP), 0] for column in range(columns)]
    np.testing.assert_allclose(found, 0.1 * np.arange(columns))
    assert (sheet[:GAP] == 1.0).all()


def test_finer_pictures_are_averaged() -> None:
    from batch.contact_sheet import averaged

    picture = np.arange(4 * 6 * 4, dtype=float).reshape(4, 6, 4)
    smaller = averaged(picture)
    assert smaller.shape == (2, 3, 4)
    np.testing.assert_allclose(smaller[0, 0], picture[:2, :2].mean(axis=(0, 1)))
