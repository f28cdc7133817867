"""One thread of OpenBLAS for tests and benchmarks, unless whoever runs them has set another number.

Robots' matrices are small, and OpenBLAS waits for its threads: where the cores have other work two
of them take 16 ms for 60 equations, and one takes 19 µs.
"""

import os
from collections.abc import Mapping


def with_one_thread(more: Mapping[str, str]) -> dict[str, str]:
    """The environment of a program to start: this one's with `more`, and one thread."""
    return {"OPENBLAS_NUM_THREADS": "1", **os.environ, **more}
