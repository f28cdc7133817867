"""What the functions of the dynamics refuse by name: shapes that do not fit, zero quaternions."""

import numpy as np
import pytest
from dynarig.core import dynamics
from dynarig.core.dynamics import compile_tree, integrate_q, link_poses
from dynarig.core.errors import ModelError

from ...close import assert_close

PAIRS = {
    **dict.fromkeys(("bias_forces", "forward_dynamics", "kinetic_energy"), "qv"),
    **dict.fromkeys(("link_velocities", "momentum", "q_derivative", "passive_forces"), "qv"),
    **dict.fromkeys(("v_from_q_derivative", "difference_q"), "qq"),
    **dict.fromkeys(("inverse_dynamics", "link_accelerations", "q_second_derivative"), "qvv"),
}


@pytest.fixture(params=[["revolute", "prismatic"], ["revolute", "spherical", "floating"]])
def model(request, random_tree):
    return compile_tree(random_tree(2, request.param))


@pytest.mark.parametrize("name", PAIRS)
def test_leading_axes_that_do_not_fit_are_refused_by_name(model, name):
    sizes = [{"q": model.nq, "v": model.nv}[kind] for kind in PAIRS[name]]
    values = [np.ones((3 - index, size)) for index, size in enumerate(sizes)]
    with pytest.raises(ModelError, match=rf"\(3, {sizes[0]}\).* \(2, {sizes[1]}\)"):
        getattr(dynamics, name)(model, *values)


@pytest.mark.parametrize("passive", [False, True])
def test_forces_that_do_not_fit_are_refused_by_name(model, passive):
    q, v = np.ones((3, model.nq)), np.ones((3, model.nv))
    with pytest.raises(ModelError, match=rf"tau \(2, {model.nv}\)"):
        dynamics.forward_dynamics(model, q, v, v[:2], passive=passive)


def test_steps_of_several_lengths_are_taken_at_once(model, rng):
    q, v = rng.normal(size=model.nq), rng.normal(size=(4, model.nv))
    dt = rng.uniform(size=(5, 4))
    together = integrate_q(model, q, v, dt)
    assert together.shape == (5, 4, model.nq)
    assert_close(together[2, 3], integrate_q(model, q, v[3], dt[2, 3]), atol=1e-14)


@pytest.mark.parametrize("dt", ["a", np.ones(3)])
def test_lengths_of_steps_that_make_no_sense_are_refused_by_name(model, dt):
    with pytest.raises(ModelError, match="dt"):
        integrate_q(model, np.ones((2, model.nq)), np.ones((2, model.nv)), dt)


@pytest.mark.parametrize("lead", [(), (3,)])
@pytest.mark.parametrize("kinds", [["spherical"], ["spherical", "floating"]])
def test_a_zero_quaternion_is_refused_by_the_name_of_its_joint(random_tree, kinds, lead):
    kinds = ["revolute", *kinds]
    model = compile_tree(random_tree(2, kinds))
    for index in range(1, len(kinds)):
        joint = f"j{index + 1}"
        q = np.broadcast_to(model.neutral(), (*lead, model.nq)).copy()
        where = model.q_slices[joint]
        q[..., where.stop - 4 : where.stop] = 0.0
        with pytest.raises(ModelError, match=f"'{joint}'"):
            link_poses(model, q)
        with pytest.raises(ModelError, match=f"'{joint}'"):
            dynamics.forward_dynamics(model, q, np.zeros(model.nv))
        q[..., where.stop - 1] = 1e-3  # a half turn, of any norm
        assert np.isfinite(link_poses(model, q)).all()
