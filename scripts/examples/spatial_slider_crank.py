"""A slider-crank in space: a wheel that turns about x drives a slider along x by a rod.

    blender --background --python scripts/examples/spatial_slider_crank.py

or `python scripts/examples/spatial_slider_crank.py` after `pip install bpy`. It writes a .gif and
a .blend of this name into the current folder; without Blender it prints the numbers alone.
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
    world, foot = spatial.World("world"), spatial.Fixed("foot", r=(-0.06, 0.15, 0.2))
    column = spatial.FixedTranslation("column", r=(0, 0, 0.4))
    shaft = spatial.Revolute("shaft", n=(1, 0, 0))
    wheel = spatial.BodyCylinder("wheel", r=(0.05, 0, 0), diameter=0.5, density=900.0)
    pin = spatial.FixedTranslation("pin", r=(0.06, 0, 0.2))
    start = spatial.Fixed("start", r=(0.4, 0, 0.2))
    rail = spatial.FixedTranslation("rail", r=(0.6, 0, 0))
    slide = spatial.Prismatic("slide", s0=0.2)
    slider = spatial.BodyBox("slider", r_shape=(-0.08, 0, 0), r=(0.08, 0, 0), width=0.16)
    cross = spatial.Universal("cross", n_a=(0, 1, 0), n_b=(1, 0, 1))
    rod = spatial.BodyCylinder("rod", r=(-0.6, 0.15, 0.6), diameter=0.03)
    ball = spatial.Spherical("ball")
    motor = spatial.PrescribedMotion("motor", joint=shaft, phi=lambda t: 3 * t - np.tanh(3 * t))

    parts = [world, foot, column, shaft, wheel, pin, start, rail, slide, slider, cross, rod, ball]
    press = Mechanism("spatial slider-crank", [*parts, motor])
    press.chain(foot, column, shaft, wheel)
    press.connect(wheel.frame_a, pin.frame_a)
    press.chain(start, slide, slider)
    press.connect(start.frame_b, rail.frame_a)
    press.connect(slider.frame_a, cross.frame_a)
    press.chain(cross, rod, ball)
    press.connect(ball.frame_b, pin.frame_b)
    sol = press.simulate(5.0, tolerance=1e-10)
    gap = np.abs(sol.trajectory.constraint("ball", np.linspace(0, 5, 1000)).equation).max()
    print(f"after 4.5 s the slider is at {sol(4.5, 'slider.r').round(8)} m")
    print(f"the loop is closed to {gap:.0e} m, the motor gives {sol(4.5, 'motor.tau'):.6f} N m")
    try:
        write_blend(press, sol, f"{folder}/spatial_slider_crank.blend", kind="armature")
        return sol, render(press, sol, f"{folder}/spatial_slider_crank.gif", **picture)
    except NoBlenderError as hint:
        return sol, print(hint)


if __name__ == "__main__":
    main()
