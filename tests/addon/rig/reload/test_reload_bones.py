"""Bones keep what is the user's when the way their links move changes."""

import bpy
import pytest
from dynarig.addon.blender.pose import get_configuration
from dynarig.addon.blender.rig_access import open_rig

from .described import bake, keys, reload

CLOSE = 2e-5
INERTIAL = '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>'
MIMIC = '<mimic joint="wrist" multiplier="0.1"/>'


@pytest.fixture
def kept(lab, file):
    """The robot with a bone for each link, whose finger follows nothing."""
    file.replace("grip", MIMIC, "")
    file.replace("finger", "<visual>", f"{INERTIAL}<visual>")
    return lab.load_file(file.path, fixed_links="KEEP")


def bone_of(result, link):
    rig = open_rig(result.object)
    records = (*rig.table.bones, *rig.table.fixed_bones)
    return next(rig.pose_bones[own.id] for own in records if own.link == link)


def decorate(result, link):
    """Give the bone of a link a name, a constraint, a property, and a child object."""
    bone = bone_of(result, link)
    bone.name = "my hand"
    own = bone.constraints.new("COPY_ROTATION")
    own.name, own.target, own.influence = "mine", result.object, 0.0
    bone["mine"] = 7
    hat = bpy.data.objects.new("hat", None)
    result.collection.objects.link(hat)
    hat.parent, hat.parent_type, hat.parent_bone = result.object, "BONE", bone.name
    return hat


def change(file, part, before, after):
    file.replace(part, f'type="{before}"', f'type="{after}"')


@pytest.mark.parametrize("renamed", [False, True], ids=["same joint", "renamed joint"])
@pytest.mark.parametrize("mode", ["revolute", "continuous", "prismatic"])
@pytest.mark.parametrize("first", ["fixed", "moving"])
def test_a_bone_stays_when_its_joint_is_fixed_or_begins_to_move(
    lab, file, kept, first, mode, renamed
):
    if mode != "revolute":
        change(file, "wrist", "revolute", mode)
        reload(kept)
    types = (mode, "fixed")
    if first == "fixed":
        change(file, "wrist", mode, "fixed")
        reload(kept)
        types = types[::-1]
    hat = decorate(kept, "hand")
    change(file, "wrist", *types)
    if renamed:
        file.replace("wrist", 'name="wrist"', 'name="ulna"')
    done = reload(kept)
    if not renamed:
        assert "1 joint type" in done.changes
    bone = bone_of(kept, "hand")
    assert bone.name == "my hand" and bone["mine"] == 7
    assert "mine" in bone.constraints
    assert hat.parent == kept.object and hat.parent_bone == "my hand"
    assert len(kept.object.data.bones) == 4
    limits = [own for own in bone.constraints if own.name == "URDF Limit"]
    assert len(limits) == (types[1] in ("revolute", "prismatic"))
    assert ("urdf_joint" in bone, "urdf_effort" in bone) == (types[1] != "fixed",) * 2
    rig, model = lab.open(kept)
    assert lab.error(kept.object, model, get_configuration(rig, model)) < CLOSE
    assert reload(kept).changes == ()


def test_a_bone_that_is_fixed_now_loses_its_keys_and_stands_still(lab, file, kept):
    bake(kept)
    path = open_rig(kept.object).pose_bone("wrist").path_from_id()
    bpy.context.scene.frame_set(15)
    change(file, "wrist", "revolute", "fixed")
    done = reload(kept)
    assert not [key for key in keys(kept.object) if key[0].startswith(path)]
    assert any("keys removed of joint 'wrist'" in note for note in done.notes)
    rig, model = lab.open(kept)
    assert lab.error(kept.object, model, lab.evaluated_q(rig, model)) < CLOSE


def test_a_bone_is_of_one_joint_only(lab, file, kept):
    """Two joints change places: the names decide, and links that are left over come next."""
    names = {link: bone_of(kept, link).name for link in ("arm", "hand", "finger")}
    file.replace("wrist", 'name="wrist"', 'name="shoulder 2"')
    file.replace("shoulder", 'name="shoulder"', 'name="wrist"')
    reload(kept)
    rig, model = lab.open(kept)
    assert len(kept.object.data.bones) == 4
    assert rig.pose_bone("wrist").name == names["hand"]
    assert lab.error(kept.object, model, get_configuration(rig, model)) < CLOSE


def test_what_is_called_otherwise_altogether_is_told(file, robot):
    bake(robot)
    file.replace("wrist", 'name="wrist"', 'name="ulna"')
    file.replace("wrist", '<child link="hand"/>', '<child link="palm"/>')
    file.replace("hand", 'name="hand"', 'name="palm"')
    file.replace("grip", '<parent link="hand"/>', '<parent link="palm"/>')
    file.replace("grip", 'joint="wrist"', 'joint="ulna"')
    bpy.context.view_layer.objects.active = robot.object
    done = reload(robot)
    assert {"1 new link", "1 link removed", "1 new joint", "1 joint removed"} <= set(done.changes)
    assert not any("origin" in text or "on another link" in text for text in done.changes)
    assert any("keys removed of joint 'wrist' (it is gone)" in note for note in done.notes)
