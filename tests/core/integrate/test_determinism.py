"""The same input gives the same bits, in one process and in two."""

import subprocess
import sys

import numpy as np
import pytest
from dynarig.core.dynamics import compile_tree
from dynarig.core.simulate import Simulation, run, simulate

METHODS = {
    "auto": {},
    "dormand-prince": {},
    "rosenbrock": {},
    "rk4": {"step": 0.01},
    "semi-implicit-euler": {"step": 0.01},
    "implicit-midpoint": {"step": 0.02},
    "generalized-alpha": {"step": 0.02},
}
# damping of the last joint of the arm below, N m s/rad, by the schemes that 'auto' ends with: a
# decay beyond 3000/s is found at the start, a slower one by what holds the steps back
DAMPED = {"dop853": 0.1, "dop853, then rosenbrock": 400.0, "rosenbrock": 1e4}

PROGRAM = """
import hashlib, sys
sys.path[:0] = [{root!r} + "/scripts"]
from package import load_package
load_package()
import numpy as np
from dynarig.core.dynamics import compile_tree
from dynarig.core.mechanism import Body, Tree, TreeJoint
from dynarig.core.simulate import run, simulate

def arm(damping):
    rng = np.random.default_rng(5)
    bodies = [Body("b0", 1.0, np.zeros(3), np.eye(3))]
    joints = []
    for i, kind in enumerate(["revolute", "spherical", "prismatic", "revolute"], start=1):
        bodies.append(Body(f"b{{i}}", 1.0, rng.uniform(-0.2, 0.2, 3), np.diag([0.2, 0.3, 0.4])))
        at = np.eye(4)
        at[:3, 3] = rng.uniform(-0.5, 0.5, 3)
        own = damping if i == 4 else 0.1
        axis = np.eye(3)[i % 3]
        joints.append(TreeJoint(f"j{{i}}", kind, f"b{{i - 1}}", f"b{{i}}", at, axis, damping=own))
    return compile_tree(Tree("arm", tuple(bodies), tuple(joints), "b0"), floating_base=True)

for damping, options in {runs!r}:
    model = arm(damping)
    v = np.random.default_rng(6).normal(size=model.nv)
    times = np.linspace(0.0, 0.5, 13)
    motion = run(simulate(model, times, None, v, limits=False, **options))
    digest = hashlib.sha256()
    for values in (motion.q, motion.v, motion.work, motion.dense.powers, *motion.sample(0.1234)):
        digest.update(values.tobytes())
    print(digest.hexdigest(), motion.method)
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
    stiff = [(damping, {"tolerance": 1e-4}) for damping in DAMPED.values()]
    given = [(0.1, {"method": method, **own}) for method, own in METHODS.items()]
    program = PROGRAM.format(root=str(root), runs=stiff + given)
    # both at once, each with its own seed of hashes
    processes = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    first, second = (process.communicate()[0].splitlines() for process in processes)
    assert [line.split(" ", 1)[1] for line in first[: len(DAMPED)]] == list(DAMPED)
    assert len({line.split()[0] for line in first}) == len(DAMPED) + len(METHODS)
    assert first == second
