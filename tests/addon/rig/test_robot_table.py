"""A robot table that was damaged, in whatever way, is one clear error, and panels still draw."""

import json

import bpy
import pytest
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.blender.robot_table import TABLE_KEY, read_table
from dynarig.addon.errors import RigError
from dynarig.addon.panels import DYNARIG_PT_joint, DYNARIG_PT_robot, table_problem

BODY = """
<link name="base"/><link name="arm"><inertial><mass value="1"/>
 <inertia ixx=".1" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/></inertial></link><link name="tip"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="1 0 0"/>
 <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="glue" type="fixed"><parent link="arm"/><child link="tip"/></joint>"""
WRONG = (None, 5, True, "zz", [], {}, [5], float("nan"), float("inf"), [[float("nan")] * 4] * 4)
FIELDS = (
    *((key,) for key in ("version", "name", "source", "text", "options")),
    *((key,) for key in ("bones", "links")),
    *(("bones", 0, key) for key in ("id", "joint", "kind", "link", "sign", "limits")),
    ("bones", 0, "armature_from_bone"),
    *(("links", "tip", key) for key in ("bone", "bone_from_link")),
    ("links", "tip"),
    ("fixed_bones",),
    *(("fixed_bones", 1, key) for key in ("id", "link", "armature_from_bone")),
)
# values above that are right for their field; what the text says is checked with the bones
RIGHT = {
    "version": (True,),  # Python's 1
    "bone": (None,),
    "name": ("zz",),
    "source": ("zz",),
    "options": ({},),
    "limits": (),
}


@pytest.fixture
def robot(lab):
    return lab.load_text(BODY, fixed_links="KEEP").object


def damage(obj, change):
    document = json.loads(obj.data[TABLE_KEY])
    change(document)
    obj.data[TABLE_KEY] = json.dumps(document)


def entry(document, path):
    for key in path[:-1]:
        document = document[key]
    return document


def check_refused(obj, match="damaged|version|is gone"):
    with pytest.raises(RigError, match=match) as caught:
        open_rig(obj)
    assert "\n" not in str(caught.value)
    with pytest.raises(RigError):
        bake_robot(bpy.context, obj, BakeSettings(frame_end=3))
    assert obj.animation_data is None


@pytest.mark.parametrize("path", FIELDS, ids=lambda path: ".".join(map(str, path)))
def test_every_wrong_value_is_named(robot, path):
    whole = robot.data[TABLE_KEY]
    for value in WRONG:
        if any(value is right or value == right for right in RIGHT.get(path[-1], ())):
            continue
        damage(robot, lambda document, value=value: entry(document, path).update({path[-1]: value}))
        check_refused(robot)
        robot.data[TABLE_KEY] = whole
    damage(robot, lambda document: entry(document, path).pop(path[-1]))
    check_refused(robot, "damaged")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["bones"][0].update(kind="planar"), "'turn': planar, .*: revolute"),
        (lambda d: d["bones"][0].update(joint="other"), "'turn': no bone"),
        (lambda d: d["bones"][0].update(sign=0), r"bones\[0\].sign: wanted 1 or -1, got 0"),
        (lambda d: d["bones"].append(d["bones"][0]), "stands twice"),
        (lambda d: d["bones"].clear(), "there is no bone"),
        (lambda d: d["links"].pop("tip"), "link 'tip'"),
        (lambda d: d["links"].update(more=d["links"]["tip"]), "link 'more'"),
        (lambda d: d["links"]["arm"].update(bone=None), "not tied to its bone"),
        (
            lambda d: d["links"]["tip"].update(bone_from_link=[[0] * 4] * 4),
            "a rotation and a place",
        ),
        (lambda d: d["links"]["tip"].update(bone_from_link=[["x"] * 4] * 4), "4 rows"),
        (lambda d: d["bones"][0].update(limits=[0, "1"]), "two finite numbers"),
        (lambda d: d["options"].update(scale=-1.0), "Scale"),
        (lambda d: d["fixed_bones"].pop(), "link 'tip': no fixed bone, and wanted: one"),
        (lambda d: d["options"].update(fixed_links="MERGE"), "'base': one fixed bone, and wanted"),
        (lambda d: d["fixed_bones"].append(d["fixed_bones"][0]), "stands twice"),
        (lambda d: d["fixed_bones"][1].update(link="base"), "link 'base' stands twice"),
        (lambda d: d["fixed_bones"][1].update(id="bone_1"), "id 'bone_1' stands twice"),
        (lambda d: d["fixed_bones"][1].update(id="none"), "the bone of link 'tip' is gone"),
        (lambda d: d["fixed_bones"][1].update(link="other"), "there is no link 'other'"),
        (lambda d: d["fixed_bones"][1].update(link="arm"), "'arm' has a bone that a joint moves"),
        (
            lambda d: d["fixed_bones"][1]["armature_from_bone"][0].__setitem__(3, 0.5),
            "rest position",
        ),
        (lambda d: d["options"].update(floating_base=True), "'floating_base': no bone"),
        (lambda d: d.update(text=d["text"].replace("revolute", "planar")), "planar"),
        (lambda d: d.update(text=d["text"].replace("revolute", "fixed")), "no joint that moves"),
        (lambda d: d.update(text="<robot"), "its description"),
        (lambda d: d.update(version=2), "version 2"),
    ],
)
def test_values_that_contradict_one_another(robot, change, words):
    damage(robot, change)
    check_refused(robot, words)


@pytest.mark.parametrize("value", ["", "{bad", "[]", "null", "[" * 100_000, 5, [1, 2], {"a": 1}])
def test_a_table_that_is_no_json_object(robot, value):
    robot.data[TABLE_KEY] = value
    check_refused(robot)


class Layout:
    """Takes what a panel draws, as Blender's layout does."""

    def __init__(self):
        self.texts = []

    def label(self, text="", icon="NONE"):
        self.texts.append(text)

    def operator(self, *_, **__):
        pass

    def prop(self, *_, **__):
        pass

    def column(self, align=False):
        return self


class Drawn:
    def __init__(self):
        self.layout = Layout()


def test_panels_draw_what_is_wrong(robot):
    bpy.context.view_layer.objects.active = robot
    bpy.ops.object.mode_set(mode="POSE")
    robot.data.bones.active = robot.data.bones["arm"]
    assert DYNARIG_PT_joint.poll(bpy.context)
    drawn = Drawn()
    DYNARIG_PT_joint.draw(drawn, bpy.context)
    assert "turn (revolute)" in drawn.layout.texts
    assert not table_problem(robot)
    robot.data[TABLE_KEY] = "{bad\n"
    assert not DYNARIG_PT_joint.poll(bpy.context)
    drawn = Drawn()
    DYNARIG_PT_robot.draw(drawn, bpy.context)
    DYNARIG_PT_joint.draw(drawn, bpy.context)
    assert "is damaged" in drawn.layout.texts[-1]


def test_a_table_and_its_description_are_read_once(robot):
    assert read_table(robot.data) is read_table(robot.data)
    assert open_rig(robot).robot is open_rig(robot).robot
