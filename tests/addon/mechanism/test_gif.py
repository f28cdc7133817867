"""GIF files hold the frames that were given: every pixel for few colours, nearly for many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ...gif_reader import read_gif


def written(frames: list[np.ndarray], folder: Path, fps: float = 25.0) -> tuple[np.ndarray, list]:
    from dynarig.addon.gif import write_gif

    write_gif(folder / "film.gif", frames, fps)
    return read_gif((folder / "film.gif").read_bytes())


def test_frames_of_few_colours_come_back_as_they_were(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    colours = random.integers(0, 256, (200, 3)).astype(np.uint8)
    # one for each cell of colour space, or they are taken for one
    colours = colours[np.unique((colours >> 3).astype(int) @ (1, 32, 1024), return_index=True)[1]]
    frames = [colours[random.integers(0, len(colours), (70, 90))] for _ in range(4)]
    frames.append(frames[-1].copy())  # nothing moves
    frames.append(frames[-1].copy())
    frames[-1][20:22, 30:37] = colours[0]  # little moves
    found, _ = written(frames, tmp_path)
    np.testing.assert_array_equal(found, frames)


@pytest.mark.parametrize("size", [(1, 1), (1, 7), (64, 300)])
def test_runs_of_one_colour_are_packed_and_come_back(size, tmp_path: Path) -> None:
    # codes of every width, and the step to the next one at the end of the data
    from dynarig.addon.gif import write_gif

    frames = [np.full((*size, 3), shade, np.uint8) for shade in (0, 255)]
    found, _ = written(frames, tmp_path)
    np.testing.assert_array_equal(found, frames)
    write_gif(tmp_path / "film.gif", frames, 25.0)
    assert (tmp_path / "film.gif").stat().st_size < 768 + 100 + 2 * np.prod(size) / 10 + 20


@pytest.mark.parametrize("length", [*range(1, 40), 254, 255, 256, 257, 511, 3838, 3839, 3840])
def test_data_of_any_length_come_back(length: int, tmp_path: Path) -> None:
    # pixels of 128 colours, so that the table of codes fills at some of these lengths
    row = (np.random.default_rng(length).integers(0, 32, (1, length, 3)) * 8).astype(np.uint8)
    row[..., 1:] = row[..., 1:] // 128 * 128
    found, _ = written([row], tmp_path)
    np.testing.assert_array_equal(found[0], row)


def test_a_rare_colour_keeps_its_place_among_many(tmp_path: Path) -> None:
    y, x = np.mgrid[:120, :160]
    backdrop = np.stack((x, y, (x + y) // 2), axis=-1).astype(np.uint8)
    backdrop[50:56, 70:76] = (250, 20, 10)
    found, _ = written([backdrop], tmp_path)
    error = np.abs(found[0].astype(int) - backdrop)
    assert error[50:56, 70:76].max() <= 2
    assert error.max() <= 24
    assert error.mean() < 4.0


@pytest.mark.parametrize("fps", [25.0, 24.0, 30.0, 60.0, 12.5])
def test_the_film_takes_its_time(fps: float, tmp_path: Path) -> None:
    frames = [np.full((2, 2, 3), shade, np.uint8) for shade in range(0, 240, 8)]
    _, delays = written(frames, tmp_path, fps)
    shown = np.cumsum(delays) / 100.0
    np.testing.assert_allclose(shown, np.arange(1, 31) / fps, rtol=0.0, atol=0.00501)
