"""What `help` shows of a component: everything that it takes and tells."""

from __future__ import annotations

import ast
import re
from inspect import getsource, isclass, signature
from textwrap import dedent
from typing import Any

import pytest
from dynarig.core.mechanism import planar, spatial
from dynarig.core.mechanism.component import Component
from dynarig.core.mechanism.docstrings import joined

COMPONENTS = [
    pytest.param(made, id=f"{name}-{made.__name__}")
    for name, space in (("planar", planar), ("spatial", spatial))
    for made in (getattr(space, own) for own in space.__all__)
    if isclass(made) and issubclass(made, Component)
]


def told(made: type) -> set[str]:
    """The variables that the `outputs` of a class and of its bases write down by name."""
    out: set[str] = set()
    for part in made.__mro__:
        if "outputs" not in part.__dict__ or part is Component:
            continue
        for node in ast.walk(ast.parse(dedent(getsource(part.__dict__["outputs"])))):
            if isinstance(node, ast.Dict):
                out |= {str(key.value) for key in node.keys if isinstance(key, ast.Constant)}
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "turning":
                out |= {str(keyword.arg) for keyword in node.keywords}
    names = getattr(made, "names", ())  # of joints, whose coordinates are told alike
    return out | (
        {name for three in names for name in three} if isinstance(names, tuple) else set()
    )


@pytest.mark.parametrize("made", COMPONENTS)
def test_a_component_says_what_it_takes_and_tells(made: Any) -> None:
    text, _, taken = made.__doc__.partition("\n\nArgs:\n")
    taken = taken.partition("\n\n")[0]
    for name in signature(made).parameters:
        assert re.search(rf"\b{name}\b", taken), f"Args have no {name}"
    variables = text[text.find("Variable") :] if "Variable" in text else ""
    for name in told(made):
        assert re.search(rf"\b{name}\b", variables), f"Variables have no {name}"


def test_there_are_variables_to_check() -> None:
    assert told(planar.Gear) == {"equation", "force", "displacement", "velocity", "torque"}
    assert told(spatial.Revolute) == {"phi", "w", "a", "tau"}
    assert told(spatial.AbsoluteAngularVelocity) == {"w", "wd"}


def test_sections_that_a_class_has_are_its_own() -> None:
    base = "A base.\n\nHow it works.\n\nVariables: v.\n\nArgs:\n    n: a number.\n\n    More of n."
    own = "Mine.\n\nVariables: w."
    assert joined(own, [base]) == (
        "Mine.\n\nHow it works.\n\nVariables: w.\n\nArgs:\n    n: a number.\n\n    More of n."
    )
    own = "Mine.\n\nArgs:\n    k: a number."
    assert joined(own, [base]) == "Mine.\n\nVariables: v.\n\nArgs:\n    k: a number."
    assert joined(None, [base]) is None
    assert joined("Mine.", [None]) == "Mine."
