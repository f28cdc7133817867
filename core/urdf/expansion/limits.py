"""How much one expansion may do: more than any real robot needs, and no hang.

A description that repeats itself without end, or doubles itself forty times, is told so.
"""

from __future__ import annotations

import time

from .wildcards import MOST_ENTRIES

SECONDS = 4.0  # of this thread's own computing
# Nobody waits longer by the clock; but a busy computer must not break a file that is as it should
# be, and of those the largest of ROS take less than HONEST of computing.
WAITED, HONEST = 4.5, 2.0  # s
MACRO_DEPTH = 300  # macros in macros: loops are written as macros that call themselves
FRAMES = 3000  # of Python, for that depth; its own default of 1000 ends near 200
INCLUDE_DEPTH = 30
FILE = 4_000_000  # bytes of one file: read in 2 s; the largest of real robots has 0.1 MB
SIZE = 1_000_000  # of one value: items of a list, characters of a text
TOTAL = 20_000_000  # of all values that expressions make
BITS = 4096  # of one integer
NESTED = 100_000  # of one that holds lists in lists, all of them together
DEPTH = 100  # of lists in lists: hashing deeper ones can end Python
TICKS_PER_LOOK = 32  # looking at the clock takes longer than most of what is counted


class XacroLimit(Exception):
    """An expansion that does more than is allowed; xacro's own code passes it on."""


class Limits:
    """Counts what one expansion does."""

    def __init__(self) -> None:
        self._start = time.thread_time()
        self._began = time.monotonic()
        self._ticks = 0
        self._entries = 0
        self._made = 0

    def tick(self) -> None:
        """Count one more step of anything that can repeat."""
        self._ticks += 1
        if self._ticks % TICKS_PER_LOOK == 0:
            self.look()

    def look(self) -> None:
        """Refuse to go on when time is over."""
        computed, waited = time.thread_time() - self._start, time.monotonic() - self._began
        if computed > SECONDS or (computed > HONEST and waited > WAITED):
            raise XacroLimit(
                f"the expansion takes more than {SECONDS:g} s; does a macro or an expression "
                "repeat itself without end?"
            )

    def entry(self) -> None:
        """Count one more entry of a folder."""
        self.tick()
        self._entries += 1
        if self._entries > MOST_ENTRIES:
            raise XacroLimit(
                f"wildcards look at more than {MOST_ENTRIES} files and folders; name fewer folders"
            )

    def make(self, size: int) -> None:
        """Allow for a value of that many items or characters, or refuse it."""
        self._made += size
        if size > SIZE or self._made > TOTAL:
            raise XacroLimit(
                f"an expression makes a value of {size} items or characters; allowed are {SIZE} "
                f"in one and {TOTAL} in all"
            )

    def nest(self, size: int, depth: int) -> None:
        """Refuse a value of lists in lists, that large and deep."""
        raise XacroLimit(
            f"an expression makes a value of {size} items or characters, {depth} deep in each "
            f"other; allowed are {NESTED} and {DEPTH}, and {SIZE} in one list or text"
        )

    def number(self, bits: int) -> None:
        """Allow for an integer of that many bits, or refuse it."""
        if bits > BITS:
            raise XacroLimit(f"an expression makes an integer of {bits} bits; allowed are {BITS}")
