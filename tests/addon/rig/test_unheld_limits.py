"""Limits that no bone constraint can hold: none is made, and one warning tells the joints."""

import pytest
from dynarig.addon.blender.joint_limits import limit_constraint

# name: type, lower, upper, whether a constraint holds it, whether it is told
JOINTS = {
    "elbow": ("revolute", "-1", "2", True, False),
    "wide": ("revolute", "-4", "1", False, True),
    "turns": ("revolute", "-6.28", "6.28", False, True),
    "half": ("revolute", "-3.14159265358979", "0", False, True),
    "above": ("revolute", "-1", "1e16", False, True),
    "below": ("revolute", "-inf", "1", False, True),
    "free": ("revolute", "-1e16", "1e16", False, False),
    "endless": ("revolute", "-1e308", "inf", False, False),
    "rail": ("prismatic", "-1", "2", True, False),
    "half_rail": ("prismatic", "0", "1e16", True, False),
    "other_half": ("prismatic", "-1e30", "0", True, False),
    "free_rail": ("prismatic", "-1e16", "1e16", False, False),
    "endless_rail": ("prismatic", "-inf", "inf", False, False),
}
TOLD = [name for name, (*_, told) in JOINTS.items() if told]


def text(names):
    """A robot with those joints, all on its root."""
    links = "".join(f'<link name="{name}_link"/>' for name in names)
    joints = ""
    for name in names:
        kind, lower, upper, *_ = JOINTS[name]
        joints += (
            f'<joint name="{name}" type="{kind}"><parent link="root"/><child link="{name}_link"/>'
            f'<axis xyz="0 0 1"/><limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/>'
            "</joint>"
        )
    return f'<link name="root"/>{links}{joints}'


def told(result):
    return [line for line in result.warnings if "cannot hold" in line]


def test_a_constraint_is_there_where_it_holds(lab):
    rig, _ = lab.open(lab.load_text(text(JOINTS)))
    held = {
        name: limit_constraint(rig.pose_bone(name)) is not None
        for name in (record.joint for record in rig.table.bones)
    }
    assert held == {name: held for name, (*_, held, _) in JOINTS.items()}


def test_a_rail_with_one_end_is_held_there_only(lab):
    rig, _ = lab.open(lab.load_text(text(JOINTS)))
    for name, end in (("half_rail", 0), ("other_half", 1)):
        limit, sign = limit_constraint(rig.pose_bone(name)), rig.bone_of_joint[name].sign
        used = (limit.use_min_y, limit.use_max_y)
        assert used.index(True) == (end if sign > 0 else 1 - end)
        assert sum(used) == 1


def test_one_warning_tells_all_joints(lab):
    (line,) = told(lab.load_text(text(JOINTS)))
    names = ", ".join(f"'{name}'" for name in TOLD)
    assert line == (
        f"{len(TOLD)} joints have limits that a bone constraint cannot hold (at or past half a "
        f"turn, or one-sided): {names}; the panel shows them and bakes keep them"
    )


@pytest.mark.parametrize("name", JOINTS)
def test_each_alone(lab, name):
    lines = told(lab.load_text(text([name])))
    assert len(lines) == JOINTS[name][-1]
    assert all(line.startswith("1 joint has limits") and f"'{name}'" in line for line in lines)
