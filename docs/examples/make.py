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
    "four_bar": 4.0,
    "spatial_slider_crank": 4.0,
    "stewart_platform": 4.0,
    "jack_in_a_box": 3.0,
}
# what is the same in every turn, once it has begun
STARTS = {"quadruped": 2.0, "spatial_slider_crank": 2.0, "stewart_platform": 2.0}


def main() -> None:
    """Run every example, and keep its film."""
    sys.path.insert(0, str(HERE.parents[1] / "scripts" / "examples"))
    for name, end in ENDS.items():
        example = importlib.import_module(name)
        with tempfile.TemporaryDirectory() as folder:
            example.main(folder, size=SIZE, fps=FPS, start=STARTS.get(name, 0.0), end=end)
            shutil.copy(Path(folder, f"{name}.gif"), HERE)


if __name__ == "__main__":
    main()
