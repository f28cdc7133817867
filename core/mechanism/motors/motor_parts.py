"""Motors that exert a torque: given, or by a servo's law. In a plane and in space."""

from __future__ import annotations

from typing import ClassVar

from ..arguments import number
from ..forces.signals import Given
from .drive_parts import DrivePart
from .joint_choice import Joint


class TorqueMotorPart(DrivePart):
    """A given torque on a joint.

    Args:
        name: of the component.
        joint: a joint of one coordinate, or its name ('hinge', 'robot.elbow').
        tau: N m (N on a slide): a number, or a function of t, or of (t, phi, w).
    """

    def __init__(self, name: str, *, joint: Joint, tau: Given) -> None:
        super().__init__(name, joint, tau=tau)


class VelocityServoPart(DrivePart):
    """A torque that drives the joint's velocity: tau = gain (w_ref - w), within the limit.

    Args:
        name: of the component.
        joint: as for `TorqueMotor`.
        w_ref: rad/s (m/s): a number or a function of t.
        gain: N m s/rad (N s/m).
        tau_max: the limit, N m (N), at which the torque is cut off; inf for none. Left out it
            is that of the joint: joints of a robot have one where its file gives <limit effort>.
    """

    is_servo: ClassVar[bool] = True

    def __init__(
        self,
        name: str,
        *,
        joint: Joint,
        w_ref: Given,
        gain: float,
        tau_max: float | None = None,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        self.gain = number(owner, "gain", gain, 0.0)
        super().__init__(name, joint, w_ref=w_ref, kd=self.gain, tau_max=tau_max)


class PositionServoPart(DrivePart):
    """A torque that drives the joint's position, within the limit.

        tau = kp (phi_ref - phi) + kd (w_ref - w)

    Args:
        name: of the component.
        joint: as for `TorqueMotor`.
        phi_ref: rad (m): a number or a function of t.
        kp: N m/rad (N/m); kd: N m s/rad (N s/m).
        w_ref: rad/s (m/s), a number or a function of t; 0, which brakes every motion, unless the
            rate of a moving phi_ref is given here.
        tau_max: the limit, N m (N), at which the torque is cut off; inf for none. Left out it
            is that of the joint: joints of a robot have one where its file gives <limit effort>.
    """

    is_servo: ClassVar[bool] = True

    def __init__(
        self,
        name: str,
        *,
        joint: Joint,
        phi_ref: Given,
        kp: float,
        kd: float = 0.0,
        w_ref: Given = 0.0,
        tau_max: float | None = None,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        self.kp, self.kd = number(owner, "kp", kp, 0.0), number(owner, "kd", kd, 0.0)
        super().__init__(
            name,
            joint,
            phi_ref=phi_ref,
            w_ref=w_ref,
            kp=self.kp,
            kd=self.kd,
            tau_max=tau_max,
        )
