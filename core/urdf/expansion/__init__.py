"""A .xacro file -> URDF text (expand_xacro); left-over xacro in other files (refuse_xacro)."""

from .dom import Place, PlacedText
from .expand import expand_xacro
from .left_over import refuse_xacro

__all__ = ["Place", "PlacedText", "expand_xacro", "refuse_xacro"]
