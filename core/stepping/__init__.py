"""Time stepping: contacts with friction, joint limits and stiff servos, in steps of one size.

One step (`kick`, then `drift`) reads

    kinematics -> forces, the stiff ones implicitly -> free velocity -> contacts -> impulses of the
    position -> impulses of the velocity, where something bounces -> move

The scheme is a leapfrog: of order 2 in smooth motion, of order 1 in implicit forces and in the time
of impacts, of which each happens at the end of the step in which bodies meet. Free bodies keep
their energy and momentum in flight; contact never gives energy but what taking back penetration
does, told as `lifted`, and 2 m (g h)^2 that move from one instant to another. A contact acts as the
plane between two bodies as they stand at the start of a step; where that leads them into each other
they are looked at again there. What flies past an edge at less than a step's way may be touched by
it.
"""

from .march import March
from .settings import STEP, TOLERANCE

__all__ = ["STEP", "TOLERANCE", "March"]
