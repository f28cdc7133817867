"""Moving pictures as GIF files: a palette, what changes from frame to frame, LZW.

Blender writes no GIF and brings no library that does; what runs inside it may be numpy or pure
Python. One palette of 255 colours serves all frames, the last entry is transparent: pixels that
stay as they are take it, which keeps files small.

Source: Graphics Interchange Format, version 89a (CompuServe, 1990).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]  # (height, width, 3), the first row at the top
Indices = NDArray[np.uint8]  # (height, width), entries of the palette

COLOURS = 255
TRANSPARENT = 255
BITS = 8  # of a pixel's index
LARGEST_CODE = 4096  # of LZW, 12 bits
CELL = 2  # bits that are left out of a channel when colours are counted
ROUNDS = 6  # of Lloyd's iteration


def write_gif(path: Path, frames: Sequence[Picture], fps: float) -> None:
    """Write frames of one size as a GIF that repeats for ever.

    Args:
        path: of the file.
        frames: (height, width, 3) each, display colours 0..255, the first row at the top.
            Each is asked for twice, and only one is held, so that a long film may be read frame by
            frame.
        fps: frames per second. GIF counts hundredths of a second, so frames are shown for whole
            ones such that none is more than half of one late.
    """
    palette, lookup = quantised(frames)
    height, width = frames[0].shape[:2]
    ends = np.rint(100.0 * np.arange(1, len(frames) + 1) / fps).astype(int)
    delays = np.maximum(np.diff(ends, prepend=0), 1)
    table = np.zeros((256, 3), dtype=np.uint8)
    table[: len(palette)] = palette
    with path.open("wb") as file:
        file.write(b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0))
        file.write(table.tobytes())
        file.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
        shown: Indices | None = None
        for frame, delay in zip(frames, delays.tolist(), strict=True):
            entries = lookup[_cell_numbers(frame)]
            file.write(_image(entries, shown, delay))
            shown = entries
        file.write(b"\x3b")


def quantised(frames: Sequence[Picture]) -> tuple[NDArray[np.uint8], Indices]:
    """A palette (n, 3), n <= COLOURS, and the entry of it for each cell of colour space."""
    cells, counts = _histogram(frames)
    palette = _palette(cells, counts)
    lookup = np.zeros(1 << (3 * (8 - CELL)), dtype=np.uint8)
    lookup[_cell_numbers(cells)] = _nearest(cells.astype(np.float64), palette)
    return np.rint(palette).astype(np.uint8), lookup


def _cell_numbers(colours: NDArray[np.uint8]) -> NDArray[np.intp]:
    """The number of the cell of colour space that each colour (…, 3) lies in."""
    r, g, b = np.moveaxis(colours.astype(np.intp) >> CELL, -1, 0)
    width = 8 - CELL
    return (r << (2 * width)) | (g << width) | b


def _histogram(frames: Sequence[Picture]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The mean colour (n, 3) of each cell that is used, and how often it is (n,)."""
    size = 1 << (3 * (8 - CELL))
    counts, sums = np.zeros(size), np.zeros((size, 3))
    for frame in frames:
        numbers = _cell_numbers(frame).ravel()
        counts += np.bincount(numbers, minlength=size)
        for channel in range(3):
            values = frame[..., channel].ravel()
            sums[:, channel] += np.bincount(numbers, weights=values, minlength=size)
    used = counts > 0.0
    means = np.rint(sums[used] / counts[used, None]).astype(np.uint8)
    return means, counts[used]


