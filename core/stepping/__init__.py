"""Time stepping: contacts with friction, joint limits and stiff servos, in steps of one size.

One step (`kick`, then `drift`) reads

    kinematics -> forces, the stiff ones implicitly -> free velocity -> contacts -> impulses of the
    position -> impulses of the velocity, where something bounces -> move
"""

from .march import March
from .settings import STEP, TOLERANCE

__all__ = ["STEP", "TOLERANCE", "March"]
