"""Large batches in blocks that stay in the cache, component by component.

A conversion of n items as one numpy expression moves dozens of arrays of n numbers through
memory. In blocks of a few thousand, with each component contiguous, the same expression costs
a fifth of that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from threading import Thread

import numpy as np

from ..arrays import FloatArray

# Items in a block: fewer cost more calls, more leave the cache. A whole number of the rows of a
# table product, and no power of 2, which would put all components into the same cache lines.
ROWS = 2066
BLOCK = 8 * ROWS
# From so many items on a second thread takes half of them: numpy lets go of the interpreter's lock
# in each operation. Starting it costs as much as ten thousand items.
SHARED = 4 * BLOCK

# (components (k, m), contiguous; where to write the results (m, n)) -> whether all is well
Kernel = Callable[[FloatArray, FloatArray], bool]
# raises an error that says what is wrong with the input, or returns it scaled to a sane size
Rescue = Callable[[FloatArray], FloatArray]


def in_blocks(
    value: FloatArray,
    tail: tuple[int, ...],
    result_tail: tuple[int, ...],
    kernel: Kernel,
    rescue: Rescue,
) -> FloatArray:
    """Run a kernel over all leading axes of `value`.

    Args:
        value: (…, *tail).
        tail, result_tail: shapes of one item and of one result.
        kernel: computes one block, and says whether its input was well.
        rescue: looks at the whole input where a kernel was not content.

    Returns:
        (…, *result_tail), a new array.

    Raises:
        ArgumentError: from `rescue`.
    """
    lead = value.shape[: value.ndim - len(tail)]
    result = np.empty((*lead, *result_tail))
    if not _run(value, math.prod(tail), result, math.prod(result_tail), kernel):
        _run(rescue(value), math.prod(tail), result, math.prod(result_tail), kernel)
    return result


def _run(value: FloatArray, width: int, result: FloatArray, wide: int, kernel: Kernel) -> bool:
    items, results = value.reshape(-1, width), result.reshape(-1, wide)
    if len(items) < SHARED:
        return _run_blocks(items, results, kernel)
    half = len(items) // (2 * ROWS) * ROWS
    well: list[bool] = []
    helper = Thread(target=lambda: well.append(_run_blocks(items[:half], results[:half], kernel)))
    helper.start()
    well.append(_run_blocks(items[half:], results[half:], kernel))
    helper.join()
    return well == [True, True]


def _run_blocks(items: FloatArray, results: FloatArray, kernel: Kernel) -> bool:
    well = True
    # bad numbers are looked for by the kernels, which say so
    with np.errstate(all="ignore"):
        for start in range(0, len(items), BLOCK):
            part = slice(start, start + BLOCK)
            components = items[part].T.copy(order="C")
            well = kernel(components, results[part]) and well
    return well