def _palette(colours: NDArray[np.uint8], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """At most COLOURS colours (n, 3) near those of a histogram: median cut, then Lloyd.

    Rare colours weigh more than their share (the root of the count), so that a small part in a
    colour of its own keeps it beside a large backdrop.
    """
    points, weights = colours.astype(np.float64), np.sqrt(counts)
    if len(points) <= COLOURS:
        return points
    boxes = [np.arange(len(points))]
    spreads = [_spread(points, weights, boxes[0])]
    while len(boxes) < COLOURS:
        widest = int(np.argmax(spreads))
        if spreads[widest] <= 0.0:
            break
        box = boxes.pop(widest)
        spreads.pop(widest)
        axis = int(np.ptp(points[box], axis=0).argmax())
        box = box[np.argsort(points[box, axis], kind="stable")]
        passed = np.cumsum(weights[box])
        cut = int(np.clip(np.searchsorted(passed, passed[-1] / 2.0), 1, len(box) - 1))
        for part in (box[:cut], box[cut:]):
            boxes.append(part)
            spreads.append(_spread(points, weights, part))
    palette = np.array([np.average(points[box], axis=0, weights=weights[box]) for box in boxes])
    for _ in range(ROUNDS):
        palette = _means(points, weights, palette)
    # at last true means, so that large even parts keep their very colour
    return _means(points, counts, palette)


def _means(
    points: NDArray[np.float64], weights: NDArray[np.float64], palette: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The palette with each entry moved to the mean of the points nearest to it."""
    nearest = _nearest(points, palette)
    total = np.bincount(nearest, weights=weights, minlength=len(palette))
    sums = [np.bincount(nearest, weights * axis, len(palette)) for axis in points.T]
    means = np.stack(sums, axis=1) / np.maximum(total, 1e-300)[:, None]
    moved: NDArray[np.float64] = np.where(total[:, None] > 0.0, means, palette)
    return moved


def _spread(
    points: NDArray[np.float64], weights: NDArray[np.float64], box: NDArray[np.intp]
) -> float:
    """How much a box of the median cut asks to be cut."""
    return float(np.ptp(points[box], axis=0).max()) * float(np.sqrt(weights[box].sum()))


def _nearest(points: NDArray[np.float64], palette: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The entry of the palette nearest to each point (n, 3)."""
    # |p - c|^2 without |p|^2, which is the same for all c
    distances = (palette**2).sum(axis=1) - 2.0 * points @ palette.T
    nearest: NDArray[np.uint8] = distances.argmin(axis=1).astype(np.uint8)
    return nearest


def _image(frame: Indices, shown: Indices | None, delay: int) -> bytes:
    """One frame: the rectangle that changes, where unchanged pixels are transparent."""
    top, left, rows, columns = 0, 0, *frame.shape
    pixels = frame
    if shown is not None:
        changed = frame != shown
        down, across = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if len(down):
            top, left = int(down[0]), int(across[0])
            rows, columns = int(down[-1]) - top + 1, int(across[-1]) - left + 1
        else:  # nothing moves: one pixel keeps the time
            rows = columns = 1
        part = (slice(top, top + rows), slice(left, left + columns))
        pixels = np.where(changed[part], frame[part], np.uint8(TRANSPARENT))
    # keep what is shown (disposal 1); the transparent entry is used
    control = b"\x21\xf9\x04" + struct.pack("<BHBB", 0x05, delay, TRANSPARENT, 0)
    place = b"\x2c" + struct.pack("<HHHHB", left, top, columns, rows, 0)
    return control + place + bytes([BITS]) + b"".join(_blocks(lzw(pixels.tobytes()))) + b"\x00"


def _blocks(data: bytes) -> Iterator[bytes]:
    for start in range(0, len(data), 255):
        block = data[start : start + 255]
        yield bytes([len(block)]) + block


def lzw(data: bytes) -> bytes:
    """GIF's variant of LZW for 8-bit symbols: codes of growing width, lowest bits first.

    The longest known sequence is sent, and it with the next symbol becomes known; when 4096 codes
    are known the table begins anew.
    """
    clear, stop = 1 << BITS, (1 << BITS) + 1
    known: dict[int, int] = {}
    free, width, limit = stop + 1, BITS + 1, 1 << (BITS + 1)
    bits, filled = clear, width  # what waits to be written, and how many bits it has
    out = bytearray()
    prefix = data[0]
    for symbol in memoryview(data)[1:]:
        key = prefix << BITS | symbol
        code = known.get(key)
        if code is not None:
            prefix = code
            continue
        bits |= prefix << filled
        filled += width
        if free < LARGEST_CODE:
            if free == limit:
                width += 1
                limit <<= 1
            known[key] = free
            free += 1
        else:
            bits |= clear << filled
            filled += width
            known.clear()
            free, width, limit = stop + 1, BITS + 1, 1 << (BITS + 1)
        while filled >= BITS:
            out.append(bits & 0xFF)
            bits >>= BITS
            filled -= BITS
        prefix = symbol
    bits |= prefix << filled
    filled += width
    if free == limit and free < LARGEST_CODE:
        width += 1
    bits |= stop << filled
    filled += width
    out += bits.to_bytes((filled + 7) // 8, "little")
    return bytes(out)
