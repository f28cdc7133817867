"""What the compiler makes of a tree: coordinates, mimic joints, limits, and clear errors."""

from dataclasses import replace

import numpy as np
import pytest
from dynarig.core.dynamics import (
    FLOATING_BASE,
    bias_forces,
    compile_tree,
    forward_dynamics,
    link_poses,
    mass_matrix,
)
from dynarig.core.errors import ModelError
from dynarig.core.mechanism import Body, Mimic

from ...close import assert_close


def test_coordinates_are_laid_out_as_the_conventions_say(random_tree):
    tree = random_tree(1, ["revolute", "planar", "fixed", "floating", "prismatic"])
    model = compile_tree(tree, floating_base=True)
    assert model.joint_names[0] == FLOATING_BASE
    assert (model.q_index(FLOATING_BASE), model.v_index(FLOATING_BASE)) == (
        slice(0, 7),
        slice(0, 6),
    )
    sizes = {
        joint: (
            model.q_index(joint).stop - model.q_index(joint).start,
            model.v_index(joint).stop - model.v_index(joint).start,
        )
        for joint in model.joint_names[1:]
    }
    assert sizes == {"j1": (1, 1), "j2": (3, 3), "j4": (7, 6), "j5": (1, 1)}
    assert (model.nq, model.nv) == (19, 17)
    neutral = model.neutral()
    np.testing.assert_array_equal(neutral[model.q_index("j4")], [0, 0, 0, 1, 0, 0, 0])
    assert model.link_names == tuple(f"b{i}" for i in range(6))


def test_coupled_followers_move_as_independent_joints_told_to(random_tree, rng):
    tree = random_tree(2, ["revolute", "prismatic", "continuous", "prismatic"], mimic=True)
    coupled, independent = compile_tree(tree), compile_tree(tree, mimic="independent")
    assert coupled.joint_names == ("j1", "j3")
    q, v, tau = rng.uniform(-1, 1, 2), rng.normal(size=2), rng.normal(size=2)
    values = coupled.joint_values(q)
    full_q = np.concatenate([values[joint] for joint in independent.joint_names])
    assert_close(link_poses(coupled, q), link_poses(independent, full_q), atol=1e-14)
    # the reduced equations are the full ones seen along v_full = E v
    expand = np.zeros((4, 2))
    for column, joint in enumerate(("j1", "j3")):
        expand[independent.v_index(joint), column] = 1.0
    for joint in tree.joints:
        if joint.mimic is not None:
            expand[independent.v_index(joint.name)] = (
                joint.mimic.multiplier * expand[independent.v_index(joint.mimic.leader)]
            )
    mass = expand.T @ mass_matrix(independent, full_q) @ expand
    bias = expand.T @ bias_forces(independent, full_q, expand @ v)
    assert_close(mass_matrix(coupled, q), mass, atol=1e-13)
    np.testing.assert_allclose(
        forward_dynamics(coupled, q, v, tau), np.linalg.solve(mass, tau - bias), rtol=1e-10
    )


def test_mimic_chains_are_folded_onto_the_joint_that_moves(random_tree):
    tree = random_tree(3, ["revolute", "prismatic", "revolute"])
    first, second, third = tree.joints
    chain = replace(
        tree,
        joints=(
            replace(first, mimic=Mimic("j2", 2.0, 0.5)),
            replace(second, mimic=Mimic("j3", -3.0, 0.25)),
            third,
        ),
    )
    values = compile_tree(chain).joint_values(np.array([0.1]))
    assert values["j2"][0] == pytest.approx(-3.0 * 0.1 + 0.25)
    assert values["j1"][0] == pytest.approx(2.0 * values["j2"][0] + 0.5)


def test_a_follower_has_no_place_in_q_and_says_whom_it_follows(random_tree):
    model = compile_tree(random_tree(2, ["revolute", "revolute"], mimic=True))
    with pytest.raises(ModelError, match="'j2' follows 'j1'"):
        model.q_index("j2")
    with pytest.raises(ModelError, match="no moving joint 'elbow'; there are: j1, j2"):
        model.v_index("elbow")


