"""What a .npz file holds of impacts; nothing where there are none.

impact_times, impact_lost       (k,), s and J
impact_states                   (k, nq + 2 nv): q, v before and v behind
impact_counts                   (k,), how many gaps exert an impulse in each
impact_contacts                 (n,), their names, all impacts one after the other
impact_gaps                     (n, 3): impulses, rates before and behind
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arrays import frozen
from ..dynamics import Model
from .impact import Impact
from .npz_content import Content


def impact_arrays(impacts: Sequence[Impact]) -> dict[str, Any]:
    """The entries of impacts, by name."""
    if not impacts:
        return {}
    gaps = [np.stack((x.impulses, x.speeds_left, x.speeds_right), axis=1) for x in impacts]
    return {
        "impact_times": [hit.time for hit in impacts],
        "impact_lost": [hit.lost for hit in impacts],
        "impact_states": [np.concatenate((x.q, x.v_left, x.v_right)) for x in impacts],
        "impact_counts": [len(hit.contacts) for hit in impacts],
        "impact_contacts": [name for hit in impacts for name in hit.contacts],
        "impact_gaps": np.concatenate(gaps),
    }


def read_impacts(content: Content, model: Model) -> tuple[Impact, ...]:
    """The impacts of a file; none in files from before there were any."""
    if "impact_times" not in content.arrays:
        return ()
    times = content.numbers("impact_times", (None,))
    if (np.diff(times) < 0.0).any():
        raise content.error("'impact_times': wanted times in order")
    count, ends = len(times), (model.nq, model.nq + model.nv)
    lost = content.numbers("impact_lost", (count,))
    states = content.numbers("impact_states", (count, model.nq + 2 * model.nv))
    counts = content.numbers("impact_counts", (count,))
    names = content.texts("impact_contacts")
    if (counts < 0.0).any() or (counts != np.round(counts)).any() or counts.sum() != len(names):
        raise content.error("'impact_counts': wanted how many of 'impact_contacts' are of each")
    gaps = content.numbers("impact_gaps", (len(names), 3))
    last = np.cumsum(counts).astype(np.intp)
    out = []
    for k in range(count):
        own = slice(int(last[k] - counts[k]), int(last[k]))
        impulses, left, right = (frozen(column.copy()) for column in gaps[own].T)
        q, v_left, v_right = (frozen(part.copy()) for part in np.split(states[k], ends))
        time, loss = float(times[k]), float(lost[k])
        out.append(Impact(time, tuple(names[own]), impulses, left, right, q, v_left, v_right, loss))
    return tuple(out)
