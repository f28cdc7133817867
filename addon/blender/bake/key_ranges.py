"""The values that joints take along their curves."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ....core.keyframes import JointKeys, KeyTable

STOP_SLOP = 1e-5  # rad or m: by so much a joint may be beyond a stop in a step of time


def joint_ranges(table: KeyTable, stopped: Collection[str]) -> dict[str, tuple[float, float]]:
    """The range of each joint with one coordinate.

    Args:
        stopped: joints that do not leave their limits. Of them keys count alone: where a curve
            swings beyond a limit between two keys, the limit is nearer to the motion.
    """
    ranges = {}
    for keys in table.keys:
        if keys.values.shape[1] != 1:
            continue
        if keys.joint in stopped:
            least, greatest = value_range(keys, "LINEAR")
            room = min(STOP_SLOP, 0.5 * (greatest - least))
            ranges[keys.joint] = least + room, greatest - room
        else:
            ranges[keys.joint] = value_range(keys, table.interpolation)
    return ranges


def value_range(keys: JointKeys, interpolation: str) -> tuple[float, float]:
    """The least and the greatest value that the interpolant of a one-coordinate joint takes."""
    values = keys.values[:, 0]
    if interpolation == "LINEAR" or len(values) < 2:
        return float(values.min()), float(values.max())
    gaps = np.diff(keys.frames)
    y0, y1 = values[:-1], values[1:]
    m0, m1 = keys.slopes[:-1, 0] * gaps, keys.slopes_before[1:, 0] * gaps
    # y(s) = y0 + m0 s + b s^2 + a s^3 has its extremes where 3 a s^2 + 2 b s + m0 = 0
    a, b = 2.0 * (y0 - y1) + m0 + m1, 3.0 * (y1 - y0) - 2.0 * m0 - m1
    root = np.sqrt(np.maximum(b * b - 3.0 * a * m0, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        # both roots without cancellation: w / 3a and m0 / w
        w = -(b + np.copysign(root, b))
        places = np.nan_to_num(np.stack((w / (3.0 * a), m0 / w)), posinf=0.0, neginf=0.0)
    s = np.clip(places, 0.0, 1.0)
    inner = y0 + s * (m0 + s * (b + s * a))
    return float(min(values.min(), inner.min())), float(max(values.max(), inner.max()))
