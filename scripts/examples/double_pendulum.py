"""A double pendulum: two rods, two hinges, and a motion that no one can guess.

    blender --background --python scripts/examples/double_pendulum.py

or `python scripts/examples/double_pendulum.py` after `pip install bpy`. It writes
double_pendulum.gif and double_pendulum.blend into the current folder; without Blender it
prints the numbers alone.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # scripts/, where package.py is
from package import load_package

load_package()
from dynarig.addon.render import NoBlenderError, render, write_blend
from dynarig.core.mechanism import Mechanism, planar


def main(folder=".", **picture):
    """Build, simulate, print, render; return the solution and the film."""
    world = planar.World("world")
    shoulder = planar.Revolute("shoulder", phi0=0.4)  # rad, from the level
    upper = planar.FixedTranslation("upper", r=(1.0, 0.0))
    weight = planar.Body("weight", m=1.0, I=0.0)
    elbow = planar.Revolute("elbow", phi0=0.3)
    lower = planar.FixedTranslation("lower", r=(0.8, 0.0))
    bob = planar.Body("bob", m=0.5, I=0.0)

    parts = [world, shoulder, upper, weight, elbow, lower, bob]
    pendulum = Mechanism("double pendulum", parts)
    pendulum.chain(world, shoulder, upper, weight)
    pendulum.chain(upper, elbow, lower, bob)  # the elbow hangs from the upper rod's end too

    sol = pendulum.simulate(6.0, tolerance=1e-12)
    for t in (1.0, 2.0):
        angles = sol(t, "shoulder.phi"), sol(t, "elbow.phi")
        print(f"t = {t} s: shoulder {angles[0]:.9f} rad, elbow {angles[1]:.9f} rad")
    print(f"energy is kept to {sol.trajectory.energy_drift:.1e} J")

    try:
        write_blend(pendulum, sol, f"{folder}/double_pendulum.blend", kind="armature")
        return sol, render(pendulum, sol, f"{folder}/double_pendulum.gif", **picture)
    except NoBlenderError as hint:
        return sol, print(hint)


if __name__ == "__main__":
    main()
