"""Constraints whose velocities contradict each other, and a prescribed motion: all are named."""

import numpy as np
import pytest

from .mechanisms import slides


def test_a_prescribed_motion_is_named_beside_the_constraint_that_it_contradicts():
    from dynarig.core.dynamics import Prescribed, System
    from dynarig.core.dynamics.constraints import Gear
    from dynarig.core.errors import SimulationError

    model = slides([1.0, 1.0])
    gear = Gear(name="gear", driver="x0", driven="x1", ratio=1.0)
    drives = (
        Prescribed(0, 0, lambda t: (t, 1.0, 0.0)),
        Prescribed(2, 2, lambda t: (3.0 * t, 3.0, 0.0)),
        Prescribed(1, 1, lambda t: (t, 1.0, 0.0)),
    )
    system = System(model, prescribed=drives, constraints=(gear,))
    q, v = system.held(np.asarray(0.0), np.zeros(4), np.zeros(4))
    told = r"no velocities satisfy Gear 'gear' and the prescribed motion of 'x0', 'x1' at once"
    with pytest.raises(SimulationError, match=told):
        system.projection.velocities(system.moment(np.asarray(0.0), q, v))


def test_both_of_two_drives_are_named():
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import PrescribedCoordinate
    from dynarig.core.errors import SimulationError

    drives = [
        PrescribedCoordinate(name=name, coordinate="x0", motion=lambda t, own=speed: own * t)
        for name, speed in (("slow", 1.0), ("fast", 2.0))
    ]
    system = System(slides([1.0]), constraints=tuple(drives))
    at = system.moment(np.asarray(0.0), np.zeros(2), np.zeros(2))
    told = "PrescribedCoordinate 'slow', PrescribedCoordinate 'fast' at once"
    with pytest.raises(SimulationError, match=told):
        system.projection.velocities(at)
