"""All example robots as rigs, and some of every kind whole: Blender has them where the core has.

`dev.py robots` is the thorough run: with all meshes, of more packages, beside pinocchio.
"""

import bpy
import numpy as np
import pytest
from devtools.robots_report import faults_in_blender
from dynarig.addon.blender.pose import set_configuration
from robots_table.in_blender import imported
from robots_table.measures import measures
from robots_table.poses import random_poses

from .conftest import MESHES

FEWEST = 60  # robots in the package: fewer were not found
WITHOUT_LINKS = {"ur_description/urdf/ur3.urdf"}
# with STL and DAE, textures, shapes, transparency, followers, mirrored and shared meshes
WHOLE = (
    "allegro_hand_description/urdf/allegro_left_hand.urdf",
    "anymal_c_simple_description/urdf/anymal.urdf",
    "finger_edu_description/robots/finger_edu.urdf",
    "hyq_description/robots/hyq_no_sensors.urdf",
    "iris_description/robots/iris.urdf",
    "pr2_description/urdf/pr2.urdf",
    "quadruped_description/urdf/quadruped.urdf",
    "tiago_description/robots/tiago_dual.urdf",
)


@pytest.mark.parametrize("floating_base", [False, True])
def test_every_robot_moves_as_the_core_says(lab, robots, floating_base):
    files = sorted(robots.rglob("*.urdf"))
    assert len(files) > FEWEST
    off = {}
    # each way of holding the base has one half of the robots
    for file in files[floating_base::2]:
        name = file.relative_to(robots).as_posix()
        if name in WITHOUT_LINKS:
            continue
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        bare = lab.folder / file.name
        bare.write_text(MESHES.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
        result = lab.load_file(bare, floating_base)
        rig, model = lab.open(result)
        for _ in range(2):
            q = lab.random_q(model)
            set_configuration(rig, model, q)
            off[name] = max(off.get(name, 0.0), lab.error(result.object, model, q))
    assert {name: error for name, error in off.items() if not error < 1e-5} == {}
    assert len(off) > FEWEST // 2


@pytest.mark.parametrize("name", WHOLE)
def test_robots_of_every_kind_come_in_whole(robots, name):
    finding = imported(robots / name)
    assert finding["links"] > 0
    assert finding["shown"] == finding["parts"] > 0
    assert finding["triangles"] > 0
    assert list(faults_in_blender({**finding, "peer": {}})) == []


def test_the_measures_see_what_is_not_in_its_place(lab):
    result = lab.load("case03", meshes=True, shown="BOTH")
    path = lab.path("case03")
    assert measures(bpy.context, result, path)["excess"] < 0.0
    part = next(obj for obj in result.object.children if obj.type == "MESH")
    part.location.x += 2e-5
    assert 0.0 < measures(bpy.context, result, path)["excess"] < 2e-5
    bpy.data.objects.remove(part)
    found = measures(bpy.context, result, path)
    assert found["parts"] - found["shown"] == 1


def test_random_poses_are_inside_the_limits_and_free_joints_turn(lab):
    for name in ("panda", "solo12", "case13"):
        _, model = lab.open(lab.load(name))
        lower, upper = model.limits()
        for q in random_poses(model):
            assert np.all((lower <= q) & (q <= upper))
            assert not np.allclose(q, model.neutral())
            for quaternion in q[model.quaternion_q]:
                assert np.linalg.norm(quaternion) == pytest.approx(1.0)
