"""What the computer runs: the compiled tree and its vectorised kinematics and dynamics."""

from .compile import compile_robot, compile_tree
from .equations import (
    bias_forces,
    forward_dynamics,
    kinetic_energy,
    mass_matrix,
    potential_energy,
)
from .kinematics import link_poses, q_derivative, v_from_q_derivative
from .model import FLOATING_BASE, Model
from .passive import passive_forces

__all__ = [
    "FLOATING_BASE",
    "Model",
    "bias_forces",
    "compile_robot",
    "compile_tree",
    "forward_dynamics",
    "kinetic_energy",
    "link_poses",
    "mass_matrix",
    "passive_forces",
    "potential_energy",
    "q_derivative",
    "v_from_q_derivative",
]
