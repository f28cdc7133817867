"""A Furuta pendulum: an arm that turns about the upright, and a rod that swings at its end.

    blender --background --python scripts/examples/furuta_pendulum.py

or `python scripts/examples/furuta_pendulum.py` after `pip install bpy`. It writes
furuta_pendulum.gif and furuta_pendulum.blend into the current folder; without Blender it
prints the numbers alone.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # scripts/, where package.py is
from package import load_package

load_package()
from dynarig.addon.render import NoBlenderError, render, write_blend
from dynarig.core.mechanism import Mechanism, spatial


def main(folder=".", **picture):
    """Build, simulate, print, render; return the solution and the film."""
    world = spatial.World("world", n=(0, -1, 0), g=9.81)  # y is up
    shoulder = spatial.Revolute("shoulder", n=(0, 1, 0), d=0.07)  # d: damping, N m s/rad
    upper = spatial.BodyShape("upper", r=(0, 0, 0.6), m=1.0)
    elbow = spatial.Revolute("elbow", n=(0, 0, 1), phi0=0.1, d=0.07)  # nearly upright
    lower = spatial.BodyShape("lower", r=(0, 0.6, 0), m=1.0)
    tip = spatial.Body("tip", m=0.3)

    parts = [world, shoulder, upper, elbow, lower, tip]
    pendulum = Mechanism("Furuta pendulum", parts)
    pendulum.chain(*parts)

    sol = pendulum.simulate(6.0, tolerance=1e-12)
    for t in (0.5, 1.0, 2.0):
        angles = sol(t, "shoulder.phi"), sol(t, "elbow.phi")
        print(f"t = {t} s: shoulder {angles[0]:.9f} rad, elbow {angles[1]:.9f} rad")

    try:
        write_blend(pendulum, sol, f"{folder}/furuta_pendulum.blend", kind="armature")
        return sol, render(pendulum, sol, f"{folder}/furuta_pendulum.gif", **picture)
    except NoBlenderError as hint:
        return sol, print(hint)


if __name__ == "__main__":
    main()
