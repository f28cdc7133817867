"""Inverses of mass matrices against numpy's, of one tree and of many."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_tree, mass_matrix
from dynarig.core.stepping.definite import DefiniteInverse, TreesInverse

from ...close import assert_close
from ..contact.benches import free_bodies


@pytest.mark.parametrize("n", [1, 2, 3, 6, 8, 17, 33])
def test_inverses_are_those_of_numpy(n):
    rng = np.random.default_rng(n)
    invert = DefiniteInverse(n, 3)
    for _ in range(2):  # the second time in memory that has been used
        a = rng.normal(size=(3, n, n))
        a = a @ a.swapaxes(1, 2) + np.eye(n)
        assert_close(invert(a), np.linalg.inv(a), atol=1e-12)


def test_what_is_not_definite_is_refused():
    with pytest.raises(np.linalg.LinAlgError):
        DefiniteInverse(2)(np.array([[[1.0, 2.0], [2.0, 1.0]]]))


def test_trees_are_inverted_apart(random_tree):
    rng = np.random.default_rng(1)
    models = [
        compile_tree(random_tree(3, ["revolute", "spherical"]), floating_base=True),
        compile_tree(random_tree(4, ["revolute", "prismatic", "revolute"], mimic=True)),
        free_bodies([(f"b{k}", 1.0, 0.1) for k in range(4)], kind="floating"),
    ]
    for model in models:
        q = model.neutral() + 0.1 * rng.normal(size=model.nq)
        mass = mass_matrix(model, q) + np.diag(rng.uniform(size=model.nv))
        every = np.arange(model.nv)
        assert_close(TreesInverse(model, every)(mass), np.linalg.inv(mass), atol=1e-10)
        some = every[1::2]
        part = mass[np.ix_(some, some)]
        assert_close(TreesInverse(model, some)(part), np.linalg.inv(part), atol=1e-10)
