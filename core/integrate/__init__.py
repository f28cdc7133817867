"""One step of each scheme, error control and dense output; the caller owns the loop."""

from .dense import DenseOutput
from .dormand_prince import DormandPrince54
from .rosenbrock import RosenbrockW32, StiffSystem
from .stepper import Step, StepCollapse, Stepper, System

__all__ = [
    "DenseOutput",
    "DormandPrince54",
    "RosenbrockW32",
    "Step",
    "StepCollapse",
    "Stepper",
    "StiffSystem",
    "System",
]
