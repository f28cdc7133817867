"""The answer: motions over time, and their files."""

from .columns import table_columns
from .csv_file import read_csv, write_csv
from .files import load_trajectory
from .frame import LinkFrame
from .jump import Jump
from .npz_file import read_npz, write_npz
from .trajectory import Trajectory

__all__ = [
    "Jump",
    "LinkFrame",
    "Trajectory",
    "load_trajectory",
    "read_csv",
    "read_npz",
    "table_columns",
    "write_csv",
    "write_npz",
]
