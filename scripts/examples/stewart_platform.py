"""A Stewart platform: six legs that lengthen and shorten, six loops, a plate that sways.

    blender --background --python scripts/examples/stewart_platform.py

or `python scripts/examples/stewart_platform.py` after `pip install bpy`. It writes a .gif and a
.blend of this name into the current folder; without Blender it prints the numbers alone.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # scripts/, where package.py is
from package import load_package

load_package()
from dynarig.addon.render import NoBlenderError, render, write_blend
from dynarig.core.mechanism import Mechanism, spatial

FEET, TOPS = (50, 70, 170, 190, 290, 310), (10, 110, 130, 230, 250, 350)  # degrees about z
PLATE = {"diameter": 1.3, "density": 100.0, "color": (0.10, 0.56, 0.62)}  # m, kg/m^3
TUBE = {"diameter": 0.10, "density": 300.0, "color": (0.33, 0.45, 0.80)}
ROD = {"diameter": 0.05, "density": 300.0, "color": (0.95, 0.66, 0.16)}


def stretch(turn):
    """By how much a leg is longer than at the start, m, over time: the plate sways and bobs."""
    return lambda t: np.tanh(t * t) * (0.14 * np.sin(3 * t - turn) + 0.05 * np.sin(6 * t))


def main(folder=".", **picture):
    """Build, simulate, print, render; return the solution and the film."""
    plate = spatial.BodyCylinder("plate", r=(0, 0, 0.06), **PLATE)
    robot = Mechanism("Stewart platform", [spatial.World("world"), plate])
    for leg, (below, above) in enumerate(np.radians([FEET, TOPS]).T):
        foot = np.array([np.cos(below), np.sin(below), -1.0])  # in the world
        top = 0.6 * np.array([np.cos(above), np.sin(above), 0.0])  # in the plate
        ground, cross = spatial.Fixed(f"foot {leg}", r=foot), spatial.Universal(f"cross {leg}")
        tube = spatial.BodyCylinder(f"tube {leg}", r=(top - foot) / 2, **TUBE)
        slide = spatial.Prismatic(f"slide {leg}", n=top - foot)
        rod = spatial.BodyCylinder(f"rod {leg}", r=tube.r, r_shape=-0.8 * tube.r, **ROD)
        ball = spatial.Ball(f"ball {leg}")  # a constraint, which closes the loop
        arm = spatial.FixedTranslation(f"arm {leg}", r=-top)
        drive = spatial.PrescribedMotion(f"drive {leg}", joint=slide, phi=stretch(above))
        robot.add(ground, cross, tube, slide, rod, ball, arm, drive)
        robot.chain(ground, cross, tube, slide, rod, ball, arm, plate)
    sol = robot.simulate(5.0, tolerance=1e-8)
    gap = np.abs([sol(np.arange(50) / 10, f"ball {leg}.displacement") for leg in range(6)]).max()
    print(f"at 2 s the plate is at {sol(2.0, 'plate.r').round(5)} m, loops closed to {gap:.0e} m")
    try:
        write_blend(robot, sol, f"{folder}/stewart_platform.blend")
        return sol, render(robot, sol, f"{folder}/stewart_platform.gif", **picture)
    except NoBlenderError as hint:
        return sol, print(hint)


if __name__ == "__main__":
    main()
