"""A planar pendulum: a body at the end of a rod that swings about a hinge.

    blender --background --python scripts/examples/planar_pendulum.py

or `python scripts/examples/planar_pendulum.py` after `pip install bpy`. It writes
planar_pendulum.gif and planar_pendulum.blend into the current folder; without Blender it
prints the numbers alone.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # scripts/, where package.py is
from package import load_package

load_package()  # from here on `dynarig` is the package that this script came with
from dynarig.addon.render import NoBlenderError, render, write_blend
from dynarig.core.mechanism import Mechanism, get_rot, planar


def main(folder=".", **picture):
    """Build, simulate, print, render; return the solution and the film."""
    # the components; gravity is 9.80665 m/s^2 along -y
    world = planar.World("world")
    revolute = planar.Revolute("revolute")
    rod = planar.FixedTranslation("rod", r=(1, 0))
    body = planar.Body("body", m=1.0, I=0.1)

    # frame_b of each is frame_a of the next
    pendulum = Mechanism("planar pendulum", [world, revolute, rod, body])
    pendulum.chain(world, revolute, rod, body)

    # three seconds from rest, the rod level
    sol = pendulum.simulate(3.0, tolerance=1e-12)
    print(f"phi(1.0) = {sol(1.0, 'revolute.phi'):.11f} rad")
    print(f"body at {sol(1.0, 'body.r').round(8)} m")
    print(f"local to world\n{get_rot(sol, rod.frame_b, 1.0).round(6)}")

    try:
        write_blend(pendulum, sol, f"{folder}/planar_pendulum.blend")
        return sol, render(pendulum, sol, f"{folder}/planar_pendulum.gif", **picture)
    except NoBlenderError as hint:
        return sol, print(hint)


if __name__ == "__main__":
    main()
