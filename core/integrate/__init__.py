"""One step of each scheme, error control and dense output; the caller owns the loop."""

from .constrained import ConstrainedAlpha, ConstrainedEquations, Index
from .dense import DenseOutput, Record
from .dop853 import DOP853
from .dormand_prince import DormandPrince54
from .equations import Equations, Linear, MechanicalEquations, Time
from .events import Crossing, EventFunction, Watch, same_instant
from .generalized_alpha import GeneralizedAlpha
from .implicit_midpoint import ImplicitMidpoint
from .rk4 import RK4
from .rosenbrock import RosenbrockW32
from .semi_implicit_euler import SemiImplicitEuler
from .stepper import Step, StepCollapse, Stepper

__all__ = [
    "DOP853",
    "RK4",
    "ConstrainedAlpha",
    "ConstrainedEquations",
    "Crossing",
    "DenseOutput",
    "DormandPrince54",
    "Equations",
    "EventFunction",
    "GeneralizedAlpha",
    "ImplicitMidpoint",
    "Index",
    "Linear",
    "MechanicalEquations",
    "Record",
    "RosenbrockW32",
    "SemiImplicitEuler",
    "Step",
    "StepCollapse",
    "Stepper",
    "Time",
    "Watch",
    "same_instant",
]
