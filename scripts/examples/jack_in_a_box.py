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
from dynarig.core.mechanism import Mechanism, planar
from dynarig.core.mechanism.contacts import Point, Wall


def main(folder=".", **picture):
    """Build, simulate, print, plot, render; return the solution and the film."""
    world, ways = planar.World("world", g=9.81), np.array([(1, 0), (0, 1), (-1, 0), (0, -1)])
    box = planar.Body("box", m=20, I=40 / 3, radius=0.03)
    jack = planar.Body("jack", m=1, I=1 / 24, r0=(0.1, 0.2), phi0=0.3, v0=(0.4, 0), w0=1.5)
    turn = planar.TorsionSpring("turn", c=100)
    pull = lambda t, r, v: (200 * np.sin(2 * np.pi * t) - 400 * r[0], 196.2 - 2000 * r[1])  # noqa: E731
    shake = planar.WorldForce("shake", force=pull)  # springs, and half a metre to and fro
    arms = [planar.FixedTranslation(f"arm {k}", r=0.125**0.5 * way) for k, way in enumerate(ways)]
    toy = Mechanism("jack in a box", [world, box, jack, turn, shake, *arms])
    toy.connect(world.frame_b, turn.frame_a)
    toy.connect(box.frame_a, turn.frame_b, shake.frame_b)
    toy.connect(jack.frame_a, *(arm.frame_a for arm in arms))
    for k, way in enumerate(ways):
        side = {"a": Wall(at=way, normal=-way, length=2), "b": Point(), "restitution": 1}
        for tip, arm in enumerate(arms):
            hit = planar.Contact(f"wall {k} corner {tip}", show=tip == 0, **side)
            toy.add(hit)
            toy.connect(box.frame_a, hit.frame_a)
            toy.connect(arm.frame_b, hit.frame_b)

    sol = toy.simulate(t := np.linspace(0, 3, 301), tolerance=1e-13)
    for hit in sol.trajectory.impacts:
        print(f"{hit.time:.10f} s  {hit.contacts[0]}  {hit.impulses[0]:.6f} N s")
    try:
        write_blend(toy, sol, f"{folder}/jack_in_a_box.blend", kind="armature")
        film = render(toy, sol, f"{folder}/jack_in_a_box.gif", **picture)
    except NoBlenderError as hint:
        return sol, print(hint)
    places = {f"{b} {'xy'[k]} (m)": sol(t, f"{b}.r")[:, k] for b in ("box", "jack") for k in (0, 1)}
    write_plot(f"{folder}/jack_in_a_box.svg", t, [places, {"E (J)": sol.trajectory.energy}])
    return sol, film


if __name__ == "__main__":
    main()
