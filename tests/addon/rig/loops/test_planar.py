"""Loops in a plane whose axes are parallel but for last digits move as with exact axes."""

import bpy
import mathutils
import numpy as np
import pytest
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.loops import (
    add_loop,
    close_loops,
    loop_constraints,
    read_loops,
    update_loop,
)
from dynarig.addon.blender.pose import (
    evaluated_link_poses,
    get_configuration,
    set_joint_values,
)
from dynarig.addon.blender.rig_access import open_rig
from dynarig.core.dynamics import link_poses
from dynarig.core.dynamics.constraints import Hinge, PlanarHinge
from dynarig.core.errors import DynarigError
from dynarig.core.mechanism.closing import PlanarSlide, PlanarWeld

from ....close import assert_close

QUARTER = "1.5707963267948966"
ROD = """<link name="{0}"><inertial><origin xyz="{1} 0 0"/><mass value="0.5"/>
<inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = """<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>
<origin xyz="{4}" rpy="{5} 0 0"/><axis xyz="{6}"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>"""
START = {"drive": 1.0, "elbow": -0.6, "knee": -1.3, "swing": 1.0}


def rods(turn: str) -> str:
    """Three rods whose axes are as parallel as a quarter of a turn is exact, and a pendulum."""
    return "".join(
        (
            '<link name="base"/>',
            *(ROD.format(*own) for own in (("crank", 0.05), ("coupler", 0.15), ("rocker", 0.17))),
            ROD.format("pendulum", 0.2),
            JOINT.format("drive", "continuous", "base", "crank", "0 0 0", turn, "0 0 1"),
            JOINT.format("elbow", "continuous", "crank", "coupler", "0.1 0 0", "0", "0 0 1"),
            JOINT.format("knee", "continuous", "coupler", "rocker", "0.3 0 0", f"-{turn}", "0 1 0"),
            JOINT.format("swing", "continuous", "base", "pendulum", "0 0.5 0", "0", "0 1 0"),
        )
    )


def motion(lab, kind: str, turn: str) -> np.ndarray:
    """(frames, 4): as the rods move, whose tip a loop joint holds where it is."""
    result = lab.load_text(rods(turn))
    rig, model = lab.open(result)
    set_joint_values(rig, START)
    bpy.context.view_layer.update()
    poses = link_poses(model, get_configuration(rig, model))
    place = poses[model.link_names.index("crank")].copy()
    place[:3, 3] = (poses[model.link_names.index("rocker")] @ [0.35, 0.0, 0.0, 1.0])[:3]
    if kind == "PRISMATIC":
        place[:3, :3] = place[:3, [1, 2, 0]]  # along x of the crank
    add_loop(result.object, kind, "rocker", None, place)
    done = bake_robot(bpy.context, result.object, BakeSettings(frame_end=30))
    assert done.is_flawless
    return done.trajectory.q


@pytest.mark.parametrize("kind", ["HINGE", "BALL", "CYLINDRICAL", "PLANAR_HINGE"])
def test_axes_of_a_file_that_gives_five_digits(lab, kind):
    exact, rounded = (motion(lab, kind, turn) for turn in (QUARTER, "1.5708"))
    assert np.ptp(exact, axis=0).min() > 1.0
    assert_close(rounded, exact, 1e-4)


@pytest.mark.parametrize("kind", ["HINGE", "BALL"])
def test_ends_that_were_put_in_place_one_by_one(four_bar, kind):
    robot = four_bar.object
    robot.rotation_euler, robot.location = (0.3, 0.7, 1.1), (3.0, 4.0, 5.0)
    four_bar.pose(0.5, 0.2, 0.1)
    obj = four_bar.close(kind)
    place = four_bar.pivot()
    place[:3, 3] = evaluated_link_poses(bpy.context, robot, world=True)["rocker_end"][:3, 3]
    obj.matrix_world = mathutils.Matrix(place)
    update_loop(obj, "FIRST")
    close_loops(bpy.context, robot)
    assert four_bar.gap(four_bar.q()) < 1e-5  # what float32 leaves at 7 m
    result = bake_robot(bpy.context, robot, BakeSettings(frame_end=13))
    assert np.ptp(result.trajectory.q[:, 0]) > 0.3


@pytest.mark.parametrize(
    ("kind", "parts"),
    [("HINGE", PlanarHinge), ("WELD", PlanarWeld), ("PRISMATIC", PlanarWeld)],
)
def test_rows_of_a_plane(four_bar, lab, kind, parts):
    four_bar.close(kind)
    rig, model = lab.open(four_bar.result)
    (own,) = loop_constraints(rig, model, read_loops(four_bar.object))
    assert isinstance(own, parts)


def test_a_slide_in_the_plane(lab):
    exact, rounded = (motion(lab, "PRISMATIC", turn) for turn in (QUARTER, "1.5708"))
    robot = bpy.context.active_object
    rig = open_rig(robot)
    (own,) = loop_constraints(rig, rig.compile(np.zeros(3)), read_loops(robot))
    assert isinstance(own, PlanarSlide)
    assert np.ptp(exact[:, :3], axis=0).min() > 0.1
    assert_close(rounded, exact, 1e-4)


def test_ends_in_different_planes_are_told(four_bar, lab):
    other = four_bar.pivot()
    other[1, 3] += 1e-3
    four_bar.close("HINGE", world_from_second=other)
    rig, model = lab.open(four_bar.result)
    assert isinstance(loop_constraints(rig, model, read_loops(four_bar.object))[0], Hinge)
    with pytest.raises(DynarigError, match=r"0\.001"):
        close_loops(bpy.context, four_bar.object)


def test_a_hinge_across_the_plane_holds_all_of_it(four_bar, lab):
    add_loop(four_bar.object, "HINGE", "rocker_end", "pivot", np.eye(4))
    rig, model = lab.open(four_bar.result)
    assert isinstance(loop_constraints(rig, model, read_loops(four_bar.object))[0], Hinge)
