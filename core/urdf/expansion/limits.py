"""How much one expansion may do: more than any real robot needs, and no hang.

A description that repeats itself without end, or doubles itself forty times, is told so.
"""

from __future__ import annotations

import time

SECONDS = 4.0  # of this thread's own computing: the largest robots of ROS take below 2
MACRO_DEPTH = 300  # macros in macros: loops are written as macros that call themselves
FRAMES = 3000  # of Python, for that depth; its own default of 1000 ends near 200
INCLUDE_DEPTH = 30
FILE = 4_000_000  # bytes of one file: read in 2 s; the largest of real robots has 0.1 MB
SIZE = 1_000_000  # of one value: items of a list, characters of a text
TOTAL = 20_000_000  # of all values that expressions make
BITS = 4096  # of one integer
TICKS_PER_LOOK = 32  # looking at the clock takes longer than most of what is counted


class XacroLimit(Exception):
    """An expansion that does more than is allowed; xacro's own code passes it on."""


class Limits:
    """Counts what one expansion does."""

    def __init__(self) -> None:
        self._end = time.thread_time() + SECONDS
        self._ticks = 0
        self._made = 0

    def tick(self) -> None:
        """Count one more step of anything that can repeat."""
        self._ticks += 1
        if self._ticks % TICKS_PER_LOOK == 0:
            self.look()

    def look(self) -> None:
        """Refuse to go on when time is over."""
        if time.thread_time() > self._end:
            raise XacroLimit(
                f"the expansion takes more than {SECONDS:g} s; does a macro or an expression "
                "repeat itself without end?"
            )

    def make(self, size: int) -> None:
        """Allow for a value of that many items or characters, or refuse it."""
        self._made += size
        if size > SIZE or self._made > TOTAL:
            raise XacroLimit(
                f"an expression makes a value of {size} items or characters; allowed are {SIZE} "
                f"in one and {TOTAL} in all"
            )

    def number(self, bits: int) -> None:
        """Allow for an integer of that many bits, or refuse it."""
        if bits > BITS:
            raise XacroLimit(f"an expression makes an integer of {bits} bits; allowed are {BITS}")
