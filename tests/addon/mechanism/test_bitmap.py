"""Frames on their way into a GIF are read as Blender itself reads them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest


@pytest.mark.parametrize("size", [(1, 1), (2, 3), (5, 4), (7, 2), (64, 36)])
def test_a_bitmap_is_read_as_blender_reads_it(size, tmp_path: Path) -> None:
    import bpy
    from dynarig.addon.blender.mechanism.shooting import read_bitmap

    width, height = size
    shades = np.random.default_rng(5).integers(0, 256, (height, width, 3))
    image = bpy.data.images.new("made", width, height)
    pixels = np.ones((height, width, 4), dtype=np.float32)
    pixels[::-1, :, :3] = shades / 255.0
    image.pixels.foreach_set(pixels.ravel())
    image.file_format = "BMP"
    image.save(filepath=str(tmp_path / "made.bmp"))
    np.testing.assert_array_equal(read_bitmap(tmp_path / "made.bmp"), shades)


@pytest.mark.parametrize("data", [b"", b"BM", b"\x89PNG" * 20, b"BM" + bytes(52)])
def test_another_file_is_refused(data, tmp_path: Path) -> None:
    from dynarig.addon.blender.mechanism.shooting import read_bitmap
    from dynarig.addon.errors import RenderError

    (tmp_path / "made.bmp").write_bytes(data)
    with pytest.raises(RenderError, match=r"made\.bmp: wanted "):
        read_bitmap(tmp_path / "made.bmp")
