"""The jack in the box: a box that is shaken, and a jack that falls about in it.

    blender --background --python scripts/examples/jack_in_a_box.py

or `python scripts/examples/jack_in_a_box.py` after `pip install bpy`. It lists every impact, and
writes jack_in_a_box.gif, .blend and .svg (curves); without Blender it prints the impacts alone.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # scripts/, where package.py is
from package import load_package
from plot import write_plot

load_package()
from dynarig.addon.render import NoBlenderError, render, write_blend
from dynarig.core.mechanism.presets import jack_in_a_box


def main(folder=".", **picture):
    """Build, simulate, print, plot, render; return the solution and the film."""
    # the parameters that it has by default; core/mechanism/presets shows how it is built
    toy = jack_in_a_box(mb=20, mj=1, Lb=2, Lj=0.5, kx=400, Ax=0.5, ky=2000, kth=100, restitution=1)
    # each impact makes small errors some ten times larger, hence the tolerance
    sol = toy.simulate(t := np.linspace(0, 3, 301), tolerance=1e-13)
    # every impact: when, what hit what, and how hard
    for hit in sol.trajectory.impacts:
        print(f"{hit.time:.10f} s  {hit.contacts[0]}  {hit.impulses[0]:.6f} N s")
    try:
        write_blend(toy, sol, f"{folder}/jack_in_a_box.blend", kind="armature")
        film = render(toy, sol, f"{folder}/jack_in_a_box.gif", **picture)
    except NoBlenderError as hint:
        return sol, print(hint)
    # where both are, and the energy: the springs put some in and take some out
    places = {f"{b} {'xy'[k]} (m)": sol(t, f"{b}.r")[:, k] for b in ("box", "jack") for k in (0, 1)}
    write_plot(f"{folder}/jack_in_a_box.svg", t, [places, {"E (J)": sol.trajectory.energy}])
    return sol, film


if __name__ == "__main__":
    main()
