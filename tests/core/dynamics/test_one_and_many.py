"""One state and many are computed in different ways, in memory that is used again."""

import copy
import pickle
import threading

import numpy as np
import pytest
from dynarig.core.dynamics import (
    bias_forces,
    compile_tree,
    forward_dynamics,
    inverse_dynamics,
    link_poses,
    mass_matrix,
)
from dynarig.core.dynamics.evaluation import evaluate, frame_poses, mass_and_bias_at
from dynarig.core.dynamics.workspaces import ITEMS, MOST

from ...close import assert_close

KINDS = [
    *("revolute", "spherical", "prismatic", "planar", "floating", "spherical", "universal"),
    *("cylindrical", "screw", "floating XYZ", "continuous", "spherical ZYX", "floating"),
]
TREES = {
    "every joint": {"types": KINDS},
    "every joint in another order": {"types": KINDS[::-1]},
    "rotors": {"types": ["revolute", "prismatic", "revolute"], "rotor_inertia": 0.3},
    "followers": {"types": ["continuous"] * 6, "mimic": True},
    "one joint": {"types": ["prismatic"]},
    "a chain": {"types": ["continuous"] * 40},
    "every joint four times over": {"types": KINDS * 4},  # more than two segments deep
}


@pytest.fixture(params=TREES)
def model(request, random_tree):
    return compile_tree(random_tree(11, **TREES[request.param]), gravity=(1.0, -2.0, -9.0))


def states(model, count, seed=5):
    rng = np.random.default_rng(seed)
    q = model.neutral() + rng.uniform(-0.4, 0.4, (count, model.nq))
    return q, *rng.normal(size=(2, count, model.nv))


def quantities(model, q, v, a):
    """All that the two ways compute."""
    at = evaluate(model, q)
    return {
        "link poses": link_poses(model, q),
        "frame poses": frame_poses(model, q),
        "poses": at.poses,
        "twists": at.twists,
        "mass": mass_matrix(model, q),
        "bias": bias_forces(model, q, v),
        "forces": inverse_dynamics(model, q, v, a),
        "both": mass_and_bias_at(model, q, v)[1],
        "accelerations": forward_dynamics(model, q, v, a),
    }


@pytest.mark.parametrize("count", [2, ITEMS, 23, MOST + 90])
def test_many_states_give_what_each_one_gives(model, count):
    q, v, a = states(model, count)
    together = quantities(model, q, v, a)
    for index in (0, count // 2, count - 1):
        for name, value in quantities(model, q[index], v[index], a[index]).items():
            scale = max(np.abs(value).max(), 1.0)
            bound = 1e-9 if name == "accelerations" else 1e-12  # M is inverted
            assert_close(together[name][index], value, atol=bound * scale, err_msg=name)


def test_angles_of_any_size_turn_alike(random_tree):
    # sine and cosine are computed in two ways
    model = compile_tree(random_tree(11, ["continuous", "universal"]))
    angles = np.array([0.0, 1e-300, 1e-8, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0]) * np.pi
    angles = np.concatenate((angles, -angles, angles + 2e3 * np.pi, [7e5, np.nextafter(np.pi, 4)]))
    q = np.repeat(angles[:, None], model.nq, axis=1)
    together = link_poses(model, q)
    for index, state in enumerate(q):
        assert_close(together[index], link_poses(model, state), atol=1e-14)


def test_forces_are_linear_in_the_accelerations(model):
    # tau(a) - tau(0) = M a, one by one and together
    q, v, a = states(model, 12)
    inertial = (mass_matrix(model, q) @ a[..., None])[..., 0]
    expected = inertial + bias_forces(model, q, v)
    scale = np.abs(expected).max()
    assert_close(inverse_dynamics(model, q, v, a), expected, atol=1e-12 * scale)
    assert_close(inverse_dynamics(model, q[3], v[3], a[3]), expected[3], atol=1e-12 * scale)


def test_leading_axes_of_all_kinds_are_kept_and_broadcast(model):
    q, v, a = states(model, 12)
    value = forward_dynamics(model, q.reshape(3, 4, -1), v.reshape(3, 4, -1), a[0])
    assert value.shape == (3, 4, model.nv)
    scale = np.abs(value).max()
    for index in (0, 7):
        one = forward_dynamics(model, q[index], v[index], a[0])
        assert_close(value.reshape(12, -1)[index], one, atol=1e-9 * scale)
    assert forward_dynamics(model, q[:1], v[:1]).shape == (1, model.nv)
    assert forward_dynamics(model, q[:0], v[:0]).shape == (0, model.nv)
    assert link_poses(model, q[:0]).shape == (0, len(model.link_names), 4, 4)
    assert forward_dynamics(model, q[0], v).shape == (12, model.nv)


def test_inputs_may_stand_anywhere_in_memory(model):
    q, v, a = (np.asfortranarray(values) for values in states(model, 40))
    skipped = forward_dynamics(model, q[::3], v[::3], a[::3])
    scale = np.abs(skipped).max()
    plain = forward_dynamics(model, *(values[::3].copy() for values in (q, v, a)))
    assert_close(skipped, plain, atol=1e-11 * scale)
    single = forward_dynamics(model, q[3], v[3], a[3])
    assert_close(single, forward_dynamics(model, q[3].copy(), v[3].copy(), a[3].copy()), atol=0.0)


def test_results_are_not_written_over(model):
    q, v, a = states(model, 9)
    first, alone = quantities(model, q, v, a), quantities(model, q[0], v[0], a[0])
    kept = {name: value.copy() for name, value in first.items()}
    kept_alone = {name: value.copy() for name, value in alone.items()}
    quantities(model, *states(model, 9, seed=6))
    quantities(model, *(values[0] for values in states(model, 1, seed=6)))
    for name, value in first.items():
        assert_close(value, kept[name], atol=0.0, err_msg=name)
        assert_close(alone[name], kept_alone[name], atol=0.0, err_msg=name)


def test_the_same_input_gives_the_same_bits(model):
    q, v, a = states(model, 30)
    before = quantities(model, q, v, a)
    quantities(model, *states(model, 7, seed=3))  # another size, other numbers
    for name, value in quantities(model, q, v, a).items():
        assert_close(value, before[name], atol=0.0, err_msg=name)


def test_threads_do_not_meet(random_tree):
    model = compile_tree(random_tree(11, KINDS))
    inputs = [states(model, 50, seed) for seed in range(4)]
    expected = [forward_dynamics(model, *values) for values in inputs]
    alone = [forward_dynamics(model, *(part[0] for part in values)) for values in inputs]
    wrong = []

    def work(index):
        for _ in range(5):
            values = inputs[index]
            one = forward_dynamics(model, *(part[0] for part in values))
            if not np.array_equal(forward_dynamics(model, *values), expected[index]):
                wrong.append(index)
            if not np.array_equal(one, alone[index]):
                wrong.append(index)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_model_that_was_used_can_be_copied_and_pickled(model):
    q, v, a = states(model, 10)
    expected, one = forward_dynamics(model, q, v, a), forward_dynamics(model, q[0], v[0], a[0])
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert_close(forward_dynamics(other, q, v, a), expected, atol=0.0)
        assert_close(forward_dynamics(other, q[0], v[0], a[0]), one, atol=0.0)
    assert_close(forward_dynamics(model, q, v, a), expected, atol=0.0)
