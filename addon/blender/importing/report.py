"""The text "Dynarig import report" in the file: a section for each import, the latest last.

It is known by a mark and not by its name: a text of the user's that has the name stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...messages import one_line
from .options import ImportOptions
from .result import REPORT_NAME, ImportResult, count

SHOWN = 3  # warnings of one kind that are written out
KINDS_SHOWN = 100  # kinds that are written out
# what differs between warnings of one kind: quoted texts, and numbers
MARK = "dynarig_report"  # ID property of the text
VARIABLE = re.compile(r"'[^']*'|\"[^\"]*\"|[-+]?\d[\d.,]*(?:e[-+]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class ReportText:
    """The text as it was at one moment, and what an import adds to it."""

    before: str | None

    @classmethod
    def remember(cls) -> ReportText:
        """The text as it is now."""
        text = _own_text()
        return cls(None if text is None else text.as_string())

    def name(self) -> str:
        """The name of the text, which is made if there is none."""
        return (_own_text() or _new_text()).name

    def add(self, section: str) -> None:
        """Write the text as it was, and the section after it."""
        text = _own_text() or _new_text()
        text.from_string((self.before or "") + section)

    def restore(self) -> None:
        """Undo add(), but for a text that it has made."""
        text = _own_text()
        if self.before is not None and text is not None and text.as_string() != self.before:
            text.from_string(self.before)


def section(result: ImportResult, path: Path, options: ImportOptions, seconds: float) -> str:
    """What the report says of an import."""
    lines = [result.summary(), f"  file: {one_line(path)}"]
    changed = options.changed()
    if changed:
        chosen = (f"{name} = {_shown(value)}" for name, value in changed.items())
        lines.append(f"  options: {one_line('; '.join(chosen))}")
    lines.append(f"  came in: {', '.join(_counts(result))}")
    lines.append(f"  time: {seconds:.2f} s")
    if result.warnings:
        lines.append(f"  {count(len(result.warnings), 'warning')}:")
        lines += [f"    {line}" for line in grouped(result.warnings)]
    return "\n".join(lines) + "\n\n"


def grouped(warnings: Iterable[str]) -> Iterator[str]:
    """The warnings, the same kind together; of a kind with many the first ones, and how many."""
    kinds: dict[str, list[str]] = {}
    for warning in map(one_line, warnings):
        kinds.setdefault(VARIABLE.sub("#", warning), []).append(warning)
    groups = list(kinds.values())
    for group in groups[:KINDS_SHOWN]:
        # one more would take no more room than saying so
        shown = len(group) if len(group) <= SHOWN + 1 else SHOWN
        yield from (f"* {warning}" for warning in group[:shown])
        if shown < len(group):
            yield f"  (and {len(group) - shown:,} more)"
    rest = sum(map(len, groups[KINDS_SHOWN:]))
    if rest:
        yield f"(and {rest:,} more of other kinds)"


def _counts(result: ImportResult) -> Iterator[str]:
    yield count(result.links, "link")
    yield count(result.joints, "joint")
    yield count(result.bones, "bone")
    yield count(result.drivers, "driver")
    yield count(result.visuals, "visual")
    yield count(result.collisions, "collision shape")
    yield count(result.meshes, "mesh", "meshes")
    yield count(result.triangles, "triangle")
    yield count(result.materials, "material")
    yield count(result.textures, "texture")
    if result.missing_meshes:
        yield f"{count(result.missing_meshes, 'mesh file')} not found"


def _shown(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    return ", ".join(":=".join(item) if isinstance(item, tuple) else item for item in value)


def _own_text() -> bpy.types.Text | None:
    """The report that is in the file; one that is linked from a library cannot be written."""
    texts: Iterable[Any] = bpy.data.texts
    return next((text for text in texts if MARK in text and text.library is None), None)


def _new_text() -> bpy.types.Text:
    text = bpy.data.texts.new(REPORT_NAME)
    text[MARK] = True
    return text
