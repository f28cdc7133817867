"""The force alone is that of the passive forces with their derivatives."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_tree, passive_forces
from dynarig.core.dynamics.passive_force import PassiveForce

from ...close import assert_close


@pytest.mark.parametrize("mimic", [False, True])
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize("extra_damping", [0.0, 0.7])
@pytest.mark.parametrize("stops", [False, True])
def test_it_is_the_force_of_the_passive_forces(random_tree, mimic, described, extra_damping, stops):
    types = ["revolute", "revolute", "prismatic", "screw", "universal"]
    types += [] if mimic else ["cylindrical", "planar"]
    options = {"damping": 0.3, "friction": 0.2, "stiffness": 4.0, "rest": 0.1}
    tree = random_tree(8, types, mimic=mimic, lower=-0.2, upper=0.3, **options)
    check(compile_tree(tree, floating_base=True), described, extra_damping, stops)


@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize("extra_damping", [0.0, 0.7])
def test_spherical_joints_are_damped_and_floating_ones_are_not(
    random_tree, described, extra_damping
):
    tree = random_tree(9, ["spherical", "revolute", "spherical"], damping=0.3)
    check(compile_tree(tree, floating_base=True), described, extra_damping, True)


def check(model, described, extra_damping, stops):
    rng = np.random.default_rng(2)
    q = model.neutral() + rng.uniform(-1.0, 1.0, (40, model.nq))
    v = rng.normal(size=(40, model.nv))
    force = PassiveForce(model, described, extra_damping, stops)
    expected = passive_forces(
        model, q, v, described=described, extra_damping=extra_damping, stops=stops
    ).force
    assert_close(force(q, v), expected, atol=1e-9)
    for one, other, wanted in zip(q, v, expected, strict=True):
        assert_close(force(one, other), wanted, atol=1e-9)
    assert force.acts == bool(np.abs(expected).max() > 0.0)
