"""Long work in small pieces: a progress bar, Esc to stop, and nothing touched until the end.

The work is a generator that yields the part that is done (0 to 1) and returns its answer; before
a piece that takes long it may yield a text that says what that is. It must not touch Blender's
data. Where there is a window it runs between redraws, else at once.
"""

import time
from collections.abc import Generator
from typing import Any

import bpy

from ..core.errors import DynarigError
from .messages import one_line
from .single_thread import single_thread

TICK = 0.1  # s of work between two looks at the keyboard
PAUSE = 0.01  # s for Blender in between

Work = Generator[float | str, None, Any]


class Run:
    """A piece of work that is done in slices of time."""

    def __init__(self, work: Work) -> None:
        """Take the work; nothing of it is done yet."""
        self._work = work
        self.progress = 0.0
        self.doing = ""
        self.finished = False
        self.answer: Any = None

    @single_thread()
    def advance(self, seconds: float) -> None:
        """Work for about that long, or to the end. Errors of the work pass through.

        Before a piece that takes long it comes back, so that it can be shown what is done.
        """
        until = time.perf_counter() + seconds
        while not self.finished:
            try:
                part = next(self._work)
                self.doing = part if isinstance(part, str) else ""
                if not isinstance(part, str):
                    self.progress = part
            except StopIteration as end:
                self.finished, self.progress, self.answer = True, 1.0, end.value
            if time.perf_counter() >= until or (self.doing and until < float("inf")):
                return

    def stop(self) -> None:
        """Give the work up."""
        self._work.close()


class JobOperator(bpy.types.Operator):
    """What an operator with long work inherits; it has `begin` and `finish`, and `title`.

    It swallows every event but Esc while it runs (an undo in between would break references),
    and holds no Blender data: `finish` finds its objects anew, by name.
    """

    title = "Working"

    def begin(self, context: bpy.types.Context) -> Work:
        """Read what is needed from the scene, and hand out the work."""
        raise NotImplementedError

    def finish(self, context: bpy.types.Context, answer: Any) -> None:
        """Write the answer to Blender's data, and report."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """All at once: scripts, and Blender without a window."""
        try:
            run = Run(self.begin(context))
            run.advance(float("inf"))
            self.finish(context, run.answer)
        except DynarigError as error:
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Start to work between redraws."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        try:
            self._run = Run(self.begin(context))
        except DynarigError as error:
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        manager = context.window_manager
        self._workspace = context.workspace.name
        self._timer = manager.event_timer_add(PAUSE, window=context.window)
        manager.progress_begin(0.0, 100.0)
        manager.modal_handler_add(self)
        self._show(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """One slice of work at each tick of the timer."""
        if event.type == "ESC":
            self.cancel(context)
            self.report({"INFO"}, f"{self.title}: cancelled, nothing was changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            self._run.advance(TICK)
            if not self._run.finished:
                self._show(context)
                return {"RUNNING_MODAL"}
            self._clear(context)
            self.finish(context, self._run.answer)
        except DynarigError as error:
            self.cancel(context)
            self.report({"ERROR"}, one_line(error))
            return {"CANCELLED"}
        except BaseException:
            self.cancel(context)
            raise
        return {"FINISHED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop; Blender calls this too, when a file is loaded."""
        self._run.stop()
        self._clear(context)

    def _show(self, context: bpy.types.Context) -> None:
        percent = 100.0 * self._run.progress
        context.window_manager.progress_update(percent)
        doing = self._run.doing or f"{self.title}: {percent:.0f} %"
        context.workspace.status_text_set(f"{doing}   Esc: cancel")

    def _clear(self, context: bpy.types.Context) -> None:
        """Free the timer, the progress display and the status text, once."""
        if self._timer is None:
            return
        context.window_manager.event_timer_remove(self._timer)
        self._timer = None
        context.window_manager.progress_end()
        workspace = bpy.data.workspaces.get(self._workspace)
        if workspace is not None:
            workspace.status_text_set(None)
