"""The number of numpy calls of one evaluation does not grow with the number of links.

Counted are the instructions of the interpreter that may call numpy, in every function that runs,
numpy's own included: calls, operators, subscripts. So no ufunc and no operator is overlooked,
and a loop over links shows whatever it does.
"""

import dis
import sys
from collections import Counter

import numpy as np
import pytest

WORK = ("CALL", "BINARY", "INPLACE", "UNARY", "COMPARE", "STORE_SUBSCR", "STORE_SLICE")


@pytest.fixture
def chain():
    """A function (links) -> model of links on hinges, one after the other."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.frames import transform
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    def make(links):
        bodies = [
            Body(f"b{n}", 1.0, np.array([0.0, 0.0, 0.1]), 0.01 * np.eye(3))
            for n in range(links + 1)
        ]
        joints = [
            TreeJoint(
                f"j{n}",
                "continuous",
                f"b{n}",
                f"b{n + 1}",
                transform(np.eye(3), [0.0, 0.0, 0.2]),
                axis=np.eye(3)[n % 2],
            )
            for n in range(links)
        ]
        return compile_tree(Tree("chain", tuple(bodies), tuple(joints), "b0"))

    return make


def instructions(function, *arguments):
    """How often each line of code ran an instruction that may call numpy."""
    ran = Counter()
    meaning = {}

    def trace(frame, event, _):
        frame.f_trace_opcodes = True
        code = frame.f_code
        if code not in meaning:
            meaning[code] = {step.offset: step.opname for step in dis.get_instructions(code)}
        if event == "opcode" and meaning[code].get(frame.f_lasti, "").startswith(WORK):
            ran[code.co_filename, frame.f_lineno] += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return ran


FUNCTIONS = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "link_poses")
BATCH = 16


def evaluated(model, name="forward_dynamics", count=None):
    """What one evaluation runs, of one state or of `count`; its memory is made before."""
    from dynarig.core import dynamics

    function, lead = getattr(dynamics, name), () if count is None else (count,)
    q = np.broadcast_to(model.neutral() + 0.1, (*lead, model.nq)).copy()
    v, tau = np.full((2, *lead, model.nv), 0.1)
    arguments = (q, v, tau) if name.endswith("dynamics") else (q,)
    function(model, *arguments)
    return instructions(function, model, *arguments)


def files(lines):
    """The files of lines of code."""
    return {name.replace("\\", "/").rsplit("/", 1)[1] for name, _ in lines}


def hops(links, segment=1):
    """Rounds of pointer jumping over segments: the reach doubles from one to the next."""
    return int(np.ceil(np.log2(max(links // segment, 1))))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("links", [(10, 100), (20, 200)])
def test_only_pointer_jumping_depends_on_the_number_of_links(chain, name, links):
    few, many = (evaluated(chain(count), name) for count in links)
    assert sum(few.values()) > 15
    more = many - few
    assert not few - many
    # one take and one product a round, on the same two lines
    assert len(more) == 2
    assert all(count == hops(links[1]) - hops(links[0]) for count in more.values())
    assert files(more) == {"one_state.py"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_batches_differ_by_rounds_of_pointer_jumping_too(chain, name):
    from dynarig.core.dynamics.pose_jumps import LONGEST

    few, many = (evaluated(chain(count), name, BATCH) for count in (20, 200))
    more = many - few
    assert not few - many
    rounds = hops(200, LONGEST) - hops(20, LONGEST)
    assert rounds == 4
    assert files(more) == {"pose_jumps.py", "einsumfunc.py"}  # the second is numpy's
    # two takes, a product and what goes with it
    assert sum(more.values()) <= 20 * rounds


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(("links", "count", "most"), [(16, None, 120), (16, BATCH, 500)])
def test_the_number_of_calls_is_bounded(chain, name, links, count, most):
    assert sum(evaluated(chain(links), name, count).values()) < most


def test_the_count_sees_functions_operators_and_loops():
    array = np.ones(3)

    def work(times):
        for _ in range(times):
            np.add(array, array)
            _ = array * array
            _ = array[0]
            _ = -array

    # four operations a round, the calls included, and whatever range() costs once
    once, twice = (sum(instructions(work, times).values()) for times in (1, 2))
    assert twice - once == 4


def test_branches_cost_no_calls(random_tree):
    from dynarig.core.dynamics import compile_tree

    trees = [random_tree(3, ["continuous", "prismatic", "spherical"] * count) for count in (4, 20)]
    few, many = (evaluated(compile_tree(tree)) for tree in trees)
    assert not few - many
    # what gathers and composes in a round of pointer jumping
    assert len(many - few) <= 3
