"""A .xacro file -> URDF text (expand_xacro); left-over xacro in other files."""

from .dom import Place, PlacedText, told_path
from .expand import expand_xacro
from .left_over import refuse_xacro, warn_of_xacro

__all__ = ["Place", "PlacedText", "expand_xacro", "refuse_xacro", "told_path", "warn_of_xacro"]
