"""A bar that hangs on two springs and moves freely: its orientation is a quaternion.

    blender --background --python scripts/examples/spring_mass_pendulum.py

or `python scripts/examples/spring_mass_pendulum.py` after `pip install bpy`. It writes
spring_mass_pendulum.gif and spring_mass_pendulum.blend into the current folder; without Blender it
prints the numbers alone.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # scripts/, where package.py is
from package import load_package

load_package()
from dynarig.addon.render import NoBlenderError, render, write_blend
from dynarig.core.mechanism import Mechanism, spatial


def main(folder=".", **picture):
    """Build, simulate, print, render; return the solution and the film."""
    world = spatial.World("world", n=(0, -1, 0))  # y is up
    hook = spatial.Fixed("hook", r=(0.8, 0, 0))
    start = {"r0": (0.2, -0.5, 0.1), "phi0": np.radians([10, 10, 10])}
    bar = spatial.BodyShape("bar", r=(0.4, 0, 0), m=1.0, I=1.0, **start)
    left = spatial.Spring("left", c=20.0)  # N/m
    right = spatial.Spring("right", c=20.0)

    pendulum = Mechanism("spring-mass pendulum", [world, hook, bar, left, right])
    pendulum.chain(world, left, bar)
    pendulum.connect(hook.frame_b, right.frame_a)
    pendulum.connect(bar.frame_b, right.frame_b)

    sol = pendulum.simulate(10.0, tolerance=1e-12)
    for t in (1.0, 5.0, 10.0):
        print(f"t = {t} s: r {sol(t, 'bar.r').round(9)} m, Q {sol(t, 'bar.Q').round(9)}")
    length = np.linalg.norm(sol(10.0, "bar.Q_hat"))
    print(f"nothing makes the quaternion unit, and its length has drifted by {length - 1:.0e}")

    try:
        write_blend(pendulum, sol, f"{folder}/spring_mass_pendulum.blend")
        picture = {"end": 5.0} | picture
        return sol, render(pendulum, sol, f"{folder}/spring_mass_pendulum.gif", **picture)
    except NoBlenderError as hint:
        return sol, print(hint)


if __name__ == "__main__":
    main()
