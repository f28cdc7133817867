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


def evaluated(model):
    """What one forward dynamics runs; its memory and tables are made before."""
    from dynarig.core.dynamics import forward_dynamics

    q, (v, tau) = model.neutral() + 0.1, np.full((2, model.nv), 0.1)
    forward_dynamics(model, q, v, tau)
    return instructions(forward_dynamics, model, q, v, tau)


def hops(model):
    """Rounds of pointer jumping: the reach doubles from one to the next."""
    return int(np.ceil(np.log2(model.nv)))


def test_only_pointer_jumping_depends_on_the_number_of_links(chain):
    short, long = chain(10), chain(100)
    assert (hops(short), hops(long)) == (4, 7)
    few, many = evaluated(short), evaluated(long)
    assert sum(few.values()) > 50
    more = many - few
    assert not few - many
    # one take and one product a round, on the same two lines
    assert len(more) == 2
    assert all(count == hops(long) - hops(short) for count in more.values())
    assert {name.replace("\\", "/").rsplit("/", 1)[1] for name, _ in more} == {"one_state.py"}


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
