"""Pictures put side by side on pages: `pages.py TASK`, run by `dev.py robots` in Blender's wheel.

TASK is a file with {"sheets": {path of a page: [paths of its pictures]}, "columns": number}.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np

GAP = 4  # pixels


def main(task: dict[str, Any]) -> None:
    """Make all pages."""
    for page, pictures in task["sheets"].items():
        save(side_by_side([load(path) for path in pictures], task["columns"]), page)


def side_by_side(pictures: Sequence[Any], columns: int) -> Any:
    """Pictures of one size in rows that read from the upper left.

    Args:
        pictures: each (height, width, 4), the first row at the bottom, as Blender has them.
        columns: pictures in a row.

    Returns:
        (rows, columns, 4), likewise, white where there is none.
    """
    height, width = pictures[0].shape[:2]
    columns = min(columns, len(pictures))
    rows = -(-len(pictures) // columns)
    sheet = np.ones((rows * (height + GAP) - GAP, columns * (width + GAP) - GAP, 4), np.float32)
    for index, picture in enumerate(pictures):
        row, column = divmod(index, columns)
        y, x = (rows - 1 - row) * (height + GAP), column * (width + GAP)
        sheet[y : y + height, x : x + width] = picture
    return sheet


def load(path: str) -> Any:
    """A picture (height, width, 4), 0 to 1 as in the file."""
    image: Any = bpy.data.images.load(path)
    pixels = np.empty(image.size[0] * image.size[1] * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    shape = (image.size[1], image.size[0], 4)
    bpy.data.images.remove(image)
    return pixels.reshape(shape)


def save(sheet: Any, path: str) -> None:
    """Write a PNG file."""
    image: Any = bpy.data.images.new("Page", sheet.shape[1], sheet.shape[0])
    image.pixels.foreach_set(sheet.ravel())
    image.filepath_raw, image.file_format = path, "PNG"
    image.save()
    bpy.data.images.remove(image)


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    # some Blenders hang or crash when they end
    os._exit(0)
