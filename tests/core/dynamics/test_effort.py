"""Effort limits of joints: from a file to the model."""

from dataclasses import replace

import numpy as np
import pytest
from dynarig.core.dynamics import compile_robot, compile_tree
from dynarig.core.errors import ModelError
from dynarig.core.urdf import parse_urdf
from dynarig.core.urdf.build import tree_from_robot

LINK = """<link name="{}"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
  <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = """<joint name="j{0}" type="{1}"><parent link="base"/><child link="{0}"/>
  <axis xyz="0 1 0"/>{2}</joint>"""
LIMIT = '<limit lower="-1" upper="1" velocity="1"{}/>'


def robot(*joints):
    """Links beside each other on joints of these types and limits."""
    parts = ['<robot name="fan"><link name="base"/>']
    for index, (kind, limit) in enumerate(joints):
        parts.append(LINK.format(index) + JOINT.format(index, kind, limit))
    return parse_urdf("".join(parts) + "</robot>")


def test_limits_come_from_the_file():
    given = robot(
        ("revolute", LIMIT.format(' effort="7"')),
        ("continuous", '<limit effort="2.5" velocity="1"/>'),
        ("prismatic", LIMIT.format(' effort="30"')),
        ("planar", LIMIT.format(' effort="9"')),
    )
    model = compile_robot(given)
    assert model.effort.tolist() == [7.0, 2.5, 30.0, np.inf, np.inf, np.inf]
    assert model.effort_limits().tolist() == [7.0, 2.5, 30.0, np.inf, np.inf, np.inf]
    assert not model.effort.flags.writeable


def test_none_0_and_less_are_no_limit():
    given = robot(
        ("continuous", ""),
        ("revolute", LIMIT.format(' effort="0"')),
        ("revolute", LIMIT.format("")),
        ("revolute", LIMIT.format(' effort="-3"')),
    )
    assert compile_robot(given).effort.tolist() == [np.inf] * 4
    assert any("effort -3 is negative and was read as no bound" in own for own in given.warnings)


def test_followers_take_no_velocity_and_free_joints_have_none():
    given = robot(
        ("revolute", LIMIT.format(' effort="7"')),
        ("revolute", LIMIT.format(' effort="5"') + '<mimic joint="j0"/>'),
        ("floating", ""),
    )
    model = compile_robot(given, floating_base=True)
    assert model.effort.tolist() == [7.0, 5.0]
    limits = model.effort_limits()
    assert limits[model.v_index("j0")] == 7.0
    assert np.isinf(np.delete(limits, model.v_index("j0").start)).all()


@pytest.mark.parametrize("effort", [0.0, -1.0, np.nan])
def test_trees_by_hand_are_checked(effort):
    tree = tree_from_robot(robot(("revolute", LIMIT.format(' effort="7"'))))
    wrong = replace(tree, joints=(replace(tree.joints[0], effort=effort),))
    with pytest.raises(ModelError, match="joint 'j0': effort: wanted a number above 0"):
        compile_tree(wrong)
