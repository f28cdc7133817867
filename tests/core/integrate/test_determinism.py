"""The same input gives the same bits, in one process and in two."""

import subprocess
import sys

import numpy as np
import pytest
from dynarig.core.dynamics import compile_tree
from dynarig.core.simulate import Simulation, run, simulate

METHODS = {
    "auto": {},
    "rosenbrock": {},
    "semi-implicit-euler": {"step": 0.01},
    "implicit-midpoint": {"step": 0.02},
    "generalized-alpha": {"step": 0.02},
}

PROGRAM = """
import hashlib, sys
sys.path[:0] = [{root!r} + "/scripts"]
from package import load_package
load_package()
import numpy as np
from dynarig.core.dynamics import compile_tree
from dynarig.core.mechanism import Body, Tree, TreeJoint
from dynarig.core.simulate import run, simulate

rng = np.random.default_rng(5)
bodies = [Body("b0", 1.0, np.zeros(3), np.eye(3))]
joints = []
for i, kind in enumerate(["revolute", "spherical", "prismatic", "revolute"], start=1):
    bodies.append(Body(f"b{{i}}", 1.0, rng.uniform(-0.2, 0.2, 3), np.diag([0.2, 0.3, 0.4])))
    at = np.eye(4)
    at[:3, 3] = rng.uniform(-0.5, 0.5, 3)
    axis = np.eye(3)[i % 3]
    joints.append(TreeJoint(f"j{{i}}", kind, f"b{{i - 1}}", f"b{{i}}", at, axis, damping=0.1))
model = compile_tree(Tree("arm", tuple(bodies), tuple(joints), "b0"), floating_base=True)
digest = hashlib.sha256()
for options in {options!r}:
    motion = run(simulate(model, np.linspace(0.0, 0.5, 13), limits=False, **options))
    digest.update(motion.q.tobytes() + motion.v.tobytes() + motion.sample(0.1234)[0].tobytes())
print(digest.hexdigest())
"""


@pytest.fixture(scope="module")
def model(random_tree):
    tree = random_tree(3, ["revolute", "spherical", "revolute"], damping=0.1)
    return compile_tree(tree, floating_base=True)


@pytest.mark.parametrize("method", METHODS)
def test_two_runs_are_equal_bit_by_bit(model, method):
    times = np.linspace(0.0, 0.3, 8)
    first, second = (
        run(simulate(model, times, method=method, **METHODS[method])) for _ in range(2)
    )
    for ours, theirs in ((first.q, second.q), (first.v, second.v), (first.work, second.work)):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(first.dense.powers, second.dense.powers)


def test_looking_on_the_way_changes_nothing(model):
    simulation = Simulation(model, np.linspace(0.0, 0.3, 8))
    looked = simulation.samples()
    while True:
        try:
            sample = next(looked)
        except StopIteration as end:
            motion = end.value
            break
        assert sample.q.shape == (model.nq,)
    np.testing.assert_array_equal(motion.q, run(simulation.samples()).q)


def test_two_processes_are_equal_bit_by_bit(root):
    options = [{"method": method, **own} for method, own in METHODS.items()]
    program = PROGRAM.format(root=str(root), options=options)
    digests = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert len(digests[0].strip()) == 64
    assert digests[0] == digests[1]
