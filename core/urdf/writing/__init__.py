"""Robot -> the text of a URDF file (write_urdf), and file names right for where it goes."""

from .references import References, named_files, with_references
from .write import write_urdf

__all__ = ["References", "named_files", "with_references", "write_urdf"]
