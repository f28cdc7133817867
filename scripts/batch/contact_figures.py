"""What there is to tell of the contacts of a simulated motion."""

from __future__ import annotations

from dynarig.core.dynamics.contact import ContactSystem
from dynarig.core.trajectory import Trajectory


def contact_figures(trajectory: Trajectory) -> dict[str, float | str]:
    """The figures of the scheme that was taken, by their keys in `figures`; none without one."""
    touches = trajectory.touches
    if touches is not None:
        return {
            "scheme": "friction",
            "penetration": touches.deepest,
            "residual": touches.residual,
            "unconverged": touches.unconverged,
        }
    if isinstance(trajectory.equations.system, ContactSystem):
        return {"scheme": "exact", "impacts": len(trajectory.impacts)}
    return {}
