"""Bodies wedged in corners, where more gaps rest than are needed, come to rest and let go."""

import numpy as np
import pytest

from ...close import assert_close
from .benches import free_bodies

RULES = ("joint", "sequential")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("e", [0.0, 0.1])
def test_the_jack_lets_go_of_a_corner_of_the_box(rule, e):
    from dynarig.core.mechanism.presets import jack_in_a_box

    sol = jack_in_a_box(restitution=e, impacts=rule).simulate(1.6)
    assert sol.times[-1] == 1.6
    assert any("'wall 2 corner 1' leaves rest" in told for told in sol.trajectory.remarks)
    assert all(hit.lost > -1e-9 for hit in sol.trajectory.impacts)


def crate(rule):
    """1 kg in the corner of a floor and a wall on its left: four gaps hold three ways."""
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import Box, Contact, ContactSystem, Plane

    box = Box(Port.at("crate", np.zeros(3)), (0.5, 0.5))
    ground = Port(None, np.eye(4))
    contacts = tuple(
        Contact(name=name, a=box, b=Plane(ground, normal))
        for name, normal in (("floor", (0.0, 1.0, 0.0)), ("wall", (1.0, 0.0, 0.0)))
    )
    return ContactSystem(free_bodies([("crate", 1.0, 0.2)]), contacts=contacts, impacts=rule)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("turning", [-0.5, 0.0, 0.3])
def test_a_crate_leaves_its_wall_where_the_force_on_it_turns(rule, turning):
    from dynarig.core.simulate import run, simulate

    def tau(t, q, v):
        push = -np.cos(3.0 * t)
        return np.array([push, 0.0, turning * push])

    # against the wall till pi/6, then x'' = -cos 3t until pi/2 and beyond
    times = np.array([0.0, np.pi / 6.0, 0.8, 1.2])
    motion = run(simulate(crate(rule), times, [0.5, 0.5, 0.0], np.zeros(3), tau=tau))
    later = times - times[1]
    wanted = np.where(later > 0.0, later / 3.0 - np.sin(3.0 * later) / 9.0, 0.0)
    for t, x in zip(times, wanted, strict=True):
        q, _ = motion.sample(t)
        assert_close(q, [0.5 + x, 0.5, 0.0], 1e-7)
    left = [told for told in motion.remarks if "wall" in told and "leaves rest" in told]
    assert left
    assert "t = 0.523599 s" in left[-1]  # pi / 6
    # nothing hits but by rounding
    assert_close(sum(hit.impulses.sum() for hit in motion.impacts), 0.0, 1e-12)
