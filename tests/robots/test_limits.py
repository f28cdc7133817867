"""Real robots that hang limp and fall onto the limits of their joints, as contacts."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_robot
from dynarig.core.dynamics.contact import ContactSystem, joint_limits
from dynarig.core.simulate import run, simulate
from dynarig.core.urdf import load_urdf

FALLS = {
    "a1_description/urdf/a1.urdf": 2.0,  # legs that fold
    "baxter_description/urdf/baxter.urdf": 1.0,  # fingers at their limits, which nothing loads
    "alex_description/urdf/alex_nub_hands.urdf": 0.7,  # a neck whose push fades to nothing
    "kinova_description/robots/kinova.urdf": 1.0,
    "panda_description/urdf/panda.urdf": 1.0,
}


@pytest.mark.parametrize("name", FALLS)
def test_limits_hold_a_robot_that_falls(robots, name):
    model = compile_robot(load_urdf(robots / name))
    system = ContactSystem(model, contacts=joint_limits(model))
    end = FALLS[name]
    motion = run(simulate(system, np.linspace(0.0, end, 11)))
    gap = system.gaps.at(motion.dense(np.linspace(0.0, end, 500))[:, : model.nq]).gap
    assert gap.min() > -1e-9
    assert motion.energy_drift < 1e-5
    for hit in motion.impacts:
        assert (hit.impulses > 0.0).all()
        assert hit.lost > -1e-9
        assert np.abs(hit.speeds_right).max() < 1e-9
