"""Reads GIF files as the standard says, for tests: frames as they are shown, and their delays."""

from __future__ import annotations

import struct

import numpy as np


def read_gif(data: bytes) -> tuple[np.ndarray, list[int]]:
    """All frames (n, height, width, 3) and their delays in hundredths of a second."""
    assert data[:6] == b"GIF89a"
    width, height, flags = struct.unpack("<HHB", data[6:11])
    assert flags & 0x80, "a global table"
    size = 2 << (flags & 7)
    table = np.frombuffer(data, np.uint8, 3 * size, 13).reshape(size, 3)
    at = 13 + 3 * size
    canvas = np.zeros((height, width, 3), np.uint8)
    frames, delays, transparent = [], [], None
    while data[at] != 0x3B:
        if data[at] == 0x21:
            block, end = _blocks(data, at + 2)
            if data[at + 1] == 0xF9:
                packed, delay, index = struct.unpack("<BHB", block)
                transparent = index if packed & 1 else None
                delays.append(delay)
            at = end
            continue
        assert data[at] == 0x2C
        left, top, columns, rows, packed = struct.unpack("<HHHHB", data[at + 1 : at + 10])
        assert packed == 0
        packed_codes, end = _blocks(data, at + 11)
        pixels = np.frombuffer(_decoded(packed_codes, data[at + 10]), np.uint8)
        pixels = pixels.reshape(rows, columns)
        shown = np.full(pixels.shape, True) if transparent is None else pixels != transparent
        canvas[top : top + rows, left : left + columns][shown] = table[pixels[shown]]
        frames.append(canvas.copy())
        at = end
    assert at == len(data) - 1
    return np.array(frames), delays


def _blocks(data: bytes, at: int) -> tuple[bytes, int]:
    out = b""
    while data[at]:
        out += data[at + 1 : at + 1 + data[at]]
        at += 1 + data[at]
    return out, at + 1


def _decoded(data: bytes, bits: int) -> bytes:
    clear, stop = 1 << bits, (1 << bits) + 1
    stream, have, at = 0, 0, 0
    known: list[bytes] = []
    width, last, out = bits + 1, b"", bytearray()
    while True:
        while have < width:
            stream |= data[at] << have
            have, at = have + 8, at + 1
        code, stream, have = stream & ((1 << width) - 1), stream >> width, have - width
        if code == clear:
            known = [bytes([i]) for i in range(clear)] + [b"", b""]
            width, last = bits + 1, b""
            continue
        if code == stop:
            return bytes(out)
        entry = known[code] if code < len(known) else last + last[:1]
        out += entry
        if last and len(known) < 4096:
            known.append(last + entry[:1])
        if len(known) == 1 << width and width < 12:
            width += 1
        last = entry