@pytest.mark.parametrize(
    ("mimics", "message"),
    [
        ({0: "j1"}, "mimics itself: j1 -> j1"),
        ({0: "j2", 1: "j1"}, "mimics itself: j1 -> j2 -> j1"),
        ({0: "elbow"}, "mimics an unknown joint: j1 -> elbow"),
        ({0: "j3"}, "'j1' mimics the planar joint 'j3'"),
        ({2: "j1"}, "'j3' is planar and cannot mimic"),
    ],
)
def test_mimics_that_mean_nothing_are_refused(random_tree, mimics, message):
    tree = random_tree(2, ["revolute", "revolute", "planar"])
    joints = list(tree.joints)
    for index, leader in mimics.items():
        joints[index] = replace(joints[index], mimic=Mimic(leader, 1.0, 0.0))
    with pytest.raises(ModelError, match=message):
        compile_tree(replace(tree, joints=tuple(joints)))


def test_clamping_moves_only_limited_joints(random_tree):
    tree = random_tree(4, ["revolute", "continuous", "prismatic"], lower=0.2, upper=0.4)
    model = compile_tree(tree, floating_base=True)
    q = model.clamped(model.neutral())
    assert [q[model.q_index(joint)][0] for joint in ("j1", "j2", "j3")] == [0.2, 0.0, 0.2]
    np.testing.assert_array_equal(q[:7], [0, 0, 0, 1, 0, 0, 0])


def test_a_joint_that_moves_no_inertia_is_named(random_tree, rng):
    tree = random_tree(6, ["revolute", "revolute", "fixed"])
    empty = [Body(body.name, 0.0, np.zeros(3), np.zeros((3, 3))) for body in tree.bodies[2:]]
    model = compile_tree(replace(tree, bodies=(*tree.bodies[:2], *empty)))
    link_poses(model, rng.normal(size=2))  # kinematics need no mass
    last = "j2"
    assert model.massless == (last,)
    with pytest.raises(ModelError, match=f"no inertia is moved by joint '{last}'"):
        forward_dynamics(model, np.zeros(2), np.zeros(2))


def test_inertia_far_out_carries_links_without_any(random_tree):
    tree = random_tree(6, ["revolute", "revolute"])
    chain = (tree.joints[0], replace(tree.joints[1], parent="b1"))
    empty = [Body(name, 0.0, np.zeros(3), np.zeros((3, 3))) for name in ("b0", "b1")]
    model = compile_tree(replace(tree, joints=chain, bodies=(*empty, tree.bodies[2])))
    assert model.massless == ()
    assert np.isfinite(forward_dynamics(model, (0.1, 0.2), (0.0, 0.0))).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mimic": "both"}, "mimic: wanted 'coupled' or 'independent', got 'both'"),
        ({"gravity": (0, 0)}, r"gravity: wanted shape"),
        ({"gravity": (0, 0, np.nan)}, "gravity: wanted three numbers up to 1e"),
    ],
)
def test_wrong_options_are_refused(random_tree, options, message):
    with pytest.raises(ModelError, match=message):
        compile_tree(random_tree(1, ["revolute"]), **options)


def test_no_joint_may_be_called_as_the_floating_base(random_tree):
    tree = random_tree(1, ["revolute"])
    tree = replace(tree, joints=(replace(tree.joints[0], name=FLOATING_BASE),))
    assert compile_tree(tree).joint_names == (FLOATING_BASE,)
    with pytest.raises(ModelError, match="a moving joint is called 'floating_base'"):
        compile_tree(tree, floating_base=True)
    # a fixed joint has no coordinates, so its name does not clash: some walkers have one
    tree = replace(tree, joints=(replace(tree.joints[0], type="fixed"),))
    assert compile_tree(tree, floating_base=True).joint_names == (FLOATING_BASE,)


def test_bodies_off_the_tree_are_named(random_tree):
    tree = random_tree(1, ["revolute", "revolute"])
    with pytest.raises(ModelError, match="joints not reached from root"):
        compile_tree(replace(tree, root="b2"))


def test_wrong_shapes_are_named(random_tree):
    model = compile_tree(random_tree(1, ["revolute", "revolute"]))
    with pytest.raises(ModelError, match=r"q: wanted shape \(…, 2\), got \(3,\)"):
        link_poses(model, np.zeros(3))


def test_the_model_cannot_be_changed(random_tree):
    model = compile_tree(random_tree(1, ["revolute"]))
    with pytest.raises(ValueError, match="read-only"):
        model.gravity[2] = 0.0
    with pytest.raises(AttributeError):
        model.nq = 2
