"""A four-bar linkage: a crank that turns, a rocker that swings, and a pen on the bar between.

    blender --background --python scripts/examples/four_bar.py

or `python scripts/examples/four_bar.py` after `pip install bpy`. It writes four_bar.gif and
four_bar.blend into the current folder; without Blender it prints the numbers alone.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # scripts/, where package.py is
from package import load_package

load_package()
from dynarig.addon.render import NoBlenderError, render, write_blend
from dynarig.core.mechanism import Mechanism, planar


def main(folder=".", **picture):
    """Build, simulate, print, render; return the solution and the film."""
    # drawn as it stands at the start: all angles are zero there, and bars as they lie in the world
    world, post = planar.World("world"), planar.Fixed("post", r=(3, 0))
    crank = planar.BodyShape("crank", r=(0, 1), radius=0.1)
    coupler = planar.BodyShape("coupler", r=(3, 1.5), radius=0.1)
    rocker = planar.BodyShape("rocker", r=(0, -2.5), radius=0.1)
    arm = planar.FixedTranslation("arm", r=(0.9, 1.6))
    brace = planar.FixedTranslation("brace", r=(2.1, -0.1))
    pen = planar.Body("pen", m=0.2, I=0.0, radius=0.2, color=(0.62, 0.20, 0.52))
    # rad/s; the last hinge closes the loop, and its motion follows from the others'
    pins = [planar.Revolute(name, w0=w) for name, w in (("a", 3), ("b", -3), ("c", 1.2))]
    last = planar.Revolute("d")

    bars = [crank, coupler, rocker, arm, brace, pen]
    linkage = Mechanism("four-bar", [world, post, *pins, last, *bars])
    linkage.chain(world, pins[0], crank, pins[1], coupler, pins[2], rocker, last)
    linkage.connect(last.frame_b, post.frame_b)
    linkage.connect(coupler.frame_a, arm.frame_a)
    linkage.connect(arm.frame_b, pen.frame_a, brace.frame_a)
    linkage.connect(brace.frame_b, coupler.frame_b)

    sol = linkage.simulate(6.0, tolerance=1e-12)
    print(f"after 6 s the pen is at {sol(6.0, 'pen.r').round(8)} m")
    gap = np.abs(sol.trajectory.constraint("d", np.linspace(0, 6, 1000)).equation).max()
    print(f"the loop is closed to {gap:.0e} m, energy kept to {sol.trajectory.energy_drift:.0e} J")

    try:
        write_blend(linkage, sol, f"{folder}/four_bar.blend", kind="armature")
        return sol, render(linkage, sol, f"{folder}/four_bar.gif", **picture)
    except NoBlenderError as hint:
        return sol, print(hint)


if __name__ == "__main__":
    main()
