"""How far an import is: a number at the mouse, and what is being done in the status bar."""

import time
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import bpy

from .messages import one_line

REDRAW = 0.5  # s between two drawings of the window: each takes some of the import's time


class ImportProgress:
    """Shows the progress of several imports, one after the other; nothing without a window.

    A context manager, called with the part of the current file and what comes next.
    """

    def __init__(self, context: bpy.types.Context, files: int) -> None:
        """Nothing is shown before the block begins."""
        self._context = context
        self._files = files
        self._done = 0
        self._shown = not bpy.app.background and context.window is not None
        self._last = time.perf_counter()

    def __enter__(self) -> "ImportProgress":
        if self._shown:
            self._context.window_manager.progress_begin(0.0, 100.0)
        return self

    def __exit__(self, *_error: Any) -> None:
        if self._shown:
            self._context.window_manager.progress_end()
            self._context.workspace.status_text_set(None)

    def __call__(self, part: float, doing: str) -> None:
        """Show the part (0 to 1) of the current file that is done, and what comes next."""
        if not self._shown:
            return
        percent = 100.0 * (self._done + part) / self._files
        self._context.window_manager.progress_update(percent)
        now = time.perf_counter()
        if now - self._last >= REDRAW:
            self._context.workspace.status_text_set(one_line(f"{percent:.0f} %: {doing}"))
            redraw()
            self._last = time.perf_counter()

    def file_done(self) -> None:
        """Go on to the next file."""
        self._done += 1


def redraw() -> None:
    """Draw the window in the middle of an operator, which Blender does not by itself."""
    # it tells how long it took, which is nobody's business here
    with redirect_stdout(StringIO()):
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=1)
