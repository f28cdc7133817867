"""The docstring of a component that shares its making with others, as `help` shows it.

A class of `planar` or `spatial` often says in one line what it is in its space, and inherits what
it takes and tells from a part that both share. Sections that it lacks are joined to its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from inspect import cleandoc

ORDER = ("Variable", "Args:")  # sections by their first words; all other text comes before
OWN = ("Attributes:",)  # sections that are not for who makes a component


def joined(own: str | None, inherited: Iterable[str | None]) -> str | None:
    """A docstring with the sections that it lacks, from those of its bases.

    Text between a base's summary and its sections comes along with its Args only, which it
    explains; a summary never does.

    Args:
        own: docstring of a class; None where there are none.
        inherited: docstrings of its bases, which are joined already.
    """
    if own is None:
        return None
    mine = _paragraphs(own)
    explained = any(_kind(text) == "Args:" for text in mine)
    for other in inherited:
        have = {_kind(text) for text in mine}
        for text in _paragraphs(other or "")[1:]:
            kind = _kind(text)
            if kind in OWN or (kind in have if kind else explained):
                continue
            mine.append(text)
    mine[1:] = sorted(mine[1:], key=lambda text: _rank(_kind(text)))
    return "\n\n".join(mine)


def _paragraphs(text: str) -> list[str]:
    """Parted by empty lines; lines that are indented belong to what is above them."""
    out: list[str] = []
    for part in cleandoc(text).split("\n\n"):
        if out and part.startswith(" "):
            out[-1] += f"\n\n{part}"
        else:
            out.append(part)
    return out


def _kind(text: str) -> str:
    """Which section it is; '' for all other text."""
    return next((kind for kind in (*ORDER, *OWN) if text.startswith(kind)), "")


def _rank(kind: str) -> int:
    return 1 + ORDER.index(kind) if kind in ORDER else 3 if kind in OWN else 0
