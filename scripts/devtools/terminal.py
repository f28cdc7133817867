"""Run commands quietly: progress while they take long, their output only when they fail."""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

SHORT = 1.5  # s that a step may take in silence
HEARTBEAT = 15.0  # s between two signs of life
LOG_TAIL = 25  # lines of output that a failed command shows


class DevError(Exception):
    """A step that cannot go on; the message says what to do about it."""

    exit_code = 1


class NoInterpreter(DevError):
    """A Blender whose Python is not to be had here: nothing is broken, it just cannot be tried."""

    exit_code = 3


def say(message: str) -> None:
    """Print one line of progress at once, even into a pipe."""
    print(message, flush=True)


def run_quietly(
    command: Sequence[str | Path],
    what: str,
    *,
    advice: str = "",
    growing: Sequence[Path] = (),
    env: Mapping[str, str] | None = None,
) -> None:
    """Run a command with its output hidden, and with signs of life when it takes long.

    Args:
        command: the program and its arguments.
        what: the step in words, for the messages.
        advice: what a person can do when it fails.
        growing: folders that grow meanwhile; their size is part of the sign of life.
        env: variables to add to the environment.

    Raises:
        DevError: the command failed; the message ends with the tail of its output.
    """
    with tempfile.TemporaryFile() as log:
        try:
            process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})},
            )
        except OSError as error:
            raise DevError(f"{what}: cannot start {command[0]}: {error.strerror}") from error
        with Heartbeat(what, growing):
            code = process.wait()
        if code != 0:
            log.seek(0)
            lines = log.read().decode(errors="replace").splitlines()
            tail = "\n".join(f"    {line}" for line in lines[-LOG_TAIL:])
            hint = f"\n{advice}" if advice else ""
            raise DevError(f"{what}: failed with exit code {code}\n{tail}{hint}")


class Heartbeat:
    """While the block inside `with` runs: says what is done, then seconds and megabytes."""

    def __init__(self, what: str, folders: Sequence[Path]) -> None:
        self.what = what
        self.folders = folders
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.beat, daemon=True)

    def __enter__(self) -> None:
        self.start = time.monotonic()
        self.size_before = self.size()
        self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.thread.join()

    def beat(self) -> None:
        """Name the step once it is not short, then print a line every HEARTBEAT seconds."""
        if self.done.wait(SHORT):
            return
        say(f"{self.what} …")
        while not self.done.wait(HEARTBEAT):
            line = f"    {time.monotonic() - self.start:.0f} s"
            if self.folders:
                line += f", {(self.size() - self.size_before) / 1e6:.0f} MB"
            say(line)

    def size(self) -> int:
        """Bytes in the watched folders now."""
        return sum(folder_size(folder) for folder in self.folders)


def folder_size(folder: Path) -> int:
    """Bytes of all files below a folder; files that vanish meanwhile count as nothing."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except FileNotFoundError:
                continue
    return total


def output_of(command: Sequence[str | Path], timeout: float = 60.0) -> str | None:
    """What a command prints, or None where it cannot be started, fails or hangs."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=timeout,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def fail(error: DevError) -> int:
    """Print the reason on stderr and return the exit code for it."""
    sys.stdout.flush()
    print(f"dev.py: {error}", file=sys.stderr)
    return error.exit_code
