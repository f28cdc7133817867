"""Render the pictures of examples.md anew: `python docs/examples/make.py`, with Blender's wheel."""

import importlib
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIZE, FPS = (320, 180), 12.5
ENDS = {  # s
    "planar_pendulum": 2.4,
    "double_pendulum": 4.0,
    "furuta_pendulum": 3.0,
    "spring_mass_pendulum": 3.0,
    "quadruped": 2.96,
}


def main() -> None:
    """Run every example, and keep its film."""
    sys.path.insert(0, str(HERE.parents[1] / "scripts" / "examples"))
    for name, end in ENDS.items():
        example = importlib.import_module(name)
        with tempfile.TemporaryDirectory() as folder:
            # the dance of the quadruped is the same every second, once it has begun
            start = 0.0 if name != "quadruped" else 2.0
            example.main(folder, size=SIZE, fps=FPS, start=start, end=end)
            shutil.copy(Path(folder, f"{name}.gif"), HERE)


if __name__ == "__main__":
    main()
