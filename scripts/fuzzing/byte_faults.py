"""Faults in the bytes of a file: flips, cuts, splices, repetitions, other encodings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

TOKENS = (
    *(b"", b" ", b"\x00", b"\xff", b"<", b">", b'"', b"&", b"&#0;", b"&#x10FFFF;", b"]]>"),
    *(
        b"nan",
        b"inf",
        b"-1e308",
        b"0",
        b"1,2",
        b"${x}",
        b"$(find x)",
        b"\r",
        b"\xc3",
        b"\xed\xa0\x80",
    ),
    *(b"<!--", b"-->", b"<?xml ?>", b"<![CDATA[", b"<!DOCTYPE a [", b"<!ENTITY x 'y'>", b"&x;"),
    *(
        b"<link/>",
        b"<joint/>",
        b"<mimic joint='j'/>",
        b"</robot>",
        b"<robot>",
        b"<axis/>",
        b"<a:b/>",
    ),
    *(b"package://", b"file://", b"%00", b"\\", b"../", "関".encode(), b"xmlns:a='b'"),
)
ENCODINGS = (
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-32",
    "latin-1",
    "cp1252",
    "shift_jis",
    "utf-7",
)
LARGEST_REPEATED = 200_000  # bytes: repetitions make a file larger, but not slow to try
EDGE = 40  # bytes of the longest short piece


def damaged(data: bytes, other: bytes, random: np.random.Generator) -> bytes:
    """The bytes with one or two faults; some come from another file."""
    for _ in range(random.integers(1, 3)):
        data = FAULTS[random.integers(len(FAULTS))](data, other, random)
    return data


def _piece(data: bytes, random: np.random.Generator) -> tuple[int, int]:
    """Start and end of a piece, mostly short."""
    start = int(random.integers(len(data) + 1))
    longest = EDGE if random.random() < 0.7 else len(data)
    return start, min(len(data), start + int(random.integers(longest + 1)))


def _flip(data: bytes, _other: bytes, random: np.random.Generator) -> bytes:
    out = bytearray(data)
    for _ in range(random.integers(1, 9)):
        if out:
            out[random.integers(len(out))] ^= 1 << int(random.integers(8))
    return bytes(out)


def _cut(data: bytes, _other: bytes, random: np.random.Generator) -> bytes:
    start, end = _piece(data, random)
    return data[:start] + data[end:]


def _end_early(data: bytes, _other: bytes, random: np.random.Generator) -> bytes:
    return data[: random.integers(len(data) + 1)]


def _insert(data: bytes, _other: bytes, random: np.random.Generator) -> bytes:
    start, end = _piece(data, random)
    kept = end if random.random() < 0.5 else start
    return data[:start] + TOKENS[random.integers(len(TOKENS))] + data[kept:]


def _splice(data: bytes, other: bytes, random: np.random.Generator) -> bytes:
    """A piece of the other file in place of one of this."""
    start, end = _piece(data, random)
    first, last = _piece(other, random)
    return data[:start] + other[first:last] + data[end:]


def _repeat(data: bytes, _other: bytes, random: np.random.Generator) -> bytes:
    start, end = _piece(data, random)
    most = max(1, (LARGEST_REPEATED - len(data)) // (end - start + 1))
    times = int(random.integers(1, min(most, 1000) + 1))
    return data[:end] + data[start:end] * times + data[end:]


def _in_quotes(data: bytes, _other: bytes, random: np.random.Generator) -> bytes:
    """Another value of one attribute: well-formed far more often than any other fault."""
    quotes = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord('"'))
    if len(quotes) < 2:
        return data
    which = int(random.integers(len(quotes) // 2)) * 2
    value = TOKENS[random.integers(len(TOKENS))]
    return data[: quotes[which] + 1] + value + data[quotes[which + 1] :]


def _encode(data: bytes, _other: bytes, random: np.random.Generator) -> bytes:
    encoding = ENCODINGS[random.integers(len(ENCODINGS))]
    return data.decode("utf-8", errors="replace").encode(encoding, errors="replace")


FAULTS: tuple[Callable[[bytes, bytes, np.random.Generator], bytes], ...] = (
    *(_flip, _cut, _end_early, _insert, _insert, _splice, _repeat),
    *(_in_quotes,) * 8,
    _encode,
)
