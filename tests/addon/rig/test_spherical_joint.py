"""A spherical joint of a URDF file: one bone that turns by a quaternion, below and above others."""

import numpy as np
import pytest
from dynarig.addon.blender.pose import set_configuration

ARM = """
<link name="base"/><link name="upper"/><link name="lower"/><link name="tool"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
  <origin xyz="0.1 0.2 0.3" rpy="0.3 -0.2 1"/><axis xyz="0 0 1"/>
  <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
<joint name="ball" type="{kind}"><parent link="upper"/><child link="lower"/>
  <origin xyz="0.4 0 0.1" rpy="-1 0.5 2"/><limit lower="0" upper="0"/></joint>
<joint name="wrist" type="continuous"><parent link="lower"/><child link="tool"/>
  <origin xyz="0 0.3 0" rpy="0 1 0"/><axis xyz="1 1 0"/></joint>
"""


@pytest.mark.parametrize("kind", ["spherical", "ball"])
def test_links_stand_where_the_core_has_them(lab, kind):
    result = lab.load_text(ARM.format(kind=kind))
    rig, model = lab.open(result)
    assert model.joint_type("ball") == "spherical"
    assert (result.bones, model.nq, model.nv) == (3, 6, 5)
    for _ in range(3):
        q = lab.random_q(model)
        assert np.linalg.norm(q[model.q_index("ball")]) == pytest.approx(1.0)
        set_configuration(rig, model, q)
        assert lab.error(result.object, model, q) < 1e-5


def test_it_has_no_limit_of_position(lab):
    result = lab.load_text(ARM.format(kind="spherical"))
    rig, _ = lab.open(result)
    (record,) = [record for record in rig.table.bones if record.kind == "spherical"]
    bone = rig.pose_bones[record.id]
    assert not list(bone.constraints)
    assert bone.rotation_mode == "QUATERNION"
