"""A program that works on many files, one after another, and may crash or hang on any of them.

It is started as `COMMAND… TASK`, where the file TASK holds {"files": […], …}; it prints a marked
line once it is ready, and one with its findings after each file. Where it ends early, or is silent
for too long, that is the finding about the file at which it stood, and it is started again for
the rest.
"""

import json
import os
import signal
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .terminal import LOG_TAIL, DevError

MARK = "@dynarig "  # before each line of JSON; all other output is chatter
READY = "ready"
PATIENCE = 300.0  # s of silence: far above the slowest file


def findings(
    command: Sequence[str | Path],
    files: Sequence[str],
    task: Mapping[str, Any],
    env: Mapping[str, str],
    patience: float = PATIENCE,
) -> Iterator[dict[str, Any]]:
    """What a program finds in each file, in order; each has the entry "file".

    Args:
        command: the program.
        files: to work on.
        task: more entries of the task.
        env: variables to add to its environment.
        patience: s of silence until it is ended.

    Yields:
        What it printed; {"file": …, "crash": why} for a file at which it ended.

    Raises:
        DevError: it does not even become ready.
    """
    left = list(files)
    while left:
        with tempfile.TemporaryDirectory(prefix="dynarig-task-") as folder:
            note = Path(folder, "task.json")
            note.write_text(json.dumps({**task, "files": left}), encoding="utf-8")
            run = Run([*command, note], env, patience)
            for finding in run.lines():
                left.remove(finding["file"])
                yield finding
        if left:
            if not run.ready:
                raise DevError(f"{command[-1]} does not start ({run.end()})\n{run.tail()}")
            yield {"file": left.pop(0), "crash": run.end(), "output": run.tail()}


class Run:
    """One start of the program."""

    def __init__(
        self, command: Sequence[str | Path], env: Mapping[str, str], patience: float
    ) -> None:
        self.command = [str(part) for part in command]
        self.env = {**os.environ, **env}
        self.patience = patience
        self.ready = False
        self.hung = False
        self.code = 0
        self.chatter: deque[str] = deque(maxlen=LOG_TAIL)

    def lines(self) -> Iterator[dict[str, Any]]:
        """The findings, until the program ends."""
        process = subprocess.Popen(
            self.command,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
        try:
            assert process.stdout is not None
            watch = self.watch(process)
            for line in process.stdout:
                marked, _, content = line.partition(MARK)
                if marked or not content:
                    self.chatter.append(line.rstrip())
                    continue
                watch.cancel()
                watch = self.watch(process)
                finding = json.loads(content)
                if READY in finding:
                    self.ready = True
                else:
                    yield finding
            watch.cancel()
        except BaseException:
            process.kill()
            raise
        finally:
            self.code = process.wait()

    def watch(self, process: "subprocess.Popen[str]") -> threading.Timer:
        """A clock that ends the program where it is silent for too long."""

        def end() -> None:
            self.hung = True
            process.kill()

        timer = threading.Timer(self.patience, end)
        timer.daemon = True
        timer.start()
        return timer

    def end(self) -> str:
        """How the program ended."""
        if self.hung:
            return f"no end within {self.patience:.0f} s"
        if self.code < 0:
            return f"ended by {signal.Signals(-self.code).name}"
        return f"ended with exit code {self.code}"

    def tail(self) -> str:
        """The last of what it printed."""
        return "\n".join(f"    {line}" for line in self.chatter)
