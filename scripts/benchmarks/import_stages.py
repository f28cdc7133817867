"""Where the time of an import goes: clocks around the functions that are its stages."""

from __future__ import annotations

import functools
import importlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# of the processor: other work on the machine does not count
seconds_now = time.process_time

BLENDER = "dynarig.addon.blender"
REST = "rest"
# stage -> module of the add-on's Blender part, and what of it is looked up at each call. What one
# stage calls of another counts for that other.
STAGES: dict[str, tuple[tuple[str, str], ...]] = {
    "parse": (("importing.importer", "load_urdf"), ("importing.importer", "compile_robot")),
    "rig": (("importing.importer", "build_rig"),),
    "files": (("geometry.meshes", "MeshLibrary.file"),),
    "looks": (
        ("geometry.materials", "MaterialLibrary.adopt"),
        ("geometry.materials", "MaterialLibrary.coloured"),
        ("geometry.materials", "MaterialLibrary.vertex_colours"),
        ("geometry.materials", "MaterialLibrary.remove_unused"),
    ),
    "objects": (("importing.importer", "create_parts"), ("importing.importer", "make_active")),
    "report": (("importing.importer", "count_parts"), ("importing.importer", "_write_report")),
}


class Clock:
    """Seconds by stage; a stage inside another stops the other's clock."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys((*STAGES, REST), 0.0)
        self._running = [REST]
        self._since = 0.0

    def start(self) -> None:
        """Begin to count: what went before belongs to no stage."""
        self._since = seconds_now()

    def switch(self, stage: str | None) -> None:
        """Begin a stage; None goes back to the one around."""
        self.count()
        if stage is None:
            self._running.pop()
        else:
            self._running.append(stage)

    def count(self) -> None:
        """Add the time since the last count to the stage that runs."""
        now = seconds_now()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now

    def around(self, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same function with this clock around it."""

        @functools.wraps(work)
        def timed(*values: Any, **named: Any) -> Any:
            self.switch(stage)
            try:
                return work(*values, **named)
            finally:
                self.switch(None)

        return timed


@contextmanager
def clocked() -> Iterator[dict[str, float]]:
    """Seconds of each stage inside the block, filled at its end; their sum is that of the block."""
    places = [(stage, *_owner(*place)) for stage, places in STAGES.items() for place in places]
    clock = Clock()
    for stage, owner, name, work in places:
        setattr(owner, name, clock.around(stage, work))
    clock.start()
    try:
        yield clock.seconds
    finally:
        clock.count()
        for _, owner, name, work in places:
            setattr(owner, name, work)


def _owner(module: str, path: str) -> tuple[Any, str, Callable[..., Any]]:
    """What holds a function, the function's name, and the function."""
    owner: Any = importlib.import_module(f"{BLENDER}.{module}")
    *outer, name = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    return owner, name, getattr(owner, name)
