"""What the computer runs: the compiled tree and its vectorised kinematics and dynamics."""

from .accelerations import link_accelerations, q_second_derivative
from .compile import compile_robot, compile_tree
from .equations import (
    bias_forces,
    forward_dynamics,
    kinetic_energy,
    mass_matrix,
    potential_energy,
)
from .holding import hold_pose
from .kinematics import link_poses, q_derivative, v_from_q_derivative
from .model import FLOATING_BASE, Model
from .passive import passive_forces
from .quantities import (
    center_of_mass,
    difference_q,
    gravity_forces,
    integrate_q,
    inverse_dynamics,
    jacobian,
    link_velocities,
    momentum,
)
from .servo import Servo
from .system import FrameForce, JointForce, Moment, Prescribed, System

__all__ = [
    "FLOATING_BASE",
    "FrameForce",
    "JointForce",
    "Model",
    "Moment",
    "Prescribed",
    "Servo",
    "System",
    "bias_forces",
    "center_of_mass",
    "compile_robot",
    "compile_tree",
    "difference_q",
    "forward_dynamics",
    "gravity_forces",
    "hold_pose",
    "integrate_q",
    "inverse_dynamics",
    "jacobian",
    "kinetic_energy",
    "link_accelerations",
    "link_poses",
    "link_velocities",
    "mass_matrix",
    "momentum",
    "passive_forces",
    "potential_energy",
    "q_derivative",
    "q_second_derivative",
    "v_from_q_derivative",
]
