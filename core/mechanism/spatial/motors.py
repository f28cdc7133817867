"""Motors on joints in space; see docs/forces.md."""

from __future__ import annotations

from typing import ClassVar

from ..component import Space
from ..motors.motor_parts import PositionServoPart, TorqueMotorPart, VelocityServoPart
from ..motors.prescribed import PrescribedMotionPart


class TorqueMotor(TorqueMotorPart):
    """A given torque on a joint: a number, or a function of t or of (t, phi, w)."""

    space: ClassVar[Space] = "spatial"


class VelocityServo(VelocityServoPart):
    """A motor that holds a speed: tau = gain (w_ref - w), within tau_max."""

    space: ClassVar[Space] = "spatial"


class PositionServo(PositionServoPart):
    """A motor that holds a position: tau = kp (phi_ref - phi) + kd (w_ref - w)."""

    space: ClassVar[Space] = "spatial"


class PrescribedMotion(PrescribedMotionPart):
    """A joint whose coordinate is a function of time, whatever torque that takes."""

    space: ClassVar[Space] = "spatial"
