"""Keep what Blender prints ("Fra:1 Mem…", "Info: …", driver messages) out of our own output."""

from __future__ import annotations

import faulthandler
import os
import sys
import tempfile
from types import TracebackType
from typing import TextIO


def _stream(descriptor: int) -> TextIO:
    """A text stream in UTF-8; a file name that is none is shown with escapes."""
    return open(descriptor, "w", encoding="utf-8", errors="backslashreplace", closefd=False)


class Quiet:
    """Inside the block all of the process's output goes to a file that nobody reads.

    `out` and `err` still reach the real stdout and stderr. Blender prints from C, so this has to
    work on the file descriptors. A crash inside Blender is still told on the real stderr.
    """

    def __enter__(self) -> Quiet:
        sys.stdout.flush()
        sys.stderr.flush()
        self._saved = (os.dup(1), os.dup(2))
        self._log = tempfile.TemporaryFile()
        for descriptor in (1, 2):
            os.dup2(self._log.fileno(), descriptor)
        self.out, self.err = map(_stream, self._saved)
        faulthandler.enable(self.err)
        return self

    def say(self, line: str) -> None:
        """Print a line on the real stdout, at once."""
        print(line, file=self.out, flush=True)

    def complain(self, line: str) -> None:
        """Print a line on the real stderr, at once."""
        print(line, file=self.err, flush=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        faulthandler.disable()
        for descriptor, saved in zip((1, 2), self._saved, strict=True):
            os.dup2(saved, descriptor)
            os.close(saved)
        self._log.close()
